/** Versions one chart compares. */
export const progressVersionsMax = 20;

/** Width of a step of the chart. */
export const progressGrains = ["day", "week", "month"] as const;
export type ProgressGrain = (typeof progressGrains)[number];
