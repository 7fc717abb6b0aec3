/** DUs read at a time while the workbook is written. */
export const exportSlice = 500;
/** Columns of the ERP-PM layout. */
export const erpColumns = ["project", "duCode", "duName", "milestone", "name", "flag", "plan", "actual", "baseline", "status"] as const;
/** Columns that stay in sight: project, code and name. */
export const lockedColumns = 3;
