"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const findSettings = action({
  address: "remSetting/find",
  kind: "read",
  needs: "notice.find",
  input: schema.Empty,
  run: queries.findSettings,
});
export const saveSettings = action({
  address: "remSetting/save",
  needs: "notice.edit",
  input: schema.SaveSettings,
  errors: ["EMAIL_INVALID", "NOTHING_MODIFIED", "NOT_FOUND", "STALE"],
  run: commands.saveSettings,
});
