"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ListRules, SaveActualTime, SaveRule } from "./schema.ts";

export const listMailRules = action({
  address: `emailAuto/${listSuffix}`,
  kind: "read",
  needs: "notice.find",
  input: ListRules,
  run: queries.listMailRules,
});

/** Makes or changes an automatic mail. */
export const saveMailRule = action({
  address: "emailAuto/addAndEditRule",
  needs: "notice.edit",
  input: SaveRule,
  run: commands.saveRule,
  errors: [
    "CC_UNKNOWN",
    "DATE_ORDER",
    "EMAIL_INVALID",
    "NAME_EXISTS",
    "NOT_FOUND",
    "RECIPIENT_EMPTY",
    "STALE",
    "TOO_MANY_RECIPIENTS",
    "VALUE_MISSING",
  ],
});

/** Makes or changes a reminder to enter actual dates. */
export const saveActualTime = action({
  address: "emailAuto/addAndEditActualTimeRemind",
  needs: "notice.edit",
  input: SaveActualTime,
  run: commands.saveActualTime,
  errors: ["DATE_ORDER", "EMAIL_INVALID", "NAME_EXISTS", "NOT_FOUND", "STALE", "TOO_MANY_RECIPIENTS", "VALUE_MISSING"],
});
