"use server";
import { action } from "#lib/core/action.ts";
import { ExportMembers } from "../members/schema.ts";
import * as commands from "./commands.ts";

export const exportMembers = action({
  address: "memberRole/export",
  needs: "role.view",
  input: ExportMembers,
  starts: "task",
  run: commands.startMemberExport,
  errors: ["NO_DATA", "EXPORT_LIMIT", "EXPORT_CELLS", "EXPORT_UNFINISHED", "RATE_LIMIT"],
});
