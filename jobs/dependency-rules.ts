import { RecheckParams } from "#lib/attributes/config-refs/schema.ts";
import { taskKind } from "#lib/core/task.ts";
import { recheckDependencies } from "#lib/dependency-rules/commands.ts";

/** Takes rules out of force whose activities or attributes are no longer in use. */
export const dependencyRecheckTask = taskKind({
  params: RecheckParams,
  needs: "member",
  run: async (job, { targetKind, targetIds }) => {
    await job.chunk(async (ctx) => {
      const expired = await recheckDependencies(ctx, `${targetKind} ${targetIds.join()} ${job.task.id}`);
      ctx.audit("dep_rule recheck", null, { expired });
    });
    return undefined;
  },
});
