import { taskKind } from "#lib/core/task.ts";
import { runApply } from "#lib/imports/apply/commands.ts";
import { importNeeds } from "#lib/imports/limits.ts";
import { runPreview } from "#lib/imports/preview/commands.ts";
import { ApplyParams, PreviewImport } from "#lib/imports/schema.ts";

/** Checks an uploaded file cell by cell. */
export const previewTask = taskKind({ params: PreviewImport, needs: importNeeds, run: runPreview });

/** Writes the accepted rows of a checked file. */
export const applyTask = taskKind({ params: ApplyParams, needs: importNeeds, run: runApply });
