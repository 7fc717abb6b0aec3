"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ReplaceOwner } from "./schema.ts";

export const replaceOwner = action({
  address: "ownerRule/replace",
  needs: "owner.ruleEdit",
  input: ReplaceOwner,
  starts: "task",
  run: commands.replaceOwner,
  errors: ["ACCOUNT_MISSING", "OLD_OWNER_REQUIRED", "OWNER_NOT_RESOURCE", "RATE_LIMIT", "SAME_OWNER", "TOO_MANY"],
});
