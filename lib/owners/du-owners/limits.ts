/** Kinds of owners of a DU. */
export const duOwnerKinds = ["DU_OWNER", "SITE_OWNER", "INVENTORY_OWNER"] as const;
export type DuOwnerKind = (typeof duOwnerKinds)[number];

/** DUs whose owners one call sets. */
export const ownerDusMax = 200;

/** Columns of the workbook: a row is one DU. The first and the kinds are read back, the others are only shown. */
export const duSheetColumns = ["code", "name", "region", ...duOwnerKinds] as const;
export type DuSheetColumn = (typeof duSheetColumns)[number];
/** Version of the form of the workbook, and its columns that stay in sight. */
export const duSheetVersion = 1;
export const duSheetLocked = 1;
