/** Where an owner can be replaced: the owners of activities, of DUs and of regions. */
export const replaceFields = ["PLAN_OWNER", "ACTUAL_OWNER", "ATTR_OWNER", "DU_OWNER", "REGION_OWNER"] as const;
export type ReplaceField = (typeof replaceFields)[number];

/** Flows, regions and DUs a scope may name. */
export const scopeFlowsMax = 500;
export const scopeRegionsMax = 500;
export const scopeDusMax = 10_000;

/** A replacement in more DUs runs in the background, so many at a time. */
export const directDusMax = 200;
export const replaceChunkDus = 250;

/** Dispatched orders a preview lists; the others are counted. */
export const listedOrdersMax = 200;
