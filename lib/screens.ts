import type { PermissionCode } from "#lib/permissions.ts";

/** The twelve groups of the menu, in its order; names are messages `shell.menu.<group>`. */
export const menuGroups = [
  "rolloutPlan",
  "flows",
  "planAutomation",
  "construction",
  "materials",
  "revenue",
  "handover",
  "reports",
  "planning",
  "configuration",
  "logs",
  "tasks",
] as const;

export type MenuGroup = (typeof menuGroups)[number];

/** The right that opens a screen: a code, several of which any suffices, or membership of the project alone. */
export type ScreenRight = PermissionCode | readonly PermissionCode[] | "member";

type Row = {
  /** Address below the project, without leading slash; `:name` is a parameter. The root is empty. */
  path: string;
  /** The original hash route in its own spelling; null where the product never had one. */
  hash: string | null;
  area: string;
  right: ScreenRight;
  /** Key of the screen above it in the breadcrumb; null for the root. */
  parent: string | null;
  menu?: MenuGroup;
  /** Opens another screen instead, with these query values added. */
  redirect?: { to: string; query?: Record<string, string> };
  /** Shows the same screen as this one. */
  aliasOf?: string;
  /** The menu offers it to projects of this country alone. */
  country?: string;
};

type Extra = Pick<Row, "redirect" | "aliasOf" | "menu" | "country">;

function row(path: string, hash: string | null, area: string, right: ScreenRight, parent: string | null, extra: Extra = {}): Row {
  return { path, hash, area, right, parent, ...extra };
}

const top = "rolloutPlan";

const table = {
  // Rollout plan
  rolloutPlan: row("", "/", "rollout-plan", "rollout.view", null, { menu: "rolloutPlan" }),
  map: row("rollout-plan/map", "/map", "rollout-plan", "rollout.view", top, { menu: "rolloutPlan" }),
  duTree: row("rollout-plan/du-tree", "/duview", "rollout-plan", "rollout.view", top, { menu: "rolloutPlan" }),
  twoNetworks: row("rollout-plan/two-networks", "/TNFSP", "rollout-plan", "rollout.view", top, { menu: "rolloutPlan" }),
  planVersions: row("plan-versions", "/dataVersion", "plan-versions", "version.view", top, { menu: "rolloutPlan" }),
  planDistributions: row("plan-versions/distributions", "/planDistribution", "plan-versions", "member", "planVersions", {
    menu: "rolloutPlan",
  }),
  planFeedback: row("plan-versions/feedback", "/feedbackMonitor", "plan-versions", "member", "planDistributions", { menu: "rolloutPlan" }),
  planFreezes: row("scheduling/freezes", "/planFreeze", "scheduling", "plan.lockQuery", top, { menu: "rolloutPlan" }),
  planLocks: row("scheduling/locks", "/lockLogicQueries", "scheduling", "plan.lockQuery", top, { menu: "rolloutPlan" }),
  electronicFlows: row("work-orders/electronic-flows", "/checkElectronFlow", "work-orders", "workOrder.view", top, { menu: "rolloutPlan" }),
  templates: row("templates", "/templates", "templates", "rollout.view", top, { menu: "rolloutPlan" }),
  dialog: row("dialog", "/dialog", "session", "member", top),
  preferences: row("session/preferences", "/userSetting", "session", "member", top),

  // Flows and DUs
  activityFlows: row("activity-flows", "/flowConfig", "activity-flows", "flow.view", top, { menu: "flows" }),
  subFlows: row("activity-flows/sub-flows", "/subActivityStreams", "activity-flows", "flow.view", top, { menu: "flows" }),
  bindDus: row("activity-flows/bind", "/Dutaskflow", "activity-flows", "flow.view", top, { menu: "flows" }),
  unbindDus: row("activity-flows/unbind", "/UnDutaskflow", "activity-flows", "flow.view", "bindDus", { menu: "flows" }),
  flowAutoRules: row("activity-flows/auto-rules", "/taskFlowDuAuto", "activity-flows", "flow.view", top, { menu: "flows" }),
  attributeCopies: row("activity-flows/attribute-copies", "/copyAttribute", "activity-flows", "flow.view", "bindDus", { menu: "flows" }),
  duChanges: row("activity-flows/changes", "/duChange", "activity-flows", "duChange.view", top, { menu: "flows" }),
  submitDuChange: row("activity-flows/changes/new", "/submitDuChange", "activity-flows", "duChange.view", "duChanges"),
  approveDuChanges: row("activity-flows/changes/approvals", "/approveDuChange", "activity-flows", "duChange.view", "duChanges", {
    menu: "flows",
  }),
  retentionMappings: row("activity-flows/retention-mappings", "/retentionMapping", "activity-flows", "duChange.view", "duChanges", {
    menu: "flows",
  }),
  duRelations: row("activity-flows/du-relations", "/duRelation", "activity-flows", "flow.view", top, { menu: "flows" }),
  sites: row("rollout-plan/sites", "/dUSiteConfig", "rollout-plan", "rollout.view", top, { menu: "flows" }),
  siteTypes: row("resources/site-types", "/siteTypes", "resources", "resource.view", top, {
    redirect: { to: "sites", query: { tab: "types" } },
  }),
  duTabs: row("du-tabs", "/listDuTab", "du-tabs", "duTab.view", top, { menu: "flows" }),
  documents: row("documents", "/duFileManage", "documents", "document.view", top, { menu: "flows" }),
  uploadDocuments: row("documents/upload", "/duDocBatchupload", "documents", "document.view", "documents", { menu: "flows" }),
  uploadDeliverables: row("documents/deliverables", "/uploadDuDeliverable", "documents", "document.view", "documents", { menu: "flows" }),
  downloadDocuments: row("documents/download", "/downloadDoc", "documents", "document.view", "documents", { menu: "flows" }),
  documentView: row("documents/view", "/documentView", "documents", "document.view", "documents", { menu: "flows" }),
  generateDocumentView: row("documents/view/generate", "/documentViewGeneration", "documents", "document.view", "documentView"),
  mergeSiteFolders: row("documents/merge", "/siteFloderMerge", "documents", "document.view", "documentView", { menu: "flows" }),
  networkDocuments: row("documents/network", "/netWorkDoc", "documents", "document.view", "documents", { menu: "flows" }),

  // Plan automation
  planAutomation: row("plan-automation", "/planningAutomation", "plan-automation", "auto.view", top, { menu: "planAutomation" }),
  planCorrections: row(
    "plan-automation/corrections",
    "/planningautomation/activityAnalysis",
    "plan-automation",
    "planCorrection.view",
    "planAutomation",
    { menu: "planAutomation" },
  ),
  shortTermRevenueForecast: row(
    "plan-automation/revenue-forecast",
    "/shortermRevenueForecast",
    "plan-automation",
    "revenueForecast.view",
    "planAutomation",
    { menu: "planAutomation" },
  ),
  revenueForecast: row(
    "plan-automation/revenue-forecast/all",
    "/planningAutomation/revenuForecast",
    "plan-automation",
    "revenueForecast.view",
    "planAutomation",
    { aliasOf: "shortTermRevenueForecast" },
  ),
  rfiSettings: row(
    "plan-automation/rfi/settings",
    "/planningautomation/rfi/rfiAutoSettingTab",
    "plan-automation",
    "auto.view",
    "planAutomation",
    { menu: "planAutomation" },
  ),
  rfiConditions: row("plan-automation/rfi/conditions", "/rfiCondition", "plan-automation", "auto.view", "rfiSettings", {
    menu: "planAutomation",
  }),
  rfiDrives: row(
    "plan-automation/rfi/drives",
    "/planningautomation/rfi/rfiAutomaticDriveSetting",
    "plan-automation",
    "auto.view",
    "rfiSettings",
    { menu: "planAutomation" },
  ),
  applyRfiDrives: row(
    "plan-automation/rfi/drives/apply",
    "/planningautomation/rfi/rfiAutomaticDriveApply",
    "plan-automation",
    "auto.view",
    "rfiSettings",
    { menu: "planAutomation" },
  ),
  whatIfRules: row("plan-automation/what-if", "/planningautomation/rfi/whatifAuto", "plan-automation", "auto.view", "rfiSettings", {
    menu: "planAutomation",
  }),
  ownerPoints: row("plan-automation/points", "/integralsStatisticsindex", "plan-automation", "integralOwner.view", "planAutomation", {
    menu: "planAutomation",
  }),

  // Construction, equipment, issues
  construction: row("construction", "/consplan", "construction", "construction.view", top, { menu: "construction" }),
  constructionByType: row("construction/list/:type", "/consplan/:type", "construction", "construction.view", "construction"),
  constructionActivity: row(
    "construction/activity/:duId/:activityId",
    "/consplan/:duId/:activityId",
    "construction",
    "construction.view",
    "construction",
  ),
  constructionMap: row(
    "construction/map/:gisEncircle/:type/:redisKey",
    "/consplan/:gisEncircle/:type/:redisKey",
    "construction",
    "construction.view",
    "construction",
  ),
  constructionDetail: row(
    "construction/detail/:source/:type/:duId/:number",
    "/consplan/:source/:type/:duId/:number",
    "construction",
    "construction.view",
    "construction",
  ),
  constructionIssues: row("construction/issues", "/consPlanIssues", "construction", "construction.view", "construction", {
    menu: "construction",
  }),
  constructionDeliveries: row("construction/deliveries", "/consplanUploadDelivery", "construction", "construction.view", "construction", {
    menu: "construction",
  }),
  constructionProgress: row("construction/progress", "/consPlanProReport", "construction", "construction.view", "construction", {
    menu: "construction",
  }),
  equipment: row("equipment", "/listEquipPlan", "equipment", "equipment.view", top, { menu: "construction" }),
  issues: row("issues", "/issue", "issues", "issue.view", top, { menu: "construction" }),

  // Materials and procurement
  materialRequests: row("material-requests", "/materialRequest", "material-requests", "material.view", top, { menu: "materials" }),
  materialApprovals: row("material-requests/approvals", "/mrApproval", "material-requests", "material.view", "materialRequests", {
    menu: "materials",
  }),
  materialSwitches: row("material-requests/switches", "/mrSwitches", "material-requests", "material.view", "materialRequests", {
    menu: "materials",
  }),
  defaultDelivery: row(
    "material-requests/default-delivery",
    "/deliveryInfoDefault",
    "material-requests",
    "material.view",
    "materialRequests",
    { menu: "materials" },
  ),
  materialFulfilment: row("material-requests/fulfilment", "/materialFulfilment", "material-requests", "material.view", "materialRequests", {
    menu: "materials",
  }),
  prResponsible: row(
    "purchase-requests/responsible",
    "/planningautomation/prResponsiblePerson",
    "purchase-requests",
    "pr.view",
    "planAutomation",
    { menu: "materials" },
  ),
  prCategories: row("purchase-requests/categories", "/prCategory", "purchase-requests", "pr.view", "prResponsible", { menu: "materials" }),
  prTriggers: row("purchase-requests/subcontractor-triggers", "/subconPrTriggerConfig", "purchase-requests", "pr.view", "prResponsible", {
    menu: "materials",
  }),
  smartOrders: row("purchase-requests/smart-order", "/smartOrder/prePr", "purchase-requests", "pr.view", top, { menu: "materials" }),
  poFulfilment: row("purchase-requests/po-fulfilment", "/poFulfillment", "purchase-requests", "pr.view", top, { menu: "materials" }),
  servicePos: row("purchase-requests/service-po", "/servicePoQuery", "purchase-requests", "pr.view", "poFulfilment", { menu: "materials" }),
  integrations: row("purchase-requests/integration", null, "purchase-requests", "integration.config", top, { menu: "materials" }),
  b2bRules: row("b2b", "/b2bConfig", "b2b", "b2b.view", top, { menu: "materials" }),
  editB2bRule: row("b2b/edit", "/b2bConfigEdit", "b2b", "b2b.view", "b2bRules"),
  multiProjectB2bRules: row("b2b/multi-project", "/b2bConfigMultiProject", "b2b", "b2b.view", "b2bRules", { menu: "materials" }),
  editMultiProjectB2bRule: row("b2b/multi-project/edit", "/b2bConfigMultiProjectEdit", "b2b", "b2b.view", "b2bRules"),

  // Revenue
  revenueTriggers: row("revenue/triggers", "/revenueTrigger", "revenue", "revenue.view", "serviceRevenue", { menu: "revenue" }),
  serviceRevenue: row("revenue/services", "/serviceRevenueMaintenance", "revenue", "revenue.view", top, { menu: "revenue" }),
  numeratorRevenue: row("revenue/numerators", "/numerServiceRevenue", "revenue", "revenue.view", "serviceRevenue", { menu: "revenue" }),
  revenueReport: row("revenue/report", "/serviceRevenueReport", "revenue", "revenue.view", "serviceRevenue", { menu: "revenue" }),
  ifrs15Export: row("revenue/ifrs15", "/ifrs15Export", "revenue", "revenue.view", "revenueTriggers", { menu: "revenue" }),

  // Handover: engineering to maintenance and its configuration
  etm: row("etm", "/aside", "etm", "etm.view", top, { redirect: { to: "etmAcceptance" } }),
  etmApplication: row("etm/application", "/aside/etmApply", "etm", "etm.view", "etm", { menu: "handover" }),
  etmAcceptance: row("etm/acceptance", "/aside/etmAcceptance", "etm", "etm.view", "etm", { menu: "handover" }),
  etmReport: row("etm/report", "/aside/etmReport", "etm", "etm.view", "etm", { menu: "handover" }),
  etmHistory: row("etm/history", "/aside/etmHistory", "etm", "etm.view", "etm", { menu: "handover" }),
  etmLog: row("etm/log", "/etmLog", "etm", "etm.view", "etm", { menu: "handover" }),
  etmEmailSettings: row("etm/email-settings", "/aside/etmEmailSetting", "etm", "etm.view", "etm", { menu: "handover" }),
  etmBatch: row("etm/batch", "/newEtmDetail", "etm", "etm.view", "etm", { redirect: { to: "editEtmBatch" } }),
  etmBatchTemplates: row("etm/batch/templates", "/newEtmDetailTempList", "etm", "etm.view", "etm"),
  viewEtmBatch: row("etm/batch/view", "/newEtmDetailDefault", "etm", "etm.view", "etm"),
  editEtmBatch: row("etm/batch/edit", "/newEtmDetailStepTwo", "etm", "etm.view", "etm"),
  accountHandovers: row("account-handover", "/etmAccountTransfer", "account-handover", "handover.view", "etm", { menu: "handover" }),
  certificateHandovers: row("account-handover/certificates", "/certificateTransfer", "account-handover", "handover.view", "etm", {
    menu: "handover",
  }),
  automaticHandovers: row("account-handover/automatic", "/automaticTransferConfiguration", "account-handover", "handover.view", "etm", {
    menu: "handover",
  }),
  handoverLog: row("account-handover/log", "/accountTransferLog", "account-handover", "handover.view", "accountHandovers", {
    menu: "handover",
  }),
  etmSettings: row("etm/settings", "/etmConfigMenu", "etm-settings", "etm.view", "etm", { menu: "handover" }),
  projectEtmSettings: row("etm/settings/project", "/projectEtmSetting", "etm-settings", "etm.view", "etmSettings", { menu: "handover" }),
  etmSwitches: row("etm/settings/switches", "/switchesSetting", "etm-settings", "etm.view", "etmSettings", { menu: "handover" }),
  etmMilestones: row("etm/settings/milestones", "/etmSetting", "etm-settings", "etm.view", "etmSettings", { menu: "handover" }),
  editEtmMilestones: row("etm/settings/milestones/edit", "/etmEditing", "etm-settings", "etm.view", "etmMilestones"),
  checkItems: row("etm/check-items", "/etmCheckItem", "check-items", "etm.view", "etmSettings", { menu: "handover" }),
  slaTemplates: row("etm/sla-templates", "/slaProjectTemList", "sla-templates", "etm.view", "etmSettings", { menu: "handover" }),
  editSlaTemplate: row("etm/sla-templates/edit", "/slaProjectTemEdit", "sla-templates", "etm.view", "slaTemplates"),
  slaCheckPoints: row("etm/sla-check-points", "/slaProjectCheckPoint", "sla-templates", "etm.view", "slaTemplates", { menu: "handover" }),
  etmApprovers: row("etm/approvers", "/etmAcceptor", "approvers", "etm.approverConfig", "etmSettings", { menu: "handover" }),
  approverGroups: row("etm/approver-groups", "/approverGroupSetting", "approvers", "etm.view", "etmSettings", { menu: "handover" }),
  activityApproval: row("etm/activity-approval", "/config/approval", "approvers", "etm.view", top, { menu: "handover" }),
  transitionTemplates: row(
    "account-handover/transition-templates",
    "/projectTransitionTempList",
    "account-handover",
    "etm.view",
    "etmSettings",
    { menu: "handover" },
  ),
  newTransitionTemplate: row(
    "account-handover/transition-templates/new",
    "/addProjectTransitionTemp",
    "account-handover",
    "etm.view",
    "transitionTemplates",
  ),

  // Reports
  dimensionViews: row("dimension-views", "/multiDimManagementView", "dimension-views", "multiDim.view", top, { menu: "reports" }),
  dimensionViewSettings: row("dimension-views/settings", "/multiDimGlobalConfig", "dimension-views", "multiDim.view", "dimensionViews", {
    menu: "reports",
  }),
  clusterStatus: row("dimension-views/clusters/status", "/clusterView", "dimension-views", "cluster.view", "clusters", { menu: "reports" }),
  multiMilestoneReport: row("reports/multi-milestone", "/manyMsManyCycleReport", "reports", "report.view", top, { menu: "reports" }),
  gapReport: row("reports/gap", "/gapAnalysisReport", "reports", "report.view", top, { menu: "reports" }),
  equipmentProgressReport: row("reports/equipment-progress", "/equipPlanProgressReport", "reports", "report.view", top, {
    menu: "reports",
  }),
  milestoneVarianceReport: row("reports/milestone-variance", "/milestoneVarianceAnalysisReport", "reports", "report.view", top, {
    menu: "reports",
  }),
  milestoneWeekReport: row("reports/milestone-week", "/manyMilestoneWeekReport", "reports", "report.view", top, { menu: "reports" }),
  planProgressReport: row("reports/plan-progress", "/RolloutPlanProgressReport", "reports", "report.view", top, { menu: "reports" }),
  deliveryStatusReport: row("reports/delivery-status", "/deliveryStatusAnalysisReport", "reports", "report.view", top, { menu: "reports" }),
  reportSubscriptions: row("reports/subscriptions", "/reportSubscription", "reports", "report.view", top, { menu: "reports" }),

  // Intelligent planning
  planningEngine: row("planning-engine", "/engine", "planning-engine", "engine.view", top, { menu: "planning" }),
  engineInputs: row("planning-engine/inputs", "/inputDetail", "planning-engine", "engine.view", "planningEngine", { menu: "planning" }),
  engineOutput: row("planning-engine/output", "/engineOutput", "planning-engine", "engine.view", "planningEngine", { menu: "planning" }),
  materialPlan: row("planning-engine/material-plan", "/MRPlan", "planning-engine", "engine.view", "planningEngine", { menu: "planning" }),
  materialGap: row("planning-engine/material-gap", "/MaterialGapDetails", "planning-engine", "engine.view", "materialPlan", {
    menu: "planning",
  }),
  simulations: row("simulation", "/simulation", "simulation", "simulation.view", top, { menu: "planning" }),
  newSimulation: row("simulation/new", "/createSimulation", "simulation", "simulation.view", "simulations"),
  models: row("simulation/models", "/modelling", "simulation", "simulation.view", top, { menu: "planning" }),
  newModel: row("simulation/models/new", "/createModelling", "simulation", "simulation.view", "models"),
  viewModel: row("simulation/models/view", "/viewModelling", "simulation", "simulation.view", "models"),

  // Configuration
  attributes: row("attributes", "/fieldconfig", "attributes", "attribute.view", top, { menu: "configuration" }),
  displayedAttributes: row("attributes/displayed", "/wSetExtField", "attributes", "attribute.view", "attributes", {
    menu: "configuration",
  }),
  extendedFields: row("attributes/extended", "/extendedFields", "attributes", "attribute.view", "attributes", { menu: "configuration" }),
  extendedFieldTabs: row("attributes/extended", "/projectBrainTabsPop", "attributes", "attribute.view", "attributes", {
    aliasOf: "extendedFields",
  }),
  attributePermissions: row("attributes/permissions", "/attrPermission", "attributes", "attribute.permission", "attributes", {
    menu: "configuration",
  }),
  planRules: row("plan-rules", "/rolloutplanRuleConfig", "plan-rules", "rule.view", top, { menu: "configuration" }),
  editPlanRule: row("plan-rules/edit", "/rolloutplanRuleConfig/editRule", "plan-rules", "rule.view", "planRules"),
  organisationalTargets: row("plan-rules/targets", "/organizationalTarget", "plan-rules", "rule.view", "planRules", {
    menu: "configuration",
  }),
  dependencyRules: row("dependency-rules", "/rollPlanDependencyConfig", "dependency-rules", "rule.view", "planRules", {
    menu: "configuration",
  }),
  extendedEventRules: row("plan-rules/events", "/extendedEventRule", "plan-rules", "rule.view", "planRules", { menu: "configuration" }),
  owners: row("owners", "/ownerConfig", "owners", "owner.view", top, { menu: "configuration" }),
  responsibleOwners: row("owners/responsible", "/rolloutResponsibleConfig", "owners", "owner.view", "owners", { menu: "configuration" }),
  mailRules: row("reminders/mail-rules", "/emailAuto", "reminders", "notice.find", top, { menu: "configuration" }),
  mailLog: row("reminders/mail-log", null, "reminders", "notice.find", "mailRules", { menu: "configuration" }),
  reminders: row("reminders", "/emailRemind", "reminders", "notice.find", "mailRules", { menu: "configuration" }),
  deviationReminders: row("reminders", "/planDeviationRemind", "reminders", "notice.find", "reminderSettings", { aliasOf: "reminders" }),
  reminderSettings: row("reminders/settings", "/emailRemindConfig", "reminders", "notice.find", "reminders", { menu: "configuration" }),
  warnings: row("reminders/warnings", "/warningConfig", "reminders", "notice.find", "reminderSettings", { menu: "configuration" }),
  rfiReminders: row("reminders/rfi", "/RFIRemindSet", "reminders", "notice.find", "reminderSettings", {
    menu: "configuration",
    country: "BR",
  }),
  rfiExceptionReminders: row("reminders/rfi-exceptions", "/rfiExceptionRemind", "reminders", "notice.find", "rfiReminders", {
    menu: "configuration",
    country: "BR",
  }),
  regions: row("regions", "/deliveryRegion", "regions", "region.view", top, { menu: "configuration" }),
  regionShares: row("regions/shares", "/deliveryRegionShareConfig", "regions", "region.view", "regions", { menu: "configuration" }),
  resourcePool: row(
    "resources",
    "/resourcePool",
    "resources",
    ["resource.view", "subcon.introduce", "resource.exportSubcon", "resource.exportCustomer"],
    "subcontractors",
    { menu: "configuration" },
  ),
  resourceGroups: row("resources/groups", "/groupConfig", "resources", "resource.view", "subcontractors", { menu: "configuration" }),
  supplierGroups: row("resources/groups/by-supplier", "/groupWithSupplierTab", "resources", "resource.view", "resourceGroups", {
    menu: "configuration",
  }),
  resourceAssignment: row("resources/assignment", "/assignaResourceConf", "resources", "resource.view", top, { menu: "configuration" }),
  subcontractors: row("resources/subcontractors", "/subcontractor", "resources", "resource.view", top, { menu: "configuration" }),
  subcontractorSettings: row("resources/subcontractors/settings", "/subcontractorConfig", "resources", "resource.view", "subcontractors", {
    menu: "configuration",
  }),
  subcontractorCapacity: row("resources/subcontractors/capacity", "/capacity", "resources", "resource.view", "subcontractors", {
    menu: "configuration",
  }),
  subcontractorIsolation: row("resources/isolation", "/subconIsolation", "resources", "resource.view", "subcontractors", {
    menu: "configuration",
  }),
  projectCycle: row("resources/project-cycle", "/projectCycle", "resources", "resource.view", top, { menu: "configuration" }),
  milestones: row("milestones", "/milestoneConfig", "milestones", "rollout.view", top, { menu: "configuration" }),
  milestoneMapping: row("milestones/mapping", "/milestoneMapping", "milestones", "milestone.config", "milestones", {
    menu: "configuration",
  }),
  temporaryMilestones: row("milestones/temporary", "/tempMilestone", "milestones", "milestone.config", "milestones", {
    menu: "configuration",
  }),
  temporaryProcesses: row("milestones/temporary-processes", "/tempConfigProcess", "milestones", "milestone.config", "milestones", {
    menu: "configuration",
  }),
  clusters: row("dimension-views/clusters", "/clusterConfig", "dimension-views", "cluster.view", top, { menu: "configuration" }),
  workCalendars: row("scheduling/calendar", "/workCalendar", "scheduling", "rollout.view", top, { menu: "configuration" }),
  workHourModels: row("work-hour-baselines/models", "/fbbConfig", "work-hour-baselines", "fbbModel.view", top, { menu: "configuration" }),
  workHourBaselines: row("work-hour-baselines", "/NRO", "work-hour-baselines", "fbbModel.view", "workHourModels", {
    menu: "configuration",
  }),
  members: row("access/members", "/config/project/memberRole", "access", "role.view", top, { menu: "configuration" }),
  dataControl: row("settings/data-control", "/dataControlSetting", "settings", "dataControl.edit", top, { menu: "configuration" }),
  dataConfig: row("settings/data-control", "/dataConfigSetting", "settings", "dataControl.edit", top, { aliasOf: "dataControl" }),
  limits: row("settings/limits", "/pageMaxSetting", "settings", "limit.edit", top, { menu: "configuration" }),

  // Logs
  planLog: row("logs/plan", "/planlog", "logs", "planLog.view", top, { menu: "logs" }),
  templateLog: row("logs/templates", "/templateLog", "logs", "templateLog.view", "planLog", { menu: "logs" }),
  replicationLog: row("logs/replication", "/replicationActivityLog", "logs", "replicationLog.view", "planLog", { menu: "logs" }),
  auditLog: row("logs/audit", "/auditLog", "logs", "audit.view", "planLog", { menu: "logs" }),

  // Tasks
  tasks: row("tasks", null, "tasks", "member", top, { menu: "tasks" }),
  imports: row("tasks/imports", "/config/task/listimport", "tasks", "member", top, { menu: "tasks" }),
  exports: row("tasks/exports", "/config/task/listexport", "tasks", "member", top, { menu: "tasks" }),
};

export type ScreenKey = keyof typeof table;

export type Screen = Omit<Row, "parent" | "redirect" | "aliasOf"> & {
  key: ScreenKey;
  parent: ScreenKey | null;
  redirect?: { to: ScreenKey; query?: Record<string, string> };
  aliasOf?: ScreenKey;
  /** Names of the path parameters, in order. */
  params: string[];
};

/** Every screen of the product: the one source of menu, breadcrumb, titles, rights, links and classic addresses. */
export const screens: readonly Screen[] = Object.entries(table).map(
  ([key, given]) => ({ key, ...given, params: [...given.path.matchAll(/:(\w+)/g)].map((found) => found[1] ?? "") }) as Screen,
);

const byKey = new Map(screens.map((screen) => [screen.key, screen]));

/** The screen of a key. */
export function screenOf(key: ScreenKey): Screen {
  const screen = byKey.get(key);
  if (!screen) throw new Error(`lib/screens.ts has no screen "${key}"`);
  return screen;
}

/** Whether a text is the key of a screen. */
export function isScreenKey(text: string): text is ScreenKey {
  return Object.hasOwn(table, text);
}

/** The screens from the root down to this one: the breadcrumb. */
export function trailOf(key: ScreenKey): Screen[] {
  const screen = screenOf(key);
  return screen.parent ? [...trailOf(screen.parent), screen] : [screen];
}

/** The menu group a screen belongs to: its own, else the nearest of the screens above it. */
export function menuGroupOf(key: ScreenKey): MenuGroup | null {
  return trailOf(key).findLast((screen) => screen.menu)?.menu ?? null;
}

/** Whether somebody who holds these codes may open the screen. */
export function mayOpen(screen: Screen, holds: (code: PermissionCode) => boolean): boolean {
  if (screen.right === "member") return true;
  return typeof screen.right === "string" ? holds(screen.right) : screen.right.some(holds);
}

const segmentsOf = (path: string): string[] => path.split("/").filter(Boolean);

/** Screens with the parts of their addresses; an alias at the address of its screen is found as that screen. */
const patterns = screens
  .filter((screen) => !screen.aliasOf || screenOf(screen.aliasOf).path !== screen.path)
  .map((screen) => ({ screen, segments: segmentsOf(screen.path) }));

/** The screen at an address below the project, with its parameters; parts written out beat parameters. Null when there is none. */
export function screenAt(path: string): { screen: Screen; params: Record<string, string> } | null {
  const parts = segmentsOf(path);
  let best: (typeof patterns)[number] | null = null;
  for (const pattern of patterns) {
    const { screen, segments } = pattern;
    if (segments.length !== parts.length || (best && screen.params.length >= best.screen.params.length)) continue;
    if (segments.every((segment, at) => segment.startsWith(":") || segment === parts[at])) best = pattern;
  }
  if (!best) return null;
  const named = best.segments.flatMap((segment, at) => (segment.startsWith(":") ? [[segment.slice(1), parts[at] ?? ""]] : []));
  return { screen: best.screen, params: Object.fromEntries(named) };
}
