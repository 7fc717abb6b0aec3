/** Kind and form of the workbook of a tab, as its hidden sheet says them. */
export const tabSheetKind = "duTab";
export const tabSheetVersion = 1;
/** Files one import takes, and the size of each in bytes (20 MB). [DUT-14] */
export const importFilesMax = 5;
export const importFileBytes = 20_971_520;
/** Endings of those files. */
export const importEndings = ["xlsx", "xlsm"] as const;
/** Errors an import shows; its workbook of failures has them all. */
export const errorsShown = 1000;
/** Characters of the name of a sheet. */
export const sheetNameChars = 31;
/** Columns that stay in sight: the hidden mark and the DU ID. */
export const lockedColumns = 2;
