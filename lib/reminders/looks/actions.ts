"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { LookAt } from "./schema.ts";

export const previewReminder = action({
  address: "emailAuto/preview",
  kind: "read",
  needs: "notice.find",
  input: LookAt,
  run: commands.preview,
  errors: ["CC_UNKNOWN", "DATE_ORDER", "EMAIL_INVALID", "NAME_EXISTS", "NOT_FOUND", "RECIPIENT_EMPTY", "TOO_MANY_RECIPIENTS"],
});

/** Sends the caller the mail a reminder would send now. */
export const sendTest = action({
  address: "emailAuto/sendTest",
  needs: "notice.edit",
  starts: "task",
  input: LookAt,
  run: commands.sendTest,
  errors: ["CC_UNKNOWN", "DATE_ORDER", "EMAIL_INVALID", "NAME_EXISTS", "NOT_FOUND", "RECIPIENT_EMPTY", "TOO_MANY_RECIPIENTS"],
});
