import { taskKind } from "#lib/core/task.ts";
import { runInputExport, runInputImport } from "#lib/planning-engine/sheets/commands.ts";
import { ExportInput, ImportInput } from "#lib/planning-engine/sheets/schema.ts";

/** Writes the workbook of an input of the planning engine. */
export const inputExportTask = taskKind({ params: ExportInput, needs: "engine.view", run: runInputExport });

/** Takes such a workbook back, all or nothing. */
export const inputImportTask = taskKind({ params: ImportInput, needs: "engine.edit", run: runInputImport });
