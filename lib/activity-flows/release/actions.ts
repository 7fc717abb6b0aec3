"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ReleaseFlow } from "./schema.ts";

export const releaseFlow = action({
  address: "flow/release",
  needs: "flow.release",
  input: ReleaseFlow,
  run: commands.releaseFlow,
  errors: [
    "ACTIVITY_REFERENCED",
    "ACTIVITY_REPEAT",
    "CYCLE",
    "FLOW_EMPTY",
    "NO_ANCHOR",
    "NOT_FOUND",
    "RELATION_REQUIRED",
    "STALE",
    "WRONG_STATUS",
  ],
});
