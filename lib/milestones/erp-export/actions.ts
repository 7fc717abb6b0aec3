"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ExportErp } from "./schema.ts";

export const exportErp = action({
  address: "milestoneConfig/erp/export",
  needs: "milestone.erpExport",
  input: ExportErp,
  starts: "task",
  onClosed: true,
  run: commands.startErpExport,
  errors: ["EXPORT_CELLS", "EXPORT_LIMIT", "EXPORT_UNFINISHED", "NOT_FOUND", "NO_DATA", "RATE_LIMIT"],
});
