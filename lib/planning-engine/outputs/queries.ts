import "server-only";
import type { PendingQuery, Row } from "postgres";
import { addDays, dayNumber, isoDay, weekday } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { KeptDiagnoses } from "../diagnosis/logic.ts";
import { moveCauses } from "../publication/logic.ts";
import { describeDiagnosis, getOutputRun, getRun, runTexts } from "../runs/queries.ts";
import { type BindingName, type Bucket, bindingNames, buckets } from "./limits.ts";
import type {
  Binding,
  ComparedDu,
  EngineComparison,
  FindComparison,
  FindGantt,
  FindMaterialGap,
  FindMaterialGrid,
  FindMoves,
  FindOutputPlan,
  Gantt,
  GanttBar,
  GanttRow,
  GapRow,
  GapTotal,
  MaterialGap,
  MaterialGrid,
  MaterialItem,
  MoveRow,
  Moves,
  MrpRow,
  OutputActivity,
  OutputDetails,
  OutputDu,
  OutputMap,
  OutputPlan,
  Pegging,
  PlanningColumn,
  PlanningRow,
  RunFacts,
  TeamLoad,
} from "./schema.ts";

type Condition = PendingQuery<Row[]>;
type RunFlow = { name: string; activities: string[]; slots: number[] };
type RunPool = { idx: number; skillType: string; resourceName: string; region: string | null; teamCount: number };

const duFields = ({ sql }: Pick<Ctx, "sql">) => sql`
  o.du_id as "duId", du.code as "duCode", du.name as "duName", o.workflow_name as "workflowName", o.region, o.cluster, o.cluster_gate as "clusterGate", o.rank + 1 as rank,
  o.first_start as "firstStart", o.last_end as "lastEnd", o.anchor_end as "anchorEnd", o.due_date as "dueDate", o.late_days as "lateDays", o.has_gap as "hasGap"`;
const duSort: Record<string, string> = {
  rank: "o.rank",
  duCode: "du.code collate natural_order",
  firstStart: "o.first_start",
  lastEnd: "o.last_end",
  anchorEnd: "o.anchor_end",
  dueDate: "o.due_date",
  lateDays: "o.late_days",
};

/** DUs of an output the caller sees. */
const visible = (ctx: Ctx, runId: number): Condition => {
  const { sql, project, scope } = ctx;
  return sql`o.run_id = ${runId} and o.project_id = ${project.id} and ${scope.where("engine.view")}`;
};

const isTrue = (value: unknown) => value === true || value === "true";
const texts = (values: Filter["values"]) => values.map(String);

function duCondition({ sql }: Ctx, { field, values }: Filter): Condition {
  switch (field) {
    case "search":
      return sql`position(lower(${String(values[0] ?? "")}) in lower(du.code || ' ' || du.name)) > 0`;
    case "workflow":
      return sql`o.workflow_name = any(${texts(values)}::text[])`;
    case "region":
      return sql`o.region = any(${texts(values)}::text[])`;
    case "cluster":
      return sql`o.cluster = any(${texts(values)}::text[])`;
    case "late":
      return isTrue(values[0]) ? sql`o.late_days > 0` : sql`o.late_days = 0`;
    case "gap":
      return sql`o.has_gap = ${isTrue(values[0])}`;
    case "month":
      return sql`to_char(o.last_end, 'YYYY-MM') = ${String(values[0])}`;
    default:
      return sql`true`;
  }
}

const duWhere = (ctx: Ctx, runId: number, filters: readonly Filter[]): Condition =>
  filters.reduce<Condition>((left, filter) => ctx.sql`${left} and ${duCondition(ctx, filter)}`, visible(ctx, runId));

const orderOf = (columns: Record<string, string>, sort: ListInput["sort"], last: string) =>
  [
    ...(sort ?? []).flatMap(({ field, dir }) =>
      columns[field] ? [`${columns[field]} ${dir === "desc" ? "desc" : "asc"} nulls last`] : [],
    ),
    last,
  ].join(", ");

/** The DUs of an output plan with its head; without a run named, of the last one of the version. [ENG-43] @throws NOT_FOUND, NO_OUTPUT */
export async function findOutputPlan(ctx: Ctx, input: FindOutputPlan): Promise<OutputPlan> {
  const { sql } = ctx;
  const { page, size, filters, sort } = input;
  const run = await getOutputRun(ctx, input);
  const where = duWhere(ctx, run.id, filters);
  const [rows, [totals], [choices]] = await Promise.all([
    sql<OutputDu[]>`
      select ${duFields(ctx)} from engine_out_du o join du on du.id = o.du_id
      where ${where} order by ${sql.unsafe(orderOf(duSort, sort, "o.rank, o.du_id"))} limit ${size} offset ${(page - 1) * size}`,
    sql<(OutputPlan["totals"] & { total: number })[]>`
      select count(*)::int as total, count(*) filter (where o.late_days > 0)::int as "lateDus", coalesce(sum(o.late_days), 0)::int as "lateDays",
        count(*) filter (where o.has_gap)::int as "gapDus", min(o.first_start) as "firstStart", max(o.last_end) as "lastEnd"
      from engine_out_du o join du on du.id = o.du_id where ${where}`,
    sql<OutputPlan["choices"][]>`
      select coalesce(array_agg(distinct o.region::text order by o.region::text) filter (where o.region is not null), '{}') as regions,
        coalesce(array_agg(distinct o.cluster::text order by o.cluster::text) filter (where o.cluster is not null), '{}') as clusters,
        coalesce(array_agg(distinct o.workflow_name::text order by o.workflow_name::text), '{}') as workflows
      from engine_out_du o join du on du.id = o.du_id where ${visible(ctx, run.id)}`,
  ]);
  const { total, ...sums } = totals!;
  return { run, choices: choices!, totals: sums, records: [...rows], total, page, size };
}

async function readFlows({ sql }: Ctx, runId: number): Promise<RunFlow[]> {
  return [
    ...(await sql<RunFlow[]>`
      select workflow_name as name, activity_names as activities, slots from engine_run_flow where run_id = ${runId} order by workflow_name`),
  ];
}

async function readPools({ sql }: Ctx, runId: number): Promise<RunPool[]> {
  return [
    ...(await sql<RunPool[]>`
      select idx, skill_type as "skillType", resource_name as "resourceName", region, team_count as "teamCount"
      from engine_run_pool where run_id = ${runId} order by idx`),
  ];
}

/** DUs by id, as far as the caller may know their codes. */
async function readCodes({ sql, scope }: Ctx, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await sql<{ id: number; code: string }[]>`
    select du.id, du.code from du where ${scope.where("engine.view")} and du.id = any(${[...new Set(ids)]}::bigint[])`;
  return new Map(rows.map(({ id, code }) => [id, code]));
}

function bindingOf(
  ctx: Ctx,
  given: { code: BindingName; ref: number },
  names: { activities: readonly string[]; codes: ReadonlyMap<number, string>; activity: string },
): Binding {
  const { code, ref } = given;
  const isTeam = code === "team";
  const name = isTeam
    ? (names.codes.get(ref) ?? null)
    : code === "predecessor" || code === "successor"
      ? (names.activities[ref] ?? null)
      : null;
  const text = runTexts(ctx)(`binding.${code}${isTeam && !name ? "Alone" : ""}`, { activity: names.activity, ref: name ?? "" });
  return { code, ref: name, refDuId: isTeam && name ? ref : null, text };
}

type Vectors = { starts: number[]; ends: number[]; pools: number[]; teams: number[]; bindings: number[]; refs: number[]; fixed: string };
const vectors = ({ sql }: Pick<Ctx, "sql">) =>
  sql`o.starts, o.ends, o.pools, o.teams, o.bindings, o.binding_refs as refs, o.fixed::text as fixed`;

/** The activities of a DU in an output, each with what its start is tight against, and what it takes of which supply. [ENG-44] @throws NOT_FOUND, NO_OUTPUT */
export async function findDetails(ctx: Ctx, { runId, duId }: { runId: number; duId: number }): Promise<OutputDetails> {
  const { sql } = ctx;
  const run = await getOutputRun(ctx, { runId });
  const [row] = await sql<(OutputDu & Vectors)[]>`
    select ${duFields(ctx)}, ${vectors(ctx)} from engine_out_du o join du on du.id = o.du_id where ${visible(ctx, run.id)} and o.du_id = ${duId}`;
  if (!row) throw new AppError("NOT_FOUND", { object: duId });
  const { starts, ends, pools, teams, bindings, refs, fixed, ...du } = row;
  const [flows, poolRows, pegging, gaps] = await Promise.all([
    readFlows(ctx, runId),
    readPools(ctx, runId),
    sql<Pegging[]>`
      select a.design_item_code as "designItemCode", a.item_code as "itemCode", a.qty, a.covers_qty as "coversQty", a.source, a.warehouse_name as warehouse,
        a.donor_du_id as "donorDuId", null as "donorDuCode", a.available_date as "availableDate", a.need_date as "needDate",
        a.substitute_group as "substituteGroup"
      from engine_out_alloc a where a.run_id = ${runId} and a.du_id = ${duId} order by a.design_item_code, a.available_date, a.item_code`,
    sql<GapRow[]>`
      select ${gapFields(ctx)} from engine_out_gap g join engine_out_du o on o.run_id = g.run_id and o.du_id = g.du_id join du on du.id = g.du_id
      where ${visible(ctx, runId)} and g.du_id = ${duId} order by g.item_code`,
  ]);
  const flow = flows.find(({ name }) => name === du.workflowName);
  const names = flow?.activities ?? [];
  const isTeam = (position: number) => bindingNames[bindings[position] ?? -1] === "team";
  const codes = await readCodes(ctx, [
    ...refs.filter((_, position) => isTeam(position)),
    ...pegging.flatMap(({ donorDuId }) => donorDuId ?? []),
  ]);
  const activities = names.map((activityName, position): OutputActivity => {
    const pool = poolRows.find(({ idx }) => idx === pools[position]);
    const code = bindingNames[bindings[position] ?? -1];
    return {
      position,
      activityName,
      slot: flow?.slots[position] ?? 0,
      start: isoDay(starts[position] ?? 0),
      end: isoDay(ends[position] ?? 0),
      fixed: fixed[position] === "1",
      skillType: pool?.skillType ?? null,
      resourceName: pool?.resourceName ?? null,
      poolRegion: pool?.region ?? null,
      team: teams[position] ?? 0,
      binding:
        code && starts[position]
          ? bindingOf(ctx, { code, ref: refs[position] ?? 0 }, { activities: names, codes, activity: activityName })
          : null,
    };
  });
  return {
    du,
    activities,
    pegging: pegging.map((peg) => ({
      ...peg,
      donorDuId: peg.donorDuId !== null && codes.has(peg.donorDuId) ? peg.donorDuId : null,
      donorDuCode: peg.donorDuId === null ? null : (codes.get(peg.donorDuId) ?? null),
    })),
    gaps: [...gaps],
  };
}

const gapFields = ({ sql }: Pick<Ctx, "sql">) => sql`
  g.du_id as "duId", du.code as "duCode", du.name as "duName", o.region, g.item_code as "itemCode", g.required_qty as "requiredQty",
  g.covered_qty as "coveredQty", g.short_qty as "shortQty", g.need_date as "needDate", g.cover_date as "coverDate", g.reason`;

function gapCondition({ sql }: Ctx, { field, values }: Filter): Condition {
  if (field === "search")
    return sql`position(lower(${String(values[0] ?? "")}) in lower(du.code || ' ' || du.name || ' ' || g.item_code)) > 0`;
  if (field === "item") return sql`g.item_code = any(${texts(values)}::text[])`;
  if (field === "region") return sql`o.region = any(${texts(values)}::text[])`;
  if (field === "reason") return sql`g.reason = any(${texts(values)}::text[])`;
  return sql`g.du_id = ${Number(values[0]) || 0}`;
}

const gapSort: Record<string, string> = {
  needDate: "g.need_date",
  shortQty: "g.short_qty",
  coverDate: "g.cover_date",
  duCode: "du.code collate natural_order",
  itemCode: "g.item_code",
};

/** Which DU is short of what, or waits for it, with the sums of each item. [ENG-45] @throws NOT_FOUND, NO_OUTPUT */
export async function findMaterialGap(ctx: Ctx, input: FindMaterialGap): Promise<MaterialGap> {
  const { sql } = ctx;
  const { runId, page, size, filters, sort } = input;
  const run = await getOutputRun(ctx, { runId });
  const where = filters.reduce<Condition>((left, filter) => sql`${left} and ${gapCondition(ctx, filter)}`, visible(ctx, runId));
  const from = sql`engine_out_gap g join engine_out_du o on o.run_id = g.run_id and o.du_id = g.du_id join du on du.id = g.du_id`;
  const [rows, totals] = await Promise.all([
    sql<GapRow[]>`
      select ${gapFields(ctx)} from ${from}
      where ${where} order by ${sql.unsafe(orderOf(gapSort, sort, "g.need_date, o.rank, g.item_code"))} limit ${size} offset ${(page - 1) * size}`,
    sql<GapTotal[]>`
      select g.item_code as "itemCode", count(*)::int as dus, sum(g.required_qty)::float8 as "requiredQty", sum(g.short_qty)::float8 as "shortQty",
        min(g.need_date) as "firstNeed"
      from ${from} where ${where} group by g.item_code order by sum(g.short_qty) desc, count(*) desc, g.item_code`,
  ]);
  return { run, totals: [...totals], records: [...rows], total: totals.reduce((sum, { dus }) => sum + dus, 0), page, size };
}

/** A changed input of the job's own DU or of another one, or none. */
function causeOf(
  t: ReturnType<typeof runTexts>,
  duId: number,
  code: (typeof moveCauses)[number],
  causeDu: number,
  codes: ReadonlyMap<number, string>,
): MoveRow["cause"] {
  const other = code !== "betterPlan" && causeDu !== duId ? (codes.get(causeDu) ?? null) : null;
  const change = t(`cause.${code}`);
  return { code, duId: other ? causeDu : null, duCode: other, text: other ? t("cause.consequence", { du: other, change }) : change };
}

/** What a re-planning moved, job by job. @throws NOT_FOUND, NO_OUTPUT, NO_BASE */
export async function findMoves(ctx: Ctx, input: FindMoves): Promise<Moves> {
  const { sql } = ctx;
  const { runId, page, size, filters, sort } = input;
  const run = await getOutputRun(ctx, { runId });
  if (run.baseRunId === null && !run.basePlan) throw new AppError("NO_BASE");
  const condition = ({ field, values }: Filter): Condition => {
    if (field === "search") return sql`position(lower(${String(values[0] ?? "")}) in lower(code || ' ' || name)) > 0`;
    if (field === "activity") return sql`activity = any(${texts(values)}::text[])`;
    if (field === "region") return sql`region = any(${texts(values)}::text[])`;
    if (field === "direction") return values[0] === "earlier" ? sql`days < 0` : sql`days > 0`;
    return sql`cause = any(${values.map((value) => (moveCauses as readonly unknown[]).indexOf(value) + 1)}::smallint[])`;
  };
  const where = filters.reduce<Condition>((left, filter) => sql`${left} and ${condition(filter)}`, sql`true`);
  const moved = sql`
    with moved as (
      select o.du_id, du.code, du.name, o.region, o.rank, f.activity_names[v.place] as activity, f.activity_names as names, v.place::int, v.base, v.start,
        v.start - v.base as days, v.pool <> v.base_pool and v.base_pool > 0 as pool_changed, v.binding, v.ref, v.cause, v.cause_du
      from engine_out_du o join du on du.id = o.du_id join engine_run_flow f on f.run_id = o.run_id and f.workflow_name = o.workflow_name,
        unnest(o.starts, o.base_starts, o.pools, o.base_pools, o.bindings, o.binding_refs, o.causes, o.cause_dus) with ordinality
          as v(start, base, pool, base_pool, binding, ref, cause, cause_du, place)
      where ${visible(ctx, runId)} and v.cause > 0)`;
  type Stored = {
    duId: number;
    duCode: string;
    activityName: string;
    names: string[];
    base: number;
    start: number;
    days: number;
    poolChanged: boolean;
    binding: number;
    ref: number;
    cause: number;
    causeDu: number;
  };
  const order = orderOf({ days: "abs(days)", duCode: "code collate natural_order" }, sort, "rank, place");
  const [rows, [sums]] = await Promise.all([
    sql<Stored[]>`
      ${moved} select du_id as "duId", code as "duCode", activity as "activityName", names, base, start, days, pool_changed as "poolChanged", binding, ref, cause,
        cause_du as "causeDu"
      from moved where ${where} order by ${sql.unsafe(order)} limit ${size} offset ${(page - 1) * size}`,
    sql<(Moves["totals"] & { total: number })[]>`
      ${moved} select count(*)::int as total, count(distinct du_id)::int as dus, count(*)::int as activities, count(*) filter (where days < 0)::int as earlier,
        count(*) filter (where days > 0)::int as later, coalesce(sum(abs(days)), 0)::int as days from moved where ${where}`,
  ]);
  const codes = await readCodes(
    ctx,
    rows.flatMap(({ ref, causeDu }) => [ref, causeDu]),
  );
  const t = runTexts(ctx);
  const { total, ...totals } = sums!;
  return {
    run,
    totals,
    records: rows.map(
      ({ names, base, start, binding, ref, cause, causeDu, ...row }): MoveRow => ({
        ...row,
        oldStart: isoDay(base) as string,
        newStart: isoDay(start) as string,
        binding: bindingOf(
          ctx,
          { code: bindingNames[binding] ?? "release", ref },
          { activities: names, codes, activity: row.activityName },
        ),
        cause: causeOf(t, row.duId, moveCauses[cause - 1] ?? "betterPlan", causeDu, codes),
      }),
    ),
    total,
    page,
    size,
  };
}

const fixedColumns = [
  ["duCode", "text"],
  ["duName", "text"],
  ["workflowName", "text"],
  ["region", "text"],
  ["cluster", "text"],
  ["rank", "number"],
  ["firstStart", "date"],
  ["lastEnd", "date"],
  ["dueDate", "date"],
  ["lateDays", "number"],
  ["hasGap", "flag"],
] as const;

/** Activities of all workflows of a run by name, in the order in which they come first. */
function activityColumns(flows: readonly RunFlow[]): string[] {
  return [...new Set(flows.flatMap(({ activities }) => activities))];
}

/** The columns of the activity grid of a run: those of the DU, then start and end of every activity. [ENG-40] @throws NOT_FOUND, NO_OUTPUT */
export async function findHeader(ctx: Ctx, { runId }: { runId: number }): Promise<PlanningColumn[]> {
  await getOutputRun(ctx, { runId });
  const t = runTexts(ctx);
  const activities = activityColumns(await readFlows(ctx, runId));
  return [
    ...fixedColumns.map(([key, kind]): PlanningColumn => ({ key, title: t(`column.${key}`), group: null, kind })),
    ...activities.flatMap((group, at) =>
      (["start", "end"] as const).map((part): PlanningColumn => ({ key: `${part}${at}`, title: t(`column.${part}`), group, kind: "date" })),
    ),
  ];
}

/** The run a list is filtered by. @throws NOT_FOUND, NO_OUTPUT */
function listedRun(ctx: Ctx, filters: readonly Filter[]) {
  const runId = filters.find(({ field }) => field === "runId")?.values[0];
  if (runId !== undefined && !Number.isSafeInteger(runId)) throw new AppError("NOT_FOUND", { object: String(runId) });
  return getOutputRun(ctx, { runId: runId as number | undefined });
}

type PlanningRows = { records: PlanningRow[]; total: number };

async function readPlanningRows(
  ctx: Ctx,
  runId: number,
  { filters = [], sort, limit, offset }: { filters?: readonly Filter[]; sort?: ListInput["sort"]; limit: number; offset: number },
): Promise<PlanningRows> {
  const { sql } = ctx;
  const flows = await readFlows(ctx, runId);
  const columns = activityColumns(flows);
  const places = new Map(flows.map(({ name, activities }) => [name, activities.map((activity) => columns.indexOf(activity))]));
  const where = duWhere(ctx, runId, filters);
  const [rows, [counted]] = await Promise.all([
    sql<(OutputDu & { starts: number[]; ends: number[] })[]>`
      select ${duFields(ctx)}, o.starts, o.ends from engine_out_du o join du on du.id = o.du_id
      where ${where} order by ${sql.unsafe(orderOf(duSort, sort, "o.rank, o.du_id"))} limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*)::int as total from engine_out_du o join du on du.id = o.du_id where ${where}`,
  ]);
  const records = rows.map(({ starts, ends, anchorEnd: _anchor, clusterGate: _gate, ...du }) => {
    const row: PlanningRow = { ...du };
    for (const [position, place] of (places.get(du.workflowName) ?? []).entries()) {
      row[`start${place}`] = isoDay(starts[position] ?? 0);
      row[`end${place}`] = isoDay(ends[position] ?? 0);
    }
    return row;
  });
  return { records, total: counted?.total ?? 0 };
}

/** Rows of the activity grid for an export, in their order. */
export function readExportRows(ctx: Ctx, runId: number, window: { limit: number; offset: number }): Promise<PlanningRows> {
  return readPlanningRows(ctx, runId, window);
}

/** The dates of a run by DU, as they are written into the plan: those of DUs the caller sees. */
export async function readApplied(
  ctx: Ctx,
  runId: number,
  duIds: readonly number[] | null,
): Promise<Map<number, { duCode: string; activities: string[]; slots: number[]; starts: number[]; ends: number[]; fixed: string }>> {
  const { sql } = ctx;
  const named = duIds ? sql`o.du_id = any(${[...duIds]}::bigint[])` : sql`true`;
  const flows = new Map((await readFlows(ctx, runId)).map((flow) => [flow.name, flow]));
  const rows = await sql<{ duId: number; duCode: string; workflowName: string; starts: number[]; ends: number[]; fixed: string }[]>`
    select o.du_id as "duId", du.code as "duCode", o.workflow_name as "workflowName", o.starts, o.ends, o.fixed::text as fixed
    from engine_out_du o join du on du.id = o.du_id where ${visible(ctx, runId)} and ${named} order by o.du_id`;
  return new Map(
    rows.map(({ duId, workflowName, ...row }) => {
      const { activities = [], slots = [] } = flows.get(workflowName) ?? {};
      return [duId, { ...row, activities, slots }];
    }),
  );
}

/** A row per DU with start and end of every activity of its workflow; without a run named, of the last one of the current version. [ENG-41] @throws NOT_FOUND, NO_OUTPUT */
export async function listActivityPlanning(ctx: Ctx, { page, size, filters, sort }: ListInput): Promise<Page<PlanningRow>> {
  const run = await listedRun(ctx, filters);
  const rows = await readPlanningRows(ctx, run.id, { filters, sort, limit: size, offset: (page - 1) * size });
  return { ...rows, page, size };
}

const bucketDays: Record<Bucket, string> = {
  day: "m.day",
  week: "m.day - extract(dow from m.day)::int",
  month: "date_trunc('month', m.day)::date",
};

function mrpWhere({ sql, project }: Ctx, runId: number, filters: readonly Filter[]): Condition {
  const condition = ({ field, values }: Filter): Condition => {
    if (field === "search") return sql`position(lower(${String(values[0] ?? "")}) in lower(m.item_code)) > 0`;
    if (field === "item") return sql`m.item_code = any(${texts(values)}::text[])`;
    if (field === "region") return sql`m.region = any(${texts(values)}::text[])`;
    if (field === "net" && isTrue(values[0]))
      return sql`exists (select 1 from engine_out_mrp n where n.run_id = m.run_id and n.item_code = m.item_code and n.net_req > 0)`;
    return sql`true`;
  };
  return filters.reduce<Condition>(
    (left, filter) => sql`${left} and ${condition(filter)}`,
    sql`m.run_id = ${runId} and m.project_id = ${project.id}`,
  );
}

/** Sums of each item, region and bucket: it opens with its first day and closes with its last. */
const mrpRows = ({ sql }: Ctx, bucket: Bucket, where: Condition) => sql`
  select m.item_code as "itemCode", m.region, ${sql.unsafe(bucketDays[bucket])} as "from", (array_agg(m.opening order by m.day))[1]::float8 as opening,
    sum(m.gross_req)::float8 as "grossReq", sum(m.inbound)::float8 as inbound, sum(m.reuse_in)::float8 as "reuseIn", sum(m.issued)::float8 as issued,
    (array_agg(m.closing order by m.day desc))[1]::float8 as closing, sum(m.net_req)::float8 as "netReq", min(m.day) filter (where m.net_req > 0) as "needDate"
  from engine_out_mrp m where ${where} group by 1, 2, 3`;

/** The movements of material by day, week (from Sunday) or month. [ENG-42] @throws NOT_FOUND, NO_OUTPUT */
export async function listMaterialPlanning(ctx: Ctx, { page, size, filters }: ListInput): Promise<Page<MrpRow>> {
  const { sql } = ctx;
  const run = await listedRun(ctx, filters);
  const asked = filters.find(({ field }) => field === "bucket")?.values[0] ?? "week";
  const bucket = buckets.find((one) => one === asked);
  if (!bucket) throw new AppError("INVALID_INPUT", { field: "bucket" });
  const rows = await sql<(MrpRow & { total: number })[]>`
    select b.*, count(*) over ()::int as total from (${mrpRows(ctx, bucket, mrpWhere(ctx, run.id, filters))}) b
    where ${filters.some(({ field, values }) => field === "net" && isTrue(values[0])) ? sql`b."netReq" > 0` : sql`true`}
    order by b."itemCode", b.region, b."from" limit ${size} offset ${(page - 1) * size}`;
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page, size };
}

function bucketStart(day: string, bucket: Bucket): string {
  if (bucket === "day") return day;
  return bucket === "month" ? `${day.slice(0, 7)}-01` : addDays(day, -weekday(dayNumber(day)));
}

function bucketsBetween(first: string, last: string, bucket: Bucket): string[] {
  const all: string[] = [];
  for (let at = bucketStart(first, bucket); at <= last; ) {
    all.push(at);
    at = bucket === "month" ? bucketStart(addDays(at, 31), "month") : addDays(at, bucket === "week" ? 7 : 1);
  }
  return all;
}

/** Items by page with all their buckets, those with a net requirement first. @throws NOT_FOUND, NO_OUTPUT */
export async function findMaterialGrid(ctx: Ctx, input: FindMaterialGrid): Promise<MaterialGrid> {
  const { sql } = ctx;
  const { runId, bucket, page, size, filters } = input;
  const run = await getOutputRun(ctx, { runId });
  const where = mrpWhere(ctx, runId, filters);
  const [items, [span], regions] = await Promise.all([
    sql<(Omit<MaterialItem, "rows"> & { total: number })[]>`
      select m.item_code as "itemCode", sum(m.net_req)::float8 as "netReq", min(m.day) filter (where m.net_req > 0) as "firstNeed",
        count(*) over ()::int as total
      from engine_out_mrp m where ${where} group by m.item_code order by sum(m.net_req) desc, m.item_code limit ${size} offset ${(page - 1) * size}`,
    sql<
      { first: string | null; last: string | null }[]
    >`select min(day) as first, max(day) as last from engine_out_mrp where run_id = ${runId}`,
    sql<{ region: string }[]>`select distinct region from engine_out_mrp where run_id = ${runId} order by region`,
  ]);
  const codes = items.map(({ itemCode }) => itemCode);
  const rows = await sql<MrpRow[]>`
    select b.* from (${mrpRows(ctx, bucket, sql`${where} and m.item_code = any(${codes}::text[])`)}) b order by b."itemCode", b.region, b."from"`;
  const byItem = new Map<string, MrpRow[]>(codes.map((code) => [code, []]));
  for (const row of rows) byItem.get(row.itemCode)?.push(row);
  return {
    run,
    bucket,
    regions: regions.map(({ region }) => region),
    columns: span?.first && span.last ? bucketsBetween(span.first, span.last, bucket) : [],
    records: items.map(({ total: _total, ...item }) => ({ ...item, rows: byItem.get(item.itemCode) ?? [] })),
    total: items[0]?.total ?? 0,
    page,
    size,
  };
}

type StoredDu = Vectors & {
  duId: number;
  duCode: string;
  duName: string;
  workflowName: string;
  groupName: string;
  dueDate: string | null;
  lateDays: number;
};

/** A window of the plan as rows of bars: DUs by region or cluster, or teams. @throws NOT_FOUND, NO_OUTPUT */
export async function findGantt(ctx: Ctx, input: FindGantt): Promise<Gantt> {
  const { sql } = ctx;
  const run = await getOutputRun(ctx, input);
  const [flows, pools, [span]] = await Promise.all([
    readFlows(ctx, run.id),
    readPools(ctx, run.id),
    sql<
      { first: string | null; last: string | null }[]
    >`select min(first_start) as first, max(last_end) as last from engine_out_du where run_id = ${run.id}`,
  ]);
  const made = input.group === "team" ? await teamRows(ctx, input, flows, pools) : await duGanttRows(ctx, input, flows, input.group);
  return {
    run,
    flows: flows.map(({ name, activities }) => ({ name, activities })),
    pools: pools.map(({ idx: _idx, ...pool }) => pool),
    firstDay: dayNumber(span?.first),
    lastDay: dayNumber(span?.last),
    from: input.from,
    ...made,
  };
}

type Windowed = Pick<Gantt, "groups" | "rows" | "total">;

async function duGanttRows(
  ctx: Ctx,
  { runId, from, count, search }: FindGantt,
  flows: readonly RunFlow[],
  group: "region" | "cluster",
): Promise<Windowed> {
  const { sql } = ctx;
  const where = duWhere(ctx, runId, search ? [{ field: "search", type: "like", values: [search] }] : []);
  const named = sql`coalesce(o.${sql(group)}, '')`;
  const [groups, rows] = await Promise.all([
    sql<{ name: string; rows: number }[]>`
      select g.name, count(*)::int as rows from (
        select ${named} as name from engine_out_du o join du on du.id = o.du_id where ${where}) g group by g.name order by g.name collate "C"`,
    sql<StoredDu[]>`
      select o.du_id as "duId", du.code as "duCode", du.name as "duName", o.workflow_name as "workflowName", ${named} as "groupName", o.due_date as "dueDate",
        o.late_days as "lateDays", ${vectors(ctx)}
      from engine_out_du o join du on du.id = o.du_id where ${where} order by ${named} collate "C", o.rank, o.du_id limit ${count} offset ${from}`,
  ]);
  return {
    groups: [...groups],
    total: groups.reduce((sum, own) => sum + own.rows, 0),
    rows: rows.map((row): GanttRow => {
      const workflow = flows.findIndex(({ name }) => name === row.workflowName);
      const bars = row.starts.flatMap((startDay, position): GanttBar[] =>
        startDay === 0
          ? []
          : [
              {
                duId: row.duId,
                duCode: row.duCode,
                workflow,
                position,
                startDay,
                endDay: row.ends[position] as number,
                pool: row.pools[position] ?? 0,
                team: row.teams[position] ?? 0,
                binding: bindingNames[row.bindings[position] ?? 0] as BindingName,
                bindingRef: row.refs[position] ?? 0,
                fixed: row.fixed[position] === "1",
              },
            ],
      );
      return {
        key: `du${row.duId}`,
        group: row.groupName,
        label: row.duCode,
        duId: row.duId,
        dueDay: dayNumber(row.dueDate),
        lateDays: row.lateDays,
        bars,
      };
    }),
  };
}

async function teamRows(
  ctx: Ctx,
  { runId, from, count, search }: FindGantt,
  flows: readonly RunFlow[],
  pools: readonly RunPool[],
): Promise<Windowed> {
  const { sql } = ctx;
  const nameOf = ({ skillType, resourceName, region }: RunPool) => [skillType, resourceName, region].filter(Boolean).join(" / ");
  const found = pools.filter((pool) => !search || nameOf(pool).toLowerCase().includes(search.toLowerCase()));
  const groups = found.map((pool) => ({ name: nameOf(pool), rows: pool.teamCount }));
  const rows: (GanttRow & { pool: number; team: number })[] = [];
  let at = 0;
  for (const pool of found) {
    for (let team = Math.max(1, from - at + 1); team <= pool.teamCount && rows.length < count; team++)
      rows.push({
        key: `team${pool.idx}.${team}`,
        group: nameOf(pool),
        label: `${nameOf(pool)} ${team}`,
        duId: null,
        dueDay: 0,
        lateDays: 0,
        bars: [],
        pool: pool.idx,
        team,
      });
    at += pool.teamCount;
  }
  const wanted = [...new Set(rows.map(({ pool }) => pool))];
  const bars = await sql<(Omit<GanttBar, "workflow" | "binding"> & { workflowName: string; binding: number })[]>`
    select o.du_id as "duId", du.code as "duCode", o.workflow_name as "workflowName", v.place::int - 1 as position, v.start as "startDay", v."end" as "endDay",
      v.pool, v.team, v.binding, v.ref as "bindingRef", substring(o.fixed from v.place::int for 1) = B'1' as fixed
    from engine_out_du o join du on du.id = o.du_id,
      unnest(o.starts, o.ends, o.pools, o.teams, o.bindings, o.binding_refs) with ordinality as v(start, "end", pool, team, binding, ref, place)
    where ${visible(ctx, runId)} and o.pools && ${wanted}::smallint[] and v.start > 0 and v.team > 0
      and (v.pool, v.team) in (select * from unnest(${rows.map(({ pool }) => pool)}::smallint[], ${rows.map(({ team }) => team)}::smallint[]))
    order by v.start`;
  const byTeam = new Map(rows.map((row) => [`${row.pool}.${row.team}`, row]));
  for (const { workflowName, binding, ...bar } of bars)
    byTeam.get(`${bar.pool}.${bar.team}`)?.bars.push({
      ...bar,
      workflow: flows.findIndex(({ name }) => name === workflowName),
      binding: bindingNames[binding] as BindingName,
    });
  return {
    groups,
    total: groups.reduce((sum, own) => sum + own.rows, 0),
    rows: rows.map(({ pool: _pool, team: _team, ...row }) => row),
  };
}

/** DUs of an output with their place and the month of their last day. @throws NOT_FOUND, NO_OUTPUT */
export async function findMap(ctx: Ctx, { runId }: { runId: number }): Promise<OutputMap> {
  const { sql } = ctx;
  const run = await getOutputRun(ctx, { runId });
  const rows = await sql<
    { id: number; code: string; longitude: number | null; latitude: number | null; month: string | null; lateDays: number }[]
  >`
    select o.du_id as id, du.code, coalesce(e.longitude, s.longitude)::float8 as longitude, coalesce(e.latitude, s.latitude)::float8 as latitude,
      to_char(o.last_end, 'YYYY-MM') as month, o.late_days as "lateDays"
    from engine_out_du o join du on du.id = o.du_id left join customer_site s on s.id = du.site_id
      left join engine_du e on e.version_id = ${run.versionId} and e.du_id = o.du_id and e.longitude is not null
    where ${visible(ctx, runId)} order by o.rank`;
  const placed = rows.filter(({ longitude, latitude }) => longitude !== null && latitude !== null);
  const months = [...new Set(placed.flatMap(({ month }) => month ?? []))].sort();
  return {
    run,
    months,
    duIds: placed.map(({ id }) => id),
    codes: placed.map(({ code }) => code),
    longitudes: placed.map(({ longitude }) => longitude as number),
    latitudes: placed.map(({ latitude }) => latitude as number),
    monthOf: placed.map(({ month }) => (month === null ? -1 : months.indexOf(month))),
    lateDays: placed.map(({ lateDays }) => lateDays),
    unplaced: rows.length - placed.length,
  };
}

/** How busy the teams of each pool are, week by week. @throws NOT_FOUND, NO_OUTPUT */
export async function findTeams(ctx: Ctx, { runId }: { runId: number }): Promise<TeamLoad> {
  const run = await getOutputRun(ctx, { runId });
  const pools = await ctx.sql<TeamLoad["pools"]>`
    select idx, skill_type as "skillType", resource_name as "resourceName", region, team_count as "teamCount", held_days as "heldDays", open_days as "openDays"
    from engine_run_pool where run_id = ${runId} order by idx`;
  const first = bucketStart(run.planStartDate, "week");
  const weeks = Array.from({ length: pools.reduce((most, { openDays }) => Math.max(most, openDays.length), 0) }, (_, week) =>
    addDays(first, 7 * week),
  );
  return { run, weeks, pools: [...pools] };
}

/** The plan of a run beside the rollout plan as it is now, DU by DU. @throws NOT_FOUND, NO_OUTPUT */
export async function findComparison(ctx: Ctx, input: FindComparison): Promise<EngineComparison> {
  const { sql } = ctx;
  const { runId, page, size, filters, sort } = input;
  const run = await getOutputRun(ctx, { runId });
  // Only what has a slot in the library stands on both sides.
  const compared = sql`
    with compared as (
      select o.du_id, du.code, du.name, o.rank, o.last_end, p.last_plan_end, x.changed, x.earlier, x.later, x.unplanned, o.last_end - p.last_plan_end as days
      from engine_out_du o join du on du.id = o.du_id join engine_run_flow f on f.run_id = o.run_id and f.workflow_name = o.workflow_name
        left join (select du_id, plan_end as ends, case when last_plan_end > 0 then date '2000-01-01' + last_plan_end end as last_plan_end from du_plan) p
          on p.du_id = o.du_id
        cross join lateral (
          select count(*) filter (where v."end" <> coalesce(p.ends[v.slot], 0))::int as changed,
            count(*) filter (where p.ends[v.slot] > 0 and v."end" < p.ends[v.slot])::int as earlier,
            count(*) filter (where p.ends[v.slot] > 0 and v."end" > p.ends[v.slot])::int as later,
            count(*) filter (where coalesce(p.ends[v.slot], 0) = 0)::int as unplanned
          from unnest(o.ends, f.slots) as v("end", slot) where v."end" > 0 and v.slot > 0) x
      where ${duWhere(
        ctx,
        runId,
        filters.filter(({ field }) => field !== "changed"),
      )})`;
  const changed = filters.find(({ field }) => field === "changed")?.values[0];
  const where = changed === undefined ? sql`true` : isTrue(changed) ? sql`changed > 0` : sql`changed = 0`;
  const order = orderOf({ rank: "rank", duCode: "code collate natural_order", days: "abs(days)" }, sort, "rank, du_id");
  const [rows, [sums]] = await Promise.all([
    sql<Omit<ComparedDu, "activities">[]>`
      ${compared} select du_id as "duId", code as "duCode", name as "duName", last_end as "lastEnd", last_plan_end as "planLastEnd", days, changed
      from compared where ${where} order by ${sql.unsafe(order)} limit ${size} offset ${(page - 1) * size}`,
    sql<(EngineComparison["totals"] & { total: number })[]>`
      ${compared} select count(*) filter (where ${where})::int as total, count(*)::int as dus, count(*) filter (where changed > 0)::int as "changedDus",
        coalesce(sum(changed), 0)::int as "changedDates", coalesce(sum(earlier), 0)::int as earlier, coalesce(sum(later), 0)::int as later,
        coalesce(sum(unplanned), 0)::int as unplanned from compared`,
  ]);
  const activities = await sql<
    { duId: number; activityName: string; slot: number; start: number; end: number; planStart: number; planEnd: number }[]
  >`
    select o.du_id as "duId", v.name as "activityName", v.slot, v.start, v."end", coalesce(p.plan_start[v.slot], 0) as "planStart",
      coalesce(p.plan_end[v.slot], 0) as "planEnd"
    from engine_out_du o join engine_run_flow f on f.run_id = o.run_id and f.workflow_name = o.workflow_name left join du_plan p on p.du_id = o.du_id,
      unnest(f.activity_names, f.slots, o.starts, o.ends) with ordinality as v(name, slot, start, "end", place)
    where o.run_id = ${runId} and o.du_id = any(${rows.map(({ duId }) => duId)}::bigint[]) and v.slot > 0 order by o.du_id, v.place`;
  const byDu = new Map<number, ComparedDu>(rows.map((row) => [row.duId, { ...row, activities: [] }]));
  for (const { duId, activityName, slot, start, end, planStart, planEnd } of activities)
    byDu.get(duId)?.activities.push({
      activityName,
      slot,
      start: isoDay(start),
      end: isoDay(end),
      planStart: isoDay(planStart),
      planEnd: isoDay(planEnd),
      days: end && planEnd ? end - planEnd : null,
    });
  const { total, ...totals } = sums!;
  return { run, totals, records: [...byDu.values()], total, page, size };
}

/** How good the plan of a run is: levels with their bounds, what the checker said, what late DUs wait for; of a run without a plan its diagnosis. @throws NOT_FOUND */
export async function findFacts(ctx: Ctx, { runId }: { runId: number }): Promise<RunFacts> {
  const { sql } = ctx;
  const run = await getRun(ctx, runId);
  type Stored = {
    levels: { level: string; rankClass: number | null; value: number; bound: number | null; exact?: boolean }[] | null;
    evaluations: { total: number; components?: RunFacts["evaluations"]["components"] } | null;
    limit: number;
    report: { signed: boolean; at: string; rules: { rule: string; violations: number }[] } | null;
    diagnosis: KeptDiagnoses | null;
    snapshotSha256: string;
    codeVersion: string;
    seed: number;
  };
  const [[stored], bottlenecks] = await Promise.all([
    sql<Stored[]>`
      select levels, evaluations, evaluation_limit as "limit", check_report as report, diagnosis, snapshot_sha256 as "snapshotSha256",
        code_version as "codeVersion", seed from engine_run where id = ${runId}`,
    readBottlenecks(ctx, runId),
  ]);
  const { levels, evaluations, limit, report, diagnosis, ...facts } = stored!;
  return {
    run,
    levels: (levels ?? []).map(({ level, rankClass, value, bound, exact }) => ({
      level,
      rankClass,
      value,
      bound,
      proved: bound !== null && value <= bound ? "checker" : exact ? "exact" : null,
      gap: bound !== null && bound > 0 ? ((value - bound) / bound) * 100 : null,
    })),
    evaluations: {
      total: evaluations?.total ?? 0,
      limit,
      components: (evaluations?.components ?? []).map(({ dus, jobs, done }) => ({
        dus,
        jobs,
        done: (Array.isArray(done) ? (done as number[]) : [done]).reduce((sum, own) => sum + own, 0),
      })),
    },
    check: report && { signed: report.signed, at: report.at, rules: report.rules },
    bottlenecks,
    diagnosis: await describeDiagnosis(ctx, diagnosis),
    ...facts,
  };
}

/** What the last start bound by a team or by material waited for, of each late DU. */
async function readBottlenecks(ctx: Ctx, runId: number): Promise<RunFacts["bottlenecks"]> {
  const { sql } = ctx;
  const rows = await sql<RunFacts["bottlenecks"]>`
    select kind, name, count(*)::int as "lateDus", sum(late_days)::int as "lateDays" from (
      select distinct on (o.du_id) o.du_id, o.late_days, case when v.binding = ${bindingNames.indexOf("team")} then 'pool' else 'item' end as kind,
        case when v.binding = ${bindingNames.indexOf("team")} then concat_ws(' / ', p.skill_type, p.resource_name, p.region) else a.item_code end as name
      from engine_out_du o join du on du.id = o.du_id, unnest(o.starts, o.pools, o.bindings) as v(start, pool, binding)
        left join engine_run_pool p on p.run_id = ${runId} and p.idx = v.pool
        left join lateral (select item_code from engine_out_alloc a where a.run_id = ${runId} and a.du_id = o.du_id order by available_date desc, item_code limit 1) a on true
      where ${visible(ctx, runId)} and o.late_days > 0 and v.binding in (${bindingNames.indexOf("team")}, ${bindingNames.indexOf("material")})
      order by o.du_id, v.start desc) late
    where name is not null group by kind, name order by sum(late_days) desc, name limit 50`;
  return [...rows];
}
