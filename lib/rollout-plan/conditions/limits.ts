/** Conditions and sort columns of one query. */
export const conditionsMax = 100;
export const sortsMax = 5;
/** Fields the search box looks in. */
export const searchFields = ["code", "name", "siteCode", "siteName", "siteNumber", "rfcNumber"] as const;
export type SearchField = (typeof searchFields)[number];

/** Periods by name: those of the plan period filter [RPL-30], then the date presets of lists. */
export const periodPresets = [
  "thisWeek",
  "nextWeek",
  "thisAndNextTwoWeeks",
  "thisAndNextMonth",
  "lastWeek",
  "lastMonth",
  "thisQuarter",
  "thisMonth",
  "last3Months",
  "thisYear",
  "lastYear",
] as const;
export type PeriodPreset = (typeof periodPresets)[number];

/** Presets of the date range of lists that look back. [OPS-47] */
export const datePresets = [
  "thisWeek",
  "lastWeek",
  "thisMonth",
  "lastMonth",
  "last3Months",
  "thisYear",
  "lastYear",
] as const satisfies readonly PeriodPreset[];

/** Statuses of an activity that a filter takes: those of the status column and five that overlap them. [RPL-13] */
export const statusFilters = [
  "na",
  "inv",
  "closed",
  "approving",
  "completed",
  "notPlanned",
  "delayed",
  "within7",
  "after7",
  "incomplete",
  "thisWeek",
  "thisMonth",
  "frozen",
  "unfrozen",
] as const;
export type StatusFilter = (typeof statusFilters)[number];
