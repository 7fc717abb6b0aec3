"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ListDuOwners, SaveDuOwners } from "./schema.ts";

export const listDuOwners = action({
  address: "duConfig/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "owner.view",
  input: ListDuOwners,
  run: queries.listDuOwners,
});

export const saveDuOwners = action({
  address: "duConfig/batchSave",
  needs: "owner.duEdit",
  input: SaveDuOwners,
  run: commands.saveDuOwners,
  errors: ["DU_NOT_FOUND", "OWNER_NOT_RESOURCE", "STALE", "TOO_MANY", "TOO_MANY_DU"],
});
