import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import type { OrderStatus } from "../orders/logic.ts";

/** A temporary order as its steps need it. */
export type TemporaryOrder = {
  id: number;
  duId: number;
  name: string;
  status: OrderStatus;
  assigneeId: number | null;
  before: OrderStatus | null;
  /** ISO days. */
  start: string | null;
  end: string | null;
  /** The DU has another open order of the name. */
  taken: boolean;
};

/** Those of the orders that are temporary ones. */
export async function listTemporary({ sql, project }: Ctx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await sql<{ id: number }[]>`
    select id from work_order where project_id = ${project.id} and id = any(${[...ids]}::bigint[]) and temp`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * The temporary orders within reach; their DUs are locked, then they, each in id order.
 * @param right decides which DUs are reached; "own": the orders the caller is to carry out, wherever they are
 */
export async function lockTemporary(ctx: Ctx, ids: readonly number[], right: PermissionCode | "own"): Promise<Map<number, TemporaryOrder>> {
  const { sql, project, user, scope } = ctx;
  const reach =
    right === "own"
      ? sql`du.project_id = ${project.id} and du.deleted_at is null and o.assignee_id = ${user.id} and ${scope.named}`
      : scope.where(right);
  const within = sql`o.project_id = ${project.id} and o.id = any(${[...ids]}::bigint[]) and o.temp and ${reach}`;
  await sql`
    select 1 from du where du.id in (select o.du_id from work_order o where o.project_id = ${project.id} and o.id = any(${[...ids]}::bigint[]))
    order by du.id for no key update of du`;
  const rows = await sql<TemporaryOrder[]>`
    select o.id, o.du_id as "duId", o.name, o.status, o.assignee_id as "assigneeId", coalesce(o.suspended_from, o.completed_from) as before, o.temp_start as start, o.temp_end as "end", exists (
      select 1 from work_order x where x.du_id = o.du_id and lower(x.name) = lower(o.name) and x.temp and x.id <> o.id and x.status not in ('completed', 'cancelled')) as taken
    from work_order o join du on du.id = o.du_id where ${within} order by o.id for update of o`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Temporary orders of DUs whose process belongs to a flow, by DU: they go with the flow. */
export async function countFlowOrders({ sql, project }: Ctx, duIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await sql<{ duId: number; orders: number }[]>`
    select o.du_id as "duId", count(*)::int as orders from work_order o join temp_process p on p.id = o.temp_process_id
    where o.project_id = ${project.id} and o.du_id = any(${[...duIds]}::bigint[]) and o.slot is null and p.flow_id is not null group by o.du_id`;
  return new Map(rows.map(({ duId, orders }) => [duId, orders]));
}
