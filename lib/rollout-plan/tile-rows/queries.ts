import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { readFlowOrders } from "#lib/rollout-plan/columns/queries.ts";
import { type PlanField, planFields } from "#lib/rollout-plan/plan-rows/limits.ts";
import {
  emptyBlock,
  emptyTileRow,
  encodeTileRow,
  ownerSetsOf,
  type PlanBlock,
  readArrayText,
  tileDates,
  tileOwners,
  tileReleased,
} from "#lib/rollout-plan/plan-rows/logic.ts";
import { planColumns, readPlanSeq } from "#lib/rollout-plan/plan-rows/queries.ts";
import { halvesFrom, keptAttributesMax, keptOrdersMax, keptTextsMax } from "./limits.ts";

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

  keep(id: number, revision: string, value: T): void {
    this.#rows.delete(id);
    this.#rows.set(id, { revision, value });
    if (this.#rows.size > this.#max) this.#rows.delete(this.#rows.keys().next().value as number);
  }
}

/** The text of a tile row, and the owner sets it names. */
export type RowText = { text: string; sets: number[] };

const texts = { plan: new KeptRows<RowText>(keptTextsMax), released: new KeptRows<RowText>(keptTextsMax) };
const planRevision = (row: Pick<SliceRow, "version" | "flowId" | "flowVersion">) => `${row.version} ${row.flowId} ${row.flowVersion}`;

/** Texts of rows in their order; only those that changed since they were last asked for are read. */
export async function readRowTexts(ctx: Ctx, rows: readonly SliceRow[], released: boolean): Promise<RowText[]> {
  const kept = texts[released ? "released" : "plan"];
  const found = new Map<number, RowText>();
  const missing: SliceRow[] = [];
  for (const row of rows) {
    const value = kept.find(row.id, planRevision(row));
    if (value) found.set(row.id, value);
    else missing.push(row);
  }
  if (missing.length > 0) {
    const orders = await readOrders(ctx, missing);
    // Most of the time goes into the database's writing of the arrays as text: two connections do it side by side.
    const half = missing.length < halvesFrom ? missing.length : Math.ceil(missing.length / 2);
    const halves = [missing.slice(0, half), missing.slice(half)].filter((part) => part.length > 0);
    await Promise.all(
      halves.map(async (part) => {
        const block = await readTileBlock(ctx, part, released);
        block.duIds.forEach((id, at) => {
          const order = orders.get(block.flowIds[at] as number);
          // A flow released between the two reads: the row carries the version its order belongs to.
          if (order) block.flowVersions[at] = order.version;
          const slots = order?.slots ?? [];
          const value = { text: encodeTileRow(block, at, slots, { released }), sets: ownerSetsOf(block, at, slots) };
          const [version, flowId, flowVersion] = [block.versions[at], block.flowIds[at], block.flowVersions[at]] as [
            number,
            number,
            number,
          ];
          kept.keep(id, planRevision({ version, flowId, flowVersion }), value);
          found.set(id, value);
        });
      }),
    );
  }
  // A DU deleted between the two reads leaves an empty row, so that rows and ids stay side by side.
  return rows.map(({ id }) => found.get(id) ?? { text: emptyTileRow(id), sets: [] });
}

type FlowOrder = { version: number; slots: number[] };
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

const shown: readonly PlanField[] = planFields.filter(
  (field) => field === "state" || [...tileDates, ...tileOwners].some((name) => name === field),
);

type Arrays = { id: number; version: number; releaseState: number; width: number } & { [field in PlanField]?: string | null };

/**
 * Plan rows of a slice, whose flows are known already, with the kinds a tile shows and nothing beside: the plan table alone is asked. A DU bound to another
 * flow meanwhile is encoded by the flow of the slice and kept under it; its row has a newer version and is asked for anew.
 */
async function readTileBlock({ sql, project }: Ctx, rows: readonly SliceRow[], released: boolean): Promise<PlanBlock> {
  const fields = released ? [...shown, ...tileReleased] : shown;
  const columns = fields.map((field) => `${planColumns[field]}::text as "${field}"`).join(", ");
  const read = await sql<Arrays[]>`
    select du_id as id, row_version as version, release_state as "releaseState",
      (select coalesce(max(slot), 0) + 1 from activity_library where project_id = ${project.id}) as width, ${sql.unsafe(columns)}
    from du_plan where project_id = ${project.id} and du_id = any(${rows.map(({ id }) => id)}::bigint[])`;
  const block = emptyBlock(
    read.map(({ id }) => id),
    read[0]?.width ?? 1,
    fields,
  );
  const flows = new Map(rows.map((row) => [row.id, row]));
  read.forEach((given, at) => {
    const flow = flows.get(given.id) as SliceRow;
    block.versions[at] = given.version;
    block.flowIds[at] = flow.flowId;
    block.flowVersions[at] = flow.flowVersion;
    block.releaseStates[at] = given.releaseState;
    for (const field of fields) readArrayText(given[field] ?? null, block[field], at, block.width);
  });
  return block;
}

/** Values of a DU's extension attributes by key. */
export type Attributes = Record<string, string | number | null>;
const attributes = new KeptRows<Attributes>(keptAttributesMax);

/** Attributes of a DU as kept, undefined when they changed since they were last read or never were. */
export function findAttributes({ id, duVersion }: SliceRow): Attributes | undefined {
  return attributes.find(id, String(duVersion));
}

/** Keeps the attributes of a DU as read with its revision. */
export function keepAttributes(id: number, duVersion: number, values: Attributes): void {
  attributes.keep(id, String(duVersion), values);
}
