"use server";
import { action } from "#lib/core/action.ts";
import { ExportResources } from "../pool/schema.ts";
import * as commands from "./commands.ts";
import { exportRights } from "./limits.ts";

export const exportResources = action({
  address: "resource/export",
  needs: ({ tab }) => exportRights[tab],
  input: ExportResources,
  starts: "task",
  run: commands.startPoolExport,
  errors: ["NO_DATA", "EXPORT_LIMIT", "EXPORT_CELLS", "EXPORT_UNFINISHED", "NO_PERMISSION", "RATE_LIMIT"],
});
