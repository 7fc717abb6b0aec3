/** Rows of the preview while a tab is edited. */
export const previewRows = 20;
/** Conditions a view may be narrowed by. */
export const viewConditionsMax = 20;
/** Counted views kept in memory. */
export const keptCounts = 40;
/** Hours the DUs behind a number can be opened in the grid. */
export const drillHours = 24;
export const searchChars = 200;

/** What of an activity is counted. */
export const measures = ["applicable", "planned", "done", "delayed"] as const;
export type Measure = (typeof measures)[number];
/** What a number stands for when it is opened. */
export const buckets = ["total", ...measures] as const;
export type Bucket = (typeof buckets)[number];
/** Rows of a view: one value, DUs without any, the values beyond the limit, and all together. */
export const rowKinds = ["value", "empty", "others", "all"] as const;
export type RowKind = (typeof rowKinds)[number];
/** What a view is ordered by: the values, their DUs, or a figure of an activity. */
export const orders = ["value", "total", "rate", "done", "delayed"] as const;
export type Order = (typeof orders)[number];

/** Steps of the cumulative series. */
export const trendGrains = ["day", "week", "month"] as const;
export type TrendGrain = (typeof trendGrains)[number];
/** Lines of the cumulative series. */
export const trendLines = ["plan", "actual", "baseline"] as const;
export type TrendLine = (typeof trendLines)[number];
