/** Longest name and code of a library activity. */
export const activityNameChars = 150;
export const activityCodeChars = 60;
/** Slots of a project's library: a plan row has one place per slot, a slot is never given away twice. */
export const slotsMax = 2000;
/** Library activities disabled by one call. */
export const disableActivitiesMax = 200;

export const activityKinds = ["normal", "milestone", "material_dismantle", "mos", "rfi", "ic", "decom", "pac", "fac"] as const;
export type ActivityKind = (typeof activityKinds)[number];
