import "server-only";
import type { PendingQuery, Row } from "postgres";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import { addDays, isIsoDay, isoDay, projectMoment } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { type DuColumn, duColumns } from "#lib/rollout-plan/columns/limits.ts";
import { periodPresets } from "#lib/rollout-plan/conditions/limits.ts";
import { periodRange } from "#lib/rollout-plan/conditions/logic.ts";
import { columnOf } from "#lib/rollout-plan/dus/logic.ts";
import { listKnown } from "#lib/rollout-plan/edits/queries.ts";
import type { PlanSource } from "#lib/rollout-plan/plan-log/limits.ts";
import { listCellChanges, type PlanBatch } from "#lib/rollout-plan/plan-log/queries.ts";
import { type PlanField, planFields } from "#lib/rollout-plan/plan-rows/limits.ts";
import { cellField, cellNumber, cellSlot } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readOwnerSets } from "#lib/rollout-plan/plan-rows/queries.ts";
import { batchRowsMax, logDaysMax, logRowsMax } from "./limits.ts";
import { type ReadValue, readCell } from "./logic.ts";
import type { ActivityList, BatchInput, CellHistory } from "./schema.ts";

type Fragment = PendingQuery<Row[]>;

/** One change of one cell in the plan log. */
export type LogRow = {
  batchId: number;
  seq: number;
  at: Date;
  actorId: number | null;
  actor: string | null;
  source: PlanSource;
  reason: string | null;
  undoOf: number | null;
  duId: number;
  duCode: string;
  flowId: number | null;
  flow: string | null;
  activityId: number | null;
  activity: string | null;
  field: string;
  old: ReadValue;
  new: ReadValue;
};

type Unfolded = Omit<LogRow, "activityId" | "activity" | "field" | "old" | "new"> & {
  cell: number | null;
  key: string | null;
  old: unknown;
  new: unknown;
};

/** Changes of plan cells, newest first. The total is exact up to 10,000; behind that the answer says `more`. */
export async function listPlanLog(ctx: Ctx, input: ListInput): Promise<Page<LogRow> & { more: boolean }> {
  const { sql } = ctx;
  const offset = (input.page - 1) * input.size;
  if (offset >= logRowsMax) throw new AppError("NARROW_FILTER", { max: logRowsMax });
  const where = await compileLog(ctx, input.filters);
  // Every row holds at least one cell asked for, so as many rows as cells are enough.
  const [[count], rows] = await Promise.all([
    sql<{ total: number }[]>`select coalesce(sum(r.cells), 0)::int as total from (${packed(ctx, where, logRowsMax + 1)}) r`,
    sql<Unfolded[]>`
      select ${columns(ctx)} ${unfold(ctx, where, offset + input.size)} order by b.seq desc, du.code, du.id, c.cell, c.key limit ${input.size} offset ${offset}`,
  ]);
  const total = count?.total ?? 0;
  return {
    records: await readRows(ctx, rows),
    total: Math.min(total, logRowsMax),
    more: total > logRowsMax,
    page: input.page,
    size: input.size,
  };
}

/** Which batches (alias b) and packed rows (l, with their du) are asked for, which of their cells (c), and how many those are. `whole` asks for every row of a batch. */
export type LogWhere = { batches: Fragment; rows: Fragment; cells: Fragment; count: Fragment; whole: boolean };

/** DUs whose log the caller reads; a deleted DU keeps its log. */
export function reachedDus(ctx: Ctx): Fragment {
  const { sql, project } = ctx;
  return ctx.scope.all("rollout.view") ? sql`du.project_id = ${project.id}` : ctx.scope.where("rollout.view");
}

function columns({ sql }: Ctx): Fragment {
  return sql`b.id as "batchId", b.seq, b.at, b.actor_id as "actorId", (select name from app_user u where u.id = b.actor_id) as actor, b.source, b.reason, b.undo_of as "undoOf",
    du.id as "duId", du.code as "duCode", l.flow_id as "flowId", (select name from activity_flow a where a.id = l.flow_id) as flow, c.cell, c.key, c.old, c.new`;
}

// Newest batches first, by their index; all of them without a limit.
function packed(ctx: Ctx, where: LogWhere, limit: number | null): Fragment {
  const { sql, project } = ctx;
  return sql`select b.id as batch_id, b.seq, l.du_id, ${where.count} as cells from plan_batch b join plan_log l on l.batch_id = b.id join du on du.id = l.du_id
    where b.project_id = ${project.id} and ${where.batches} and ${reachedDus(ctx)} and ${where.rows} order by b.seq desc, du.code, du.id limit ${limit}`;
}

function unfold(ctx: Ctx, where: LogWhere, limit: number): Fragment {
  const { sql } = ctx;
  return sql`from (${packed(ctx, where, limit)}) r
    join plan_batch b on b.id = r.batch_id join plan_log l on l.batch_id = r.batch_id and l.du_id = r.du_id join du on du.id = r.du_id
    cross join lateral (
      select u.cell, null::text as key, to_jsonb(u.old) as old, to_jsonb(u.new) as new from unnest(l.cells, l.old, l.new) u(cell, old, new)
      union all
      select null, e.key, case when jsonb_typeof(e.value) = 'array' then e.value -> 0 end, case when jsonb_typeof(e.value) = 'array' then e.value -> 1 else e.value end
      from jsonb_each(l.attrs) e
    ) c
    where ${where.cells}`;
}

/** How many cells a filter has, and the newest of their changes: what an export is made of. */
export async function countPlanLog(ctx: Ctx, filters: readonly Filter[]): Promise<{ total: number; upTo: number }> {
  const where = await compileLog(ctx, filters);
  const [row] = await ctx.sql<{ total: number; upTo: number }[]>`
    select coalesce(sum(r.cells), 0)::int as total, coalesce(max(r.seq), 0)::int as "upTo" from (${packed(ctx, where, null)}) r`;
  return row ?? { total: 0, upTo: 0 };
}

/** Changed cells of a filter up to a change number, newest first. @param total how many they are */
export async function readPlanLog(ctx: Ctx, filters: readonly Filter[], upTo: number, total: number): Promise<LogRow[]> {
  const { sql } = ctx;
  const all = await compileLog(ctx, filters);
  const where = { ...all, batches: sql`${all.batches} and b.seq <= ${upTo}` };
  const rows = await sql<Unfolded[]>`
    select ${columns(ctx)} ${unfold(ctx, where, total)} order by b.seq desc, du.code, du.id, c.cell, c.key`;
  return readRows(ctx, rows);
}

/** Reads the filters of the plan log. */
export async function compileLog(ctx: Ctx, filters: readonly Filter[]): Promise<LogWhere> {
  const { sql } = ctx;
  const of = (field: string) => filters.filter((filter) => filter.field === field);
  const texts = (field: string) => of(field).flatMap((filter) => filter.values.map(String));
  const ids = (field: string) => texts(field).map((text) => whole(field, text));
  const rows: Fragment[] = [];
  const batches: Fragment[] = [sql`true`];
  const dus = texts("du");
  if (dus.length > 0) rows.push(sql`du.code = any(${dus}::text[])`);
  if (of("flow").length > 0) rows.push(sql`l.flow_id = any(${ids("flow")}::bigint[])`);
  if (of("actor").length > 0) batches.push(sql`b.actor_id = any(${ids("actor")}::bigint[])`);
  if (of("source").length > 0) batches.push(sql`b.source = any(${texts("source")}::text[])`);
  if (of("batch").length > 0) batches.push(sql`b.id = any(${ids("batch")}::bigint[])`);
  for (const filter of of("at")) {
    const [from, to] = period(ctx, filter);
    if (dus.length === 0 && spanDays(from, to) > logDaysMax) throw new AppError("DATE_RANGE", { max: logDaysMax });
    if (from) batches.push(sql`b.at >= ${moment(ctx, from)}`);
    if (to) batches.push(sql`b.at < ${moment(ctx, addDays(to, 1))}`);
  }
  const chosen = await cellConditions(
    ctx,
    of("activity").length > 0 ? ids("activity") : null,
    of("field").length > 0 ? texts("field") : null,
  );
  const every = (all: Fragment[]) => all.reduce((left, right) => sql`${left} and ${right}`);
  return { ...chosen, batches: every(batches), rows: every([chosen.rows, ...rows]), whole: chosen.whole && rows.length === 0 };
}

function whole(field: string, text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new AppError("INVALID_INPUT", { field }, [{ path: "filters", code: "VALUE_UNKNOWN", params: { field, value: text } }]);
  return Number(text);
}

function period(ctx: Ctx, { type, values }: Filter): [from: string | null, to: string | null] {
  if (type === "preset") {
    const preset = periodPresets.find((name) => name === values[0]);
    if (!preset)
      throw new AppError("INVALID_INPUT", { field: "at" }, [
        { path: "filters", code: "VALUE_UNKNOWN", params: { field: "at", value: String(values[0]) } },
      ]);
    const { from, to } = periodRange(preset, ctx.today);
    return [isoDay(from), isoDay(to)];
  }
  const [from = null, to = null] = values.map((value) => (value === null || value === "" ? null : String(value)));
  for (const day of [from, to])
    if (day !== null && !isIsoDay(day))
      throw new AppError("INVALID_INPUT", { field: "at" }, [{ path: "filters", code: "DATE_FORMAT", params: { value: day } }]);
  return [from, to];
}

/** The moments a filter by days or by a preset asks for: from the first, before the second. */
export function readPeriod(ctx: Ctx, filter: Filter): { from: Date | null; before: Date | null } {
  const [from, to] = period(ctx, filter);
  return { from: from ? moment(ctx, from) : null, before: to ? moment(ctx, addDays(to, 1)) : null };
}

const spanDays = (from: string | null, to: string | null) =>
  from && to ? (Date.parse(to) - Date.parse(from)) / 86_400_000 : Number.POSITIVE_INFINITY;
const moment = (ctx: Ctx, day: string) => projectMoment(new Date(`${day}T00:00:00Z`), ctx.project.tzOffset);

/** Conditions on cells: whether a packed row holds one, which they are once unfolded, and their number. */
async function cellConditions(ctx: Ctx, activities: number[] | null, fields: string[] | null): Promise<Omit<LogWhere, "batches">> {
  const { sql } = ctx;
  const hidden = [...(await readHidden(ctx))].map((id) => `a${id}`);
  const shown = (key: Fragment) => (hidden.length > 0 ? sql`split_part(${key}, '@', 1) <> all(${hidden}::text[])` : sql`true`);
  const shownKeys = sql`(select count(*) from jsonb_object_keys(l.attrs) k(key) where ${shown(sql`k.key`)})`;
  if (!activities && !fields)
    return {
      rows: hidden.length > 0 ? sql`(cardinality(l.cells) > 0 or ${shownKeys} > 0)` : sql`true`,
      cells: hidden.length > 0 ? sql`(c.key is null or ${shown(sql`c.key`)})` : sql`true`,
      count: sql`cardinality(l.cells) + ${shownKeys}`,
      whole: hidden.length === 0,
    };
  const secret = fields?.find((field) => hidden.includes(field));
  if (secret !== undefined)
    throw new AppError("INVALID_INPUT", { field: "field" }, [
      { path: "filters", code: "VALUE_UNKNOWN", params: { field: "field", value: secret } },
    ]);
  const library = await listLibraryActivities(ctx);
  const slots = library.filter(({ id }) => !activities || activities.includes(id)).map(({ slot }) => slot);
  const plan = planFields.filter((field) => !fields || fields.includes(field));
  const cells = slots.flatMap((slot) => plan.map((field) => cellNumber(slot, field)));
  const others = fields?.filter((field) => !(planFields as readonly string[]).includes(field)) ?? null;
  const keys = (key: Fragment) => {
    const named = others ? sql`split_part(${key}, '@', 1) = any(${others.map(logKey)}::text[])` : sql`true`;
    const placed = activities ? sql`split_part(${key}, '@', 2) = any(${slots.map(String)}::text[])` : sql`true`;
    return sql`${named} and ${placed} and ${shown(key)}`;
  };
  const inCells = sql`l.cells && ${cells}::smallint[]`;
  const inKeys = sql`exists (select 1 from jsonb_object_keys(l.attrs) k(key) where ${keys(sql`k.key`)})`;
  return {
    rows: others?.length === 0 ? inCells : sql`(${inCells} or ${inKeys})`,
    cells: sql`(c.cell = any(${cells}::smallint[]) or (c.key is not null and ${keys(sql`c.key`)}))`,
    count: sql`(select count(*) from unnest(l.cells) u(cell) where u.cell = any(${cells}::smallint[]))
      + (select count(*) from jsonb_object_keys(l.attrs) k(key) where ${keys(sql`k.key`)})`,
    whole: false,
  };
}

/** Name the log gives a field of the plan: plan cells keep theirs. */
export const logField = (field: string): string => ((planFields as readonly string[]).includes(field) ? field : logKey(field));

/** Key of a field in the log: attributes as they are, DU columns and notes with their group. */
function logKey(field: string): string {
  if (/^a\d+$/.test(field) || field.includes(".")) return field;
  if (field === "delayReason" || field === "score" || field === "scoreRemark") return `note.${field}`;
  const column = Object.hasOwn(duColumns, field) ? (duColumns as Record<string, DuColumn>)[field] : undefined;
  return `du.${columnOf(column?.edit ?? column?.logged ?? field)}`;
}

async function readRows(ctx: Ctx, rows: readonly Unfolded[]): Promise<LogRow[]> {
  const activities = new Map((await listLibraryActivities(ctx)).map((activity) => [activity.slot, activity]));
  const names = await ownerNames(
    ctx,
    rows.flatMap(({ cell, old, new: now }) => (cell !== null && cellField(cell).endsWith("Owner") ? [old as number, now as number] : [])),
  );
  const told = await readVeil(ctx, rows);
  return rows.map(({ cell, key, old, new: now, ...row }) => {
    const slot = cell === null ? Number(key?.split("@")[1] ?? 0) : cellSlot(cell);
    const activity = activities.get(slot);
    const field = cell === null ? (key?.split("@")[0] as string) : cellField(cell);
    return {
      ...row,
      activityId: activity?.id ?? null,
      activity: activity?.name ?? null,
      field,
      old: cell === null ? told(key, old) : readCell(field as PlanField, old as number, now as number, names),
      new: cell === null ? told(key, now) : readCell(field as PlanField, now as number, old as number, names),
    };
  });
}

const companyKey = "du.subcontractor_id";
const duKeys: readonly (string | null)[] = ["du.direct_migration_site_id", "du.decom_site_id"];

/** Logged references as the caller may know them: other companies, and DUs beyond his reach, are blank. */
async function readVeil(
  ctx: Ctx,
  changes: readonly { key: string | null; old: unknown; new: unknown }[],
): Promise<(key: string | null, value: unknown) => ReadValue> {
  const ids = (isAsked: (key: string | null) => boolean) =>
    changes.flatMap(({ key, old, new: now }) => (isAsked(key) ? [old, now].filter((id) => typeof id === "number") : []));
  const companies = await listKnown(
    ctx,
    "subcontractor",
    ids((key) => key === companyKey),
  );
  const dus = ctx.scope.all("rollout.view")
    ? null
    : await listKnown(
        ctx,
        "du",
        ids((key) => duKeys.includes(key)),
      );
  return (key, value) => {
    const isKnown =
      key === companyKey
        ? !ctx.scope.apart || companies.has(value as number)
        : !duKeys.includes(key) || dus?.has(value as number) !== false;
    return isKnown ? (value as ReadValue) : null;
  };
}

async function ownerNames(ctx: Ctx, sets: readonly number[]): Promise<(setId: number) => string[]> {
  const members = await readOwnerSets(ctx, [...new Set(sets)].filter(Boolean));
  const people = await ctx.sql<
    { id: number; name: string }[]
  >`select id, name from app_user where id = any(${[...new Set([...members.values()].flat())]}::bigint[])`;
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return (setId) => (members.get(setId) ?? []).map((id) => names.get(id) ?? String(id));
}

/** Flows that occur in the plan log. */
export async function listLogFlows(ctx: Ctx): Promise<{ id: number; name: string }[]> {
  const { sql, project } = ctx;
  return [
    ...(await sql<{ id: number; name: string }[]>`
      select a.id, a.name from activity_flow a
      where a.project_id = ${project.id} and a.draft_of is null and exists (select 1 from plan_log l where l.flow_id = a.id)
      order by a.name collate natural_order, a.id`),
  ];
}

/** Activities of the flows, for the filter of the plan log. */
export async function listLogActivities(ctx: Ctx, input: ActivityList): Promise<{ id: number; name: string }[]> {
  const { sql, project } = ctx;
  return [
    ...(await sql<{ id: number; name: string }[]>`
      select l.id, l.name from activity_library l
      where l.project_id = ${project.id} and exists (
        select 1 from flow_activity n join activity_flow a on a.id = n.flow_id
        where n.activity_id = l.id and a.project_id = ${project.id} and a.id = any(${input.flowIds}::bigint[]))
      order by l.slot limit ${input.size}`),
  ];
}

export type CellHistoryRow = Pick<LogRow, "batchId" | "seq" | "at" | "actorId" | "actor" | "source" | "reason" | "undoOf" | "old" | "new">;

/**
 * Changes of one cell, newest first.
 * @throws NOT_FOUND when the caller does not reach the DU or there is no such cell
 */
export async function listCellHistory(ctx: Ctx, input: CellHistory): Promise<CellHistoryRow[]> {
  const { sql } = ctx;
  const [du] = await sql`select 1 from du where ${ctx.scope.where("rollout.view")} and du.id = ${input.duId}`;
  if (!du) throw new AppError("NOT_FOUND", { object: "DU" });
  const slot = input.activityId === undefined ? null : (await listLibraryActivities(ctx)).find(({ id }) => id === input.activityId)?.slot;
  if (slot === undefined) throw new AppError("NOT_FOUND", { object: "activity" });
  const field = planFields.find((name) => name === input.field);
  if (field && slot !== null) {
    const changes = await listCellChanges(ctx, input.duId, { cell: cellNumber(slot, field) });
    const names = await ownerNames(
      ctx,
      field.endsWith("Owner") ? changes.flatMap((change) => [change.old as number, change.new as number]) : [],
    );
    return changes.map((change) => ({
      ...change,
      old: readCell(field, change.old as number, change.new as number, names),
      new: readCell(field, change.new as number, change.old as number, names),
    }));
  }
  // A hidden attribute has no history, like one there is not.
  if (/^a\d{1,15}$/.test(input.field) && (await readHidden(ctx)).has(Number(input.field.slice(1)))) return [];
  const key = `${logKey(input.field)}${slot === null ? "" : `@${slot}`}`;
  const changes = await listCellChanges(ctx, input.duId, { key });
  const told = await readVeil(
    ctx,
    changes.map((change) => ({ ...change, key })),
  );
  return changes.map((change) => ({ ...change, old: told(key, change.old), new: told(key, change.new) })) as CellHistoryRow[];
}

/**
 * A batch with its changes, as far as the caller reaches their DUs.
 * @throws NOT_FOUND, also for a batch that changed none of the DUs the caller reaches: its reason and figures tell of them
 */
export async function getBatch(
  ctx: Ctx,
  input: BatchInput,
): Promise<{ batch: PlanBatch & { actor: string | null }; rows: LogRow[]; more: boolean }> {
  const { sql, project } = ctx;
  const [batch] = await sql<(PlanBatch & { actor: string | null })[]>`
    select b.id, b.seq, b.at, b.actor_id as "actorId", u.name as actor, b.source, b.reason, b.origin, b.undo_of as "undoOf", b.du_count as "duCount", b.cell_count as "cellCount"
    from plan_batch b left join app_user u on u.id = b.actor_id where b.id = ${input.batchId} and b.project_id = ${project.id}`;
  if (!batch) throw new AppError("NOT_FOUND", { object: "batch" });
  const where = { ...(await compileLog(ctx, [])), batches: sql`b.id = ${batch.id}` };
  const rows = await sql<Unfolded[]>`
    select ${columns(ctx)} ${unfold(ctx, where, batchRowsMax + 1)} order by b.seq desc, du.code, du.id, c.cell, c.key limit ${batchRowsMax + 1}`;
  if (rows.length === 0 && !ctx.scope.all("rollout.view")) throw new AppError("NOT_FOUND", { object: "batch" });
  return { batch, rows: await readRows(ctx, rows.slice(0, batchRowsMax)), more: rows.length > batchRowsMax };
}
