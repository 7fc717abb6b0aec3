"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ExportPlanLog } from "./schema.ts";

/** The changes of plan cells as filtered, as a workbook. */
export const exportPlanLog = action({
  address: "planLog/export",
  needs: "planLog.view",
  input: ExportPlanLog,
  starts: "task",
  onClosed: true,
  run: commands.startPlanLogExport,
  errors: ["NO_DATA", "EXPORT_LIMIT", "EXPORT_CELLS", "EXPORT_UNFINISHED", "DATE_RANGE", "RATE_LIMIT"],
});
