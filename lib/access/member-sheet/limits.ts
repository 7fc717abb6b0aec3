/** Version of the form of the workbook. */
export const memberSheetVersion = 1;
/** Roles one workbook may give or change; as many as an export holds. OPS-10 */
export const sheetRolesMax = 2_000;
/** Columns of the workbook: a row is one role of one person. The last is hidden and says which role it was exported from, at which revision. */
export const sheetColumns = ["account", "name", "email", "kind", "role", "from", "to", "state", "rowMark"] as const;
export type SheetColumn = (typeof sheetColumns)[number];
/** Columns that are read back; the others are only shown. */
export const readColumns = ["account", "role", "from", "to"] as const satisfies readonly SheetColumn[];
/** Columns that stay in sight. */
export const lockedColumns = 2;
