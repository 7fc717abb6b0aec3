import "server-only";
import type { z } from "zod";
import { openSubSteps } from "#lib/activity-flows/sub-steps/commands.ts";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Params } from "#lib/core/error.ts";
import { brokenRules, type Rule } from "#lib/core/rule.ts";
import { errorText } from "#lib/core/texts.ts";
import type { ErrorCode } from "#lib/errors.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import { listMembers, readDuValues, readNotes } from "#lib/rollout-plan/edits/queries.ts";
import { applyStatePatches, type DuPatch, type WriteOptions, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { isApplicable, type PlanBlock, rowIndex, setCell, workOrderStatus } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readOwnerSets, readPlanRows, readStanding } from "#lib/rollout-plan/plan-rows/queries.ts";
import { type Notice, orderTexts, tellPeople } from "./notices/commands.ts";
import type { NoticeKind } from "./notices/limits.ts";
import { type OrderStep, writeOrders } from "./orders/commands.ts";
import { nextStatus, type OrderEvent, type OrderStatus, orderStatuses } from "./orders/logic.ts";
import { type OrderRow, orderKey, readOrders } from "./orders/queries.ts";
import { findPlaces, getOrder, type OrderDetail, type Place, readDispatchers } from "./queries.ts";
import { cancelRules, dispatchRules, reactivateRules, redoRules, rollbackRules, type StepFacts, startRules, wrongStatus } from "./rules.ts";
import type {
  CancelOrders,
  DispatchOrders,
  MoveOrders,
  OrderChoice,
  ReassignOrders,
  RedoOrders,
  RemoteUpdate,
  StartOrders,
  SubmitOrders,
  SuspendOrders,
} from "./schema.ts";
import { moveTemporaryOrders } from "./temporary/commands.ts";
import { listTemporary } from "./temporary/queries.ts";

/** An activity a step was refused for, or has to be confirmed. */
export type RejectedOrder = { id: number | null; duId: number | null; activityId: number | null; code: ErrorCode; msg: string };
/** Orders moved and those refused. */
export type OrderAnswer = { done: number; rejected: RejectedOrder[]; batchId: number | null };
export type DispatchAnswer = { dispatched: number; rejected: RejectedOrder[]; needConfirm: RejectedOrder[]; batchId: number | null };

/** One activity a step may be taken for. */
type Item = { place: Place; duId: number; slot: number; row: number; facts: StepFacts; order: OrderRow | undefined };

type Step = {
  event: OrderEvent;
  /** DUs the caller reaches; "own": the orders he is to carry out. */
  right: PermissionCode | "own";
  rules: readonly Rule<StepFacts>[];
  reason?: string | null | undefined;
  /** Makes orders where there are none. */
  make?: boolean;
  /** What else changes in the plan with the step: dates, notes, attributes. */
  alongside?: (block: PlanBlock, items: readonly Item[]) => Promise<DuPatch[]> | DuPatch[];
  planEvent?: WriteOptions["event"];
  /** A person waits and is asked what the dates do to prerequisites and warnings. */
  ask?: WriteOptions["ask"];
  /** Person the order is given to; undefined leaves it. */
  assignee?: (item: Item) => number | null | undefined;
};

/** A refusal with what its text names. */
type Refused = RejectedOrder & { params: Params };
type Taken = { items: Item[]; rejected: Refused[]; block: PlanBlock };
/** An order a step was taken for; a temporary one has no slot. */
type MovedOrder = { duId: number; slot: number | null; order: { id: number; assigneeId: number | null } | undefined };
type Moved<Order extends MovedOrder = MovedOrder> = { moved: Order[]; rejected: Refused[]; batchId: number | null };

/**
 * Locks what the call names and sorts it by the rules of the step.
 * @param others temporary orders the call names besides
 */
async function openStep(ctx: Ctx, choice: OrderChoice, step: Pick<Step, "right" | "rules">, others: number): Promise<Taken> {
  const places = await findPlaces(ctx, choice, step.right);
  const duIds = [...new Set(places.flatMap(({ duId, slot }) => (duId !== null && slot !== null ? [duId] : [])))];
  const block = await readPlanRows(ctx, duIds, { lock: true });
  const rows = rowIndex(block);
  const orders = await readOrders(ctx, block.duIds);
  const library = new Map((await listLibraryActivities(ctx)).map((activity) => [activity.slot, activity]));
  const today = dayNumber(ctx.today);
  const redoAfterRevenue = ctx.can("workOrder.redoAfterRevenue");
  const items: Item[] = [];
  const rejected: Refused[] = [];
  for (const place of places) {
    const { duId, slot } = place;
    const row = duId === null || slot === null ? undefined : rows.get(duId);
    if (duId === null || slot === null || row === undefined) {
      rejected.push(
        place.id === null
          ? refuse(ctx, place, "DU_NOT_FOUND", { code: duId ?? "" })
          : refuse(ctx, place, "NOT_FOUND", { object: place.id }),
      );
      continue;
    }
    const at = row * block.width + slot;
    const known = slot > 0 && slot < block.width;
    const value = (values: Uint16Array | Int32Array) => (known ? (values[at] as number) : 0);
    const order = orders.get(orderKey(duId, slot));
    const activity = library.get(slot);
    const facts: StepFacts = {
      state: value(block.state),
      planStart: value(block.planStart),
      planEnd: value(block.planEnd),
      actualStart: value(block.actualStart),
      actualEnd: value(block.actualEnd),
      planOwner: value(block.planOwner),
      actualOwner: value(block.actualOwner),
      before: order?.before ?? null,
      kind: activity?.kind ?? "normal",
      automatic: activity?.automatic ?? false,
      batch: places.length + others > 1,
      today,
      redoAfterRevenue,
    };
    const [problem] = brokenRules(step.rules, facts);
    if (problem) rejected.push(refuse(ctx, place, problem.code, problem.params));
    else items.push({ place, duId, slot, row, facts, order });
  }
  return { items, rejected, block };
}

function refuse(ctx: Ctx, { id, duId, activityId }: Omit<Place, "slot">, code: ErrorCode, given: Params = {}): Refused {
  const { status, ...rest } = given;
  const params = status === undefined ? rest : { ...rest, status: orderTexts(ctx.locale)(`status.${status}`) };
  return { id, duId, activityId, code, msg: errorText(ctx.locale, code, params), params };
}

const shownRefusals = (refused: readonly Refused[]): RejectedOrder[] => refused.map(({ params: _params, ...shown }) => shown);

const statusOf = ({ facts }: Item): OrderStatus => workOrderStatus(facts.state);

/** An order that has to be planned again first stands in no status the plan shows. */
const shownStatus = (to: OrderStatus, { facts }: Item): OrderStatus =>
  to === "scheduled" && (facts.planStart === 0 || facts.planEnd === 0) ? "none" : to;

/** Takes a step for every item the rules let through: state bits, dates and log by the plan's write path, then the orders and their history. */
async function takeStep(ctx: Ctx, taken: Taken, step: Step): Promise<Moved<Item>> {
  const { block } = taken;
  const next = new Map(taken.items.map((item) => [item, shownStatus(nextStatus(step.event, statusOf(item), item.facts.before)!, item)]));
  const patches = (await step.alongside?.(block, taken.items)) ?? [];
  applyStatePatches(
    block,
    taken.items.map((item) => ({
      duId: item.duId,
      slot: item.slot,
      set: {
        workOrder: orderStatuses.indexOf(next.get(item)!),
        ...(step.event === "redo" ? { redone: 1 } : step.event === "dispatch" ? { redone: 0 } : {}),
      },
    })),
    "work-orders",
  );
  const standing = step.right === "own" ? await ownStanding(ctx, block.duIds) : undefined;
  const written = await writePlanRows(ctx, block, {
    source: "work_order",
    event: step.planEvent,
    reason: step.reason,
    origin: { kind: step.event },
    patches,
    ...(standing && { standing }),
    ...(step.ask && { ask: step.ask }),
  });
  // A DU with a refused date keeps everything: all its orders stay where they are, with the code of the date.
  const refused = new Map(written.rejected.map((refusal) => [refusal.duId, refusal]));
  const moved = taken.items.filter(({ duId }) => !refused.has(duId));
  const rejected = [
    ...taken.rejected,
    ...taken.items
      .filter(({ duId }) => refused.has(duId))
      .map(({ place, duId }) => refuse(ctx, place, refused.get(duId)!.code, refused.get(duId)!.params)),
  ];
  const steps = moved.map((item): OrderStep => {
    const assigneeId = step.assignee?.(item);
    const { duId, slot } = item;
    return { duId, slot, event: step.event, from: statusOf(item), to: next.get(item)!, ...(assigneeId !== undefined && { assigneeId }) };
  });
  await writeOrders(ctx, steps, { make: step.make ?? false, reason: step.reason, batchId: written.batchId });
  const { batchId } = written;
  ctx.audit(`work orders ${step.event}`, null, {
    orders: moved.map(({ duId, slot, order }) => ({ id: order?.id ?? null, duId, slot })),
    reason: step.reason ?? null,
    rejected: rejected.length,
    batchId,
  });
  return { moved, rejected, batchId };
}

/** The person an order was given to counts as related to its activity, owner or not. */
async function ownStanding(ctx: Ctx, duIds: readonly number[]): Promise<NonNullable<WriteOptions["standing"]>> {
  const standing = await readStanding(ctx, duIds);
  return { ...standing, editors: new Map([...standing.editors].map(([duId, editor]) => [duId, { ...editor, related: true }])) };
}

const eventName = (ctx: Ctx, step: string, batchId: number | null) => `${step} ${batchId ?? ctx.requestId}`;

async function tell(ctx: Ctx, step: Step, batchId: number | null, notices: readonly Notice[]): Promise<void> {
  await tellPeople(ctx, notices, { event: eventName(ctx, step.event, batchId), actorId: ctx.user.id, reason: step.reason });
}

const noticesOf = <Order extends MovedOrder>(
  orders: readonly Order[],
  kind: NoticeKind,
  userId: (order: Order) => number | null | undefined,
): Notice[] =>
  orders.flatMap((one) => {
    const id = userId(one);
    const { duId, slot, order } = one;
    return id ? [{ userId: id, kind, duId, slot, ...(slot === null && order && { orderId: order.id }) }] : [];
  });

/** A choice in what stands in the plan, null where nothing does, and the temporary orders among the ids. */
async function splitChoice(ctx: Ctx, choice: OrderChoice): Promise<{ planned: OrderChoice | null; temporary: number[] }> {
  if (!choice.ids) return { planned: choice, temporary: [] };
  const known = await listTemporary(ctx, choice.ids);
  if (known.size === 0) return { planned: choice, temporary: [] };
  const ids = choice.ids.filter((id) => !known.has(id));
  return { planned: ids.length > 0 ? { ...choice, ids } : null, temporary: [...known] };
}

/** Takes a step for temporary orders, in the form of the others. */
async function takeTemporaryStep(ctx: Ctx, ids: readonly number[], step: Step, assigneeId?: number | null): Promise<Moved> {
  if (ids.length === 0) return { moved: [], rejected: [], batchId: null };
  const { event, right, reason } = step;
  const { moved, refused } = await moveTemporaryOrders(ctx, ids, { event, right, reason, assigneeId });
  return {
    moved: moved.map((order) => ({ duId: order.duId, slot: null, order })),
    rejected: refused.map(({ id, duId, code, params }) => refuse(ctx, { id, duId, activityId: null }, code, params)),
    batchId: null,
  };
}

/** Moves orders by a step that changes nothing but their status. */
async function moveOrders(ctx: Ctx, choice: OrderChoice, step: Step, assigneeId?: number | null): Promise<Moved> {
  const { planned, temporary } = await splitChoice(ctx, choice);
  // First what locks DUs alone: making orders holds the project.
  const others = await takeTemporaryStep(ctx, temporary, step, assigneeId);
  const own = planned
    ? await takeStep(ctx, await openStep(ctx, planned, step, temporary.length), {
        ...step,
        ...(assigneeId !== undefined && { assignee: () => assigneeId }),
      })
    : null;
  return {
    moved: [...(own?.moved ?? []), ...others.moved],
    rejected: [...(own?.rejected ?? []), ...others.rejected],
    batchId: own?.batchId ?? null,
  };
}

const answerOf = ({ moved, rejected, batchId }: Moved): OrderAnswer => ({
  done: moved.length,
  rejected: shownRefusals(rejected),
  batchId,
});

/** Refuses a whole call that gives orders to somebody outside the project. @throws NOT_MEMBER */
async function demandMember(ctx: Ctx, userId: number): Promise<void> {
  if (!(await listMembers(ctx, [userId])).has(userId)) throw new AppError("NOT_MEMBER", { account: userId });
}

/**
 * Gives scheduled activities to who is to carry them out: the person named, else the first plan owner. Where plans are not released yet nothing happens until that
 * is confirmed [WBS_NOT_RELEASED].
 * @throws NOT_MEMBER
 */
export async function dispatchOrders(ctx: Ctx, input: z.output<typeof DispatchOrders>): Promise<DispatchAnswer> {
  const { assigneeId, confirmUnreleased } = input;
  if (assigneeId !== undefined) await demandMember(ctx, assigneeId);
  const step: Step = {
    event: "dispatch",
    right: "workOrder.dispatch",
    rules: dispatchRules,
    make: true,
  };
  const { planned, temporary } = await splitChoice(ctx, input);
  const taken = planned ? await openStep(ctx, planned, step, temporary.length) : null;
  const unreleased = (taken?.items ?? []).filter(({ row }) => taken?.block.releaseStates[row] === 0);
  if (taken && unreleased.length > 0 && !confirmUnreleased) {
    const needConfirm = shownRefusals(unreleased.map(({ place }) => refuse(ctx, place, "WBS_NOT_RELEASED")));
    ctx.audit("work orders dispatch", null, { needConfirm: needConfirm.length, rejected: taken.rejected.length });
    return { dispatched: 0, rejected: shownRefusals(taken.rejected), needConfirm, batchId: null };
  }
  const owners = await readOwnerSets(ctx, [...new Set((taken?.items ?? []).map(({ facts }) => facts.planOwner))]);
  const assignee = ({ facts }: Item) => assigneeId ?? owners.get(facts.planOwner)?.[0] ?? null;
  const others = await takeTemporaryStep(ctx, temporary, step, assigneeId ?? null);
  const own = taken ? await takeStep(ctx, taken, { ...step, assignee }) : { moved: [], rejected: [], batchId: null };
  const { batchId } = own;
  await tell(ctx, step, batchId, [
    ...noticesOf(own.moved, "dispatched", assignee),
    ...noticesOf(others.moved, "dispatched", () => assigneeId),
  ]);
  return {
    dispatched: own.moved.length + others.moved.length,
    rejected: shownRefusals([...own.rejected, ...others.rejected]),
    needConfirm: [],
    batchId,
  };
}

/** Takes on one's own orders; who sent them out is told. */
export async function acceptOrders(ctx: Ctx, { ids }: z.output<typeof MoveOrders>): Promise<OrderAnswer> {
  const step: Step = { event: "accept", right: "own", rules: [wrongStatus("accept")] };
  const answer = await moveOrders(ctx, { ids }, step);
  const dispatchers = await readDispatchers(
    ctx,
    answer.moved.map(({ order }) => order!.id),
  );
  await tell(
    ctx,
    step,
    answer.batchId,
    noticesOf(answer.moved, "accepted", ({ order }) => dispatchers.get(order!.id)),
  );
  return answerOf(answer);
}

type Dates = { actualStart?: string | undefined; actualEnd?: string | undefined };

/** Puts actual dates into the plan; without a date given, `fallback` says what an empty one becomes. */
function putDates(block: PlanBlock, items: readonly Item[], dates: Dates, fallback: { start?: number; end?: number }): DuPatch[] {
  for (const { row, slot, facts } of items) {
    const start = dates.actualStart ? dayNumber(dates.actualStart) : facts.actualStart || fallback.start;
    const end = dates.actualEnd ? dayNumber(dates.actualEnd) : facts.actualEnd || fallback.end;
    if (start) setCell(block, row, slot, "actualStart", start);
    if (end) setCell(block, row, slot, "actualEnd", end);
  }
  return [];
}

/**
 * Starts one's own accepted orders; an empty actual start becomes today.
 * @throws DEP_CLEAR_CONFIRM, WARNING_CONFIRM with all questions, as a save of the plan does
 */
export async function startOrders(ctx: Ctx, { ids, confirmed, ...dates }: z.output<typeof StartOrders>): Promise<OrderAnswer> {
  const today = dayNumber(ctx.today);
  return answerOf(
    await moveOrders(
      ctx,
      { ids },
      {
        event: "start",
        right: "own",
        rules: startRules,
        planEvent: "start",
        ask: { confirmed },
        alongside: (block, items) => putDates(block, items, { actualStart: dates.actualStart }, { start: today }),
      },
    ),
  );
}

/**
 * Completes one's own orders; an empty actual end becomes today, an empty actual start stays so unless one is given.
 * @throws DEP_CLEAR_CONFIRM, WARNING_CONFIRM with all questions, as a save of the plan does
 */
export async function completeOrders(ctx: Ctx, { ids, confirmed, ...dates }: z.output<typeof StartOrders>): Promise<OrderAnswer> {
  const today = dayNumber(ctx.today);
  return answerOf(
    await moveOrders(
      ctx,
      { ids },
      {
        event: "complete",
        right: "own",
        rules: [wrongStatus("complete")],
        planEvent: "complete",
        ask: { confirmed },
        alongside: (block, items) => putDates(block, items, dates, { end: today }),
      },
    ),
  );
}

/** Starts or completes one's own orders. */
export function submitOrders(ctx: Ctx, { event, ...input }: z.output<typeof SubmitOrders>): Promise<OrderAnswer> {
  return event === "start" ? startOrders(ctx, input) : completeOrders(ctx, input);
}

/** Takes orders back from who has them, as long as the work has not begun. */
export async function rollbackOrders(ctx: Ctx, { ids, reason }: z.output<typeof MoveOrders>): Promise<OrderAnswer> {
  const step: Step = { event: "rollback", right: "workOrder.dispatch", rules: rollbackRules, reason };
  const answer = await moveOrders(ctx, { ids }, step, null);
  await tell(
    ctx,
    step,
    answer.batchId,
    noticesOf(answer.moved, "rolledBack", ({ order }) => order?.assigneeId),
  );
  return answerOf(answer);
}

/** Gives orders to another member, who has to accept them unless the work has begun; both are told. @throws NOT_MEMBER */
export async function reassignOrders(ctx: Ctx, { ids, assigneeId, reason }: z.output<typeof ReassignOrders>): Promise<OrderAnswer> {
  await demandMember(ctx, assigneeId);
  const step: Step = {
    event: "reassign",
    right: "workOrder.dispatch",
    rules: [wrongStatus("reassign")],
    reason,
  };
  const answer = await moveOrders(ctx, { ids }, step, assigneeId);
  const given = answer.moved.filter(({ order }) => order?.assigneeId !== assigneeId);
  await tell(ctx, step, answer.batchId, [
    ...noticesOf(given, "takenOver", () => assigneeId),
    ...noticesOf(given, "handedOver", ({ order }) => order?.assigneeId),
  ]);
  return answerOf(answer);
}

/** Halts accepted and started orders with a reason. */
export async function suspendOrders(ctx: Ctx, { ids, reason }: z.output<typeof SuspendOrders>): Promise<OrderAnswer> {
  return answerOf(
    await moveOrders(ctx, { ids }, { event: "suspend", right: "workOrder.suspend", rules: [wrongStatus("suspend")], reason }),
  );
}

/** Lets suspended orders go on where they were. */
export async function unsuspendOrders(ctx: Ctx, { ids, reason }: z.output<typeof MoveOrders>): Promise<OrderAnswer> {
  return answerOf(
    await moveOrders(ctx, { ids }, { event: "unsuspend", right: "workOrder.suspend", rules: [wrongStatus("unsuspend")], reason }),
  );
}

/** Ends orders that nobody has begun; what only waits for dispatch gets its order here. */
export async function cancelOrders(ctx: Ctx, input: z.output<typeof CancelOrders>): Promise<OrderAnswer> {
  return answerOf(
    await moveOrders(ctx, input, { event: "cancel", right: "workOrder.dispatch", rules: cancelRules, reason: input.reason, make: true }),
  );
}

/** Offers cancelled orders for dispatch again. */
export async function reactivateOrders(ctx: Ctx, { ids, reason }: z.output<typeof MoveOrders>): Promise<OrderAnswer> {
  return answerOf(
    await moveOrders(ctx, { ids }, { event: "reactivate", right: "workOrder.reactivate", rules: reactivateRules, reason }, null),
  );
}

/**
 * Has activities done once more: everything that was entered for them goes, steps done below them too, but baseline, plan and owners stay, and the order waits
 * for a new dispatch. A completed activity that never had an order gets one.
 */
export async function redoOrders(ctx: Ctx, input: z.output<typeof RedoOrders>): Promise<OrderAnswer> {
  const answer = await moveOrders(ctx, input, {
    event: "redo",
    right: "workOrder.redo",
    rules: redoRules,
    reason: input.reason,
    make: true,
    planEvent: "redo",
    assignee: () => null,
    alongside: (block, items) => clearEntered(ctx, block, items),
  });
  await openSubSteps(
    ctx,
    answer.moved.flatMap(({ duId, slot }) => (slot === null ? [] : [{ duId, slot }])),
  );
  return answerOf(answer);
}

/** Empties what was entered for activities: actual dates, closing and approval in the plan rows, notes and attribute values by patches. */
async function clearEntered(ctx: Ctx, block: PlanBlock, items: readonly Item[]): Promise<DuPatch[]> {
  for (const { row, slot } of items) {
    setCell(block, row, slot, "actualStart", 0);
    setCell(block, row, slot, "actualEnd", 0);
  }
  const places = items.map(({ duId, slot }) => ({ duId, slot }));
  // Redo is the one step that puts other areas' bits back to their beginning.
  applyStatePatches(
    block,
    places.map((place) => ({ ...place, clear: ["closed"] as const })),
    "rollout-plan",
  );
  applyStatePatches(
    block,
    places.map((place) => ({ ...place, clear: ["approval"] as const })),
    "approvers",
  );
  const duIds = [...new Set(items.map(({ duId }) => duId))];
  const [dus, notes] = await Promise.all([readDuValues(ctx, duIds), readNotes(ctx, duIds)]);
  const bySlot = Map.groupBy(items, ({ duId }) => duId);
  return [...bySlot].flatMap(([duId, list]): DuPatch[] => {
    const du = dus.get(duId);
    if (!du) return [];
    const endings = new Set(list.map(({ slot }) => `@${slot}`));
    const gone = Object.entries(du.ext).filter(([key]) => key.includes("@") && endings.has(key.slice(key.indexOf("@"))));
    const noted = list.flatMap(({ slot }) => {
      const note = notes.get(`${duId} ${slot}`);
      if (!note) return [];
      const changes = Object.fromEntries(
        Object.entries(note)
          .filter(([field, value]) => value !== null && field !== "closedBy")
          .map(([field, value]) => [field, [value, null] as [unknown, unknown]]),
      );
      return [{ slot, note: null, changes }];
    });
    if (gone.length === 0 && noted.length === 0) return [];
    return [{ duId, duVersion: du.rowVersion, ext: Object.fromEntries(gone.map(([key, value]) => [key, [value, null]])), notes: noted }];
  });
}

/**
 * Enters actual dates of an order for somebody in the field: an actual start starts it, an actual end completes it.
 * @throws NOT_FOUND, WRONG_STATUS, and the code of the rule of a cell that refuses a date
 */
export async function updateRemotely(ctx: Ctx, { id, remark, ...dates }: z.output<typeof RemoteUpdate>): Promise<OrderDetail> {
  const event: OrderEvent = dates.actualEnd ? "remoteEnd" : "remoteStart";
  const { rejected } = await moveOrders(
    ctx,
    { ids: [id] },
    {
      event,
      right: "workOrder.remoteUpdate",
      rules: [wrongStatus(event)],
      reason: remark || null,
      planEvent: "remoteUpdate",
      alongside: (block, items) => putDates(block, items, dates, {}),
    },
  );
  const [refusal] = rejected;
  if (refusal) throw new AppError(refusal.code, refusal.params);
  return getOrder(ctx, { id });
}

/**
 * Gives each DU the work order of the first of its named activities that is applicable, made where there is none: scheduled, given to nobody.
 * @returns ids of the orders in the order of the DUs, and the DUs that have none of the activities, for which nothing is made
 */
export async function provideOrders(
  ctx: Ctx,
  given: readonly { duId: number; slots: readonly number[] }[],
): Promise<{ orders: number[]; refused: number[] }> {
  const duIds = given.map(({ duId }) => duId);
  const block = await readPlanRows(ctx, duIds, { lock: true, fields: ["state"] });
  const rows = rowIndex(block);
  const state = (duId: number, slot: number) => {
    const row = rows.get(duId);
    return row === undefined || slot >= block.width ? 0 : (block.state[row * block.width + slot] as number);
  };
  const refused: number[] = [];
  const places = given.flatMap(({ duId, slots }) => {
    const slot = slots.find((own) => isApplicable(state(duId, own)));
    if (slot === undefined) refused.push(duId);
    return slot === undefined ? [] : [{ duId, slot }];
  });
  if (refused.length > 0) return { orders: [], refused };
  const known = await readOrders(ctx, duIds);
  const steps = places.flatMap(({ duId, slot }): OrderStep[] =>
    known.has(orderKey(duId, slot))
      ? []
      : [
          {
            duId,
            slot,
            event: "offer",
            from: "none",
            to: orderStatuses[Math.max(1, orderStatuses.indexOf(workOrderStatus(state(duId, slot))))]!,
          },
        ],
  );
  await writeOrders(ctx, steps, { make: true, batchId: null });
  const all = await readOrders(ctx, duIds);
  return { orders: places.map(({ duId, slot }) => all.get(orderKey(duId, slot))!.id), refused };
}
