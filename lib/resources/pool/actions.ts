"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { CountTabs, DeleteResources, ListResources, ResourceHistory, SaveResources, SetResourceStatus } from "./schema.ts";

/** Who sees a part of the pool: all of it, or the people of his own company. */
const readers = ["resource.view", "subcon.introduce", "resource.exportSubcon", "resource.exportCustomer"] as const;

export const listResources = action({
  address: `resource/${listSuffix}`,
  kind: "read",
  needs: readers,
  input: ListResources,
  run: queries.listResources,
  errors: ["NO_PERMISSION"],
});

export const countTabs = action({
  address: "resource/tabs",
  kind: "read",
  needs: readers,
  input: CountTabs,
  run: (ctx) => queries.countTabs(ctx),
});

export const listHistory = action({
  address: "resource/history",
  kind: "read",
  needs: "resource.view",
  input: ResourceHistory,
  run: queries.listHistory,
  errors: ["NOT_FOUND"],
});

export const saveResources = action({
  address: "resource/save",
  needs: "resource.edit",
  input: SaveResources,
  run: commands.saveResources,
  errors: [
    "ACCOUNT_MISSING",
    "AUTH_OVER_ONE_YEAR",
    "INTRODUCED_ONLY",
    "IN_POOL",
    "KEY_ROLE_LOCKED",
    "NOTHING_MODIFIED",
    "NOT_FOUND",
    "NO_PERMISSION",
    "PHONE_FORMAT",
    "PUBLIC_ACCOUNT_CONFIRM",
    "STALE",
    "TOO_MANY",
    "VISA_ORDER",
  ],
});

export const deleteResources = action({
  address: "resource/delete",
  needs: "resource.edit",
  input: DeleteResources,
  run: commands.deleteResources,
  errors: ["DATA_OWNER", "GROUP_LEADER_REQUIRED", "HAS_OPEN_WORK", "NOT_FOUND", "NO_PERMISSION", "TOO_MANY", "WRONG_STATUS"],
});

export const setResourceStatus = action({
  address: "resource/setStatus",
  needs: "resource.edit",
  input: SetResourceStatus,
  run: commands.setStatus,
  errors: ["ACCOUNT_MISSING", "DATA_OWNER", "DPA_EXPIRED", "HAS_OPEN_WORK", "NOT_FOUND", "NO_PERMISSION", "TOO_MANY", "WRONG_STATUS"],
});
