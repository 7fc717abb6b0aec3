"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { SetToolLocks } from "./schema.ts";

/** Says for activities whether another system maintains their actual dates, and the sign or verify date of their site. */
export const setToolLocks = action({
  address: "rolloutPlan/toolLock",
  needs: "integration.config",
  input: SetToolLocks,
  run: commands.setToolLocks,
  errors: ["DU_NOT_FOUND", "NO_ACTIVITY", "TOO_MANY", "VALUE_MISSING"],
});
