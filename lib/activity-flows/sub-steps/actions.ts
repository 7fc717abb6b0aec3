"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { FindSubSteps, SaveSubSteps } from "./schema.ts";

export const findSubSteps = action({
  address: "duSubStep/find",
  kind: "read",
  needs: "rollout.view",
  input: FindSubSteps,
  run: queries.getSubSteps,
  errors: ["DU_NOT_FOUND", "NO_ACTIVITY", "NOT_FOUND"],
});

export const saveSubSteps = action({
  address: "duSubStep/save",
  needs: "rollout.actualEdit",
  input: SaveSubSteps,
  run: commands.saveSubSteps,
  errors: [
    "ACTUAL_AFTER_TODAY",
    "DATE_OUT_OF_RANGE",
    "DELIVERABLE_MISSING",
    "DEP_CLEAR_CONFIRM",
    "DEP_PREREQ_UNMET",
    "DU_NOT_FOUND",
    "IN_APPROVAL",
    "NA_OR_INV",
    "NO_ACTIVITY",
    "NOT_FOUND",
    "NOT_OWNER",
    "NOTHING_MODIFIED",
    "OWNER_REQUIRED",
    "REASON_REQUIRED",
    "REVENUE_TRIGGERED",
    "STALE",
    "SUSPENDED",
    "TASK_CLOSED",
    "TOOL_LOCKED",
    "WARNING_CONFIRM",
    "WARNING_MANDATORY",
  ],
});
