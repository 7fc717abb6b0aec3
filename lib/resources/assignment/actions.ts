"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { FindAssignment, SaveAssignment } from "./schema.ts";

export const findAssignment = action({
  address: "assignaResource/find",
  kind: "read",
  needs: "resource.view",
  input: FindAssignment,
  run: (ctx) => queries.listAssignment(ctx),
});

export const saveAssignment = action({
  address: "assignaResource/save",
  needs: "resource.edit",
  input: SaveAssignment,
  run: commands.saveAssignment,
  errors: ["NOTHING_MODIFIED", "NOT_FOUND", "NO_PERMISSION", "NUMBER_DECIMALS", "STALE"],
});
