/** Characters of a delivery region's name. */
export const regionNameChars = 100;
/** Largest place of a delivery region in their order. */
export const sortMax = 10_000;
/** Delivery regions one call names, and network regions one of them has. */
export const regionsMax = 1_000;
/** Network regions one call names. */
export const networkRegionsMax = 5_000;

export const regionStatuses = ["ACTIVE", "INVALID"] as const;
export type RegionStatus = (typeof regionStatuses)[number];

/** Shares are counted in hundredths of a percent; all regions together have the whole. REG-06 */
export const wholeShare = 10_000;
export const shareMax = 100;

/** Tables that name a delivery region, with a word of their own where one is told what uses it. */
export const useKinds = ["du", "cluster", "du_flow_rule", "region_owner", "subcon_capacity", "network_region", "share", "other"] as const;
export type UseKind = (typeof useKinds)[number];

/** Points of DUs the small map shows. */
export const mapPointsMax = 1_500;
