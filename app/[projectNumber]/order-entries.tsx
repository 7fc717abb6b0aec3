"use client";
import type { EntryDialogProps } from "#components/rollout-plan/plan-entries.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { OrderBatchVerb } from "#components/work-orders/order-batch-dialog.tsx";
import type { PermissionCode } from "#lib/permissions.ts";
import { orderBatchMax } from "#lib/work-orders/orders/limits.ts";

const OrderBatchDialog = onDemand(
  () => import("#components/work-orders/order-batch-dialog.tsx").then((module) => module.OrderBatchDialog),
  ["work-orders"],
);
const OrderDrawer = onDemand(
  () => import("#components/work-orders/order-drawer.tsx").then((module) => module.OrderDrawer),
  ["work-orders"],
);

/** Orders beside the grid: of the chosen DUs where there are some, else of all; or one order, opened at its cell. A step has its own reverse, so no undo is offered. */
export function OrdersEntry({ selection, cell, ...rest }: EntryDialogProps) {
  const duIds = "duIds" in selection && selection.duIds.length <= orderBatchMax ? selection.duIds : null;
  return <OrderDrawer {...rest} duIds={duIds} place={cell} />;
}

function batchEntry(verb: OrderBatchVerb) {
  return function OrderBatchEntry({ selection, ...rest }: EntryDialogProps) {
    if (!("duIds" in selection)) return null;
    return <OrderBatchDialog {...rest} verb={verb} duIds={selection.duIds} />;
  };
}

/** Steps of many orders as commands of the plan, each with the right it needs. */
export const orderEntries: readonly { verb: OrderBatchVerb; right: PermissionCode; dialog: ReturnType<typeof batchEntry> }[] = [
  { verb: "dispatch", right: "workOrder.dispatch", dialog: batchEntry("dispatch") },
  { verb: "cancel", right: "workOrder.dispatch", dialog: batchEntry("cancel") },
  { verb: "redo", right: "workOrder.redo", dialog: batchEntry("redo") },
  { verb: "setNa", right: "activity.naSet", dialog: batchEntry("setNa") },
  { verb: "cancelNa", right: "activity.naCancel", dialog: batchEntry("cancelNa") },
];
