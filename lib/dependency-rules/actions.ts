"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ChangeDependencies, CheckLoop, FindViolations, ListDependencies, SaveDependencies } from "./schema.ts";

export const listDependencies = action({
  address: "rollPlanDependency/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "rule.view",
  input: ListDependencies,
  run: queries.listDependencies,
});

export const saveDependencies = action({
  address: "rollPlanDependency/save",
  needs: "dependency.edit",
  input: SaveDependencies,
  run: commands.saveDependencies,
  errors: [
    "DEP_DUPLICATE",
    "DEP_LIMIT",
    "DEP_LOOP",
    "END_PAST",
    "NOTHING_MODIFIED",
    "NOT_FOUND",
    "STALE",
    "TOO_MANY_PREREQUISITES",
    "TOO_MANY_TARGETS",
    "VALUE_REPEATED",
  ],
});

export const enableDependencies = action({
  address: "rollPlanDependency/enable",
  needs: "dependency.edit",
  input: ChangeDependencies,
  run: commands.enableDependencies,
  errors: ["DEP_CANNOT_ENABLE", "DEP_LIMIT", "DEP_LOOP", "NOT_FOUND"],
});

export const expireDependencies = action({
  address: "rollPlanDependency/expire",
  needs: "dependency.edit",
  input: ChangeDependencies,
  run: commands.expireDependencies,
  errors: ["NOT_FOUND"],
});

export const deleteDependencies = action({
  address: "rollPlanDependency/delete",
  needs: "dependency.edit",
  input: ChangeDependencies,
  run: commands.deleteDependencies,
  errors: ["NOT_FOUND"],
});

/** Whether a configuration would close a circle with the rules in force. */
export const checkDependencyLoop = action({
  address: "rollPlanDependency/checkLoop",
  kind: "read",
  needs: "rule.view",
  input: CheckLoop,
  run: queries.checkDependencyLoop,
});

/** What of some DUs waits for prerequisites. */
export const findDependencyViolations = action({
  address: "rollPlanDependency/violations",
  kind: "read",
  needs: "rollout.view",
  input: FindViolations,
  run: queries.findDependencyViolations,
});
