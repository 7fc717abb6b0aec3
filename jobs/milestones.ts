import { taskKind } from "#lib/core/task.ts";
import { runErpExport } from "#lib/milestones/erp-export/commands.ts";
import { ErpParams } from "#lib/milestones/erp-export/schema.ts";

/** Writes milestone dates of DUs in the ERP-PM layout as a workbook. */
export const erpExportTask = taskKind({ params: ErpParams, needs: "milestone.erpExport", run: runErpExport });
