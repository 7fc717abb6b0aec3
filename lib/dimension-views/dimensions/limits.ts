/** DU fields a tab may be cut by, besides extension attributes. */
export const dimensionFields = ["region", "cluster", "subcontractor", "deliveryType", "productLine", "deliveryBatchNo", "town"] as const;
export type DimensionField = (typeof dimensionFields)[number];

/** Kinds of extension attributes a tab may be cut by. */
export const dimensionTypes = ["ENUM", "LOOKUP_ENUM", "TEXT"] as const;

/** Tabs an empty view suggests. */
export const suggestionsMax = 3;
/** Activities a suggested tab begins with. */
export const suggestedActivities = 5;
