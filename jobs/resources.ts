import { taskKind } from "#lib/core/task.ts";
import { runPoolExport } from "#lib/resources/pool-sheet/commands.ts";
import { exportRights } from "#lib/resources/pool-sheet/limits.ts";
import { PoolExportParams } from "#lib/resources/pool-sheet/schema.ts";

/** Writes people of the pool as a workbook; the right of the tab is asked where its rows are read. */
export const poolExportTask = taskKind({ params: PoolExportParams, needs: [...new Set(Object.values(exportRights))], run: runPoolExport });
