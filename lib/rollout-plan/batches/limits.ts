/** DUs one batch may hold. OPS select.du */
export const batchDusMax = 200;
/** Working days a batch may shift or add. */
export const shiftDaysMax = 1095;
/** Examples of each outcome a preview shows. */
export const samplesMax = 20;

/** Dates a batch sets, and what it may copy from. */
export const batchFields = ["planStart", "planEnd", "actualStart", "actualEnd"] as const;
export const copyFields = [
  "planStart",
  "planEnd",
  "actualStart",
  "actualEnd",
  "baselineStart",
  "baselineEnd",
  "releasedStart",
  "releasedEnd",
] as const;

/** Kinds of owners a batch sets, and the cells they stand in. */
export const ownerKinds = { plan: "planOwner", actual: "actualOwner", attribute: "attrOwner" } as const;
export type OwnerKind = keyof typeof ownerKinds;
export const ownerModes = ["set", "add", "remove"] as const;
/** Activities one batch may name: as many as a library holds. */
export const batchActivitiesMax = 2000;
