/** Longest name of a tab and longest serial number, in characters. */
export const tabNameChars = 100;
export const snChars = 50;
/** Characters of a cell of a tab, whatever its attribute allows elsewhere. [DUT-09] */
export const cellChars = 4000;
export const sortMin = 1;
export const sortMax = 10_000;
/** What makes a row of a tab one of its kind: a serial number, many to a DU, or the DU itself. */
export const keyModes = ["SN", "DU"] as const;
export type KeyMode = (typeof keyModes)[number];
/** What a person may do with a tab. [DUT-12] */
export const tabModes = ["RO", "RW"] as const;
export type TabMode = (typeof tabModes)[number];
/** Roles that write a tab that says nothing of them. */
export const writingRoles = ["PM", "PCM"] as const;
/** Users and roles a tab can name. */
export const tabUsersMax = 500;
export const tabsPerCall = 100;
/** Rows one call saves or deletes. */
export const rowsMax = 500;
/** DUs and serial numbers one search names. */
export const searchedDusMax = 200;
export const searchedSnsMax = 500;
/** Lines of the history one page holds. */
export const historyPageMax = 200;
/** How long one's own deletion can be taken back, in minutes. */
export const undoMinutes = 10;
/** The country whose projects show the state of a site. */
export const stateCountry = "BR";

/** Columns every tab begins with, read from the DU and its site; `state…` in Brazilian projects only. [DUT-02] */
export const fixedColumns = [
  "code",
  "sn",
  "name",
  "siteCode",
  "siteName",
  "siteNumber",
  "hwContractNumber",
  "deliveryType",
  "productLine",
  "productType",
  "stateId",
  "stateName",
  "deliveryBatchNo",
  "poCompletenessNo",
  "completenessType",
  "siteScenario",
  "deliveryKey",
  "networkElementId",
] as const;
export type FixedColumn = (typeof fixedColumns)[number];
/** Fixed columns by whose values the rows are narrowed, beside the region. */
export const filteredColumns = ["deliveryType", "productLine", "productType", "siteScenario"] as const satisfies readonly FixedColumn[];
