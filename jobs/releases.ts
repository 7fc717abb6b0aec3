import { taskKind } from "#lib/core/task.ts";
import { runRelease } from "#lib/scheduling/releases/commands.ts";
import { ReleaseParams } from "#lib/scheduling/releases/schema.ts";

/** Releases the plan of many DUs. */
export const releaseTask = taskKind({ params: ReleaseParams, needs: "plan.release", run: runRelease });
