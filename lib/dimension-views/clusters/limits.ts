/** Characters of a cluster's name. */
export const clusterNameChars = 60;
/** How the completion rate of a cluster is given, with its bounds and decimals: a whole number above 100 counts DUs. MDV */
export const rateBounds = {
  integer: { min: 0, max: 9999, decimals: 0 },
  real: { min: 0.01, max: 99.99, decimals: 2 },
} as const;
export type RateKind = keyof typeof rateBounds;
export const rateKinds = Object.keys(rateBounds) as RateKind[];
/** Whole percent, above which a rate counts DUs. */
export const percentMax = 100;
/** Largest priority and cutover quantity: what the database keeps. */
export const wholeMax = 2_147_483_647;
/** DUs one call assigns. */
export const assignDusMax = 200;
/** Clusters one call deletes. */
export const deleteClustersMax = 200;
/** Points of a drawn outline. */
export const outlinePointsMin = 3;
export const outlinePointsMax = 200;
/** Colours a cluster may have: those of charts, by the number of their token. */
export const clusterColors = ["c1", "c2", "c3", "c4", "c5", "c6"] as const;
export type ClusterColor = (typeof clusterColors)[number];
/** DUs without cutover that are named per cluster. */
export const missingDusMax = 200;
