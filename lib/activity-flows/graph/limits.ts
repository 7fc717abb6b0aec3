/** Longest name of an activity in a flow. */
export const nodeNameChars = 150;
/** Longest code of a library activity. */
export const activityCodeChars = 60;
/** Longest lead time, working days. */
export const leadTimeDaysMax = 1095;
/** Largest offset of a relation in either direction, working days. */
export const offsetDaysMax = 1095;
/** Activities and relations one flow may hold. */
export const nodesMax = 500;
export const relationsMax = 2000;
/** Furthest position in the diagram, in either direction. */
export const positionMax = 200_000;
/** Longest key a caller may give a node within one request. */
export const nodeKeyChars = 40;

export const relationTypes = ["FS", "SS", "FF", "SF"] as const;
export type RelationType = (typeof relationTypes)[number];
