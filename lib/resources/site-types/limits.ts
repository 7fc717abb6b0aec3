/** Site types and dimensions a project may have [RES-36]. */
export const siteTypesMax = 10;
export const siteDimensionsMax = 4;
export const siteTypeNameChars = 200;
/** Parts of one site type. */
export const subTypesMax = 100;
/** Dimensions a project begins with. */
export const defaultDimensions = ["scenario", "towerKind", "access", "power"] as const;
