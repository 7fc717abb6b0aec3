"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const listOrders = action({
  address: "workOrder/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "workOrder.view",
  input: schema.ListOrders,
  run: queries.listOrders,
});

export const findOrder = action({
  address: "workOrder/find/{id}",
  kind: "read",
  needs: "workOrder.view",
  input: schema.FindOrder,
  run: queries.getOrder,
  errors: ["NOT_FOUND"],
});

export const findPlace = action({
  address: "workOrder/place",
  kind: "read",
  needs: "workOrder.view",
  input: schema.FindPlace,
  run: queries.getPlace,
  errors: ["NOT_FOUND"],
});

export const listOrderTargets = action({
  address: "workOrder/targets",
  kind: "read",
  needs: "workOrder.view",
  input: schema.FindTargets,
  run: queries.listTargets,
  errors: ["NO_SELECTION", "TOO_MANY_DU"],
});

export const listReasons = action({
  address: "workOrder/reasons",
  kind: "read",
  needs: "workOrder.view",
  input: schema.Nothing,
  run: queries.listReasons,
});

export const listAssignees = action({
  address: "workOrder/assignees",
  kind: "read",
  needs: "workOrder.dispatch",
  input: schema.FindAssignees,
  run: queries.listAssignees,
});

export const dispatchOrders = action({
  address: "workOrder/dispatch",
  needs: "workOrder.dispatch",
  csrf: true,
  input: schema.DispatchOrders,
  run: commands.dispatchOrders,
  errors: [
    "CSRF_INVALID",
    "DATE_BEFORE_TODAY",
    "MATERIAL_DISMANTLE_BATCH",
    "NOT_MEMBER",
    "NOT_SCHEDULED",
    "NO_OWNER",
    "TOO_MANY",
    "TOO_MANY_DU",
    "WBS_NOT_RELEASED",
  ],
});

export const acceptOrders = action({
  address: "workOrder/accept",
  needs: "workOrder.execute",
  csrf: true,
  input: schema.MoveOrders,
  run: commands.acceptOrders,
  errors: ["CSRF_INVALID", "TOO_MANY", "WRONG_STATUS"],
});

export const startOrders = action({
  address: "workOrder/start",
  needs: "workOrder.execute",
  csrf: true,
  input: schema.StartOrders,
  run: commands.startOrders,
  errors: [
    "ACTUAL_AFTER_TODAY",
    "CSRF_INVALID",
    "DEP_CLEAR_CONFIRM",
    "OWNER_REQUIRED",
    "TOOL_LOCKED",
    "TOO_MANY",
    "WARNING_CONFIRM",
    "WRONG_STATUS",
  ],
});

export const completeOrders = action({
  address: "workOrder/complete",
  needs: "workOrder.execute",
  csrf: true,
  input: schema.StartOrders,
  run: commands.completeOrders,
  errors: ["ACTUAL_AFTER_TODAY", "CSRF_INVALID", "DELIVERABLE_MISSING", "DEP_CLEAR_CONFIRM", "TOO_MANY", "WARNING_CONFIRM", "WRONG_STATUS"],
});

export const submitOrders = action({
  address: "workOrder/submit",
  needs: "workOrder.execute",
  csrf: true,
  input: schema.SubmitOrders,
  run: commands.submitOrders,
  errors: ["ACTUAL_AFTER_TODAY", "CSRF_INVALID", "DEP_CLEAR_CONFIRM", "TOO_MANY", "WARNING_CONFIRM", "WRONG_STATUS"],
});

export const reassignOrders = action({
  address: "workOrder/reassign",
  needs: "workOrder.dispatch",
  csrf: true,
  input: schema.ReassignOrders,
  run: commands.reassignOrders,
  errors: ["CSRF_INVALID", "NOT_MEMBER", "TOO_MANY", "WRONG_STATUS"],
});

export const rollbackOrders = action({
  address: "workOrder/rollback",
  needs: "workOrder.dispatch",
  csrf: true,
  input: schema.MoveOrders,
  run: commands.rollbackOrders,
  errors: ["ALREADY_STARTED", "CSRF_INVALID", "TOO_MANY", "WRONG_STATUS"],
});

export const suspendOrders = action({
  address: "workOrder/suspend",
  needs: "workOrder.suspend",
  csrf: true,
  input: schema.SuspendOrders,
  run: commands.suspendOrders,
  errors: ["CSRF_INVALID", "REASON_REQUIRED", "TOO_MANY", "WRONG_STATUS"],
});

export const unsuspendOrders = action({
  address: "workOrder/unsuspend",
  needs: "workOrder.suspend",
  csrf: true,
  input: schema.MoveOrders,
  run: commands.unsuspendOrders,
  errors: ["CSRF_INVALID", "TOO_MANY", "WRONG_STATUS"],
});

export const cancelOrders = action({
  address: "workOrder/cancel",
  needs: "workOrder.dispatch",
  csrf: true,
  input: schema.CancelOrders,
  run: commands.cancelOrders,
  errors: ["CSRF_INVALID", "REASON_REQUIRED", "TOO_MANY", "TOO_MANY_DU", "WRONG_STATUS"],
});

export const reactivateOrders = action({
  address: "workOrder/reactivate",
  needs: "workOrder.reactivate",
  csrf: true,
  input: schema.MoveOrders,
  run: commands.reactivateOrders,
  errors: ["CSRF_INVALID", "NA_OR_INV", "NO_ACTIVITY", "TOO_MANY", "WORK_ORDER_NAME_EXISTS", "WRONG_STATUS"],
});

export const redoOrders = action({
  address: "workOrder/redo",
  needs: "workOrder.redo",
  csrf: true,
  input: schema.RedoOrders,
  run: commands.redoOrders,
  errors: ["CSRF_INVALID", "INITIAL_STATUS", "REASON_REQUIRED", "REVENUE_TRIGGERED", "SIGN_VERIFY_INTEGRATED", "TOO_MANY_DU"],
});

export const updateRemotely = action({
  address: "workOrder/remoteUpdate",
  needs: "workOrder.remoteUpdate",
  csrf: true,
  input: schema.RemoteUpdate,
  run: commands.updateRemotely,
  errors: ["ACTUAL_AFTER_TODAY", "ACTUAL_ORDER", "CSRF_INVALID", "DELIVERABLE_MISSING", "NOT_FOUND", "OWNER_REQUIRED", "WRONG_STATUS"],
});
