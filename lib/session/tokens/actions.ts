"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const listTokens = action({
  address: "apiToken/list",
  kind: "read",
  needs: "signedIn",
  input: schema.ListTokens,
  run: (ctx) => queries.listTokens(ctx),
});
export const makeToken = action({
  address: "apiToken/save",
  needs: "signedIn",
  input: schema.MakeToken,
  errors: ["SESSION_REQUIRED", "TOO_MANY"],
  run: (ctx, input) => commands.makeToken(ctx, input),
});
export const revokeToken = action({
  address: "apiToken/revoke",
  needs: "signedIn",
  input: schema.RevokeToken,
  errors: ["NOT_FOUND"],
  run: (ctx, input) => commands.revokeToken(ctx, input),
});
