/** Regions whose owners one call sets. */
export const ownerRegionsMax = 500;
/** Accounts one call judges. */
export const judgedAccountsMax = 200;

/** Columns of the workbook: a row is one region. */
export const regionSheetColumns = ["region", "owners"] as const;
export type RegionSheetColumn = (typeof regionSheetColumns)[number];
/** Version of the form of the workbook, and its columns that stay in sight. */
export const regionSheetVersion = 1;
export const regionSheetLocked = 1;
