"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const checkUserPermission = action({
  address: "portal/userPermission/checkUserPermission",
  kind: "read",
  needs: "signedIn",
  input: schema.PermissionCheck,
  run: (ctx, input) => queries.checkPermissions(ctx, input),
});
