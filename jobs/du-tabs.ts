import { taskKind } from "#lib/core/task.ts";
import { runTabExport, runTabImport } from "#lib/du-tabs/sheets/commands.ts";
import { TabExportParams, TabImportParams } from "#lib/du-tabs/sheets/schema.ts";

/** Writes the rows of a DU tab as a workbook. */
export const tabExportTask = taskKind({ params: TabExportParams, needs: "duTab.view", run: runTabExport });

/** Takes workbooks of DU tabs back, each all or nothing. */
export const tabImportTask = taskKind({ params: TabImportParams, needs: "duTab.view", run: runTabImport });
