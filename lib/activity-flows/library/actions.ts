"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { DisableActivities, ListActivities, SaveActivity } from "./schema.ts";

export const listActivities = action({
  address: "activityLibrary/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "flow.view",
  input: ListActivities,
  run: queries.listActivities,
});

export const saveActivity = action({
  address: "activityLibrary/save",
  needs: "flow.edit",
  input: SaveActivity,
  run: commands.saveActivity,
  errors: ["ACTIVITY_REPEAT", "LIBRARY_FULL", "STALE", "WRONG_STATUS", "NOT_FOUND", "NOTHING_MODIFIED"],
});

export const disableActivities = action({
  address: "activityLibrary/disable",
  needs: "flow.edit",
  input: DisableActivities,
  run: commands.disableActivities,
  errors: ["ACTIVITY_REFERENCED", "NOT_FOUND"],
});
