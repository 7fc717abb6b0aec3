"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { NoInput, PermissionIds, SaveGrants, SavePermission } from "./schema.ts";

/** What roles and accounts may do with attributes. */
export const listPermissions = action({
  address: "attrPermission/list",
  kind: "read",
  needs: "attribute.permission",
  input: NoInput,
  run: queries.listPermissions,
});

export const savePermission = action({
  address: "attrPermission/save",
  needs: "attribute.permission",
  input: SavePermission,
  run: commands.savePermission,
  errors: ["ACCOUNT_EXISTS", "NOTHING_MODIFIED", "NOT_FOUND", "NOT_MEMBER", "ROLE_EXISTS", "STALE"],
});

export const deletePermissions = action({
  address: "attrPermission/delete",
  needs: "attribute.permission",
  input: PermissionIds,
  run: commands.deletePermissions,
  errors: ["NOT_FOUND"],
});

/** Who may add attributes. */
export const listGrants = action({
  address: "attrPermission/addGrant/find",
  kind: "read",
  needs: "attribute.permission",
  input: NoInput,
  run: queries.listGrants,
});

export const saveGrants = action({
  address: "attrPermission/addGrant/save",
  needs: "attribute.permission",
  input: SaveGrants,
  run: commands.saveGrants,
  errors: ["ACCOUNT_EXISTS", "NOTHING_MODIFIED", "NOT_MEMBER", "ROLE_EXISTS", "STALE"],
});
