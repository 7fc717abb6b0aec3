"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ExportDus, ExportSites } from "./schema.ts";

export const exportDus = action({
  address: "du/export",
  needs: "rollout.export",
  input: ExportDus,
  starts: "task",
  onClosed: true,
  run: commands.startDuExport,
  errors: ["NO_DATA", "EXPORT_LIMIT", "EXPORT_CELLS", "EXPORT_UNFINISHED", "RATE_LIMIT"],
});

export const exportSites = action({
  address: "site/export",
  needs: "rollout.export",
  input: ExportSites,
  starts: "task",
  onClosed: true,
  run: commands.startSiteExport,
  errors: ["NO_DATA", "EXPORT_LIMIT", "EXPORT_CELLS", "EXPORT_UNFINISHED", "RATE_LIMIT"],
});
