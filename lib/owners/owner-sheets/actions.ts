"use server";
import { action } from "#lib/core/action.ts";
import { ExportDuOwners } from "../du-owners/schema.ts";
import { ExportRegionOwners } from "../region-owners/schema.ts";
import * as commands from "./commands.ts";

export const exportDuOwners = action({
  address: "duConfig/export",
  needs: "owner.view",
  input: ExportDuOwners,
  starts: "task",
  run: commands.startDuExport,
  errors: ["NO_DATA", "EXPORT_LIMIT", "EXPORT_CELLS", "EXPORT_UNFINISHED", "RATE_LIMIT"],
});

export const exportRegionOwners = action({
  address: "regionConfig/export",
  needs: "owner.view",
  input: ExportRegionOwners,
  starts: "task",
  run: commands.startRegionExport,
  errors: ["NO_DATA", "EXPORT_LIMIT", "EXPORT_CELLS", "EXPORT_UNFINISHED", "RATE_LIMIT"],
});
