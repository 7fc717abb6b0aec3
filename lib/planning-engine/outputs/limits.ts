/** What a bar or a row of a plan is tight against, in the order in which they are stored. */
export const bindingNames = [
  "release",
  "predecessor",
  "team",
  "material",
  "cluster_gate",
  "cutover_limit",
  "fixed",
  "held",
  "successor",
  "due",
] as const;
export type BindingName = (typeof bindingNames)[number];

export const gapReasonNames = ["none_left", "no_supply", "wrong_region", "late"] as const;
export type GapReasonName = (typeof gapReasonNames)[number];
export const supplySources = ["direct", "reuse", "stock", "inbound"] as const;
export type SupplySource = (typeof supplySources)[number];
export const buckets = ["day", "week", "month"] as const;
export type Bucket = (typeof buckets)[number];
export const ganttGroups = ["region", "cluster", "team"] as const;
export type GanttGroup = (typeof ganttGroups)[number];

/** The region of central warehouses in material rows. */
export const centralRegion = "CENTRAL";
/** Rows of a Gantt window. */
export const ganttRowsMax = 200;
/** DUs one apply names; without names it is all of the run. */
export const applyDusMax = 10_000;
/** Cells of one export. */
export const exportCellsMax = 2_000_000;
