"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { FindCalendar, SaveCalendar } from "./schema.ts";

export const findCalendar = action({
  address: "commomUtil/findCalendarSetData",
  kind: "read",
  needs: "rollout.view",
  input: FindCalendar,
  run: queries.findCalendarSettings,
  errors: ["NOT_FOUND"],
});

export const saveCalendar = action({
  address: "commomUtil/saveCalendarSetData",
  needs: "calendar.edit",
  input: SaveCalendar,
  run: commands.saveCalendar,
  errors: ["INVALID_CALENDAR", "NOTHING_MODIFIED", "NOT_FOUND", "STALE"],
});
