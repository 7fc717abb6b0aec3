"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ExportAudit, ListAudit, ListErrorReports } from "./schema.ts";

export const listAudit = action({
  address: `audit/${listSuffix}`,
  kind: "read",
  needs: "audit.view",
  input: ListAudit,
  run: queries.listAudit,
  errors: ["NARROW_FILTER"],
});
export const exportAudit = action({
  address: "audit/export",
  needs: "audit.view",
  input: ExportAudit,
  starts: "task",
  onClosed: true,
  run: commands.startAuditExport,
  errors: ["NO_DATA", "EXPORT_LIMIT", "EXPORT_CELLS", "EXPORT_UNFINISHED", "RATE_LIMIT"],
});
export const listErrorReports = action({
  address: `error/report/${listSuffix}`,
  kind: "read",
  needs: "audit.view",
  input: ListErrorReports,
  run: queries.listErrorReports,
});
