"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const findTemplates = action({
  address: "mailTemplate/find",
  kind: "read",
  needs: "notice.find",
  input: schema.FindTemplates,
  run: queries.findTemplates,
});
export const saveTemplate = action({
  address: "mailTemplate/save",
  needs: "notice.edit",
  input: schema.SaveTemplate,
  errors: ["NOTHING_MODIFIED", "STALE", "VALUE_MISSING"],
  run: commands.saveTemplate,
});
