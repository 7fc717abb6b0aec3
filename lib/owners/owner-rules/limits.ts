/** Longest name of a rule, its description, and the names of its flows together. OWN-04 */
export const ruleNameChars = 100;
export const descriptionChars = 2000;
export const flowTextChars = 4000;
/** Last place in the order of the rules; 1 decides first. */
export const sortNoMax = 10_000;
/** Flows and activities one rule may name: what a call can hold in reason. */
export const ruleFlowsMax = 500;
export const ruleActivitiesMax = 2_000;
/** Rules that one call enables, disables, deletes or sorts. */
export const rulesPerCall = 500;

export const ruleStatuses = ["ENABLED", "INVALID"] as const;
export type RuleStatus = (typeof ruleStatuses)[number];

/** Why a rule is invalid: by hand, by its date, or because what it names is gone or changed. */
export const invalidReasons = [
  "DISABLED",
  "EXPIRED",
  "FLOW_INVALID",
  "ACTIVITY_INVALID",
  "REGION_INVALID",
  "ATTRIBUTE_INVALID",
  "ATTRIBUTE_NOT_DISPLAYED",
  "ATTRIBUTE_TYPE_CHANGED",
  "GROUP_INVALID",
] as const;
export type InvalidReason = (typeof invalidReasons)[number];

/** The owners of an activity a rule may fill, as the database names them, with the kind of plan cell each is. */
export const ruleFields = { PLAN_OWNER: "planOwner", ACTUAL_OWNER: "actualOwner", ATTR_OWNER: "attrOwner" } as const;
export const ruleFieldNames = ["PLAN_OWNER", "ACTUAL_OWNER", "ATTR_OWNER"] as const;
export type RuleField = (typeof ruleFieldNames)[number];

/** Where a rule takes the people from. */
export const fillModes = ["FIXED", "ATTRIBUTE", "DU_OWNER", "REGION_OWNER", "SUBCON_PM", "GROUP_LEADER"] as const;
export type FillMode = (typeof fillModes)[number];

export const ruleOperatorNames = ["IN", "NOT_IN", "EQ", "IS_EMPTY", "IS_NOT_EMPTY"] as const;
export type RuleOperator = (typeof ruleOperatorNames)[number];
/** What can be asked of an object of each type. */
export const ruleOperators = {
  text: ["EQ", "IN", "NOT_IN", "IS_EMPTY", "IS_NOT_EMPTY"],
  number: ["EQ", "IS_EMPTY", "IS_NOT_EMPTY"],
  date: ["EQ", "IS_EMPTY", "IS_NOT_EMPTY"],
  time: ["EQ", "IS_EMPTY", "IS_NOT_EMPTY"],
  datetime: ["EQ", "IS_EMPTY", "IS_NOT_EMPTY"],
  choice: ["IN", "NOT_IN", "EQ", "IS_EMPTY", "IS_NOT_EMPTY"],
} as const satisfies Record<string, readonly RuleOperator[]>;
