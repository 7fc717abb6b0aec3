import type { DateField } from "#lib/rollout-plan/plan-rows/limits.ts";
import type { ObjectType } from "./conditions/limits.ts";

/** What a rule reads and fills. */
export const ruleTypes = ["ACT_TO_ACT", "ACT_TO_ATTR", "ATTR_TO_ACT", "ATTR_TO_ATTR", "MULTI_ACT", "EXT_EVENT", "ORG_TARGET"] as const;
export type RuleType = (typeof ruleTypes)[number];
/** Types a run can take; counts of an organisation are only kept. */
export const runTypes = ruleTypes.filter((type) => type !== "ORG_TARGET");

export const ruleStatuses = ["EFFECTIVE", "INVALID"] as const;
export type RuleStatus = (typeof ruleStatuses)[number];

/** Why a rule is invalid: by hand, or because of its date or of what it names. [RUL-06] */
export const invalidReasons = [
  "DISABLED",
  "EXPIRED",
  "FLOW_INVALID",
  "REGION_INVALID",
  "ATTRIBUTE_INVALID",
  "ATTRIBUTE_TYPE_CHANGED",
  "ATTRIBUTE_NOT_DISPLAYED",
  "ACTIVITY_INVALID",
  "MILESTONE_INVALID",
] as const;
export type InvalidReason = (typeof invalidReasons)[number];

export const ruleNameChars = 100;
export const descriptionChars = 2000;
export const sortMax = 10_000;
/** Rules a list, and a call that changes several, may hold. */
export const rulesMax = 200;
/** Rows from sources to a target. */
export const actionRowsMax = 10;
/** Days a rule may add. */
export const offsetMax = 1095;
/** Activities a rule over several of them reads. */
export const sourcesMin = 2;
export const sourcesMax = 20;
/** Attributes a rule from attribute to attribute names. */
export const attributesMin = 2;
/** Regions and filters of one rule. */
export const regionsMax = 200;
export const filtersMax = 10;
/** How the DUs of a rule can be filtered, by what a field holds. */
export const filterTypes = {
  text: ["eq", "in", "like", "empty", "notEmpty"],
  number: ["eq", "range", "empty", "notEmpty"],
  date: ["eq", "range", "empty", "notEmpty"],
  time: ["eq", "range", "empty", "notEmpty"],
  datetime: ["eq", "range", "empty", "notEmpty"],
  choice: ["in", "empty", "notEmpty"],
} as const satisfies Record<ObjectType, readonly string[]>;
export type FilterType = (typeof filterTypes)[ObjectType][number];
export const eventsMax = 5;
/** Length of a fixed value. */
export const fixedChars = 1024;

/** Hours between two automatic runs; the daily one stands for itself. */
export const frequencies = [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 8, 12, 24, 48] as const;
export const frequencyDefault = 24;

/** Fields of an activity that rules know. */
export const actDates = ["PLAN_START", "PLAN_END", "ACTUAL_START", "ACTUAL_END", "BASELINE_START", "BASELINE_END"] as const;
export type ActDate = (typeof actDates)[number];
export const actFields = [...actDates, "FIX_PLAN", "STATUS", "PLAN_OWNER", "ACTUAL_OWNER", "ATTR"] as const;
export type ActField = (typeof actFields)[number];
/** Fields of an activity that a rule may fill. */
export const targetDates = ["PLAN_START", "PLAN_END", "ACTUAL_START", "ACTUAL_END"] as const satisfies readonly ActDate[];

/** Dates of the plan by their names in rules. */
export const dateColumns: Record<ActDate, DateField> = {
  PLAN_START: "planStart",
  PLAN_END: "planEnd",
  ACTUAL_START: "actualStart",
  ACTUAL_END: "actualEnd",
  BASELINE_START: "baselineStart",
  BASELINE_END: "baselineEnd",
};

export const aggregates = ["LATEST", "EARLIEST"] as const;
export type Aggregate = (typeof aggregates)[number];
export const blankModes = ["REQUIRE_ALL", "IGNORE"] as const;
export type BlankMode = (typeof blankModes)[number];

/** What a rule of events waits for. */
export const moments = ["ACTUAL_START_SET", "ACTUAL_END_SET", "PLAN_CHANGED", "ATTRIBUTE_CHANGED", "DOCUMENT_PUBLISHED"] as const;
export type Moment = (typeof moments)[number];

/** How values pass from a source to a target; kinds of attributes by what they hold. */
export const valueKinds = ["day", "datetime", "time", "number", "text", "enum"] as const;
export type ValueKind = (typeof valueKinds)[number];
/** Targets that can be filled from each kind of source. */
export const conversions: Record<ValueKind, readonly ValueKind[]> = {
  day: ["day", "datetime", "text"],
  datetime: ["day", "datetime", "time", "text"],
  time: [],
  number: ["number", "text"],
  text: ["text", "enum"],
  enum: ["text", "enum"],
};
