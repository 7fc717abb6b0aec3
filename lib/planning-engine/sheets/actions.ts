"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ExportInput, ImportInput } from "./schema.ts";

/** A workbook of an input of a version. */
export const exportEngineInput = action({
  address: "engine/input/export",
  needs: "engine.view",
  input: ExportInput,
  run: commands.startInputExport,
  starts: "task",
  errors: ["EXPORT_CELLS", "EXPORT_LIMIT", "EXPORT_UNFINISHED", "NOT_FOUND", "RATE_LIMIT"],
});

/** Takes a workbook back into an input of a version. */
export const importEngineInput = action({
  address: "engine/input/import",
  needs: "engine.edit",
  input: ImportInput,
  run: commands.startInputImport,
  starts: "task",
  errors: ["FILE_FORMAT", "FILE_TOO_LARGE", "NOT_FOUND", "VERSION_LOCKED"],
});
