import "server-only";
import { getSql } from "#db/client.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { holdNumbers } from "#lib/core/hold-project.ts";
import { noteActivity } from "#lib/resources/presence/commands.ts";
import { tellPeople } from "../notices/commands.ts";
import { eventBetween, type LoggedEvent, type OrderStatus } from "./logic.ts";
import { type BeforeRedo, orderKey, readBeforeRedo, readOrders } from "./queries.ts";

/** A step of one order. */
export type OrderStep = {
  duId: number;
  slot: number;
  event: LoggedEvent;
  from: OrderStatus;
  to: OrderStatus;
  /** Who is to carry it out from now on; null for nobody, left out where that does not change. */
  assigneeId?: number | null;
  /** The mark of a redone order, where it is set back. */
  redone?: boolean;
  /** Why, where that differs from step to step. */
  reason?: string | null;
};

type StepOptions = {
  /** Makes the orders that have no row yet. */
  make?: boolean;
  reason?: string | null | undefined;
  batchId: number | null;
  /** A person did it (default true). */
  byPerson?: boolean | undefined;
};

type Given = {
  duId: number;
  slot: number;
  event: LoggedEvent;
  from: OrderStatus;
  to: OrderStatus;
  moves: boolean;
  assigneeId: number | null;
  redone: boolean | null;
  reason: string | null;
};

const givenRows = ({ sql }: Ctx, rows: readonly Given[]) =>
  sql`jsonb_to_recordset(${sql.json(rows as never)}) as g("duId" bigint, slot smallint, event text, "from" text, "to" text, moves boolean, "assigneeId" bigint, redone boolean, reason text)`;

/** What a step (g) changes in the row of its order (o). */
export const orderChanges = ({ sql, now }: Ctx) => sql`
    status = case g."to" when 'none' then 'scheduled' else g."to" end,
    redone = coalesce(g.redone, case g.event when 'redo' then true when 'dispatch' then false else o.redone end),
    redo_count = o.redo_count + (g.event = 'redo')::int - (o.redone and g.redone is false)::int,
    assignee_id = case when g.moves then g."assigneeId" else o.assignee_id end,
    subcontractor_id = case when g.moves
      then (select m.subcontractor_id from resource m where m.project_id = o.project_id and m.user_id = g."assigneeId" and m.status = 'ACTIVE') else o.subcontractor_id end,
    assigned_at = case when g.event in ('dispatch', 'reassign') then ${now} when g."to" in ('none', 'scheduled') then null else o.assigned_at end,
    accepted_at = case when g.event = 'accept' then ${now} when g."to" in ('none', 'scheduled', 'assigned') then null else o.accepted_at end,
    started_at = case when g."to" = 'started' then coalesce(o.started_at, ${now}) when g."to" in ('none', 'scheduled', 'assigned', 'accepted') then null
      else o.started_at end,
    suspended_at = case when g."to" = 'suspended' then coalesce(o.suspended_at, ${now}) end,
    suspended_from = case when g.event = 'suspend' then g."from" when g."to" = 'suspended' then coalesce(o.suspended_from, 'accepted') end,
    completed_at = case when g."to" = 'completed' then ${now}::timestamptz end,
    completed_from = case when g."to" = 'completed' then nullif(g."from", 'none') end,
    cancelled_at = case when g."to" = 'cancelled' then ${now}::timestamptz end,
    row_version = o.row_version + 1`;

/**
 * Writes steps of orders and their history, in a fixed number of statements for any number of orders; the state bits are the caller's.
 * Rows are made where that is asked; other steps of activities without an order leave no trace here.
 */
export async function writeOrders(ctx: Ctx, steps: readonly OrderStep[], options: StepOptions): Promise<void> {
  if (steps.length === 0) return;
  const { sql, project, now } = ctx;
  // Not in the transaction of the orders: two of one person would wait for each other.
  ctx.afterCommit(() => noteActivity(getSql(), ctx.user.id, now, project.id));
  const rows = steps.map(
    ({ assigneeId, redone, reason, ...step }): Given => ({
      ...step,
      moves: assigneeId !== undefined,
      assigneeId: assigneeId ?? null,
      redone: redone ?? null,
      reason: reason ?? options.reason ?? null,
    }),
  );
  if (options.make) await makeOrders(ctx, rows);
  const actorId = (options.byPerson ?? true) ? ctx.user.id : null;
  await sql`
    with changed as (
      update work_order o set ${orderChanges(ctx)}
      from ${givenRows(ctx, rows)} join work_order b on b.project_id = ${project.id} and b.du_id = g."duId" and b.slot = g.slot
      where o.id = b.id
      returning o.id, o.number, o.du_id, o.slot, g.event, g."from", g."to", g.reason, b.assignee_id as was_assignee_id, b.redone as was_redone
    )
    insert into work_order_event (project_id, work_order_id, number, du_id, slot, event, from_status, to_status, actor_id, reason, at, batch_id, was_assignee_id, was_redone)
    select ${project.id}, c.id, c.number, c.du_id, c.slot, c.event, c."from", c."to", ${actorId}, c.reason, ${now}, ${options.batchId}, c.was_assignee_id, c.was_redone from changed c`;
  const gone = rows.filter(({ event }) => event === "remove");
  if (gone.length > 0)
    await sql`delete from work_order o using ${givenRows(ctx, gone)} where o.project_id = ${project.id} and o.du_id = g."duId" and o.slot = g.slot`;
}

/** Makes the missing ones in one insert; numbers follow each other and none is given twice, removed orders included. */
async function makeOrders(ctx: Ctx, rows: readonly Given[]): Promise<void> {
  const { sql, project } = ctx;
  await holdNumbers(ctx, "work_order");
  await sql`
    insert into work_order (project_id, number, du_id, slot, status)
    select ${project.id}, l.last + row_number() over (order by g."duId", g.slot), g."duId", g.slot, 'scheduled'
    from ${givenRows(ctx, rows)} cross join (
      select greatest((select max(number) from work_order where project_id = ${project.id}), (select max(number) from work_order_event where project_id = ${project.id}), 0) as last
    ) l
    where not exists (select 1 from work_order o where o.du_id = g."duId" and o.slot = g.slot)`;
}

/** An open request of an activity that left the flow cannot be carried out any more. */
async function endRequests({ sql, project, now }: Ctx, gone: readonly OrderMove[]): Promise<void> {
  if (gone.length === 0) return;
  const rows = gone.map(({ duId, slot }) => ({ duId, slot }));
  await sql`
    update na_request r set status = 'failed', code = 'NO_ACTIVITY', done_at = ${now} from jsonb_to_recordset(${sql.json(rows)}) as g("duId" bigint, slot smallint)
    where r.project_id = ${project.id} and r.du_id = g."duId" and r.slot = g.slot and r.status in ('approving', 'processing')`;
}

/** A status that a write of the plan changed. */
export type OrderMove = { duId: number; slot: number; from: OrderStatus; to: OrderStatus; inFlow: boolean };

/** Brings the orders behind changed plan rows to the status of their bits; an order whose activity left the flow is removed, its history stays. */
export async function followOrders(
  ctx: Ctx,
  moves: readonly OrderMove[],
  how: {
    batchId: number;
    undone: boolean;
    undoOf?: number | undefined;
    reason?: string | null | undefined;
    byPerson?: boolean | undefined;
  },
): Promise<void> {
  if (moves.length === 0) return;
  await endRequests(
    ctx,
    moves.filter(({ inFlow }) => !inFlow),
  );
  const orders = await readOrders(
    ctx,
    moves.map(({ duId }) => duId),
  );
  if (orders.size === 0) return;
  const redone = how.undoOf === undefined ? new Map<string, BeforeRedo>() : await readBeforeRedo(ctx, how.undoOf);
  const steps = moves
    .filter(({ duId, slot }) => orders.has(orderKey(duId, slot)))
    .map(
      ({ duId, slot, from, to, inFlow }): OrderStep => ({
        duId,
        slot,
        from,
        to,
        event: inFlow ? eventBetween(from, to, how.undone) : "remove",
        ...redone.get(orderKey(duId, slot)),
      }),
    );
  await writeOrders(ctx, steps, how);
  const completed = steps.flatMap(({ duId, slot, event }) => {
    const userId = event === "enterEnd" ? orders.get(orderKey(duId, slot))?.assigneeId : null;
    return userId ? [{ userId, kind: "completed" as const, duId, slot }] : [];
  });
  await tellPeople(ctx, completed, { event: `completed ${how.batchId}`, actorId: ctx.user.id });
}
