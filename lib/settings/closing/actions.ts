"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { getClosing } from "./queries.ts";
import { CloseProject, Nothing } from "./schema.ts";

/** Where the project stands, and the dry run of a deletion. */
export const findClosing = action({ address: "project/closing", kind: "read", needs: "project.close", input: Nothing, run: getClosing });
export const closeProject = action({
  address: "project/close",
  needs: "project.close",
  input: CloseProject,
  onClosed: true,
  errors: ["WRONG_STATUS", "CONFIRM_DIFFERS"],
  run: commands.closeProject,
});
export const reopenProject = action({
  address: "project/reopen",
  needs: "project.close",
  input: CloseProject,
  onClosed: true,
  errors: ["WRONG_STATUS", "REOPEN_TOO_LATE", "CONFIRM_DIFFERS"],
  run: commands.reopenProject,
});
