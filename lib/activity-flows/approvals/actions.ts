"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

// A delegate decides what is addressed to who named him, whatever his own roles give him: whose turn it is, is asked of each change.

export const approveDuChanges = action({
  address: "duChange/approve",
  needs: "member",
  input: schema.DecideDuChanges,
  run: commands.approveDuChanges,
  errors: ["NOT_APPROVER", "NOT_FOUND", "NO_SELECTION", "ROLE_CHANGED", "TOO_MANY", "WRONG_STATUS"],
});

export const rejectDuChanges = action({
  address: "duChange/reject",
  needs: "member",
  input: schema.RejectDuChanges,
  run: commands.rejectDuChanges,
  errors: ["COMMENT_REQUIRED", "NOT_APPROVER", "NOT_FOUND", "NO_SELECTION", "ROLE_CHANGED", "TOO_MANY", "WRONG_STATUS"],
});

export const withdrawDuChanges = action({
  address: "duChange/withdraw",
  needs: ["duChange.submit", "duFlow.bind"],
  input: schema.DecideDuChanges,
  run: commands.withdrawDuChanges,
  errors: ["NOT_APPROVER", "NOT_FOUND", "NO_SELECTION", "TOO_MANY", "WRONG_STATUS"],
});

export const listTransferApprovers = action({
  address: "duChange/getTransferApprover",
  kind: "read",
  needs: "member",
  input: schema.FindTransferApprovers,
  run: queries.listTransferApprovers,
  errors: ["NOT_APPROVER", "NOT_FOUND"],
});

export const listTlApprovers = action({
  address: "duChange/getTLApprover",
  kind: "read",
  needs: "duChange.submit",
  input: schema.FindTlApprovers,
  run: queries.listTlApprovers,
});

export const transferDuChange = action({
  address: "duChange/transferApprove",
  needs: "member",
  input: schema.TransferDuChange,
  run: commands.transferDuChange,
  errors: ["INVALID_TARGET", "NOT_APPROVER", "NOT_FOUND", "ROLE_CHANGED", "WRONG_STATUS"],
});
