import { recheckFlowRules } from "#lib/activity-flows/flow-rules/commands.ts";
import { runFlowRules } from "#lib/activity-flows/rule-runs/commands.ts";
import { RunParams } from "#lib/activity-flows/rule-runs/schema.ts";
import { RecheckParams } from "#lib/attributes/config-refs/schema.ts";
import { taskKind } from "#lib/core/task.ts";

/** Binds DUs by rules: the right was asked when a person started it, and an import starts it for whoever imports. */
export const flowRulesTask = taskKind({ params: RunParams, needs: "member", run: runFlowRules });

/** Takes rules out of force whose attributes or choices have changed. */
export const flowRulesRecheckTask = taskKind({
  params: RecheckParams,
  needs: "member",
  run: async (job, { holderIds, targetKind, targetIds }) => {
    await job.chunk(async (ctx) => {
      const inForce = await recheckFlowRules(ctx, `${targetKind} ${targetIds.join()} ${job.task.id}`, holderIds);
      ctx.audit("du_flow_rule recheck", { ids: holderIds }, { inForce: inForce.map(({ id }) => id) });
    });
    return undefined;
  },
});
