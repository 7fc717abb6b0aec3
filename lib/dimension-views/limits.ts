import type { PeriodPreset } from "#lib/rollout-plan/conditions/limits.ts";

/** Characters of a tab's alias. */
export const aliasChars = 40;
/** Activities of one tab: more are no longer read at a glance. [MDV-14] */
export const tabActivitiesMax = 20;
export const dimensionChars = 60;
/** Rows a view shows before the rest is folded into one. */
export const rowLimitDefault = 500;
export const rowLimitMin = 10;
export const rowLimitMax = 2_000;
/** Tabs one call puts in order or deletes. */
export const tabsPerCall = 200;
/** Tabs whose order a call names as it was seen. */
export const tabsSeenMax = 2_000;

/** Periods a view offers; counting ends with their last day. */
export const viewPeriods = [
  "thisWeek",
  "nextWeek",
  "thisMonth",
  "thisAndNextMonth",
  "thisQuarter",
  "thisYear",
  "lastWeek",
  "lastMonth",
] as const satisfies readonly PeriodPreset[];
export type ViewPeriod = (typeof viewPeriods)[number];
