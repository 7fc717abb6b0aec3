"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "../activity-relations/commands.ts";
import { deleteRows, saveRows } from "../inputs/commands.ts";
import { listRows } from "../inputs/queries.ts";
import { DeleteRows, ListInputs } from "../inputs/schema.ts";
import { SaveEngineActivities, TakeFromFlows } from "./schema.ts";

export const listEngineActivities = action({
  address: `engine/activity/find/${listSuffix}`,
  also: ["engine/activity/find/list"],
  kind: "read",
  needs: "engine.view",
  input: ListInputs,
  run: (ctx, input) => listRows(ctx, "activity", input),
  errors: ["NOT_FOUND"],
});

export const saveEngineActivities = action({
  address: "engine/activity/save",
  needs: "engine.edit",
  input: SaveEngineActivities,
  run: (ctx, input) => saveRows(ctx, "activity", input),
  errors: [
    "CO_TEAM_SKILL",
    "ENGINE_ROW_REPEAT",
    "LOOP",
    "NOTHING_MODIFIED",
    "NOT_FOUND",
    "RELATION_REPEAT",
    "RELATION_REQUIRED",
    "STALE",
    "TOO_MANY",
    "VALUE_UNKNOWN",
    "VERSION_LOCKED",
    "WORKFLOW_MIXED",
  ],
});

export const deleteEngineActivities = action({
  address: "engine/activity/delete",
  needs: "engine.edit",
  input: DeleteRows,
  run: (ctx, input) => deleteRows(ctx, "activity", input),
  errors: ["NOT_FOUND", "NO_SELECTION", "TOO_MANY", "VERSION_LOCKED"],
});

/** Fills activities, lead times and relations from the flows the DUs of the version follow. */
export const takeActivitiesFromFlows = action({
  address: "engine/activity/takeFromFlows",
  needs: "engine.edit",
  input: TakeFromFlows,
  run: commands.takeFromFlows,
  errors: ["LOOP", "NOT_FOUND", "NO_FLOWS", "VERSION_LOCKED"],
});
