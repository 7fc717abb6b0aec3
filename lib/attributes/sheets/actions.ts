"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ExportSheet, ImportSheet } from "./schema.ts";

/** A workbook of the definitions, or of the values of all DUs. */
export const exportAttributes = action({
  address: "planAttr/export",
  needs: ({ kind }) => (kind === "VALUES" ? "rollout.attributeEdit" : "attribute.edit"),
  input: ExportSheet,
  run: commands.startSheetExport,
  starts: "task",
  errors: ["EXPORT_LIMIT", "EXPORT_UNFINISHED", "NO_DATA"],
});

/** Reads one workbook back. */
export const importAttributes = action({
  address: "planAttr/import",
  needs: ({ kind }) => (kind === "VALUES" ? "rollout.attributeEdit" : "attribute.edit"),
  input: ImportSheet,
  run: commands.startSheetImport,
  starts: "task",
  errors: ["FILE_FORMAT", "FILE_TOO_LARGE", "NOT_FOUND"],
});
