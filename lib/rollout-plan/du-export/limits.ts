/** Version of the form of the workbooks of DUs and of sites. */
export const duSheetVersion = 1;
/** Columns that stay in sight: code and name. */
export const lockedColumns = 2;
