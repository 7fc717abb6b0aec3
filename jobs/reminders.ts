import { RecheckParams } from "#lib/attributes/config-refs/schema.ts";
import { taskKind } from "#lib/core/task.ts";
import { recheckReminders } from "#lib/reminders/switching/commands.ts";

/** Takes reminders out of force whose activities, attributes or regions are no longer in use. */
export const remindersRecheckTask = taskKind({
  params: RecheckParams,
  needs: "member",
  run: async (job, { targetKind, targetIds }) => {
    await job.chunk(async (ctx) => {
      const disabled = await recheckReminders(ctx, `${targetKind} ${targetIds.join()} ${job.task.id}`);
      ctx.audit("reminders recheck", null, { disabled });
    });
    return undefined;
  },
});
