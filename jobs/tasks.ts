import type { TaskKinds } from "./run-task.ts";

/** Every kind of background task and where its job is; a kind is loaded when its first task comes. */
export const taskKinds: TaskKinds = {
  "access.exportMembers": () => import("./members.ts").then((jobs) => jobs.memberExportTask),
  "activityFlows.copyAttributes": () => import("./copies.ts").then((jobs) => jobs.copyTask),
  "activityFlows.export": () => import("./exports.ts").then((jobs) => jobs.flowExportTask),
  "activityFlows.recheck": () => import("./flow-rules.ts").then((jobs) => jobs.flowRulesRecheckTask),
  "activityFlows.runRules": () => import("./flow-rules.ts").then((jobs) => jobs.flowRulesTask),
  "activityFlows.replicate": () => import("./replications.ts").then((jobs) => jobs.replicationTask),
  "dimensionViews.export": () => import("./exports.ts").then((jobs) => jobs.viewExportTask),
  "imports.apply": () => import("./imports.ts").then((jobs) => jobs.applyTask),
  "imports.preview": () => import("./imports.ts").then((jobs) => jobs.previewTask),
  "logs.auditExport": () => import("./exports.ts").then((jobs) => jobs.auditExportTask),
  "logs.planLogExport": () => import("./exports.ts").then((jobs) => jobs.planLogExportTask),
  "milestones.erpExport": () => import("./milestones.ts").then((jobs) => jobs.erpExportTask),
  "logs.replicationLogExport": () => import("./exports.ts").then((jobs) => jobs.replicationExportTask),
  "logs.templateLogExport": () => import("./exports.ts").then((jobs) => jobs.templateLogExportTask),
  "planVersions.baseline": () => import("./plan-versions.ts").then((jobs) => jobs.baselineTask),
  "planVersions.distribute": () => import("./plan-versions.ts").then((jobs) => jobs.distributeTask),
  "planVersions.export": () => import("./plan-versions.ts").then((jobs) => jobs.versionExportTask),
  "planVersions.restore": () => import("./plan-versions.ts").then((jobs) => jobs.restoreTask),
  "rolloutPlan.duExport": () => import("./exports.ts").then((jobs) => jobs.duExportTask),
  "rolloutPlan.export": () => import("./exports.ts").then((jobs) => jobs.planExportTask),
  "rolloutPlan.siteExport": () => import("./exports.ts").then((jobs) => jobs.siteExportTask),
  "scheduling.calendarExport": () => import("./exports.ts").then((jobs) => jobs.calendarExportTask),
  "scheduling.release": () => import("./releases.ts").then((jobs) => jobs.releaseTask),
  "workOrders.na": () => import("./na-requests.ts").then((jobs) => jobs.naRequestTask),
};
