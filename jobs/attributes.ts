import { runApply } from "#lib/attributes/defaults/commands.ts";
import { ApplyParams } from "#lib/attributes/schema.ts";
import { runSheetExport, runSheetImport } from "#lib/attributes/sheets/commands.ts";
import { ImportParams, NoParams } from "#lib/attributes/sheets/schema.ts";
import { taskKind } from "#lib/core/task.ts";

/** Fills the empty cells of an attribute with its default. */
export const applyDefaultTask = taskKind({ params: ApplyParams, needs: "rollout.attributeEdit", run: runApply });

/** Writes the workbook of definitions. */
export const attributeExportTask = taskKind({ params: NoParams, needs: "attribute.edit", run: (job) => runSheetExport(job) });

/** Reads definitions from a workbook, all or none. */
export const attributeImportTask = taskKind({ params: ImportParams, needs: "attribute.edit", run: runSheetImport });
