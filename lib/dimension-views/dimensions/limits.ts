import type { DuColumnKey } from "#lib/rollout-plan/columns/limits.ts";

/** DU fields a tab may be cut by, besides extension attributes; each reads the plan's column of the same name. */
export const dimensionFields = [
  "region",
  "subcontractor",
  "deliveryType",
  "productLine",
  "deliveryBatchNo",
  "town",
] as const satisfies readonly DuColumnKey[];
export type DimensionField = (typeof dimensionFields)[number];

/** Kinds of extension attributes a tab may be cut by. */
export const dimensionTypes = ["ENUM", "LOOKUP_ENUM", "TEXT"] as const;

/** Tabs an empty view suggests. */
export const suggestionsMax = 3;
/** Activities a suggested tab begins with. */
export const suggestedActivities = 5;
