/** States of a work order in the order of their bits; "none": nothing is scheduled yet. */
export const orderStatuses = ["none", "scheduled", "assigned", "accepted", "started", "suspended", "completed", "cancelled"] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Where an event leads from each status it is allowed in; "back": to the status before the present one, which the order keeps. */
type Steps = Partial<Record<OrderStatus, OrderStatus | "back">>;

/** The state machine: every event with the statuses it is allowed in and where it leads. What is not named is refused. */
export const transitions = {
  // By the plan: scheduling and release offer, entered and cleared dates move the order.
  offer: { none: "scheduled" },
  withdraw: { scheduled: "none" },
  enterStart: { accepted: "started" },
  clearStart: { started: "accepted" },
  enterEnd: { none: "completed", scheduled: "completed", assigned: "completed", accepted: "completed", started: "completed" },
  reopen: { completed: "back" },
  // By people.
  dispatch: { scheduled: "assigned" },
  accept: { assigned: "accepted" },
  rollback: { assigned: "scheduled", accepted: "scheduled" },
  reassign: { assigned: "assigned", accepted: "assigned", started: "started", suspended: "suspended" },
  start: { accepted: "started" },
  suspend: { accepted: "suspended", started: "suspended" },
  unsuspend: { suspended: "back" },
  complete: { accepted: "completed", started: "completed" },
  cancel: { scheduled: "cancelled", assigned: "cancelled", accepted: "cancelled" },
  reactivate: { cancelled: "scheduled" },
  redo: { assigned: "scheduled", accepted: "scheduled", started: "scheduled", suspended: "scheduled", completed: "scheduled" },
  remoteStart: { assigned: "started", accepted: "started", started: "started" },
  remoteEnd: { assigned: "completed", accepted: "completed", started: "completed" },
  // By NA and INV.
  discard: { scheduled: "cancelled", assigned: "cancelled", accepted: "cancelled", started: "cancelled", suspended: "cancelled" },
} as const satisfies Record<string, Steps>;
export type OrderEvent = keyof typeof transitions;

/** Events that are in the history of an order beside its steps: its flow lost the activity, a batch of the plan was undone. */
export const sideEvents = ["remove", "undo"] as const;
export type LoggedEvent = OrderEvent | (typeof sideEvents)[number];

/**
 * Status after an event, or null where the event is not allowed.
 * @param before status the order keeps for its way back
 */
export function nextStatus(event: OrderEvent, status: OrderStatus, before: OrderStatus | null = null): OrderStatus | null {
  const next = (transitions[event] as Steps)[status];
  if (next === undefined) return null;
  return next === "back" ? before : next;
}

/** Events people start by a button, in the order of the buttons. */
export const handEvents = [
  "accept",
  "start",
  "complete",
  "dispatch",
  "reassign",
  "rollback",
  "suspend",
  "unsuspend",
  "cancel",
  "reactivate",
  "redo",
] as const satisfies readonly OrderEvent[];
export type HandEvent = (typeof handEvents)[number];

/** Events that must be given a reason. */
export const reasonedEvents: readonly OrderEvent[] = ["suspend", "cancel", "redo"];

/** What an order's next status depends on when the dates of its activity change. */
export type OrderFacts = {
  status: OrderStatus;
  applicable: boolean;
  planStart: number;
  planEnd: number;
  actualStart: number;
  actualEnd: number;
  actualStartBefore: number;
  actualEndBefore: number;
  /** The change comes from scheduling or release, which offer an activity for dispatch. */
  scheduling: boolean;
  /** Status before the completion, where an order keeps it. */
  before?: OrderStatus | null;
};

/** Whether the change clears the actual end of a completed activity: its order returns to where it was. */
export function isReopened({ status, actualEnd, actualEndBefore }: Pick<OrderFacts, "status" | "actualEnd" | "actualEndBefore">): boolean {
  return status === "completed" && actualEnd === 0 && actualEndBefore > 0;
}

/** Status of an order after dates of its activity changed, whatever made the change; cancelled and suspended orders stay so. */
export function orderAfterDates(facts: OrderFacts): OrderStatus {
  const { status, planStart, planEnd, actualStart, actualEnd } = facts;
  const planned = planStart > 0 && planEnd > 0;
  if (actualEnd > 0) return facts.actualEndBefore === 0 && facts.applicable ? stepped("enterEnd", status) : status;
  if (isReopened(facts)) {
    const back = nextStatus("reopen", status, facts.before ?? "scheduled") as OrderStatus;
    if (back === "started" && actualStart === 0) return "accepted";
    return back === "scheduled" && !planned ? "none" : back;
  }
  if (actualStart > 0 && facts.actualStartBefore === 0) return stepped("enterStart", status);
  if (status === "started" && actualStart === 0 && facts.actualStartBefore > 0) return stepped("clearStart", status);
  if (!planned) return stepped("withdraw", status);
  return facts.scheduling && facts.applicable ? stepped("offer", status) : status;
}

function stepped(event: OrderEvent, status: OrderStatus): OrderStatus {
  return nextStatus(event, status) ?? status;
}

/** The event behind a status that a write of the plan changed. */
export function eventBetween(from: OrderStatus, to: OrderStatus, undone: boolean): LoggedEvent {
  if (undone) return "undo";
  if (to === "completed") return "enterEnd";
  if (from === "completed") return "reopen";
  if (to === "started") return "enterStart";
  return from === "started" ? "clearStart" : "offer";
}
