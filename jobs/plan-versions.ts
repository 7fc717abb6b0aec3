import { taskKind } from "#lib/core/task.ts";
import { runBaseline } from "#lib/plan-versions/baselines/commands.ts";
import { BaselineParams } from "#lib/plan-versions/baselines/schema.ts";
import { runDistribution } from "#lib/plan-versions/distributions/commands.ts";
import { DistributeParams } from "#lib/plan-versions/distributions/schema.ts";
import { runRestore } from "#lib/plan-versions/restores/commands.ts";
import { RestoreParams } from "#lib/plan-versions/restores/schema.ts";
import { runVersionExport } from "#lib/plan-versions/version-export/commands.ts";
import { ExportParams } from "#lib/plan-versions/version-export/schema.ts";

/** Saves a baseline of many DUs. */
export const baselineTask = taskKind({ params: BaselineParams, needs: "plan.baseline", run: runBaseline });

/** Writes to recipients of a version who have no account. */
export const distributeTask = taskKind({ params: DistributeParams, needs: "version.distribute", run: runDistribution });

/** Puts the plan of many DUs back as a version holds it. */
export const restoreTask = taskKind({ params: RestoreParams, needs: "version.edit", run: runRestore });

/** Writes a version or a comparison as a workbook. */
export const versionExportTask = taskKind({ params: ExportParams, needs: "rollout.export", run: runVersionExport });
