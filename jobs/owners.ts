import { taskKind } from "#lib/core/task.ts";
import { DuOwnerExportParams } from "#lib/owners/du-owners/schema.ts";
import { runOwnerTask } from "#lib/owners/owner-runs/commands.ts";
import { OwnerRunParams } from "#lib/owners/owner-runs/schema.ts";
import { runDuExport, runRegionExport } from "#lib/owners/owner-sheets/commands.ts";
import { RegionOwnerExportParams } from "#lib/owners/region-owners/schema.ts";

/** Fills owners by rules: the right was asked when a person started it, and binding DUs starts it for whoever binds. */
export const ownerRulesTask = taskKind({ params: OwnerRunParams, needs: "member", run: runOwnerTask });

/** Writes the owners of DUs as a workbook. */
export const duOwnerExportTask = taskKind({ params: DuOwnerExportParams, needs: "owner.view", run: runDuExport });

/** Writes the owners of regions as a workbook. */
export const regionOwnerExportTask = taskKind({ params: RegionOwnerExportParams, needs: "owner.view", run: runRegionExport });
