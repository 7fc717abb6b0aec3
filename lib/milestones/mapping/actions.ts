"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ListMapping, SaveMapping } from "./schema.ts";

export const listMapping = action({
  address: "milestoneConfig/mapping/list",
  kind: "read",
  needs: "milestone.config",
  input: ListMapping,
  run: queries.listMapping,
});

export const saveMapping = action({
  address: "milestoneConfig/mapping/save",
  needs: "milestone.config",
  input: SaveMapping,
  run: commands.saveMapping,
  errors: ["ALL_TARGETS_EMPTY", "NOTHING_MODIFIED", "NOT_FOUND", "NO_ACTIVITY", "STALE", "TARGET_REPEATED"],
});
