/** What can be named by configuration. Choices of an attribute's own and values of lookup lists have ids of their own each. */
export const targetKinds = ["ATTRIBUTE", "ENUM_VALUE", "LOOKUP_VALUE", "ACTIVITY", "FLOW", "REGION", "MILESTONE"] as const;
export type TargetKind = (typeof targetKinds)[number];

/** How it is named. */
export const usages = ["CONDITION", "SOURCE", "TARGET", "COLUMN", "FILTER"] as const;
export type Usage = (typeof usages)[number];

/** The table of a kind of holder with the column of its name; what a project has one of has none and is called like its screen. */
type HolderTable = { table: string; name: string } | { table: string; screen: string };

/** Who names something, and where its name is read. An area that names things adds its line. */
export const holderTables = {
  CLUSTER: { table: "cluster", name: "name" },
  DEVIATION_REMIND: { table: "deviation_remind", name: "name" },
  DEP_RULE: { table: "dep_rule", name: "id" },
  FLOW_RULE: { table: "du_flow_rule", name: "name" },
  MAIL_RULE: { table: "mail_rule", name: "name" },
  ISOLATION: { table: "isolation_detail", name: "value" },
  MILESTONE: { table: "milestone", name: "number" },
  MULTI_DIM: { table: "multi_dim_tab", name: "alias" },
  OWNER_RULE: { table: "owner_rule", name: "name" },
  PLAN_RULE: { table: "plan_rule", name: "name" },
  REM_SETTING: { table: "rem_setting", screen: "reminderSettings" },
  RETENTION_MAPPING: { table: "retention_mapping", name: "name" },
  RFI_REMIND: { table: "rfi_remind", name: "state_id" },
  SUBCON_TYPE: { table: "subcon_type", name: "name" },
  TEMPLATE: { table: "template", name: "name" },
  WARNING: { table: "warning_config", name: "message" },
} as const satisfies Record<string, HolderTable>;
export type HolderKind = keyof typeof holderTables;

/** The task that looks again at objects of a kind when a thing they name changes; an area that judges its objects adds its line and registers the task. */
export const recheckJobs: Partial<Record<HolderKind, string>> = {
  DEP_RULE: "dependencyRules.recheck",
  DEVIATION_REMIND: "reminders.recheck",
  FLOW_RULE: "activityFlows.recheck",
  MAIL_RULE: "reminders.recheck",
  PLAN_RULE: "planRules.recheck",
  OWNER_RULE: "owners.recheck",
  RFI_REMIND: "reminders.recheck",
};

/** Names a refusal lists before it only counts. */
export const holderNamesMax = 10;
