"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ExportCalendar } from "./schema.ts";

export const exportCalendar = action({
  address: "commomUtil/exportCalendarSetData",
  needs: "rollout.view",
  input: ExportCalendar,
  starts: "task",
  run: commands.startCalendarExport,
  errors: ["EXPORT_LIMIT", "EXPORT_UNFINISHED", "NOT_FOUND", "RATE_LIMIT"],
});
