"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { DeleteVersions, FindPlan, ListVersions, SavePlan, SaveVersion } from "./schema.ts";

export const listVersions = action({
  address: "dataVersion/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "version.view",
  input: ListVersions,
  run: queries.listVersions,
});

export const findPlan = action({
  address: "dataVersion/plan/find",
  kind: "read",
  needs: "version.view",
  input: FindPlan,
  run: queries.findPlan,
});

export const savePlan = action({
  address: "dataVersion/plan/save",
  needs: "version.edit",
  input: SavePlan,
  run: commands.savePlan,
  errors: ["NAME_TOO_LONG", "NOTHING_MODIFIED", "PLAN_NAME_REQUIRED", "STALE"],
});

/** Saves a baseline, which needs plan.baseline too, or another name and remark of a version. */
export const saveVersion = action({
  address: "dataVersion/save",
  needs: "version.edit",
  input: SaveVersion,
  starts: "task",
  run: commands.saveVersion,
  errors: [
    "DU_EMPTY",
    "DU_NOT_FOUND",
    "NAME_EXISTS",
    "NAME_TOO_LONG",
    "NOTHING_MODIFIED",
    "NO_PERMISSION",
    "NO_SELECTION",
    "PLAN_NAME_REQUIRED",
    "RATE_LIMIT",
    "STALE",
    "TOO_MANY_DU",
    "WRONG_STATUS",
  ],
});

export const deleteVersions = action({
  address: "dataVersion/delete",
  needs: "version.edit",
  input: DeleteVersions,
  run: commands.deleteVersions,
  errors: ["FEEDBACK_OPEN", "NOT_FOUND", "TOO_MANY", "VERSION_IN_FORCE"],
});
