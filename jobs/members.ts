import { runMemberExport } from "#lib/access/member-sheet/commands.ts";
import { MemberExportParams } from "#lib/access/member-sheet/schema.ts";
import { taskKind } from "#lib/core/task.ts";

/** Writes the members of a project with their roles as a workbook. */
export const memberExportTask = taskKind({ params: MemberExportParams, needs: "role.view", run: runMemberExport });
