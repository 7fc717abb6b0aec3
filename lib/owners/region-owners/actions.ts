"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { JudgeAccounts, ListRegionOwners, SaveRegionOwners } from "./schema.ts";

export const listRegionOwners = action({
  address: "regionConfig/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "owner.view",
  input: ListRegionOwners,
  run: queries.listRegionOwners,
});

export const saveRegionOwners = action({
  address: "regionConfig/batchSave",
  needs: "owner.duEdit",
  input: SaveRegionOwners,
  run: commands.saveRegionOwners,
  errors: ["NOT_FOUND", "NO_PERMISSION", "OWNER_NOT_RESOURCE", "STALE", "TOO_MANY"],
});

export const judgeRegionOwners = action({
  address: "regionConfig/validate/resource",
  kind: "read",
  needs: "owner.duEdit",
  input: JudgeAccounts,
  run: queries.judgeRegionOwners,
});
