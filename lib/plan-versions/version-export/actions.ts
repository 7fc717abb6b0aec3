"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ExportVersion } from "./schema.ts";

/** Exports a version or a comparison; needs version.view too. */
export const exportVersion = action({
  address: "dataVersion/export",
  needs: "rollout.export",
  input: ExportVersion,
  starts: "task",
  run: commands.startVersionExport,
  onClosed: true,
  errors: ["NOT_FOUND", "NO_DATA", "NO_PERMISSION", "EXPORT_LIMIT", "EXPORT_CELLS", "EXPORT_UNFINISHED", "RATE_LIMIT"],
});
