import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import type { OrderStatus } from "../orders/logic.ts";

/** A temporary order as its steps need it. */
export type TemporaryOrder = { id: number; duId: number; status: OrderStatus; assigneeId: number | null; before: OrderStatus | null };

/** Those of the orders that are temporary ones. */
export async function listTemporary({ sql, project }: Ctx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await sql<{ id: number }[]>`
    select id from work_order where project_id = ${project.id} and id = any(${[...ids]}::bigint[]) and temp`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * The temporary orders within reach, locked in id order.
 * @param right decides which DUs are reached; "own": the orders the caller is to carry out, wherever they are
 */
export async function lockTemporary(ctx: Ctx, ids: readonly number[], right: PermissionCode | "own"): Promise<Map<number, TemporaryOrder>> {
  const { sql, project, user, scope } = ctx;
  const reach =
    right === "own" ? sql`du.project_id = ${project.id} and du.deleted_at is null and o.assignee_id = ${user.id}` : scope.where(right);
  const rows = await sql<TemporaryOrder[]>`
    select o.id, o.du_id as "duId", o.status, o.assignee_id as "assigneeId", coalesce(o.suspended_from, o.completed_from) as before
    from work_order o join du on du.id = o.du_id where o.project_id = ${project.id} and o.id = any(${[...ids]}::bigint[]) and o.temp and ${reach}
    order by o.id for update of o`;
  return new Map(rows.map((row) => [row.id, row]));
}
