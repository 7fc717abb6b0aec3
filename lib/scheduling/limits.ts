/** Why a DU is refused by a run, in the order the checks are made. */
export const scheduleRefusals = [
  "DU_EMPTY",
  "LIBRARY_ID_MISSING",
  "INVALID_CALENDAR",
  "CYCLE",
  "NO_ANCHOR",
  "ANCHOR_DATES_EMPTY",
  "NO_ACTIVITY",
  "FROZEN",
  "PLAN_TOO_FAR",
  "DATE_OUT_OF_RANGE",
  "CHANGE_CONTROL",
  "MOS_FROZEN",
  "FROZEN_BLOCKS",
] as const;
export type ScheduleRefusal = (typeof scheduleRefusals)[number];

/** What a run accepts but points out. */
export const scheduleWarnings = ["ANCHOR_IGNORED", "UNLINKED", "CONFLICT", "PAST_DATE"] as const;
export type ScheduleWarning = (typeof scheduleWarnings)[number];

/** Codes a run finds, refusals first: a finding names its code by its place here. */
export const findingCodes = [...scheduleRefusals, ...scheduleWarnings] as const;
export type FindingCode = (typeof findingCodes)[number];

/** Codes of a preview: those of the run, and of DUs that the caller does not reach, or sees but may not schedule. */
export const previewCodes = [...findingCodes, "DU_NOT_FOUND", "NO_PERMISSION"] as const;
export type PreviewCode = (typeof previewCodes)[number];

/** DUs a call may name one by one; a stored query may hold more. */
export const scheduleDusMax = 200;

/** Anchors one request may bring. */
export const requestAnchorsMax = 5000;

/** Minutes a preview is kept. */
export const previewMinutes = 30;

/** Previews one person keeps at a time; older ones make room. */
export const previewsPerPerson = 4;

/** DUs one stored query may hold to be scheduled in one go. */
export const previewDusMax = 20_000;

export const previewTabs = ["moves", "refused", "warnings"] as const;
export type PreviewTab = (typeof previewTabs)[number];

/** Rows a page of a preview may have. */
export const previewPageMax = 500;

/** Longest text to search a person by, characters. */
export const searchKeyMax = 60;

/** Rows of what a task left as it was that its result lists; the workbook of the task has them all. */
export const refusedShown = 1_000;
