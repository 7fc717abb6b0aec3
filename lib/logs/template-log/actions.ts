"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ExportTemplateLog, ListTemplateLog } from "./schema.ts";

export const listTemplateLog = action({
  address: `templateLog/${listSuffix}`,
  kind: "read",
  needs: "templateLog.view",
  input: ListTemplateLog,
  run: queries.listTemplateLog,
  errors: ["NARROW_FILTER"],
});

export const exportTemplateLog = action({
  address: "templateLog/export",
  needs: "templateLog.view",
  input: ExportTemplateLog,
  starts: "task",
  onClosed: true,
  run: commands.startTemplateLogExport,
  errors: ["NO_DATA", "EXPORT_LIMIT", "EXPORT_CELLS", "EXPORT_UNFINISHED", "RATE_LIMIT"],
});
