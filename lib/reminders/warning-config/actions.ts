"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { DeleteWarnings, EvaluateWarnings, ListWarnings, SaveWarning } from "./schema.ts";

export const listWarnings = action({
  address: "warningConfig/list",
  kind: "read",
  needs: "notice.find",
  input: ListWarnings,
  run: queries.listWarningConfigs,
});

export const saveWarning = action({
  address: "warningConfig/save",
  needs: "notice.edit",
  input: SaveWarning,
  run: commands.saveWarning,
  errors: ["NOTHING_MODIFIED", "NOT_FOUND", "SAME_FIELD", "STALE", "TOO_MANY"],
});

export const deleteWarnings = action({
  address: "warningConfig/delete",
  needs: "notice.edit",
  input: DeleteWarnings,
  run: commands.deleteWarnings,
  errors: ["NOT_FOUND"],
});

/** Warnings that some DUs match now. */
export const evaluateWarnings = action({
  address: "warningConfig/evaluate",
  kind: "read",
  needs: "rollout.view",
  input: EvaluateWarnings,
  run: queries.evaluateWarnings,
});
