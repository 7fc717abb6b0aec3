import "server-only";
import type { PendingQuery, Row } from "postgres";
import { isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { moveCauses } from "../publication/logic.ts";
import { getOutputRun, runTexts } from "../runs/queries.ts";
import { type BindingName, bindingNames } from "./limits.ts";
import { teamText } from "./logic.ts";
import type {
  Binding,
  FindMoves,
  FindOutputPlan,
  GapRow,
  MoveRow,
  Moves,
  OutputActivity,
  OutputDetails,
  OutputDu,
  OutputPlan,
  Pegging,
  PlanningColumn,
  PlanningRow,
} from "./schema.ts";

/** A condition of a statement over outputs. */
export type Condition = PendingQuery<Row[]>;
/** A workflow of a run: its activities and their slots in the plan, by position. */
export type RunFlow = { name: string; activities: string[]; slots: number[] };
/** A pool of a run; outputs name it by `idx`. */
export type RunPool = { idx: number; skillType: string; resourceName: string; region: string | null; teamCount: number };

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
export const visible = (ctx: Ctx, runId: number): Condition => {
  const { sql, project, scope } = ctx;
  return sql`o.run_id = ${runId} and o.project_id = ${project.id} and ${scope.where("engine.view")}`;
};

/** Whether a filter asks for yes. */
export const isTrue = (value: unknown) => value === true || value === "true";
/** What a filter asks for, as texts. */
export const texts = (values: Filter["values"]) => values.map(String);

function duCondition({ sql }: Ctx, { field, type, values }: Filter): Condition {
  switch (field) {
    case "search":
      return type === "in"
        ? sql`du.code = any(${texts(values)}::text[])`
        : sql`position(lower(${String(values[0] ?? "")}) in lower(du.code || ' ' || du.name)) > 0`;
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

/** DUs of an output the caller sees and asks for. */
export const duWhere = (ctx: Ctx, runId: number, filters: readonly Filter[]): Condition =>
  filters.reduce<Condition>((left, filter) => ctx.sql`${left} and ${duCondition(ctx, filter)}`, visible(ctx, runId));

/** The order a list is asked for, and `last` where that says nothing. */
export const orderOf = (columns: Record<string, string>, sort: ListInput["sort"], last: string) =>
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

/** The workflows of a run, by name. */
export async function readFlows({ sql }: Ctx, runId: number): Promise<RunFlow[]> {
  return [
    ...(await sql<RunFlow[]>`
      select workflow_name as name, activity_names as activities, slots from engine_run_flow where run_id = ${runId} order by workflow_name`),
  ];
}

/** The pools of a run, by number. */
export async function readPools({ sql }: Ctx, runId: number): Promise<RunPool[]> {
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

/** The plan of a DU by position of its workflow. */
export type Vectors = {
  starts: number[];
  ends: number[];
  pools: number[];
  teams: number[];
  bindings: number[];
  refs: number[];
  fixed: string;
};
/** Columns of the plan of a DU `o`. */
export const vectors = ({ sql }: Pick<Ctx, "sql">) =>
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

/** Columns of what a DU `g` is short of, or waits for. */
export const gapFields = ({ sql }: Pick<Ctx, "sql">) => sql`
  g.du_id as "duId", du.code as "duCode", du.name as "duName", o.region, g.item_code as "itemCode", g.required_qty as "requiredQty",
  g.covered_qty as "coveredQty", g.short_qty as "shortQty", g.need_date as "needDate", g.cover_date as "coverDate", g.reason`;

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
  const condition = ({ field, type, values }: Filter): Condition => {
    if (field === "search" && type === "in") return sql`code = any(${texts(values)}::text[])`;
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

/** The columns of the activity grid of a run: those of the DU, then start, end and team of every activity. [ENG-40] @throws NOT_FOUND, NO_OUTPUT */
export async function findHeader(ctx: Ctx, { runId }: { runId: number }): Promise<PlanningColumn[]> {
  await getOutputRun(ctx, { runId });
  const t = runTexts(ctx);
  const [flows, manned] = await Promise.all([readFlows(ctx, runId), readManned(ctx, runId)]);
  const activities = activityColumns(flows);
  return [
    ...fixedColumns.map(([key, kind]): PlanningColumn => ({ key, title: t(`column.${key}`), group: null, kind })),
    ...activities.flatMap((group, at): PlanningColumn[] => [
      { key: `start${at}`, title: t("column.start"), group, kind: "date" },
      { key: `end${at}`, title: t("column.end"), group, kind: "date" },
      ...(manned.has(group) ? [{ key: `team${at}`, title: t("column.team"), group, kind: "text" as const }] : []),
    ]),
  ];
}

/** Activities that a team of the run does for some DU. */
async function readManned({ sql }: Ctx, runId: number): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`
    select distinct f.activity_names[v.place] as name from (
      select distinct o.workflow_name, u.place from engine_out_du o, unnest(o.pools) with ordinality as u(pool, place)
      where o.run_id = ${runId} and u.pool > 0) v
    join engine_run_flow f on f.run_id = ${runId} and f.workflow_name = v.workflow_name`;
  return new Set(rows.map(({ name }) => name));
}

/** The run a list is filtered by. @throws NOT_FOUND, NO_OUTPUT */
export function listedRun(ctx: Ctx, filters: readonly Filter[]) {
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
  const [flows, pools] = await Promise.all([readFlows(ctx, runId), readPools(ctx, runId)]);
  const columns = activityColumns(flows);
  const places = new Map(flows.map(({ name, activities }) => [name, activities.map((activity) => columns.indexOf(activity))]));
  const where = duWhere(ctx, runId, filters);
  const [rows, [counted]] = await Promise.all([
    sql<(OutputDu & { starts: number[]; ends: number[]; pools: number[]; teams: number[] })[]>`
      select ${duFields(ctx)}, o.starts, o.ends, o.pools, o.teams from engine_out_du o join du on du.id = o.du_id
      where ${where} order by ${sql.unsafe(orderOf(duSort, sort, "o.rank, o.du_id"))} limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*)::int as total from engine_out_du o join du on du.id = o.du_id where ${where}`,
  ]);
  const records = rows.map(({ starts, ends, pools: given, teams, anchorEnd: _anchor, clusterGate: _gate, ...du }) => {
    const row: PlanningRow = { ...du };
    for (const [position, place] of (places.get(du.workflowName) ?? []).entries()) {
      row[`start${place}`] = isoDay(starts[position] ?? 0);
      row[`end${place}`] = isoDay(ends[position] ?? 0);
      const pool = pools.find(({ idx }) => idx === given[position]);
      row[`team${place}`] = pool ? teamText(pool, teams[position] ?? 0) : null;
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
  const rows = await sql<{ duId: number; duCode: string; workflowName: string; starts: string; ends: string; fixed: string }[]>`
    select o.du_id as "duId", du.code as "duCode", o.workflow_name as "workflowName", array_to_string(o.starts, ',') as starts,
      array_to_string(o.ends, ',') as ends, o.fixed::text as fixed
    from engine_out_du o join du on du.id = o.du_id where ${visible(ctx, runId)} and ${named} order by o.du_id`;
  return new Map(
    rows.map(({ duId, duCode, workflowName, starts, ends, fixed }) => {
      const { activities = [], slots = [] } = flows.get(workflowName) ?? {};
      return [duId, { duCode, activities, slots, starts: numbersOf(starts), ends: numbersOf(ends), fixed }];
    }),
  );
}

/** Numbers between commas; the driver takes seven times as long for an array of its own. */
const numbersOf = (text: string) => JSON.parse(`[${text}]`) as number[];

/** A row per DU with start and end of every activity of its workflow; without a run named, of the last one of the current version. [ENG-41] @throws NOT_FOUND, NO_OUTPUT */
export async function listActivityPlanning(ctx: Ctx, { page, size, filters, sort }: ListInput): Promise<Page<PlanningRow>> {
  const run = await listedRun(ctx, filters);
  const rows = await readPlanningRows(ctx, run.id, { filters, sort, limit: size, offset: (page - 1) * size });
  return { ...rows, page, size };
}
