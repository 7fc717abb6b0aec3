"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { CopyFlow, RetryReplication } from "./schema.ts";

/** A copy of a flow, in this project or in another one. */
export const copyFlow = action({
  address: "flow/copy",
  needs: ({ toProjectNumber }) => (toProjectNumber === undefined ? "flow.edit" : "flow.transfer"),
  input: CopyFlow,
  run: commands.copyFlow,
  errors: ["NAME_EXISTS", "NOT_AUTHORISED_FOR_PROJECT", "NO_PERMISSION", "NOT_FOUND", "PROJECT_CLOSED"],
});

/** The activities of a copy that failed, once more. */
export const retryReplication = action({
  address: "replicationLog/retry",
  needs: "flow.transfer",
  input: RetryReplication,
  starts: "task",
  run: commands.retryReplication,
  errors: ["NOT_AUTHORISED_FOR_PROJECT", "NO_PERMISSION", "NOT_FOUND", "PROJECT_CLOSED", "RATE_LIMIT", "WRONG_STATUS"],
});
