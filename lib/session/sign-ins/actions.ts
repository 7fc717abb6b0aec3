"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const listSignIns = action({
  address: "session/listOwn",
  kind: "read",
  needs: "signedIn",
  input: schema.ListSessions,
  run: (ctx) => queries.listSignIns(ctx),
});
export const revokeSignIns = action({
  address: "session/revoke",
  needs: "signedIn",
  input: schema.RevokeSessions,
  errors: ["NOT_FOUND"],
  run: (ctx, input) => commands.revokeSignIns(ctx, input),
});
