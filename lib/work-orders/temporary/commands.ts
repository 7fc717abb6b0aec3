import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Params } from "#lib/core/error.ts";
import { holdNumbers } from "#lib/core/hold-project.ts";
import type { ErrorCode } from "#lib/errors.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import { orderChanges } from "../orders/commands.ts";
import { nextStatus, type OrderEvent } from "../orders/logic.ts";
import { lockTemporary, type TemporaryOrder } from "./queries.ts";

/** A work order beside the activities: it has a name and days of its own instead of one. */
export type NewTemporaryOrder = { duId: number; processId: number; name: string; start: string; end: string };

/** Makes scheduled temporary orders with the next numbers of the project, in two statements; gives their ids in the order of the rows. */
export async function makeTemporaryOrders(ctx: Ctx, rows: readonly NewTemporaryOrder[]): Promise<number[]> {
  if (rows.length === 0) return [];
  const { sql, project, user, now } = ctx;
  await holdNumbers(ctx, "work_order");
  const made = await sql<{ id: number }[]>`
    with made as (
      insert into work_order (project_id, number, du_id, slot, name, status, temp, temp_process_id, temp_start, temp_end)
      select ${project.id}, l.last + g.place, g."duId", null, g.name, 'scheduled', true, g."processId", g.start, g."end"
      from rows from (jsonb_to_recordset(${sql.json([...rows])}) as ("duId" bigint, "processId" bigint, name text, start date, "end" date))
        with ordinality g("duId", "processId", name, start, "end", place)
      cross join (
        select greatest((select max(number) from work_order where project_id = ${project.id}), (select max(number) from work_order_event where project_id = ${project.id}), 0) as last
      ) l
      returning id, number, du_id
    ), logged as (
      insert into work_order_event (project_id, work_order_id, number, du_id, event, from_status, to_status, actor_id, at)
      select ${project.id}, id, number, du_id, 'offer', 'none', 'scheduled', ${user.id}, ${now} from made
    )
    select id from made order by number`;
  return made.map(({ id }) => id);
}

/** A step that is to be taken for temporary orders. */
export type TemporaryStep = {
  event: OrderEvent;
  /** DUs the caller reaches; "own": the orders he is to carry out. */
  right: PermissionCode | "own";
  reason?: string | null | undefined;
  /** Person the orders are given to; null takes them from whoever has them, undefined leaves that. */
  assigneeId?: number | null | undefined;
};
export type TemporaryRefusal = { id: number; duId: number | null; code: ErrorCode; params: Params };

/**
 * Takes a step for temporary orders the state machine lets through, in two statements: their days and moments are their own, no plan is touched.
 * A dispatch asks of these days what it asks of a plan [WOR-11] [WOR-12].
 */
export async function moveTemporaryOrders(
  ctx: Ctx,
  ids: readonly number[],
  { event, right, reason, assigneeId }: TemporaryStep,
): Promise<{ moved: TemporaryOrder[]; refused: TemporaryRefusal[] }> {
  const { sql, project, user, now, today } = ctx;
  const found = await lockTemporary(ctx, ids, right);
  const refused: TemporaryRefusal[] = [];
  const steps = ids.flatMap((id) => {
    const order = found.get(id);
    const refuse = (code: ErrorCode, params: Params) => {
      refused.push({ id, duId: order?.duId ?? null, code, params });
      return [];
    };
    if (!order) return refuse("NOT_FOUND", { object: id });
    const to = nextStatus(event, order.status, order.before);
    if (to === null) return event === "dispatch" ? refuse("NOT_SCHEDULED", {}) : refuse("WRONG_STATUS", { status: order.status });
    if (event === "reactivate" && order.taken) return refuse("WORK_ORDER_NAME_EXISTS", { name: order.name });
    // Nobody owns the plan of a temporary order: who is to have it must be named.
    if (event === "dispatch" && !assigneeId) return refuse("NO_OWNER", {});
    if (event === "dispatch" && [order.start, order.end].some((day) => day !== null && day < today)) return refuse("DATE_BEFORE_TODAY", {});
    return [{ order, to }];
  });
  const rows = steps.map(({ order, to }) => ({
    id: order.id,
    event,
    from: order.status,
    to,
    moves: assigneeId !== undefined,
    assigneeId: assigneeId ?? null,
  }));
  await sql`
    with changed as (
      update work_order o set ${orderChanges(ctx)}
      from jsonb_to_recordset(${sql.json(rows)}) as g(id bigint, event text, "from" text, "to" text, moves boolean, "assigneeId" bigint, redone boolean)
      where o.project_id = ${project.id} and o.id = g.id
      returning o.id, o.number, o.du_id, g.event, g."from", g."to"
    )
    insert into work_order_event (project_id, work_order_id, number, du_id, event, from_status, to_status, actor_id, reason, at)
    select ${project.id}, c.id, c.number, c.du_id, c.event, c."from", c."to", ${user.id}, ${reason || null}, ${now} from changed c`;
  ctx.audit(`temporary work orders ${event}`, null, { orders: rows, reason: reason ?? null, rejected: refused.length });
  return { moved: steps.map(({ order }) => order), refused };
}

/**
 * Removes the temporary orders of DUs whose process belongs to a flow, for that flow is taken from them; their history stays. Those of processes for any flow
 * remain.
 */
export async function removeFlowOrders({ sql, project, user, now }: Ctx, duIds: readonly number[], reason: string | null): Promise<void> {
  await sql`
    with gone as (
      delete from work_order o using temp_process p
      where o.project_id = ${project.id} and o.du_id = any(${[...duIds]}::bigint[]) and o.slot is null and p.id = o.temp_process_id and p.flow_id is not null
      returning o.id, o.number, o.du_id, o.status
    )
    insert into work_order_event (project_id, work_order_id, number, du_id, event, from_status, to_status, actor_id, reason, at)
    select ${project.id}, id, number, du_id, 'remove', status, 'none', ${user.id}, ${reason}, ${now} from gone`;
}
