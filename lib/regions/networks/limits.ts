/** Characters of a network region's name. */
export const networkRegionNameChars = 200;
/** Where a network region came from. */
export const networkSources = ["IMPORT", "MANUAL"] as const;
export type NetworkSource = (typeof networkSources)[number];
