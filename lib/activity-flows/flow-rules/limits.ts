/** Longest name of a rule. */
export const ruleNameChars = 100;
/** Lowest priority, and so how many rules a project can have: each has one of its own, 1 goes first. */
export const priorityMax = 500;

export const ruleStatuses = ["enabled", "invalid"] as const;
export type RuleStatus = (typeof ruleStatuses)[number];

/** Why a rule is invalid: by hand, or because what it names is gone or changed. */
export const invalidReasons = [
  "DISABLED",
  "FLOW_INVALID",
  "REGION_INVALID",
  "ATTRIBUTE_INVALID",
  "ATTRIBUTE_NOT_DISPLAYED",
  "ATTRIBUTE_TYPE_CHANGED",
] as const;
export type InvalidReason = (typeof invalidReasons)[number];
