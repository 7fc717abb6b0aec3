"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ExportReplications, ListReplications } from "./schema.ts";

export const listReplications = action({
  address: `replicationLog/${listSuffix}`,
  kind: "read",
  needs: "replicationLog.view",
  input: ListReplications,
  run: queries.listReplications,
  errors: ["NARROW_FILTER"],
});

export const exportReplications = action({
  address: "replicationLog/export",
  needs: "replicationLog.view",
  input: ExportReplications,
  starts: "task",
  onClosed: true,
  run: commands.startReplicationExport,
  errors: ["NO_DATA", "EXPORT_LIMIT", "EXPORT_CELLS", "EXPORT_UNFINISHED", "RATE_LIMIT"],
});
