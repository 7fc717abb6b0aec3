"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const listDelegations = action({
  address: "delegation/list",
  kind: "read",
  needs: "delegation.edit",
  input: schema.ListDelegations,
  run: (ctx) => queries.listDelegations(ctx),
});
export const saveDelegation = action({
  address: "delegation/save",
  needs: "delegation.edit",
  input: schema.SaveDelegation,
  errors: ["ROLE_NOT_HELD", "DELEGATE_SELF", "NOT_MEMBER", "DATE_ORDER", "END_PAST", "NOTHING_MODIFIED", "OVER_ONE_YEAR"],
  run: (ctx, input) => commands.saveDelegation(ctx, input),
});
export const revokeDelegation = action({
  address: "delegation/revoke",
  needs: "delegation.edit",
  input: schema.RevokeDelegation,
  errors: ["NOT_FOUND", "STALE"],
  run: (ctx, input) => commands.revokeDelegation(ctx, input),
});
