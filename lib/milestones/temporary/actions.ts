"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { LinkDus, ListTempDus, ListTempMilestones, SaveDates, SaveTempMilestone, TempMilestoneIds, UnlinkDus } from "./schema.ts";

export const listTempMilestones = action({
  address: "tempMilestone/list/{page}/{size}/default/{filters}",
  also: ["tempMilestone/list"],
  kind: "read",
  needs: "milestone.config",
  input: ListTempMilestones,
  run: queries.listTempMilestones,
});

export const listTempDus = action({
  address: "tempMilestone/dus/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: ["milestone.config", "rollout.edit", "rollout.actualEdit"],
  input: ListTempDus,
  run: queries.listTempDus,
  errors: ["SEARCH_TOO_MANY"],
});

export const saveTempMilestone = action({
  address: "tempMilestone/save",
  needs: "milestone.config",
  input: SaveTempMilestone,
  run: commands.saveTempMilestone,
  errors: ["NAME_EXISTS", "NAME_REQUIRED", "NAME_TOO_LONG", "NOTHING_MODIFIED", "NOT_FOUND", "STALE", "WRONG_STATUS"],
});

export const releaseTempMilestones = action({
  address: "tempMilestone/release",
  needs: "milestone.config",
  input: TempMilestoneIds,
  run: commands.releaseTempMilestones,
  errors: ["NOT_FOUND", "VALUE_MISSING", "WRONG_STATUS"],
});

export const deleteTempMilestones = action({
  address: "tempMilestone/delete",
  needs: "milestone.config",
  input: TempMilestoneIds,
  run: commands.deleteTempMilestones,
  errors: ["LINKED", "NOT_FOUND"],
});

export const linkDus = action({
  address: "tempMilestone/link",
  needs: "rollout.edit",
  input: LinkDus,
  run: commands.linkDus,
  errors: ["DU_NOT_FOUND", "NOT_FOUND", "NO_PERMISSION", "NO_SELECTION", "PLAN_TOO_FAR", "TOO_MANY_DU", "WRONG_STATUS"],
});

export const unlinkDus = action({
  address: "tempMilestone/unlink",
  needs: "rollout.edit",
  input: UnlinkDus,
  run: commands.unlinkDus,
  errors: ["DU_NOT_FOUND", "NOT_FOUND", "NO_PERMISSION", "NO_SELECTION", "TOO_MANY_DU"],
});

export const saveDates = action({
  address: "tempMilestone/dates",
  needs: ["rollout.edit", "rollout.actualEdit"],
  input: SaveDates,
  run: commands.saveDates,
  errors: ["ACTUAL_AFTER_TODAY", "DU_NOT_FOUND", "NO_PERMISSION", "PLAN_TOO_FAR", "TOO_MANY"],
});
