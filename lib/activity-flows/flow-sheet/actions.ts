"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ExportFlows } from "./schema.ts";

export const exportFlows = action({
  address: "flow/export",
  needs: "flow.export",
  input: ExportFlows,
  starts: "task",
  run: commands.startFlowExport,
  errors: ["EXPORT_LIMIT", "EXPORT_UNFINISHED", "NOT_FOUND", "NO_DATA", "RATE_LIMIT"],
});
