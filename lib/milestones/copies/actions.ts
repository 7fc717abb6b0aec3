"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { CopyMilestones } from "./schema.ts";

export const copyMilestones = action({
  address: "milestoneConfig/copy",
  needs: "milestone.config",
  input: CopyMilestones,
  run: commands.copyMilestones,
  errors: ["MILESTONE_LIMIT", "NAME_EXISTS", "NO_DATA", "NO_PERMISSION"],
});
