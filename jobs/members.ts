import { runMemberExport } from "#lib/access/members/commands.ts";
import { ExportMembers } from "#lib/access/members/schema.ts";
import { taskKind } from "#lib/core/task.ts";

/** Writes the members of a project with their roles as a workbook. */
export const memberExportTask = taskKind({ params: ExportMembers, needs: "role.view", run: runMemberExport });
