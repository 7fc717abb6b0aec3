import { taskKind } from "#lib/core/task.ts";
import { dropNaRequests, runNaRequests } from "#lib/work-orders/na-requests/commands.ts";
import { NaTask } from "#lib/work-orders/na-requests/schema.ts";

/** Carries out requests for NA and INV: rights were asked when they were made and approved. */
export const naRequestTask = taskKind({
  params: NaTask,
  needs: "member",
  run: runNaRequests,
  cancelled: async (ctx, task) => {
    await dropNaRequests(ctx, task);
    return undefined;
  },
});
