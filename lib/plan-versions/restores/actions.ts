"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { RestoreVersion } from "./schema.ts";

/** Puts the plan back as a version holds it, or shows what would change; the right to edit is asked DU by DU. */
export const restoreVersion = action({
  address: "dataVersion/restore",
  needs: "version.edit",
  input: RestoreVersion,
  starts: "task",
  run: commands.restoreVersion,
  errors: ["DU_NOT_FOUND", "NOTHING_MODIFIED", "NOT_FOUND", "NO_SELECTION", "RATE_LIMIT", "REASON_REQUIRED", "TOO_MANY_DU"],
});
