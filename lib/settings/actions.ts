"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const findSwitches = action({
  address: "dataControl/find",
  kind: "read",
  needs: "dataControl.edit",
  input: schema.Nothing,
  run: (ctx) => queries.getSwitchBoard(ctx),
});
export const saveSwitches = action({
  address: "dataControl/save",
  needs: "dataControl.edit",
  input: schema.SaveSwitches,
  errors: ["FLAGS_EXCLUSIVE", "NOTHING_MODIFIED", "STALE"],
  run: (ctx, input) => commands.saveSwitches(ctx, input),
});
export const findLimits = action({
  address: "pageMax/find",
  kind: "read",
  needs: "limit.edit",
  input: schema.Nothing,
  run: async (ctx) => ({ limits: await queries.listLimits(ctx) }),
});
export const saveLimit = action({
  address: "pageMax/save",
  needs: "limit.edit",
  input: schema.SaveLimit,
  errors: ["VALUE_RANGE", "NOTHING_MODIFIED", "STALE"],
  run: (ctx, input) => commands.saveLimit(ctx, input),
});
export const deleteLimit = action({
  address: "pageMax/delete",
  needs: "limit.edit",
  input: schema.LimitName,
  errors: ["GLOBAL_NOT_DELETABLE", "STALE"],
  run: (ctx, input) => commands.deleteLimit(ctx, input),
});
export const reportError = action({
  address: "error/report",
  needs: "signedIn",
  input: schema.ErrorReport,
  run: (ctx, input) => commands.reportError(ctx, input),
});
