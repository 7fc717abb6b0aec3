/** DUs a version plans at most. */
export const engineDusMax = 10_000;
/** Rows one call saves or deletes. */
export const inputRowsMax = 5000;
export const skillTypeChars = 60;
export const resourceNameChars = 100;
export const engineRegionChars = 100;
export const itemCodeChars = 60;
export const itemDescriptionChars = 250;
export const materialCategoryChars = 60;
export const groupNameChars = 60;
/** Quantities have two decimals; what is asked for is more than nothing. [ENG-27] */
export const quantityDecimals = 2;
export const quantityMin = 0.01;
export const quantityMax = 999_999_999_999.99;
export const countMax = 2_147_483_647;
/** Working days from the end of a dismantling until its material can be used. */
export const turnaroundDaysMax = 1095;
export const workflowNameChars = 250;
export const siteChars = 100;
export const clusterChars = 100;
export const duTypes = ["install", "dismantle", "both"] as const;
export const longitudeMax = 180;
export const latitudeMax = 90;
export const coordinateDecimals = 6;
