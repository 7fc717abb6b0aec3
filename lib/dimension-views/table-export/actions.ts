"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ExportView } from "./schema.ts";

/** The table of a tab as shown, as a workbook. */
export const exportView = action({
  address: "multiDim/export",
  needs: "multiDim.view",
  input: ExportView,
  starts: "task",
  onClosed: true,
  run: commands.startViewExport,
  errors: ["NO_DATA", "EXPORT_LIMIT", "EXPORT_CELLS", "EXPORT_UNFINISHED", "NOT_FOUND", "RATE_LIMIT"],
});
