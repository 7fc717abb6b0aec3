/** Why a run takes place. [RUL-27] */
export const runModes = ["AUTO", "MANUAL", "EVENT", "PREVIEW", "REVERT"] as const;
export type RunMode = (typeof runModes)[number];
/** What its rules fill: plan dates and attributes, or owners. */
export const runKinds = ["PLAN", "OWNER"] as const;
export type RunKind = (typeof runKinds)[number];
export const runStatuses = ["QUEUED", "RUNNING", "DONE", "FAILED"] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Rules a person may run or preview at once. [RUL-28] */
export const runRulesMax = 10;

/** Why a cell keeps its value. The place is the number stored with a run, 0 = changed: new reasons go to the end. */
export const outcomes = [
  "CHANGED",
  "NO_ACTIVITY",
  "NA_OR_INV",
  "TASK_CLOSED",
  "FROZEN",
  "ACTIVITY_COMPLETED",
  "MOS_FROZEN",
  "ACTUAL_EXISTS",
  "CHANGE_CONTROL",
  "TOOL_LOCKED",
  "SUSPENDED",
  "SUB_STEPS_ONLY",
  "IN_APPROVAL",
  "REVENUE_TRIGGERED",
  "DELIVERABLE_MISSING",
  "OWNER_REQUIRED",
  "DATE_OUT_OF_RANGE",
  "PLAN_TOO_FAR",
  "ACTUAL_AFTER_TODAY",
  "VALUE_LIMIT",
  "TOO_LONG",
  "ENUM_MISMATCH",
  "PLAN_ORDER",
  "ACTUAL_ORDER",
  "DEP_PREREQ_UNMET",
  "WARNING_MANDATORY",
  "CHANGED_MEANWHILE",
  "CHANGED_SINCE",
  "NO_PERMISSION",
] as const;
export type Outcome = (typeof outcomes)[number];

/** DUs read and judged at once; larger projects are gone through block by block. */
export const blockDus = 10_000;
/** DUs of which a run that nobody started keeps the cells it could not fill; the rest is counted. */
export const sampleDus = 1_000;
/** DUs whose cells are stored by one statement of a run. */
export const storedDus = 2_000;
/** How long runs are kept: dry ones in hours, those that changed nothing in days, the others in months. */
export const previewHours = 24;
export const idleRunDays = 30;
export const runMonths = 12;
/** Days within which the changes of a run can be taken back. */
export const revertDays = 7;
/** A run without task that is not over after so many minutes has lost its worker. */
export const lostRunMinutes = 60;
