"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ListDeviations, Nothing, SaveDeviation } from "./schema.ts";

export const listDeviations = action({
  address: `emailRemind/${listSuffix}`,
  kind: "read",
  needs: "notice.find",
  input: ListDeviations,
  run: queries.listDeviations,
});

export const readDeviationMatrix = action({
  address: "emailRemind/matrix",
  kind: "read",
  needs: "notice.find",
  input: Nothing,
  run: queries.readDeviationMatrix,
});

/** Makes reminders for regions and activities, or changes one. */
export const saveDeviation = action({
  address: "emailRemind/save",
  needs: "notice.edit",
  input: SaveDeviation,
  run: commands.saveDeviation,
  errors: ["DATE_ORDER", "NOTHING_MODIFIED", "NOT_FOUND", "REMINDER_DUPLICATE", "STALE", "TOO_MANY", "VALUE_MISSING"],
});
