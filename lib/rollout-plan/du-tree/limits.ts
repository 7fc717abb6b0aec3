/** Children of a node that come at once. */
export const childrenMax = 500;

export const treeKinds = ["region", "site", "du", "activity"] as const;
export type TreeKind = (typeof treeKinds)[number];
