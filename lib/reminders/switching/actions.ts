"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ChangeReminders } from "./schema.ts";

export const enableReminders = action({
  address: "emailAuto/enable",
  needs: "notice.edit",
  input: ChangeReminders,
  run: commands.enableReminders,
  errors: ["NOT_FOUND", "REMINDER_CANNOT_ENABLE"],
});

export const disableReminders = action({
  address: "emailAuto/disable",
  needs: "notice.edit",
  input: ChangeReminders,
  run: commands.disableReminders,
  errors: ["NOT_FOUND"],
});

/** Deletes reminders of one list. */
export const deleteReminders = action({
  address: "emailAuto/deleteReminds",
  needs: "notice.edit",
  input: ChangeReminders,
  run: commands.deleteReminders,
  errors: ["NOT_FOUND"],
});
