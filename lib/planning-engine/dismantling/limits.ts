/** Items that are used again, or what DUs give back of them. */
export const reuseKinds = ["item", "site"] as const;
export type ReuseKind = (typeof reuseKinds)[number];
/** Rows one call makes work orders for. */
export const dismantleRowsMax = 1000;
