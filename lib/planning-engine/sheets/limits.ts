/** Form of the workbooks of inputs; one of another form is refused. */
export const inputSheetVersion = 1;
export const inputSheetKind = "engine-input";
/** Ending of the files an import takes. */
export const inputSheetEnding = "xlsx";
