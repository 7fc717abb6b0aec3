/** Count of DUs one target may name. */
export const targetMax = 1_000_000;
/** Weeks between the first and the last of a call, and targets one call saves. */
export const weeksMax = 160;
export const targetsMax = 5_000;
