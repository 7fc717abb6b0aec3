/** Columns of one export. */
export const exportColumnsMax = 2_000;
/** DUs that may be named one by one. */
export const exportDusMax = 10_000;
/** DUs read at a time while the workbook is written. */
export const exportSlice = 500;
/** Version of the form of the workbook: what is read back must have the same. */
export const exportVersion = 2;
/** Kind of the workbook, as the import names it. */
export const exportKind = "plan";
/** Key of the hidden last column, whose cells say which DU a row is and at which change number it was read. */
export const markKey = "row";
