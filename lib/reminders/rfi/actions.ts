"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ListRfi, SaveRfi } from "./schema.ts";

export const listRfi = action({
  address: "rfiRemind/list",
  kind: "read",
  needs: "notice.find",
  input: ListRfi,
  run: queries.listRfi,
});

/** Makes or changes the RFI reminders of states. */
export const saveRfi = action({
  address: "rfiRemind/save",
  needs: "notice.edit",
  input: SaveRfi,
  run: commands.saveRfi,
  errors: [
    "EMAIL_INVALID",
    "MAX_BELOW_MIN",
    "NOTHING_MODIFIED",
    "NOT_BRAZIL_PROJECT",
    "NOT_FOUND",
    "REMINDER_DUPLICATE",
    "STALE",
    "TOO_MANY_RECIPIENTS",
  ],
});
