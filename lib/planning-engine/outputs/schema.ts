import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import type { RunHead } from "../runs/schema.ts";
import {
  applyDusMax,
  type BindingName,
  type Bucket,
  buckets,
  type GapReasonName,
  ganttGroups,
  ganttRowsMax,
  gapReasonNames,
  type SupplySource,
} from "./limits.ts";

const id = z.int().min(1);
const run = { runId: id };

/** DUs of an output: text in code or name, or several codes, and what a DU is filtered by; month is YYYY-MM of its last day. */
const duFilters = {
  search: ["like", "in"],
  workflow: ["eq", "in"],
  region: ["eq", "in"],
  cluster: ["eq", "in"],
  late: ["eq"],
  gap: ["eq"],
  month: ["eq"],
} as const;

/** Days are ISO dates unless a field says `Day`: those are days since 2000-01-01, 0 = none, as in the rollout plan. */
export type OutputDu = {
  duId: number;
  duCode: string;
  duName: string;
  workflowName: string;
  region: string | null;
  cluster: string | null;
  clusterGate: string | null;
  /** Place in the order of the plan, from 1. */
  rank: number;
  firstStart: string | null;
  lastEnd: string | null;
  anchorEnd: string | null;
  dueDate: string | null;
  lateDays: number;
  hasGap: boolean;
};

/** engine/output/find/outputPlan: without `runId` the last run of the version with an output. [ENG-43] */
export const FindOutputPlan = listInput(duFilters, {
  sortable: ["rank", "duCode", "firstStart", "lastEnd", "anchorEnd", "dueDate", "lateDays"],
}).and(z.object({ versionId: id.optional(), runId: id.optional() }));
export type FindOutputPlan = z.output<typeof FindOutputPlan>;
/** Regions, clusters and workflows are those of the whole output, to filter by; totals are of the filtered rows. */
export type OutputPlan = {
  run: RunHead;
  choices: { regions: string[]; clusters: string[]; workflows: string[] };
  totals: { lateDus: number; lateDays: number; gapDus: number; firstStart: string | null; lastEnd: string | null };
  records: OutputDu[];
  total: number;
  page: number;
  size: number;
};

/** engine/output/find/outputPlan/details [ENG-44] */
export const FindDetails = z.strictObject({ ...run, duId: id });
/** What a start is tight against. `ref` names the activity (predecessor, successor) or the DU (team) it stands next to. */
export type Binding = { code: BindingName; ref: string | null; refDuId: number | null; text: string };
export type OutputActivity = {
  position: number;
  activityName: string;
  slot: number;
  start: string | null;
  end: string | null;
  fixed: boolean;
  skillType: string | null;
  resourceName: string | null;
  poolRegion: string | null;
  /** From 1; 0 without, or where none was free for an activity that keeps its dates. */
  team: number;
  binding: Binding | null;
};
export type Pegging = {
  designItemCode: string;
  itemCode: string;
  qty: number;
  coversQty: number;
  source: SupplySource;
  warehouse: string | null;
  donorDuId: number | null;
  donorDuCode: string | null;
  availableDate: string;
  needDate: string;
  substituteGroup: string | null;
};
export type OutputDetails = { du: OutputDu; activities: OutputActivity[]; pegging: Pegging[]; gaps: GapRow[] };

/** engine/output/find/outputPlan/materialgap; reason `late` is what waited, the others are short. [ENG-45] */
export const FindMaterialGap = listInput(
  { search: ["like"], item: ["eq", "in"], region: ["eq", "in"], reason: ["eq", "in"], duId: ["eq"] },
  { sortable: ["needDate", "shortQty", "coverDate", "duCode", "itemCode"] },
).and(z.object(run));
export type FindMaterialGap = z.output<typeof FindMaterialGap>;
export const gapReason = z.enum(gapReasonNames);
export type GapRow = {
  duId: number;
  duCode: string;
  duName: string;
  region: string | null;
  itemCode: string;
  requiredQty: number;
  coveredQty: number;
  shortQty: number;
  needDate: string;
  coverDate: string | null;
  reason: GapReasonName;
};
/** Totals of an item over the filtered rows, most short first; `dus` are rows of it. */
export type GapTotal = { itemCode: string; dus: number; requiredQty: number; shortQty: number; firstNeed: string };
export type MaterialGap = { run: RunHead; totals: GapTotal[]; records: GapRow[]; total: number; page: number; size: number };

/** engine/output/find/moves: what a re-planning moved. */
export const FindMoves = listInput(
  { search: ["like", "in"], activity: ["eq", "in"], region: ["eq", "in"], cause: ["eq", "in"], direction: ["eq"] },
  { sortable: ["days", "duCode"] },
).and(z.object(run));
export type FindMoves = z.output<typeof FindMoves>;
export type MoveRow = {
  duId: number;
  duCode: string;
  activityName: string;
  oldStart: string;
  newStart: string;
  /** Calendar days, later is positive. */
  days: number;
  poolChanged: boolean;
  binding: Binding;
  cause: { code: string; duId: number | null; duCode: string | null; text: string };
};
export type Moves = {
  run: RunHead;
  totals: { dus: number; activities: number; earlier: number; later: number; days: number };
  records: MoveRow[];
  total: number;
  page: number;
  size: number;
};

/** nc/activity/planning/buildHeader: the columns of `ListActivityPlanning`, fixed ones first, then start, end and, where teams do it, team of every activity. [ENG-40] */
export const FindRunHeader = z.strictObject(run);
/** `group` is the activity a column belongs to, null for columns of the DU. `kind` says how a value reads. */
export type PlanningColumn = { key: string; title: string; group: string | null; kind: "text" | "number" | "date" | "flag" };

/** nc/activity/planning/find/list: filters of `FindOutputPlan` and `runId` (eq). A row has `duId` and a value for each column of its workflow. [ENG-41] */
export const ListActivityPlanning = listInput(
  { ...duFilters, runId: ["eq"] },
  { sortable: ["rank", "duCode", "firstStart", "lastEnd", "lateDays"] },
);
export type PlanningRow = { duId: number } & Record<string, string | number | boolean | null>;

/** nc/material/planning/find/list: `runId` (eq), `bucket` (eq: day, week from Sunday, month), item, region, `net` (eq true: rows with a net requirement). [ENG-42] */
export const ListMaterialPlanning = listInput(
  { runId: ["eq"], bucket: ["eq"], search: ["like"], item: ["eq", "in"], region: ["eq", "in"], net: ["eq"] },
  { sortable: [] },
);
export const bucket = z.enum(buckets);
/** Sums of a bucket; `from` is its first day, opening and closing are those of its first and last day. Ordered by item, region, day. */
export type MrpRow = {
  itemCode: string;
  region: string;
  from: string;
  opening: number;
  grossReq: number;
  inbound: number;
  reuseIn: number;
  issued: number;
  closing: number;
  netReq: number;
  needDate: string | null;
};

/** engine/output/find/materialGrid: items by page, all buckets of each. Items in order of their net requirement, then code. */
export const FindMaterialGrid = listInput({ search: ["like"], region: ["eq", "in"], net: ["eq"] }, { sortable: [] }).and(
  z.object({ ...run, bucket: z.enum(buckets).default("week") }),
);
export type FindMaterialGrid = z.output<typeof FindMaterialGrid>;
export type MaterialItem = { itemCode: string; netReq: number; firstNeed: string | null; rows: MrpRow[] };
export type MaterialGrid = {
  run: RunHead;
  bucket: Bucket;
  regions: string[];
  /** First days of all buckets from the first movement of the run to the last. */
  columns: string[];
  records: MaterialItem[];
  total: number;
  page: number;
  size: number;
};

/** engine/output/find/gantt: a window of rows, ordered by group and rank (team: by pool and number). */
export const FindGantt = z.strictObject({
  ...run,
  group: z.enum(ganttGroups),
  from: z.int().min(0).max(10_000_000).default(0),
  count: z.int().min(1).max(ganttRowsMax).default(ganttRowsMax),
  search: z.string().max(100).optional(),
});
export type FindGantt = z.output<typeof FindGantt>;
/** `position` counts the activities of the workflow from 0, see `flows`. Days since 2000-01-01, both included. */
export type GanttBar = {
  duId: number;
  duCode: string;
  workflow: number;
  position: number;
  startDay: number;
  endDay: number;
  pool: number;
  team: number;
  binding: BindingName;
  bindingRef: number;
  fixed: boolean;
};
/** A DU (region, cluster) or a team. `dueDay` is 0 without, and for teams. */
export type GanttRow = {
  key: string;
  group: string;
  label: string;
  duId: number | null;
  dueDay: number;
  lateDays: number;
  bars: GanttBar[];
};
export type Gantt = {
  run: RunHead;
  /** Groups with the number of their rows, in order: row numbers of a group follow from them. */
  groups: { name: string; rows: number }[];
  flows: { name: string; activities: string[] }[];
  /** By number from 1. */
  pools: { skillType: string; resourceName: string; region: string | null; teamCount: number }[];
  firstDay: number;
  lastDay: number;
  rows: GanttRow[];
  total: number;
  from: number;
};

/** engine/output/find/map: every DU with a place, by the month of its last day. Arrays of equal length. */
export const FindMap = z.strictObject(run);
export type OutputMap = {
  run: RunHead;
  /** YYYY-MM, ascending. */
  months: string[];
  duIds: number[];
  codes: string[];
  longitudes: number[];
  latitudes: number[];
  /** Place in `months`, -1 without an end. */
  monthOf: number[];
  lateDays: number[];
  /** DUs without a place. */
  unplaced: number;
};

/** engine/output/find/teams: days on which the teams of a pool are held, and could be, week by week. */
export const FindTeams = z.strictObject(run);
export type TeamLoad = {
  run: RunHead;
  /** First days (Sundays) of the weeks. */
  weeks: string[];
  pools: {
    idx: number;
    skillType: string;
    resourceName: string;
    region: string | null;
    teamCount: number;
    heldDays: number[];
    openDays: number[];
  }[];
};

/** engine/output/find/compare: the plan of the run beside the rollout plan as it is now; only DUs with a difference when `changed`. */
export const FindComparison = listInput({ ...duFilters, changed: ["eq"] }, { sortable: ["rank", "duCode", "days"] }).and(z.object(run));
export type FindComparison = z.output<typeof FindComparison>;
/** Calendar days, later in the run is positive; null where one side has no date. */
export type ComparedActivity = {
  activityName: string;
  slot: number;
  start: string | null;
  end: string | null;
  planStart: string | null;
  planEnd: string | null;
  days: number | null;
};
export type ComparedDu = {
  duId: number;
  duCode: string;
  duName: string;
  lastEnd: string | null;
  planLastEnd: string | null;
  days: number | null;
  changed: number;
  activities: ComparedActivity[];
};
export type EngineComparison = {
  run: RunHead;
  totals: { dus: number; changedDus: number; changedDates: number; earlier: number; later: number; unplanned: number };
  records: ComparedDu[];
  total: number;
  page: number;
  size: number;
};

/** engine/output/find/facts: how good the plan is, and what the checker said. */
export const FindFacts = z.strictObject(run);
/** `rankClass` from 0 for the level `classCompletion`, else null; `gap` is (value - bound) / bound in percent, null while the bound is 0. */
export type LevelFact = {
  level: string;
  rankClass: number | null;
  value: number;
  bound: number | null;
  proved: "checker" | "exact" | null;
  gap: number | null;
};
export type RunFacts = {
  run: RunHead;
  levels: LevelFact[];
  evaluations: { total: number; limit: number; components: { dus: number; jobs: number; done: number }[] };
  check: { signed: boolean; at: string; rules: { rule: string; violations: number }[] } | null;
  /** What late DUs wait for last, most days first: a pool or an item. */
  bottlenecks: { kind: "pool" | "item"; name: string; lateDus: number; lateDays: number }[];
  diagnosis: {
    rows: { code: string; duId: number | null; duCode: string | null; activity: string | null; detail: string }[];
    counts: Record<string, number>;
  } | null;
  snapshotSha256: string;
  codeVersion: string;
  seed: number;
};

/** engine/output/apply: writes the dates of a run into the rollout plan; without `duIds` those of every DU. */
export const ApplyOutput = z.strictObject({
  ...run,
  duIds: z
    .array(id)
    .min(1)
    .refine((given) => given.length <= applyDusMax, { params: { code: "TOO_MANY", max: applyDusMax } })
    .transform((given) => [...new Set(given)])
    .optional(),
  confirm: z.boolean().default(false),
});
export type ApplyOutput = z.output<typeof ApplyOutput>;
export const ApplyParams = z.object({ runId: id, duIds: z.array(id).nullable() });
export type ApplyParams = z.output<typeof ApplyParams>;
/** Result of the task: DUs written, and what was left out with its reason; `activity` null where the whole DU was. */
export type ApplyResult = {
  written: number;
  cells: number;
  rejected: { duId: number; duCode: string; activity: string | null; code: string; text: string }[];
  /** All that was left out, by code; `rejected` lists the first 10,000. */
  counts: Record<string, number>;
  /** What undo takes back; null when nothing was written. */
  batchId: number | null;
};

/** engine/output/export */
export const ExportOutput = z.strictObject(run);
export const ExportParams = z.object(run);
export type ExportParams = z.output<typeof ExportParams>;

/** engine/output/net/export: what has to be bought, as the list of net requirements shows it. */
export const ExportNet = z.strictObject({
  ...run,
  bucket: z.enum(buckets).default("month"),
  search: z.string().max(100).optional(),
});
export type ExportNet = z.output<typeof ExportNet>;
