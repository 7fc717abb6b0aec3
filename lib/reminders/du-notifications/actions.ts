"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as schema from "./schema.ts";

export const sendDuNotification = action({
  address: "emailAuto/sendDuNotification",
  needs: "notice.edit",
  starts: "task",
  input: schema.SendDuNotification,
  errors: [
    "CC_UNKNOWN",
    "DU_NOT_FOUND",
    "EMAIL_INVALID",
    "NO_DU_MEETS",
    "NOT_FOUND",
    "RECIPIENT_EMPTY",
    "TOO_MANY_COLUMNS",
    "TOO_MANY_DU",
    "TOO_MANY_RECIPIENTS",
  ],
  run: commands.sendDuNotification,
});
