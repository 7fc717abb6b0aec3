"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { CloseInput, ReopenInput, SetAttribute, SetDates, SetOwners } from "./schema.ts";

/** Sets one date of many activities of many DUs, or shows what would happen. */
export const setPlanDates = action({
  address: "rolloutPlan/batch/setDate",
  needs: "rollout.batchUpdate",
  input: SetDates,
  run: commands.setBatchDates,
  errors: [
    "TOO_MANY_DU",
    "NO_SELECTION",
    "RFC_DIFFERS",
    "NA_PLAN_END_ONLY",
    "NOTHING_MODIFIED",
    "NO_PERMISSION",
    "REASON_REQUIRED",
    "DEP_CLEAR_CONFIRM",
    "WARNING_CONFIRM",
  ],
});

/** Sets, adds or takes out owners of many activities of many DUs, or shows what would happen. */
export const setPlanOwners = action({
  address: "rolloutPlan/batch/setOwner",
  needs: "rollout.batchUpdate",
  input: SetOwners,
  run: commands.setBatchOwners,
  errors: ["TOO_MANY_DU", "NO_SELECTION", "NOT_MEMBER", "NOTHING_MODIFIED"],
});

/** Sets one attribute of many DUs, or of many activities of them, or shows what would happen. */
export const setPlanAttribute = action({
  address: "rolloutPlan/batch/setAttribute",
  needs: "rollout.batchUpdate",
  input: SetAttribute,
  run: commands.setBatchAttribute,
  errors: ["TOO_MANY_DU", "NO_SELECTION", "NO_PERMISSION", "VALUE_UNKNOWN", "NOTHING_MODIFIED", "DEP_CLEAR_CONFIRM"],
});

/** Closes completed activities. */
export const closeActivities = action({
  address: "rolloutPlan/close",
  needs: "rollout.edit",
  input: CloseInput,
  run: commands.closeActivities,
  errors: ["IN_APPROVAL", "NOT_COMPLETED", "TOO_MANY_DU"],
});

/** Reopens closed activities. */
export const reopenActivities = action({
  address: "rolloutPlan/reopen",
  needs: "rollout.edit",
  input: ReopenInput,
  run: commands.reopenActivities,
  errors: ["REVENUE_TRIGGERED", "REASON_REQUIRED", "TOO_MANY_DU", "DEP_CLEAR_CONFIRM"],
});
