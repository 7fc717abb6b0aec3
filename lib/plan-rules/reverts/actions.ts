"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { RevertRun } from "./schema.ts";

export const revertPlanRun = action({
  address: "planAutoRule/run/revert",
  needs: "rule.run",
  input: RevertRun,
  starts: "task",
  run: commands.startRevert,
  errors: ["ALREADY_REVERTED", "NOT_FOUND", "RATE_LIMIT", "REVERT_TOO_OLD", "RULE_EXECUTING"],
});
