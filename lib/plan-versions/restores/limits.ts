/** What a restore takes from a version; baseline and actual dates are never among it. */
export const restoreFields = ["plan", "owner"] as const;
export type RestoreField = (typeof restoreFields)[number];

/** DUs a restore may name one by one. */
export const restoreDusMax = 10_000;
/** Longest reason of a restore, characters. */
export const restoreReasonMax = 2_000;
