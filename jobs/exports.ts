import { runFlowExport } from "#lib/activity-flows/flow-sheet/commands.ts";
import { FlowExportParams } from "#lib/activity-flows/flow-sheet/schema.ts";
import { taskKind } from "#lib/core/task.ts";
import { runViewExport } from "#lib/dimension-views/table-export/commands.ts";
import { ExportView } from "#lib/dimension-views/table-export/schema.ts";
import { runAuditExport } from "#lib/logs/audit/commands.ts";
import { AuditParams } from "#lib/logs/audit/schema.ts";
import { runPlanLogExport } from "#lib/logs/log-export/commands.ts";
import { PlanLogParams } from "#lib/logs/log-export/schema.ts";
import { runReplicationExport } from "#lib/logs/replication-log/commands.ts";
import { ReplicationExportParams } from "#lib/logs/replication-log/schema.ts";
import { runTemplateLogExport } from "#lib/logs/template-log/commands.ts";
import { TemplateLogParams } from "#lib/logs/template-log/schema.ts";
import { runDuExport, runSiteExport } from "#lib/rollout-plan/du-export/commands.ts";
import { MasterExportParams } from "#lib/rollout-plan/du-export/schema.ts";
import { runPlanExport } from "#lib/rollout-plan/plan-export/commands.ts";
import { ExportParams } from "#lib/rollout-plan/plan-export/schema.ts";
import { runCalendarExport } from "#lib/scheduling/calendar-sheet/commands.ts";
import { ExportCalendar } from "#lib/scheduling/calendar-sheet/schema.ts";

/** Writes the plan of DUs as a workbook. */
export const planExportTask = taskKind({ params: ExportParams, needs: "rollout.export", run: runPlanExport });

/** Writes DUs with the fields of their sites as a workbook. */
export const duExportTask = taskKind({ params: MasterExportParams, needs: "rollout.export", run: runDuExport });

/** Writes sites as a workbook. */
export const siteExportTask = taskKind({ params: MasterExportParams, needs: "rollout.export", run: runSiteExport });

/** Writes the audit log, as filtered, as a workbook. */
export const auditExportTask = taskKind({ params: AuditParams, needs: "audit.view", run: runAuditExport });

/** Writes the changes of plan cells, as filtered, as a workbook. */
export const planLogExportTask = taskKind({ params: PlanLogParams, needs: "planLog.view", run: runPlanLogExport });

/** Writes a work calendar as a workbook. */
export const calendarExportTask = taskKind({ params: ExportCalendar, needs: "rollout.view", run: runCalendarExport });

/** Writes activity flows as a workbook. */
export const flowExportTask = taskKind({ params: FlowExportParams, needs: "flow.export", run: runFlowExport });

/** Writes the table of a multi-dimension view as a workbook. */
export const viewExportTask = taskKind({ params: ExportView, needs: "multiDim.view", run: runViewExport });

/** Writes the log of templates, as filtered, as a workbook. */
export const templateLogExportTask = taskKind({ params: TemplateLogParams, needs: "templateLog.view", run: runTemplateLogExport });

/** Writes the log of copied activities, as filtered, as a workbook. */
export const replicationExportTask = taskKind({ params: ReplicationExportParams, needs: "replicationLog.view", run: runReplicationExport });
