"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ApplyPlan, ApplyReverse } from "./schema.ts";

/** Reads a plan in somebody else's layout: shows what its columns give, or starts its check. */
export const applyReverse = action({
  address: "template/reverse/apply",
  needs: "rollout.import",
  input: ApplyReverse,
  starts: "task",
  run: commands.applyReverse,
  errors: ["COLUMN_UNMAPPED", "FILE_FORMAT", "NAME_TOO_LONG", "NOT_FOUND", "NO_DATA", "RATE_LIMIT"],
});

/** Binds DUs to the flow of a plan template and fills their empty owners; the rights on flow and plan are asked DU by DU. */
export const applyPlan = action({
  address: "template/plan/apply",
  needs: "template.project",
  input: ApplyPlan,
  run: commands.applyPlan,
  errors: ["ALREADY_BOUND", "FLOW_NOT_RELEASED", "NOTHING_MODIFIED", "NOT_FOUND", "NOT_MEMBER", "NO_PERMISSION", "TOO_MANY_DU"],
});
