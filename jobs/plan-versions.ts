import { taskKind } from "#lib/core/task.ts";
import { runBaseline } from "#lib/plan-versions/baselines/commands.ts";
import { BaselineParams } from "#lib/plan-versions/baselines/schema.ts";

/** Saves a baseline of many DUs. */
export const baselineTask = taskKind({ params: BaselineParams, needs: "plan.baseline", run: runBaseline });
