/** Longest texts of a temporary milestone, characters [MDV-10]. */
export const tempMilestoneChars = { name: 100, productCode: 60, product: 200, deliverable: 200 } as const;
export const tempStatuses = ["draft", "released"] as const;
export type TempStatus = (typeof tempStatuses)[number];
/** Rows one call dates. */
export const datesMax = 200;
export const tempMilestonesPerCall = 200;
