/** Cells one save may hold. */
export const saveCellsMax = 20_000;
/** Reason of a save. OPS remark.chars */
export const reasonChars = 2000;

/** DUs up to which a save keeps the database's plans: what a person pastes. Planning anew costs 4 ms of a paste into 100 DUs, and gains nothing for 500. */
export const fewDus = 500;
/** Characters of a cell; attributes and fields have bounds of their own below it. */
export const cellTextChars = 5_000;
