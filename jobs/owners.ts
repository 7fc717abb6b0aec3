import { RecheckParams } from "#lib/attributes/config-refs/schema.ts";
import { taskKind } from "#lib/core/task.ts";
import { DuOwnerExportParams } from "#lib/owners/du-owners/schema.ts";
import { recheckOwnerRules } from "#lib/owners/owner-rules/commands.ts";
import { runOwnerTask } from "#lib/owners/owner-runs/commands.ts";
import { OwnerRunParams } from "#lib/owners/owner-runs/schema.ts";
import { runDuExport, runRegionExport } from "#lib/owners/owner-sheets/commands.ts";
import { RegionOwnerExportParams } from "#lib/owners/region-owners/schema.ts";
import { runReplacement } from "#lib/owners/replacement/commands.ts";
import { ReplaceParams } from "#lib/owners/replacement/schema.ts";

/** Fills owners by rules: the right was asked when a person started it, and binding DUs starts it for whoever binds. */
export const ownerRulesTask = taskKind({ params: OwnerRunParams, needs: "member", run: runOwnerTask });

/** Writes the owners of DUs as a workbook. */
export const duOwnerExportTask = taskKind({ params: DuOwnerExportParams, needs: "owner.view", run: runDuExport });

/** Writes the owners of regions as a workbook. */
export const regionOwnerExportTask = taskKind({ params: RegionOwnerExportParams, needs: "owner.view", run: runRegionExport });

/** Puts others into the place of an owner in many DUs. */
export const replacementTask = taskKind({ params: ReplaceParams, needs: "owner.ruleEdit", run: runReplacement });

/** Takes owner rules out of force whose attributes, flows or activities no longer fit, once these were changed. */
export const ownerRulesRecheckTask = taskKind({
  params: RecheckParams,
  needs: "member",
  run: async (job, { holderIds, targetKind, targetIds }) => {
    await job.chunk(async (ctx) => {
      const inForce = await recheckOwnerRules(ctx, `${targetKind} ${targetIds.join()} ${job.task.id}`);
      ctx.audit("owner_rule recheck", { ids: holderIds }, { inForce: inForce.map(({ id }) => id) });
    });
    return { total: holderIds.length };
  },
});
