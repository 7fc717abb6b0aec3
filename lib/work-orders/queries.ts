import "server-only";
import type { z } from "zod";
import { isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import { naValues } from "#lib/rollout-plan/plan-rows/limits.ts";
import { isApplicable, stateValue, workOrderStatus } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readSlotStates } from "#lib/rollout-plan/plan-rows/queries.ts";
import { recentReasonsMax } from "./orders/limits.ts";
import { type HandEvent, handEvents, type LoggedEvent, nextStatus, type OrderStatus, orderStatuses } from "./orders/logic.ts";
import type { FindAssignees, FindPlace, FindTargets, OrderChoice } from "./schema.ts";

/** An activity of a DU a step is asked for; what could not be found keeps the ids it was named by. */
export type Place = { id: number | null; duId: number | null; activityId: number | null; slot: number | null };

/**
 * The activities a call names, in the order it names them, each once. DUs and orders out of reach have no slot.
 * @param right decides which DUs are reached; "own": orders the caller is to carry out, wherever they are
 */
export async function findPlaces(ctx: Ctx, choice: OrderChoice, right: PermissionCode | "own"): Promise<Place[]> {
  const { sql, project, user, scope } = ctx;
  const library = await listLibraryActivities(ctx);
  if (choice.ids) {
    const reach =
      right === "own"
        ? sql`du.project_id = ${project.id} and du.deleted_at is null and o.assignee_id = ${user.id} and ${scope.named}`
        : scope.where(right);
    const rows = await sql<{ id: number; duId: number; slot: number }[]>`
      select o.id, o.du_id as "duId", o.slot from work_order o join du on du.id = o.du_id
      where o.project_id = ${project.id} and o.id = any(${choice.ids}::bigint[]) and o.slot is not null and ${reach}`;
    const found = new Map(rows.map((row) => [row.id, row]));
    const activityIds = new Map(library.map(({ id, slot }) => [slot, id]));
    return choice.ids.map((id) => {
      const row = found.get(id);
      return { id, duId: row?.duId ?? null, activityId: row ? (activityIds.get(row.slot) ?? null) : null, slot: row?.slot ?? null };
    });
  }
  const rows = await sql<{ id: number }[]>`
    select du.id from du where ${scope.where(right as PermissionCode)} and du.id = any(${choice.duIds ?? []}::bigint[])`;
  const reached = new Set(rows.map(({ id }) => id));
  const slots = new Map(library.map(({ id, slot }) => [id, slot]));
  return (choice.duIds ?? []).flatMap((duId) =>
    (choice.activityIds ?? []).map((activityId) => ({
      id: null,
      duId,
      activityId,
      slot: reached.has(duId) ? (slots.get(activityId) ?? 0) : null,
    })),
  );
}

/** An order in a list; what only waits for dispatch may have no id and number. */
export type OrderListRow = {
  id: number | null;
  number: number | null;
  duId: number;
  duCode: string;
  duName: string;
  /** Null for a temporary order, which bears its own name. */
  activityId: number | null;
  activityName: string;
  temp: boolean;
  status: OrderStatus;
  redone: boolean;
  /** NA, INV, or a request for one is open. */
  na: (typeof naValues)[number] | "open";
  assigneeId: number | null;
  assigneeName: string | null;
  planStart: string | null;
  planEnd: string | null;
  actualStart: string | null;
  actualEnd: string | null;
};

type StoredRow = Omit<OrderListRow, "status" | "na" | "planStart" | "planEnd" | "actualStart" | "actualEnd"> & {
  status: OrderStatus | null;
  state: number;
  planStart: number;
  planEnd: number;
  actualStart: number;
  actualEnd: number;
};

// A temporary order has days and moments of its own; of the others the plan of their activity has them.
const orderColumns = ({ sql, project }: Ctx) => {
  const own = (moment: "started_at" | "completed_at") =>
    sql`((o.${sql(moment)} at time zone 'utc') + (8 + ${project.tzOffset}::numeric) * interval '1 hour')::date - date '2000-01-01'`;
  return sql`
  o.id, o.number, du.id as "duId", du.code as "duCode", du.name as "duName", a.id as "activityId", coalesce(o.name, a.name) as "activityName", coalesce(o.temp, false) as temp,
  o.status, coalesce(o.redone, false) as redone, o.assignee_id as "assigneeId", u.name as "assigneeName",
  case when o.temp then 1 else coalesce(p.state[a.slot], 0) end as state,
  coalesce(o.temp_start - date '2000-01-01', p.plan_start[a.slot], 0) as "planStart", coalesce(o.temp_end - date '2000-01-01', p.plan_end[a.slot], 0) as "planEnd",
  coalesce(case when o.temp then ${own("started_at")} else p.actual_start[a.slot] end, 0) as "actualStart",
  coalesce(case when o.temp then ${own("completed_at")} else p.actual_end[a.slot] end, 0) as "actualEnd"`;
};

function listed({ state, planStart, planEnd, actualStart, actualEnd, status, ...row }: StoredRow): OrderListRow {
  return {
    ...row,
    // The bits hold the status of every activity, an order with a row or not.
    status: status ?? workOrderStatus(state),
    na: stateValue(state, "naRequest") === 1 ? "open" : naValues[stateValue(state, "na")]!,
    planStart: isoDay(planStart),
    planEnd: isoDay(planEnd),
    actualStart: isoDay(actualStart),
    actualEnd: isoDay(actualEnd),
  };
}

/** DUs whose orders the caller sees; his own orders he always sees. */
const seen = ({ sql, scope, project, user }: Ctx) =>
  sql`(${scope.where("workOrder.view")} or (o.assignee_id = ${user.id} and du.project_id = ${project.id} and du.deleted_at is null and ${scope.named}))`;

const sortColumns: Record<string, string> = {
  number: "r.number",
  code: 'r."duCode" collate natural_order',
  activity: 'r."activityName" collate natural_order',
  status: "r.status",
  planStart: 'nullif(r."planStart", 0)',
  planEnd: 'nullif(r."planEnd", 0)',
  assignee: 'r."assigneeName" collate natural_order',
};

/** Orders the caller sees. With the status "scheduled" alone the state bits are read: most of what waits for dispatch has no row. */
export async function listOrders(ctx: Ctx, input: ListInput): Promise<Page<OrderListRow>> {
  const { sql, project } = ctx;
  const { page, size, filters } = input;
  const statuses = filters.find(({ field }) => field === "status")?.values;
  const waiting = statuses?.length === 1 && statuses[0] === "scheduled";
  const scheduled = orderStatuses.indexOf("scheduled");
  const conditions = filters.filter(({ field }) => !waiting || field !== "status");
  const where = conditions.reduce((left, filter) => sql`${left} and ${condition(ctx, filter)}`, seen(ctx));
  const columns = sql`select ${orderColumns(ctx)}, a.slot from`;
  const ofOrders = sql`
    ${columns} work_order o join du on du.id = o.du_id left join activity_library a on a.project_id = o.project_id and a.slot = o.slot
    left join du_plan p on p.du_id = o.du_id left join app_user u on u.id = o.assignee_id
    where o.project_id = ${project.id} and (a.id is not null or o.temp) and ${where}`;
  const source = waiting
    ? sql`
      ${columns} du join du_plan p on p.du_id = du.id and p.project_id = ${project.id} join activity_library a on a.project_id = ${project.id}
        and (p.state[a.slot] >> 10) & 7 = ${scheduled}
      left join work_order o on o.du_id = du.id and o.slot = a.slot left join app_user u on u.id = o.assignee_id where ${where}
      union all ${ofOrders} and o.temp and o.status = 'scheduled'`
    : ofOrders;
  const order = (input.sort ?? [])
    .map(({ field, dir }) => `${sortColumns[field]} ${dir} nulls last`)
    .concat(waiting ? 'r."duCode" collate natural_order' : "r.number desc", 'r."duId"', "r.slot", "r.id");
  const rows = await sql<(StoredRow & { slot: number | null; total: number })[]>`
    select r.*, count(*) over ()::int as total from (${source}) r
    order by ${sql.unsafe(order.join(", "))} limit ${size} offset ${(page - 1) * size}`;
  return { records: rows.map(({ total: _total, slot: _slot, ...row }) => listed(row)), total: rows[0]?.total ?? 0, page, size };
}

// Conditions on o (the order), du, a (the activity).
function condition({ sql, user }: Ctx, { field, type, values }: Filter) {
  const ids = values.map(Number).filter(Number.isSafeInteger);
  const texts = values.map(String);
  switch (field) {
    case "status":
      return sql`o.status = any(${texts}::text[])`;
    case "mine":
      return values[0] === false ? sql`o.assignee_id is distinct from ${user.id}` : sql`o.assignee_id = ${user.id}`;
    case "duId":
      return sql`du.id = any(${ids}::bigint[])`;
    case "activityId":
      return sql`a.id = any(${ids}::bigint[])`;
    case "assigneeId":
      return sql`o.assignee_id = any(${ids}::bigint[])`;
    case "redone":
      return sql`coalesce(o.redone, false) = ${values[0] !== false}`;
    default:
      return type === "in"
        ? sql`du.code = any(${texts}::text[])`
        : sql`(position(lower(${texts[0] ?? ""}) in lower(du.code)) > 0 or position(lower(${texts[0] ?? ""}) in lower(du.name)) > 0 or o.number::text = ${texts[0] ?? ""})`;
  }
}

/** A step in the history of an order. */
export type OrderStepRow = {
  event: LoggedEvent;
  from: OrderStatus;
  to: OrderStatus;
  by: string | null;
  reason: string | null;
  at: Date;
};
/** One order, or an activity without one, with its history and what the caller may do with it. */
export type OrderDetail = OrderListRow & { redoCount: number; events: OrderStepRow[]; may: HandEvent[] };

const eventRights: Record<HandEvent, PermissionCode | "own"> = {
  accept: "own",
  start: "own",
  complete: "own",
  dispatch: "workOrder.dispatch",
  reassign: "workOrder.dispatch",
  rollback: "workOrder.dispatch",
  suspend: "workOrder.suspend",
  unsuspend: "workOrder.suspend",
  cancel: "workOrder.dispatch",
  reactivate: "workOrder.reactivate",
  redo: "workOrder.redo",
};

/** One order by its id. @throws NOT_FOUND */
export function getOrder(ctx: Ctx, { id }: { id: number }): Promise<OrderDetail> {
  const from = ctx.sql`
    work_order o join du on du.id = o.du_id left join du_plan p on p.du_id = du.id
    left join activity_library a on a.project_id = ${ctx.project.id} and a.slot = o.slot and (p.state[a.slot] & 1) = 1`;
  return getDetail(ctx, from, ctx.sql`o.id = ${id} and (a.id is not null or o.temp)`, String(id));
}

/** An activity of a DU with its order, if there is one. @throws NOT_FOUND */
export function getPlace(ctx: Ctx, { duId, activityId }: z.output<typeof FindPlace>): Promise<OrderDetail> {
  const from = ctx.sql`
    du join du_plan p on p.du_id = du.id join activity_library a on a.project_id = ${ctx.project.id} and (p.state[a.slot] & 1) = 1
    left join work_order o on o.du_id = du.id and o.slot = a.slot`;
  return getDetail(ctx, from, ctx.sql`du.id = ${duId} and a.id = ${activityId}`, `${duId} ${activityId}`);
}

type Part = ReturnType<typeof seen>;

async function getDetail(ctx: Ctx, from: Part, which: Part, object: string): Promise<OrderDetail> {
  const { sql, project, scope, user } = ctx;
  const rights = [...new Set(Object.values(eventRights))].filter((right) => right !== "own");
  const reach = rights.reduce((left, code) => sql`${left}, (${scope.where(code)}) as ${sql.unsafe(`"${code}"`)}`, sql``);
  const [row] = await sql<(StoredRow & { before: OrderStatus | null; redoCount: number } & Record<PermissionCode, boolean>)[]>`
    select ${orderColumns(ctx)}, coalesce(o.suspended_from, o.completed_from) as before, coalesce(o.redo_count, 0) as "redoCount" ${reach}
    from ${from} left join app_user u on u.id = o.assignee_id
    where du.project_id = ${project.id} and ${seen(ctx)} and ${which}`;
  if (!row) throw new AppError("NOT_FOUND", { object });
  const { before, redoCount } = row;
  const order = listed(row);
  const events = await sql<OrderStepRow[]>`
    select e.event, e.from_status as "from", e.to_status as "to", u.name as by, e.reason, e.at
    from work_order_event e left join app_user u on u.id = e.actor_id
    where e.project_id = ${project.id} and e.work_order_id = ${order.id} order by e.id desc limit 200`;
  const mine = order.assigneeId === user.id && ctx.can("workOrder.execute", { userIds: [user.id] });
  const may = handEvents.filter((event) => {
    if (nextStatus(event, order.status, before) === null || (order.temp && event === "redo")) return false;
    const right = eventRights[event];
    if (event !== "dispatch" && event !== "cancel" && event !== "redo" && order.id === null) return false;
    return isApplicable(row.state) && (right === "own" ? mine : row[right]);
  });
  return {
    id: order.id,
    number: order.number,
    duId: order.duId,
    duCode: order.duCode,
    duName: order.duName,
    activityId: order.activityId,
    activityName: order.activityName,
    temp: order.temp,
    status: order.status,
    redone: order.redone,
    na: order.na,
    assigneeId: order.assigneeId,
    assigneeName: order.assigneeName,
    planStart: order.planStart,
    planEnd: order.planEnd,
    actualStart: order.actualStart,
    actualEnd: order.actualEnd,
    redoCount,
    events: [...events],
    may,
  };
}

/** An activity of the chosen DUs: in how many DUs its order stands in each status, and in how many it is NA, INV or about to be. */
export type OrderTarget = {
  activityId: number;
  name: string;
  dus: number;
  counts: Partial<Record<OrderStatus, number>>;
  na: number;
  open: number;
};

/** Activities in the flows of the chosen DUs, in the order of the library. */
export async function listTargets(ctx: Ctx, { duIds }: z.output<typeof FindTargets>): Promise<OrderTarget[]> {
  const activities = await readSlotStates(ctx, "workOrder.view", duIds);
  return activities
    .map(({ id, name, states: all }) => {
      const states = all.filter((state) => stateValue(state, "inFlow") === 1);
      const counts: OrderTarget["counts"] = {};
      for (const state of states) counts[workOrderStatus(state)] = (counts[workOrderStatus(state)] ?? 0) + 1;
      const na = states.filter((state) => stateValue(state, "na") !== 0).length;
      const open = states.filter((state) => stateValue(state, "naRequest") === 1).length;
      return { activityId: id, name, dus: states.length, counts, na, open };
    })
    .filter(({ dus }) => dus > 0);
}

/** The reasons the person gave last in the project, newest first. */
export async function listReasons({ sql, project, user }: Ctx): Promise<string[]> {
  const rows = await sql<{ reason: string }[]>`
    select reason from (
      (select reason, at, id from work_order_event where project_id = ${project.id} and actor_id = ${user.id} and reason is not null order by id desc limit 500)
      union all (select reason, created_at, id from na_request where project_id = ${project.id} and applicant_id = ${user.id} order by id desc limit 500)
    ) last group by reason order by max(at) desc, max(id) desc limit ${recentReasonsMax}`;
  return rows.map(({ reason }) => reason);
}

/** A member orders can be given to. */
export type Assignee = { id: number; name: string; account: string };

/** Members of the project whose name or account holds the text, the first of them. */
export async function listAssignees({ sql, project, today }: Ctx, { search }: z.output<typeof FindAssignees>): Promise<Assignee[]> {
  return [
    ...(await sql<Assignee[]>`
      select distinct u.name, u.account, u.id from project_member m join app_user u on u.id = m.user_id
      where m.project_id = ${project.id} and u.active and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})
        and (position(lower(${search}) in lower(u.name)) > 0 or position(lower(${search}) in lower(u.account)) > 0)
      order by u.name, u.id limit 20`),
  ];
}

/** Who sent the orders out last, by order id. */
export async function readDispatchers({ sql, project }: Ctx, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await sql<{ id: number; by: number }[]>`
    select distinct on (work_order_id) work_order_id as id, actor_id as by from work_order_event
    where project_id = ${project.id} and work_order_id = any(${[...ids]}::bigint[]) and event in ('dispatch', 'reassign') and actor_id is not null
    order by work_order_id, id desc`;
  return new Map(rows.map(({ id, by }) => [id, by]));
}
