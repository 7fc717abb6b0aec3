import type { Answer } from "#lib/core/error.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import {
  acceptOrders,
  cancelOrders,
  completeOrders,
  dispatchOrders,
  reactivateOrders,
  reassignOrders,
  redoOrders,
  rollbackOrders,
  startOrders,
  suspendOrders,
  unsuspendOrders,
} from "#lib/work-orders/actions.ts";
import type { DispatchAnswer, OrderAnswer, RejectedOrder } from "#lib/work-orders/commands.ts";
import { type HandEvent, reasonedEvents } from "#lib/work-orders/orders/logic.ts";

/** What a step works on: orders, or activities of DUs. */
export type StepChoice = { ids: number[] } | { duIds: number[]; activityIds: number[] };
/** What the person gave for it. */
export type StepGiven = {
  reason: string;
  assigneeId: number | null;
  actualStart: string;
  actualEnd: string;
  confirmUnreleased: boolean;
  /** Hash of the questions that were answered. */
  confirmed: string | undefined;
};
export type StepResult = { done: number; rejected: RejectedOrder[]; needConfirm: RejectedOrder[]; batchId: number | null };

/** Right that shows a verb; whose orders it reaches is the server's to say. */
export const stepRights: Record<HandEvent, PermissionCode> = {
  accept: "workOrder.execute",
  start: "workOrder.execute",
  complete: "workOrder.execute",
  dispatch: "workOrder.dispatch",
  reassign: "workOrder.dispatch",
  rollback: "workOrder.dispatch",
  suspend: "workOrder.suspend",
  unsuspend: "workOrder.suspend",
  cancel: "workOrder.dispatch",
  reactivate: "workOrder.reactivate",
  redo: "workOrder.redo",
};

export const asksReason = (verb: HandEvent): boolean => (reasonedEvents as readonly string[]).includes(verb);
export const asksAssignee = (verb: HandEvent): boolean => verb === "dispatch" || verb === "reassign";
export const asksDates = (verb: HandEvent): boolean => verb === "start" || verb === "complete";

// biome-ignore lint/suspicious/noExplicitAny: each verb has an input of its own, which its schema checks.
const actions: Record<HandEvent, (input: any) => Promise<Answer<OrderAnswer | DispatchAnswer>>> = {
  accept: acceptOrders,
  start: startOrders,
  complete: completeOrders,
  dispatch: dispatchOrders,
  reassign: reassignOrders,
  rollback: rollbackOrders,
  suspend: suspendOrders,
  unsuspend: unsuspendOrders,
  cancel: cancelOrders,
  reactivate: reactivateOrders,
  redo: redoOrders,
};

/** Takes a step with what its form asked for. */
export async function takeStep({
  verb,
  choice,
  given,
}: {
  verb: HandEvent;
  choice: StepChoice;
  given: StepGiven;
}): Promise<Answer<StepResult>> {
  const answer = await actions[verb]({
    ...choice,
    ...(asksReason(verb) && { reason: given.reason }),
    ...(asksAssignee(verb) && given.assigneeId !== null && { assigneeId: given.assigneeId }),
    ...(asksDates(verb) && given.actualStart && { actualStart: given.actualStart }),
    ...(verb === "complete" && given.actualEnd && { actualEnd: given.actualEnd }),
    ...(asksDates(verb) && given.confirmed && { confirmed: given.confirmed }),
    ...(verb === "dispatch" && { confirmUnreleased: given.confirmUnreleased }),
  });
  // What an answer asks back travels in its data.
  if (answer.status >= 400) return answer as unknown as Answer<StepResult>;
  const { data, ...rest } = answer;
  if (!data) return rest;
  const dispatched = "dispatched" in data;
  const { rejected, batchId } = data;
  return {
    ...rest,
    data: { done: dispatched ? data.dispatched : data.done, rejected, needConfirm: dispatched ? data.needConfirm : [], batchId },
  };
}
