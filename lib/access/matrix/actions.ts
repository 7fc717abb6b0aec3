"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const findMatrix = action({
  address: "rolePermission/find",
  kind: "read",
  needs: "role.view",
  input: schema.FindMatrix,
  run: (ctx) => queries.getMatrix(ctx),
});
export const savePermission = action({
  address: "rolePermission/save",
  needs: "role.permissionEdit",
  input: schema.SavePermission,
  errors: ["ADMIN_APPROVES_NOTHING", "VIEW_ROLE", "MANAGER_KEEPS", "STALE", "NOTHING_MODIFIED"],
  run: (ctx, input) => commands.savePermission(ctx, input),
});
export const askWhy = action({
  address: "rolePermission/why",
  kind: "read",
  needs: "role.view",
  input: schema.AskWhy,
  errors: ["NOT_FOUND"],
  run: (ctx, input) => queries.explain(ctx, input),
});
