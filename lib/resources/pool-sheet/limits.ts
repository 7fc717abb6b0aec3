/** Version of the form of the workbook. */
export const poolSheetVersion = 1;
/** Columns of the workbook of people; the last is hidden and says whom the row was made of, at which revision. */
export const sheetColumns = [
  "account",
  "name",
  "employeeId",
  "type",
  "roles",
  "groups",
  "contractor",
  "subcontractor",
  "phone",
  "authStart",
  "authEnd",
  "visaType",
  "visaStart",
  "visaEnd",
  "skills",
  "availability",
  "presence",
  "status",
  "rowMark",
] as const;
export type SheetColumn = (typeof sheetColumns)[number];
/** Columns that are read back; the others are only shown. */
export const readColumns = [
  "account",
  "type",
  "contractor",
  "phone",
  "authStart",
  "authEnd",
  "visaType",
  "visaStart",
  "visaEnd",
  "skills",
] as const satisfies readonly SheetColumn[];
export type ReadColumn = (typeof readColumns)[number];
/** Columns that hold a day. */
export const dayColumns: readonly SheetColumn[] = ["authStart", "authEnd", "visaStart", "visaEnd"];
/** Columns that stay in sight. */
export const lockedColumns = 2;
/** People one workbook changes; as many as an export holds. OPS-10 */
export const sheetPeopleMax = 2_000;
/** Right by which a tab may be exported. RES-38 RES-39 RES-40 */
export const exportRights = {
  OWN: "resource.exportOwn",
  SUBCON: "resource.exportSubcon",
  CUSTOMER: "resource.exportCustomer",
  GROUPS: "resource.exportGroup",
  ALL_GROUPS: "resource.exportGroup",
} as const;
