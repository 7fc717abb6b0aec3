"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { FindMilestone, ListMilestones, MilestoneIds, SaveMilestone, SortMilestones } from "./schema.ts";

export const listMilestones = action({
  address: "milestoneConfig/list",
  kind: "read",
  needs: "rollout.view",
  input: ListMilestones,
  run: queries.listMilestones,
});

export const findMilestone = action({
  address: "milestoneConfig/find/{id}",
  kind: "read",
  needs: "rollout.view",
  input: FindMilestone,
  run: queries.getMilestone,
  errors: ["NOT_FOUND"],
});

export const saveMilestone = action({
  address: "milestoneConfig/save",
  needs: "milestone.config",
  input: SaveMilestone,
  run: commands.saveMilestone,
  errors: ["CODE_EXISTS", "MILESTONE_LIMIT", "NAME_EXISTS", "NAME_REQUIRED", "NAME_TOO_LONG", "NOTHING_MODIFIED", "NOT_FOUND", "STALE"],
});

export const deleteMilestones = action({
  address: "milestoneConfig/delete",
  needs: "milestone.config",
  input: MilestoneIds,
  run: commands.deleteMilestones,
  errors: ["IN_USE", "NOT_FOUND"],
});

export const sortMilestones = action({
  address: "milestoneConfig/sort",
  needs: "milestone.config",
  input: SortMilestones,
  run: commands.sortMilestones,
  errors: ["NOT_FOUND", "STALE"],
});
