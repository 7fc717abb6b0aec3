export const activityNameChars = 250;
/** Working days. */
export const durationDaysMax = 1095;
/** Working days of a relation, in either direction. */
export const offsetDaysMax = 1095;
/** Predecessors and linked activities one activity may have. */
export const relationsMax = 500;
export const relations = ["FS", "SS", "FF", "SF"] as const;
export type Relation = (typeof relations)[number];
