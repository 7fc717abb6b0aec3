"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const requestNa = action({
  address: "activity/na/set",
  needs: "activity.naSet",
  csrf: true,
  starts: "task",
  input: schema.SetNa,
  run: commands.requestNa,
  errors: [
    "ACTIVITY_COMPLETED",
    "APPROVER_REQUIRED",
    "CSRF_INVALID",
    "FROZEN",
    "MOS_FROZEN",
    "NA_OR_INV",
    "NOT_APPROVER",
    "RATE_LIMIT",
    "REASON_REQUIRED",
    "REQUEST_OPEN",
    "TASK_CLOSED",
    "TOO_MANY_DU",
  ],
});

export const requestNaCancel = action({
  address: "activity/na/cancel",
  needs: "activity.naCancel",
  csrf: true,
  starts: "task",
  input: schema.CancelNa,
  run: commands.requestNaCancel,
  errors: ["APPROVER_REQUIRED", "CSRF_INVALID", "NOT_APPROVER", "NOT_NA", "RATE_LIMIT", "REASON_REQUIRED", "REQUEST_OPEN", "TOO_MANY_DU"],
});

export const approveNa = action({
  address: "activity/na/approve",
  needs: "activity.naApprove",
  csrf: true,
  starts: "task",
  input: schema.ApproveNa,
  run: commands.approveNa,
  errors: ["CSRF_INVALID", "NOT_APPROVER", "NOT_FOUND", "RATE_LIMIT", "TOO_MANY"],
});

export const rejectNa = action({
  address: "activity/na/reject",
  needs: "activity.naApprove",
  csrf: true,
  input: schema.RejectNa,
  run: commands.rejectNa,
  errors: ["COMMENT_REQUIRED", "CSRF_INVALID", "NOT_APPROVER", "NOT_FOUND", "TOO_MANY"],
});

export const listNaApprovers = action({
  address: "activity/na/approvers",
  kind: "read",
  needs: ["activity.naSet", "activity.naCancel"],
  input: schema.Nothing,
  run: queries.listApprovers,
});

export const listElectronicFlows = action({
  address: "electronFlow/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "workOrder.view",
  input: schema.ListRequests,
  run: queries.listRequests,
});
