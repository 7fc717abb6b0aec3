/**
 * The planning problem, its plan and its certificates as plain data: what solver and checker have in common, and the only thing.
 *
 * Units. A *day* is a calendar-day offset from the plan start (day 0; kept dates may lie before it). A *working day* is a place in `Calendar.days`.
 * Durations and relation offsets count working days of the DU's calendar. Quantities are integers in hundredths of a unit. -1 is "none" in every array of
 * indexes; `NO_DAY` (1,000,000,000) is "none" in every array of days. A job is a DU and a position of its flow: `dus.firstJob[du] + position`.
 */

/** Working days of a region, ascending, from before the earliest kept date up to the last day of the horizon. */
export type Calendar = { days: Int32Array };

/**
 * A workflow as some DUs have it: what is neutralised or not applicable for them has duration 0, no team class and is not the material job.
 * Arrays have one entry per position, relations stand with their successor: those into position b are `inAt[b] .. inAt[b + 1]`.
 */
export type Flow = {
  name: string;
  activities: string[];
  /** Working days; 0 is a milestone, which lasts its day but has no team. */
  durations: Int32Array;
  inAt: Int32Array;
  /** Predecessor, as position in the flow. */
  inFrom: Int32Array;
  /** Place in `relationKinds`: FS 0, SS 1, FF 2, SF 3. */
  inKind: Uint8Array;
  /** Working days, may be negative. */
  inOffset: Int32Array;
  /** Team class (`Teams`), -1 without team. */
  teamClass: Int32Array;
  /** Jobs with the same number share a team, or a resource name; -1 alone. Closed under transitivity. */
  coTeam: Int32Array;
  coResource: Int32Array;
  /** 1 = disassembly: the reuse lots of a DU come when the last of these is done. */
  disassembly: Uint8Array;
  /** Position that consumes the DU's demand, -1 without. */
  material: number;
  /** Position of the anchor activity, -1 = virtual finish behind all jobs. */
  anchor: number;
};

/** One entry per DU, in ascending order of id. `firstJob` has one more. */
export type Dus = {
  id: Float64Array;
  firstJob: Int32Array;
  /** Places in `Problem.flows`, `calendars`; region number. */
  flow: Int32Array;
  calendar: Int32Array;
  region: Int32Array;
  /** No job of the DU starts before this day (0 in the product). */
  release: Int32Array;
  /** Last day on which the anchor's last day is on time; may lie before day 0. `NO_DAY` = never late. */
  due: Int32Array;
  /** Weight of a late day in `weightedLateDays`; 1 in the product. */
  weight: Int32Array;
  /** Class of the rank, 0 first; all 0 while no rank option is on. */
  rankClass: Int32Array;
  /** Total order of the DUs: class, due date, azimuth, code. A permutation of 0 .. dus - 1. */
  rank: Int32Array;
  /** Cluster number, -1 without. */
  cluster: Int32Array;
  /** Number of the customer site whose reuse lots are kept for this DU; -1 without direct moving. */
  directFrom: Int32Array;
  /** Number of the DU's own customer site, -1 without. */
  site: Int32Array;
};

/**
 * Pools of teams and who may use them. The pools a job of team class k in region r may use are
 * `eligible[eligibleAt[k * regions + r] .. eligibleAt[k * regions + r + 1]]`, in the order in which equal starts are decided
 * (own region first, then snapshot order).
 */
export type Teams = {
  /** Teams of each pool over the whole horizon. */
  count: Int32Array;
  /** Region of each pool, -1 = any. */
  region: Int32Array;
  /** Number of the skill and of the resource name of each pool. */
  skill: Int32Array;
  resource: Int32Array;
  classes: number;
  regions: number;
  eligibleAt: Int32Array;
  eligible: Int32Array;
};

/** Jobs that keep their dates, ascending by job. */
export type Kept = {
  job: Int32Array;
  /** Place in `keptStates`. */
  state: Uint8Array;
  /** First day S and end C (day after the last day); `NO_DAY` for done jobs without dates. */
  start: Int32Array;
  end: Int32Array;
  /** Working-day numbers of first and last day as relations out of the job count them; `NO_DAY` when it bounds nothing. */
  first: Int32Array;
  last: Int32Array;
  /** Pool that the plan names for it, -1 = first eligible one with room. Done and completed jobs hold no team. */
  pool: Int32Array;
};

/** Supply. Regional lots serve DUs of their region, central ones (region -1) all. */
export type Lots = {
  item: Int32Array;
  /** Hundredths. */
  quantity: Float64Array;
  /** First day on which it can be used; `NO_DAY` for reuse lots: their day follows from the plan. */
  day: Int32Array;
  /** Place in `lotSources`. */
  source: Uint8Array;
  region: Int32Array;
  /** Warehouse number and its priority (1 first); -1 and 0 for reuse lots. */
  warehouse: Int32Array;
  priority: Int32Array;
  /** Reuse: DU it is taken from, -1 otherwise, and working days from the end of its disassembly (of the donor's calendar). */
  donor: Int32Array;
  turnaround: Int32Array;
};

/** Demand of each DU: entries `at[du] .. at[du + 1]`, first by design priority; an item stands at most once for a DU. */
export type Demand = { at: Int32Array; item: Int32Array; quantity: Float64Array };

/**
 * Substitution: the groups of a design item are `at[item] .. at[item + 1]`, first by priority. One substitution lot of group g covers `covers[g]` and uses
 * `partQuantity[p]` of `partItem[p]` for each p of `partAt[g] .. partAt[g + 1]`.
 */
export type Substitutes = {
  at: Int32Array;
  covers: Float64Array;
  partAt: Int32Array;
  partItem: Int32Array;
  partQuantity: Float64Array;
  name: string[];
};

/** Clusters: `needed` is h_c, the number of ready DUs that opens the gate of cluster c; at most `limit` cutover windows stand open on a day (-1 = any number). */
export type Clusters = { needed: Int32Array; limit: number };

/** The plan a re-planning starts from, one entry per job: `NO_DAY` and -1 where it says nothing. */
export type Base = { start: Int32Array; pool: Int32Array; stabilityWeight: number };

/** Names of `levelNames`, most important first. `classCompletion` stands for one number per rank class. */
export type Level =
  | "gapDus"
  | "lateDus"
  | "lateDays"
  | "weightedLateDays"
  | "stability"
  | "classCompletion"
  | "makespan"
  | "completion"
  | "substituted"
  | "earliestStart"
  | "duStarts";

/** Everything the core needs to know. */
export type Problem = {
  direction: "forward" | "reverse";
  /** Every C is at most this. */
  horizonDays: number;
  calendars: Calendar[];
  flows: Flow[];
  dus: Dus;
  teams: Teams;
  kept: Kept;
  items: number;
  lots: Lots;
  demand: Demand;
  substitutes: Substitutes;
  /** With `true` a gap makes the run infeasible. */
  strictGaps: boolean;
  /** Null while clusters are off. */
  clusters: Clusters | null;
  base: Base | null;
  /** First days of the present plan, one per job, `NO_DAY` where it has none: the first plan that is tried. */
  present?: Int32Array | null;
  objective: Level[];
};

/** What a DU takes of a lot. `covers` is in units of the design item; `group` -1 = the item itself. */
export type Allocations = {
  du: Int32Array;
  designItem: Int32Array;
  lot: Int32Array;
  quantity: Float64Array;
  covers: Float64Array;
  group: Int32Array;
  /** 1 = by direct moving: without turnaround. */
  direct: Uint8Array;
  /** Day on which the lot could be used, and S of the material job. */
  available: Int32Array;
  need: Int32Array;
};

/** Demand that is missing, or came late (`short` 0). Days and reasons as in ENG, `coverDay` `NO_DAY` where nothing would cover. */
export type Gaps = {
  du: Int32Array;
  item: Int32Array;
  required: Float64Array;
  covered: Float64Array;
  short: Float64Array;
  needDay: Int32Array;
  coverDay: Int32Array;
  /** Place in `gapReasons`. */
  reason: Uint8Array;
};

/** Relations of free jobs into fixed ones that the plan misses, by working days of the DU. */
export type Conflicts = { job: Int32Array; days: Int32Array };

/** A complete plan. One entry per job unless said otherwise. */
export type Plan = {
  /** First day S and end C, the day after the last one; `NO_DAY` for done jobs without dates. */
  start: Int32Array;
  end: Int32Array;
  /** Pool and team (from 1); -1 and 0 without. Team 0 with a pool: a kept job for which none is free. */
  pool: Int32Array;
  team: Int32Array;
  /** Place in `bindings`; for predecessor and successor the position in the flow, for team the DU that has it next, else -1. */
  binding: Uint8Array;
  bindingRef: Int32Array;
  allocations: Allocations;
  gaps: Gaps;
  conflicts: Conflicts;
  /** Gate of each cluster, `NO_DAY` without. */
  gates: Int32Array;
  /** Value of each level, `classCompletion` spread over as many numbers as there are classes. */
  levels: number[];
};

/** A lower bound on each entry of `Plan.levels`; what nothing is known about is 0 (or the best there can be). */
export type Bounds = { levels: number[] };

/** Why there is no plan. Each can be recomputed from the problem alone; `needed` above `available` is the proof, `relax` the smallest change that helps. */
export type Certificate =
  /** Positions of the DU's flow that go round in a circle, in order, with the sum of their start-start lags (above 0, or 0 without a date order). */
  | { code: "LOOP"; flow: number; positions: number[]; needed: number; available: number; relax: number }
  /** A job whose class has no pool with a team in its region. */
  | { code: "NO_TEAM"; du: number; position: number; needed: 1; available: 0; relax: 1 }
  /** A group that no resource name (or, for a team, no pool) can serve as a whole. */
  | { code: "NO_COMMON_RESOURCE" | "NO_COMMON_TEAM"; du: number; positions: number[]; needed: 1; available: 0; relax: 1 }
  /** Longest path of the DU in working days from its release, against the working days up to the due date (reverse) or the end of the horizon. */
  | { code: "WINDOW_TOO_TIGHT" | "HORIZON"; du: number; position: number; needed: number; available: number; relax: number }
  /** Team days of jobs that must lie in [from, to) and can use only `pools`, against their teams times the days on which any region concerned works. */
  | { code: "TEAM_OVERLOAD"; pools: number[]; from: number; to: number; needed: number; available: number; relax: number }
  /** Hundredths of an item (with what replaces it) needed by DUs of the region (-1 all), against supply usable by `day` (`NO_DAY` = ever). `du` is the first one hit. */
  | {
      code: "MATERIAL_GAP" | "MATERIAL_LATE";
      du: number;
      item: number;
      region: number;
      day: number;
      needed: number;
      available: number;
      relax: number;
    }
  /** Fewer ready DUs than the cluster's gate asks for, or windows above the limit. */
  | { code: "CLUSTER_UNREACHABLE"; cluster: number; needed: number; available: number; relax: number };

/**
 * A project with cumulative resources, as the benchmark sets and small groups have it: days are all alike, makespan is the objective.
 * Job 0 is the source and the last one the sink, both without duration.
 */
export type Project = {
  durations: Int32Array;
  capacities: Int32Array;
  /** Units of resource r that job j holds while it runs: `demands[j * capacities.length + r]`. */
  demands: Int32Array;
  /** Successors of j are `outTo[outAt[j] .. outAt[j + 1]]`. */
  outAt: Int32Array;
  outTo: Int32Array;
  /** Least distance of the starts; a maximal lag is an arc back with a negative one. */
  outLag: Int32Array;
};

/** Start of every job of a project. */
export type Schedule = { start: Int32Array; makespan: number };
