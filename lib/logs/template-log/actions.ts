"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as queries from "./queries.ts";
import { ListTemplateLog } from "./schema.ts";

export const listTemplateLog = action({
  address: `templateLog/${listSuffix}`,
  kind: "read",
  needs: "templateLog.view",
  input: ListTemplateLog,
  run: queries.listTemplateLog,
  errors: ["NARROW_FILTER"],
});
