"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ExportPlan } from "./schema.ts";

export const exportPlan = action({
  address: "rolloutPlan/export",
  needs: "rollout.export",
  input: ExportPlan,
  starts: "task",
  run: commands.startPlanExport,
  onClosed: true,
  errors: ["NO_DATA", "EXPORT_LIMIT", "EXPORT_CELLS", "EXPORT_UNFINISHED", "QUERY_EXPIRED", "RATE_LIMIT"],
});
