/** Milestones a project may have enabled [MDV-20]. */
export const enabledMilestonesMax = 10;
export const milestoneNumberChars = 30;
export const milestoneNameChars = 100;
export const milestoneFlags = ["normal", "revenue", "acceptance"] as const;
export type MilestoneFlag = (typeof milestoneFlags)[number];
/** Colours of the charts, by their tokens. */
export const milestoneColors = ["c1", "c2", "c3", "c4", "c5", "c6"] as const;
export type MilestoneColor = (typeof milestoneColors)[number];
/** Rows a milestone may have, one for each delivery type. */
export const infosMax = 50;
export const deliveryTypeChars = 40;
export const infoTargets = ["activity", "temp_milestone"] as const;
export type InfoTarget = (typeof infoTargets)[number];
export const dateFields = ["plan_end", "actual_end"] as const;
export type DateField = (typeof dateFields)[number];
/** Share of a milestone in percent. */
export const weightMin = 0.01;
export const weightMax = 100;
export const searchChars = 100;
/** Milestones one call deletes or brings into order. */
export const milestonesPerCall = 200;
/** Milestones whose order a call names as it was seen. */
export const milestonesSeenMax = 2_000;
/** DUs one call names. */
export const dusPerCall = 200;
/** Projects one call copies to. */
export const copyProjectsMax = 20;
