/** DUs one call may fix, freeze or release from it. */
export const lockDusMax = 200;

/** Activities one call may name; a flow holds no more. */
export const lockActivitiesMax = 500;

/** Longest reason of a freeze or its end, characters. */
export const freezeReasonMax = 500;

/** Days ahead a freeze by condition may look. */
export const freezeWithinDaysMax = 1095;

/** Kinds of locks on plan data, in the order they are listed. */
export const lockKinds = [
  "FROZEN",
  "FIXED",
  "TOOL",
  "APPROVING",
  "CLOSED",
  "NA",
  "REVENUE",
  "MOS_FROZEN",
  "RELEASED",
  "OWNER_ONLY",
] as const;
export type LockKind = (typeof lockKinds)[number];
