"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ReleasePlan } from "./schema.ts";

/** Releases the plan of DUs, or shows what a release would do. */
export const releasePlan = action({
  address: "rollout/release",
  needs: "plan.release",
  input: ReleasePlan,
  starts: "task",
  run: commands.releasePlan,
  errors: ["DU_EMPTY", "NAME_EXISTS", "NAME_TOO_LONG", "NO_PERMISSION", "PLAN_NAME_REQUIRED", "QUERY_EXPIRED", "RATE_LIMIT", "TOO_MANY_DU"],
});
