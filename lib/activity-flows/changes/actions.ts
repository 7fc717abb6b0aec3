"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const checkUnbind = action({
  address: "duFlow/unbindCheck",
  kind: "read",
  needs: "duFlow.bind",
  input: schema.UnbindDus,
  run: queries.checkUnbind,
  errors: ["TOO_MANY_DU"],
});

export const unbindDus = action({
  address: "duFlow/unbind",
  needs: "duFlow.bind",
  input: schema.UnbindDus,
  run: commands.unbindDus,
  errors: ["CHANGE_IN_PROGRESS", "DU_NOT_FOUND", "HAS_FACTS", "MOS_FROZEN", "NOT_BOUND", "REVENUE_TRIGGERED", "TOO_MANY_DU"],
});

export const checkDuChange = action({
  address: "duChange/check",
  kind: "read",
  needs: "duChange.submit",
  input: schema.CheckDuChange,
  run: queries.checkDuChange,
  errors: ["NOT_FOUND", "NO_SELECTION", "TOO_MANY", "VALUE_MISSING", "VALUE_REPEATED"],
});

export const submitDuChange = action({
  address: "duChange/submit",
  needs: "duChange.submit",
  input: schema.SubmitDuChange,
  run: commands.submitDuChange,
  errors: [
    "ALREADY_CHANGED",
    "APPROVER_REQUIRED",
    "CHANGE_IN_PROGRESS",
    "DU_NOT_FOUND",
    "FLOW_NOT_RELEASED",
    "INVALID_TARGET",
    "MAPPING_MISFIT",
    "MOS_FROZEN",
    "NOT_BOUND",
    "NOT_FOUND",
    "NO_SELECTION",
    "REASON_REQUIRED",
    "REVENUE_TRIGGERED",
    "TOO_MANY",
    "VALUE_MISSING",
    "VALUE_REPEATED",
  ],
});

export const listDuChanges = action({
  address: "duChange/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "duChange.view",
  input: schema.ListDuChanges,
  run: queries.listDuChanges,
});

export const getDuChange = action({
  address: "duChange/find/{id}",
  kind: "read",
  needs: "duChange.view",
  input: schema.FindDuChange,
  run: queries.getDuChange,
  errors: ["NOT_FOUND"],
});
