"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { DeleteGroups, ListGroups, SaveGroup } from "./schema.ts";

export const listGroups = action({
  address: "resGroup/list",
  kind: "read",
  needs: "resource.view",
  input: ListGroups,
  run: (ctx) => queries.listGroups(ctx),
});

export const saveGroup = action({
  address: "resGroup/save",
  needs: "resource.edit",
  input: SaveGroup,
  run: commands.saveGroup,
  errors: [
    "ACCOUNT_NOT_IN_POOL",
    "GROUP_LEADER_REQUIRED",
    "GROUP_NAME_EXISTS",
    "NAME_REQUIRED",
    "NAME_TOO_LONG",
    "NOTHING_MODIFIED",
    "NOT_FOUND",
    "NOT_LEADER",
    "STALE",
    "TOO_MANY",
  ],
});

export const deleteGroups = action({
  address: "resGroup/delete",
  needs: "resource.edit",
  input: DeleteGroups,
  run: commands.deleteGroups,
  errors: ["GROUP_HAS_MEMBERS", "NOT_FOUND", "NOT_LEADER"],
});
