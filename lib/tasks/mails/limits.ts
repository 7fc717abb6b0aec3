/** A task that ran longer than this is told by mail when it ends, in milliseconds. */
export const longTaskMs = 120_000;
/** A person whose open pages have given no sign of life for this long has left: open pages give one every five minutes. */
export const leftAfterMs = 360_000;
/** Imports of plan files: the result of the check is always sent. OPS-09 */
export const planFileKinds: readonly string[] = ["dus", "plan", "reversePlan"];
