/** Where a change of plan rows comes from. */
export const planSources = [
  "grid",
  "batch",
  "import",
  "schedule",
  "release",
  "plan_change",
  "rule",
  "owner_rule",
  "automation",
  "engine",
  "feedback",
  "restore",
  "flow",
  "work_order",
  "material",
  "revenue",
  "mobile",
  "api",
  "undo",
  "system",
] as const;
export type PlanSource = (typeof planSources)[number];
