import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { readFlowOrders } from "#lib/rollout-plan/columns/queries.ts";
import { emptyTileRow } from "#lib/rollout-plan/plan-rows/logic.ts";
import { planColumns, readPlanSeq } from "#lib/rollout-plan/plan-rows/queries.ts";
import { halvesFrom, keptAttributesMax, keptIdsMax, keptOrdersMax, keptTextsMax } from "./limits.ts";
import { encodeRows, type FlowOrder, type PlanArrays, planRevision, type RowText, tileFields } from "./logic.ts";

/** A DU of a slice with the revisions its row is kept by: of the DU, of its plan, and the flow it follows with its version (0 = none). */
export type SliceRow = { id: number; duVersion: number; version: number; flowId: number; flowVersion: number };

const sliceColumns = `du.id, du.row_version as "duVersion", p.row_version as version, coalesce(f.flow_id, 0) as "flowId",
  coalesce(a.version, 0) as "flowVersion"`;
const sliceJoins = `join du on du.id = u.id
  join du_plan p on p.du_id = du.id
  left join du_flow f on f.du_id = du.id and f.unbound_at is null
  left join activity_flow a on a.id = f.flow_id`;

/** DUs of a part of a kept result, as far as the caller still reaches them, and the change number of the project at this moment. @throws QUERY_EXPIRED */
export async function readSlice(ctx: Ctx, queryId: string, from: number, count: number): Promise<{ rows: SliceRow[]; seq: number }> {
  const { sql, project } = ctx;
  const rows = await sql<({ seq: number } & (SliceRow | { id: null }))[]>`
    select s.seq, r.* from (
      select coalesce((select seq from plan_seq where project_id = ${project.id}), 0)::bigint as seq, q.du_ids[${from + 1}::int:${from + count}::int] as ids
      from plan_query q where q.id = ${queryId} and q.project_id = ${project.id}
        and q.fingerprint = ${ctx.scope.fingerprint("rollout.view")} and q.expires_at > ${ctx.now}
    ) s left join lateral (
      select ${sql.unsafe(sliceColumns)}, u.place from unnest(s.ids) with ordinality u(id, place) ${sql.unsafe(sliceJoins)}
      where ${ctx.scope.where("rollout.view")}
    ) r on true order by r.place`;
  const [head] = rows;
  if (!head) throw new AppError("QUERY_EXPIRED");
  return { rows: rows.filter((row) => row.id !== null), seq: head.seq };
}

/** The named DUs in their order as rows of a slice, as far as the caller reaches them, and the change number of the project at this moment. */
export async function sliceOf(ctx: Ctx, duIds: readonly number[]): Promise<{ rows: SliceRow[]; seq: number }> {
  const { sql } = ctx;
  // The number is read first: rows are at least as new as it says.
  const seq = await readPlanSeq(ctx);
  const rows = await sql<SliceRow[]>`
    select ${sql.unsafe(sliceColumns)} from unnest(${[...duIds]}::bigint[]) with ordinality u(id, place) ${sql.unsafe(sliceJoins)}
    where ${ctx.scope.where("rollout.view")} order by u.place`;
  return { rows: [...rows], seq };
}

/** Values by DU that hold as long as its revisions; the least used go first. */
class KeptRows<T extends object> {
  readonly #max: number;
  readonly #rows = new Map<number, { revision: string; value: T }>();

  constructor(max: number) {
    this.#max = max;
  }

  find(id: number, revision: string): T | undefined {
    const row = this.#rows.get(id);
    if (row?.revision !== revision) return undefined;
    this.#rows.delete(id);
    this.#rows.set(id, row);
    return row.value;
  }

  /** Whether anything is kept of a DU, be it of other revisions. */
  has(id: number): boolean {
    return this.#rows.has(id);
  }

  keep(id: number, revision: string, value: T): void {
    this.#rows.delete(id);
    this.#rows.set(id, { revision, value });
    if (this.#rows.size > this.#max) this.#rows.delete(this.#rows.keys().next().value as number);
  }
}

const texts = { plan: new KeptRows<RowText>(keptTextsMax), released: new KeptRows<RowText>(keptTextsMax) };

const keptIds = new Map<string, readonly number[]>();

/** Remembers the DUs of a kept result, so that the rows of its parts can be read while the part is still asked for. */
export function rememberIds(queryId: string, duIds: readonly number[]): void {
  keptIds.delete(queryId);
  keptIds.set(queryId, duIds);
  if (keptIds.size > keptIdsMax) keptIds.delete(keptIds.keys().next().value as string);
}

/** What was read of rows before it was known whether the caller reaches them and which revisions they have: nothing of it is shown by itself. */
export type Ahead = { rows: Reading<PlanRow> | null; attributes: Reading<AttributesRow> | null };
type Reading<T> = { ids: ReadonlySet<number>; parts: Promise<readonly T[]>[] };

/** Begins to read the rows of a part of a kept result of which nothing is kept yet, if this process knows its DUs. */
export function readAhead(
  ctx: Ctx,
  { queryId, from, count }: { queryId: string; from: number; count: number },
  { plan, released, attributes: wanted }: { plan: boolean; released: boolean; attributes: boolean },
): Ahead {
  const ids = keptIds.get(queryId)?.slice(from, from + count) ?? [];
  const begin = <T extends object, R>(
    asked: boolean,
    kept: KeptRows<T>,
    read: (unknown: number[]) => Promise<R[]>[],
  ): Reading<R> | null => {
    const unknown = asked ? ids.filter((id) => !kept.has(id)) : [];
    if (unknown.length === 0) return null;
    const parts = read(unknown);
    // A refused caller does not wait for them.
    for (const part of parts) part.catch(() => {});
    return { ids: new Set(unknown), parts };
  };
  return {
    attributes: begin(wanted, attributes, (unknown) => [readAttributeRows(ctx, unknown)]),
    rows: begin(plan, texts[released ? "released" : "plan"], (unknown) =>
      halves(unknown).map((part) => readPlan(ctx, part, { released, prepared: true })),
    ),
  };
}

/** Most of the time goes into the database's writing of arrays as text: two connections do it side by side. */
function halves(ids: readonly number[]): number[][] {
  const half = ids.length < halvesFrom ? ids.length : Math.ceil(ids.length / 2);
  return [ids.slice(0, half), ids.slice(half)].filter((part) => part.length > 0);
}

/**
 * Waits for the parts of what is missing, reads what was not read ahead, and reads once more what the first reading did not give as it is now.
 * @param take takes what is missing out of it and keeps it
 */
async function takeParts<T>(
  missing: ReadonlyMap<number, SliceRow>,
  ahead: Reading<T> | null,
  read: (ids: number[], again: boolean) => Promise<readonly T[]>[],
  take: (rows: readonly T[]) => void,
): Promise<void> {
  const takeEach = (parts: readonly Promise<readonly T[]>[]) => Promise.all(parts.map(async (part) => take(await part)));
  const behind = [...missing.keys()].filter((id) => !ahead?.ids.has(id));
  await takeEach([...(ahead?.parts ?? []), ...read(behind, false)]);
  await takeEach(read([...missing.keys()], true));
}

/** Texts of rows in their order; only those that changed since they were last asked for are read. */
export async function readRowTexts(
  ctx: Ctx,
  rows: readonly SliceRow[],
  released: boolean,
  ahead: Ahead["rows"] = null,
): Promise<RowText[]> {
  const kept = texts[released ? "released" : "plan"];
  const found = new Map<number, RowText>();
  const missing = new Map<number, SliceRow>();
  for (const row of rows) {
    const value = kept.find(row.id, planRevision(row));
    if (value) found.set(row.id, value);
    else missing.set(row.id, row);
  }
  if (missing.size > 0) {
    const orders = await readOrders(ctx, [...missing.values()]);
    const take = (read: readonly PlanRow[]) => {
      const fresh = read.filter(({ id, version }) => version >= (missing.get(id)?.version ?? Number.POSITIVE_INFINITY));
      // A DU bound to another flow meanwhile is encoded by the flow of the slice and kept under it; its row has a newer version and is asked for anew.
      const encoded = encodeRows(
        fresh.filter(({ prepared }) => !prepared).map((row) => ({ ...(missing.get(row.id) as SliceRow), ...row })),
        orders,
        released,
      );
      for (const { id, revision, value } of [...encoded, ...fresh.flatMap((row) => preparedOf(row, missing.get(row.id) as SliceRow))]) {
        kept.keep(id, revision, value);
        found.set(id, value);
        missing.delete(id);
      }
    };
    await takeParts(missing, ahead, (ids, again) => halves(ids).map((part) => readPlan(ctx, part, { released, prepared: !again })), take);
  }
  // A DU deleted between the two reads leaves an empty row, so that rows and ids stay side by side.
  return rows.map(({ id }) => found.get(id) ?? { text: emptyTileRow(id), sets: [] });
}

/** The prepared text of a row, if it is of the flow the DU follows in the slice. */
function preparedOf({ id, version, prepared }: PlanRow, { flowId, flowVersion }: SliceRow) {
  if (prepared?.flowId !== flowId || prepared.flowVersion !== flowVersion) return [];
  return [{ id, revision: planRevision({ version, flowId, flowVersion }), value: { text: prepared.text, sets: prepared.sets } }];
}

const keptOrders = new Map<number, FlowOrder>();

/** Orders of the flows of a slice; a released version's order never changes. */
async function readOrders(ctx: Ctx, rows: readonly SliceRow[]): Promise<ReadonlyMap<number, FlowOrder>> {
  const flows = rows.filter(({ flowId }) => flowId > 0);
  if (flows.every(({ flowId, flowVersion }) => keptOrders.get(flowId)?.version === flowVersion)) return keptOrders;
  const orders = await readFlowOrders(ctx);
  if (keptOrders.size > keptOrdersMax) keptOrders.clear();
  for (const [flowId, order] of orders) keptOrders.set(flowId, order);
  return orders;
}

/** A plan row as its arrays, or as the text that was prepared of them. */
type PlanRow = PlanArrays & { prepared?: (RowText & { flowId: number; flowVersion: number }) | null };

/** The arrays of a plan row that a tile shows, on the alias `p`. @param unless condition under which they are left out */
export const arraysSql = (
  released: boolean,
  unless = "false",
) => `p.du_id as id, p.row_version as version, p.release_state as "releaseState",
  (select coalesce(max(slot), 0) + 1 from activity_library l where l.project_id = p.project_id) as width,
  ${tileFields(released)
    .map((field) => `case when not (${unless}) then p.${planColumns[field]}::text end as "${field}"`)
    .join(", ")}`;

/**
 * Plan rows with the kinds a tile shows and nothing beside.
 * @param prepared gives the text that was prepared of a row's present version in place of the arrays, whose writing takes most of the time; none are with released dates
 */
async function readPlan(
  { sql, project }: Ctx,
  ids: readonly number[],
  { released, prepared }: { released: boolean; prepared: boolean },
): Promise<PlanRow[]> {
  const within = sql`p.project_id = ${project.id} and p.du_id = any(${[...ids]}::bigint[])`;
  if (released || !prepared) return sql<PlanRow[]>`select ${sql.unsafe(arraysSql(released))} from du_plan p where ${within}`;
  const rows = await sql<(PlanArrays & { text: string | null; sets: number[]; flowId: number; flowVersion: number })[]>`
    select ${sql.unsafe(arraysSql(false, "t.text is not null"))}, t.text, t.sets, t.flow_id as "flowId", t.flow_version as "flowVersion"
    from du_plan p left join du_plan_text t on t.du_id = p.du_id and t.version = p.row_version where ${within}`;
  return rows.map(({ text, sets, flowId, flowVersion, ...row }) => ({
    ...row,
    prepared: text === null ? null : { text, sets, flowId, flowVersion },
  }));
}

/** Values of a DU's extension attributes by key. */
export type Attributes = Record<string, string | number | null>;
type AttributesRow = { id: number; version: number; ext: Attributes };
const attributes = new KeptRows<Attributes>(keptAttributesMax);

async function readAttributeRows({ sql, project }: Ctx, ids: readonly number[]): Promise<AttributesRow[]> {
  return sql<AttributesRow[]>`
    select id, row_version as version, ext from du where project_id = ${project.id} and id = any(${[...ids]}::bigint[])`;
}

/** Extension attributes of the DUs of a slice in their order; only those that changed since they were last asked for are read. */
export async function readAttributes(ctx: Ctx, rows: readonly SliceRow[], ahead: Ahead["attributes"] = null): Promise<Attributes[]> {
  const found = new Map<number, Attributes>();
  const missing = new Map<number, SliceRow>();
  for (const row of rows) {
    const value = attributes.find(row.id, String(row.duVersion));
    if (value) found.set(row.id, value);
    else missing.set(row.id, row);
  }
  const take = (read: readonly AttributesRow[]) => {
    for (const { id, version, ext } of read) {
      if (version < (missing.get(id)?.duVersion ?? Number.POSITIVE_INFINITY)) continue;
      attributes.keep(id, String(version), ext);
      found.set(id, ext);
      missing.delete(id);
    }
  };
  await takeParts(missing, ahead, (ids) => (ids.length > 0 ? [readAttributeRows(ctx, ids)] : []), take);
  return rows.map(({ id }) => found.get(id) ?? {});
}
