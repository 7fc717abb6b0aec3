/** The day of what has none: no due date, a done job without dates, a reuse lot whose donor is not planned. */
export const NO_DAY = 1_000_000_000;

/** Relations of the field, by their number in `Flow.inKind`. */
export const relationKinds = ["FS", "SS", "FF", "SF"] as const;

/** Why a job keeps its dates, by their number in `Kept.state`. A done one is marked by an actual date of its DU (itself or a job behind it). */
export const keptStates = ["done", "completed", "started", "suspended", "fixed", "frozen"] as const;

/** Where a lot comes from, by their number in `Lots.source`. */
export const lotSources = ["stock", "inbound", "reuse"] as const;

/** What a start is tight against, by their number in `Plan.binding`. */
export const bindings = [
  "release",
  "predecessor",
  "team",
  "material",
  "clusterGate",
  "cutoverLimit",
  "fixed",
  "held",
  "successor",
  "due",
] as const;

/** Why units are missing or late, by their number in `Gaps.reason`. */
export const gapReasons = ["noneLeft", "noSupply", "wrongRegion", "late"] as const;

/** Levels of an objective, each smaller is better: what is maximised (reverse) is counted negative. */
export const levelNames = [
  "gapDus",
  "lateDus",
  "lateDays",
  "weightedLateDays",
  "stability",
  "classCompletion",
  "makespan",
  "completion",
  "substituted",
  "earliestStart",
  "duStarts",
] as const;

/** Days of plan the engine looks ahead at most. */
export const HORIZON_DAYS = 1095;
