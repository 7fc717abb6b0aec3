import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { OrderStatus } from "./logic.ts";

/** An order as its steps need it. */
export type OrderRow = {
  id: number;
  number: number;
  duId: number;
  slot: number;
  status: OrderStatus;
  assigneeId: number | null;
  /** Status it returns to when it is unsuspended, or when its actual end is cleared. */
  before: OrderStatus | null;
};

/** Key of an order in a map. */
export const orderKey = (duId: number, slot: number): string => `${duId} ${slot}`;

/** Orders of activities of the DUs, by `orderKey`. */
export async function readOrders({ sql, project }: Pick<Ctx, "sql" | "project">, duIds: readonly number[]): Promise<Map<string, OrderRow>> {
  if (duIds.length === 0) return new Map();
  const rows = await sql<OrderRow[]>`
    select o.id, o.number, o.du_id as "duId", o.slot, o.status, o.assignee_id as "assigneeId", coalesce(o.suspended_from, o.completed_from) as before
    from work_order o where o.project_id = ${project.id} and o.du_id = any(${[...new Set(duIds)]}::bigint[]) and o.slot is not null`;
  return new Map(rows.map((row) => [orderKey(row.duId, row.slot), row]));
}

/** Whose a redone order was, and whether it was marked already. */
export type BeforeRedo = { assigneeId: number | null; redone: boolean };

/** What orders were before a redo of a batch, by `orderKey`. */
export async function readBeforeRedo({ sql, project }: Pick<Ctx, "sql" | "project">, batchId: number): Promise<Map<string, BeforeRedo>> {
  const rows = await sql<(BeforeRedo & { duId: number; slot: number })[]>`
    select e.du_id as "duId", e.slot, e.was_assignee_id as "assigneeId", e.was_redone as redone from work_order_event e
    where e.project_id = ${project.id} and e.batch_id = ${batchId} and e.event = 'redo' and e.was_redone is not null order by e.id desc`;
  return new Map(rows.map(({ duId, slot, ...before }) => [orderKey(duId, slot), before]));
}
