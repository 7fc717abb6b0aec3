/** The plan as it is now stands beside every version without being one. */
export const currentSide = "current";

/** Dates two versions are compared by. */
export const compareFields = ["planStart", "planEnd", "actualStart", "actualEnd"] as const;
export type CompareField = (typeof compareFields)[number];

/** What can have become of a date; `same`: it moved over free days alone. */
export const changeKinds = ["later", "earlier", "same", "added", "removed"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Working days beyond which shifts share one bar of the histogram. */
export const histogramDays = 20;

/** DUs of one tile, and the slots it may ask for. */
export const tileDusMax = 200;
export const tileSlotsMax = 2_000;
