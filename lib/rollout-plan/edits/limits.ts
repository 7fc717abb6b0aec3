/** Cells one save may hold. */
export const saveCellsMax = 20_000;
/** Reason of a save. OPS remark.chars */
export const reasonChars = 2000;

/** DUs up to which a save keeps the database's plans: a block typed or pasted by hand. */
export const fewDus = 50;
/** Characters of a cell; attributes and fields have bounds of their own below it. */
export const cellTextChars = 5_000;
