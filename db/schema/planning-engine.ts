import {
  bigint,
  boolean,
  char,
  customType,
  date,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  uuid,
  varchar,
} from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

const bytes = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });
const marks = customType<{ data: string }>({ dataType: () => "bit varying" });

/** A version of what the planning engine plans from, with the state of its calculation. */
export const enginePlanVersion = pgTable("engine_plan_version", {
  id: id(),
  projectId: ref("project_id").notNull(),
  versionName: varchar("version_name", { length: 100 }).notNull(),
  description: varchar("description", { length: 2000 }),
  status: varchar("status", { length: 12 }).notNull().default("setting"),
  source: varchar("source", { length: 20 }).notNull(),
  isCurrent: boolean("is_current").notNull().default(false),
  isPlanned: boolean("is_planned").notNull().default(false),
  inUse: boolean("in_use").notNull().default(false),
  calcStartAt: moment("calc_start_at"),
  calcEndAt: moment("calc_end_at"),
  inputsChangedAt: moment("inputs_changed_at").notNull(),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** How a version is to be calculated. */
export const engineSetting = pgTable("engine_setting", {
  versionId: ref("version_id").primaryKey(),
  projectId: ref("project_id").notNull(),
  direction: varchar("direction", { length: 8 }).notNull(),
  planStartDate: date("plan_start_date").notNull(),
  horizonDays: integer("horizon_days").notNull(),
  sortByRfi: boolean("sort_by_rfi").notNull(),
  enableEomonth: boolean("enable_eomonth").notNull(),
  enableCluster: boolean("enable_cluster").notNull(),
  clusteringRate: numeric("clustering_rate", { precision: 5, scale: 4 }),
  damageRate: numeric("damage_rate", { precision: 5, scale: 4 }).notNull(),
  reuseRate: numeric("reuse_rate", { precision: 5, scale: 4 }).notNull(),
  bufferRate: numeric("buffer_rate", { precision: 5, scale: 4 }).notNull(),
  maxClusterCutover: integer("max_cluster_cutover"),
  activityAnchor: varchar("activity_anchor", { length: 250 }),
  targetAzimuth: smallint("target_azimuth"),
  gapPolicy: varchar("gap_policy", { length: 6 }).notNull(),
  currency: varchar("currency", { length: 3 }).notNull(),
  evaluationLimit: integer("evaluation_limit").notNull(),
  timeBudgetS: integer("time_budget_s").notNull(),
  seed: integer("seed").notNull(),
  islands: smallint("islands").notNull(),
  useExact: boolean("use_exact").notNull(),
  rowVersion: rowVersion(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** A warehouse of the project. */
export const engineWarehouse = pgTable("engine_warehouse", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  principalName: varchar("principal_name", { length: 100 }),
  priority: integer("priority").notNull(),
  type: varchar("type", { length: 8 }).notNull(),
  region: varchar("region", { length: 100 }),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** What another system calls a warehouse. */
export const engineWarehouseMapping = pgTable("engine_warehouse_mapping", {
  id: id(),
  projectId: ref("project_id").notNull(),
  sourceSystem: varchar("source_system", { length: 60 }).notNull(),
  sourceCode: varchar("source_code", { length: 60 }).notNull(),
  warehouseId: ref("warehouse_id").notNull(),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** Teams of a skill. */
export const engineSkillResource = pgTable("engine_skill_resource", {
  id: id(),
  projectId: ref("project_id").notNull(),
  versionId: ref("version_id").notNull(),
  skillType: varchar("skill_type", { length: 60 }).notNull(),
  resourceName: varchar("resource_name", { length: 100 }).notNull(),
  region: varchar("region", { length: 100 }),
  teamCount: integer("team_count").notNull(),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** What a DU needs of an item, or gives back. */
export const engineDuMaterial = pgTable("engine_du_material", {
  id: id(),
  projectId: ref("project_id").notNull(),
  versionId: ref("version_id").notNull(),
  duId: ref("du_id").notNull(),
  itemCode: varchar("item_code", { length: 60 }).notNull(),
  description: varchar("description", { length: 250 }),
  decomQty: numeric("decom_qty", { precision: 14, scale: 2 }),
  installQty: numeric("install_qty", { precision: 14, scale: 2 }),
  materialCategory: varchar("material_category", { length: 60 }),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** Stock of an item and what is to come. */
export const engineInventory = pgTable("engine_inventory", {
  id: id(),
  projectId: ref("project_id").notNull(),
  versionId: ref("version_id").notNull(),
  warehouseId: ref("warehouse_id").notNull(),
  itemCode: varchar("item_code", { length: 60 }).notNull(),
  inventoryQty: numeric("inventory_qty", { precision: 14, scale: 2 }),
  planQty: numeric("plan_qty", { precision: 14, scale: 2 }),
  planInboundDate: date("plan_inbound_date"),
  origin: varchar("origin", { length: 8 }).notNull().default("addition"),
  syncTaskId: uuid("sync_task_id"),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** What may stand in for an item. */
export const engineItemSubstitute = pgTable("engine_item_substitute", {
  id: id(),
  projectId: ref("project_id").notNull(),
  versionId: ref("version_id").notNull(),
  designItemCode: varchar("design_item_code", { length: 60 }).notNull(),
  designDescription: varchar("design_description", { length: 250 }),
  designQty: numeric("design_qty", { precision: 14, scale: 2 }).notNull(),
  designPriority: integer("design_priority").notNull(),
  groupName: varchar("group_name", { length: 60 }).notNull(),
  warehouseItemCode: varchar("warehouse_item_code", { length: 60 }).notNull(),
  warehouseDescription: varchar("warehouse_description", { length: 250 }),
  warehouseQty: numeric("warehouse_qty", { precision: 14, scale: 2 }).notNull(),
  substitutionPriority: integer("substitution_priority").notNull(),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** An item that is used again when it was dismantled. */
export const engineReuseMaterial = pgTable("engine_reuse_material", {
  id: id(),
  projectId: ref("project_id").notNull(),
  versionId: ref("version_id").notNull(),
  itemCode: varchar("item_code", { length: 60 }).notNull(),
  materialCategory: varchar("material_category", { length: 60 }),
  damageRate: numeric("damage_rate", { precision: 5, scale: 4 }),
  reuseRate: numeric("reuse_rate", { precision: 5, scale: 4 }),
  bufferRate: numeric("buffer_rate", { precision: 5, scale: 4 }),
  turnaroundDays: integer("turnaround_days").notNull().default(0),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** A DU as a version of the engine plans it. */
export const engineDu = pgTable("engine_du", {
  id: id(),
  projectId: ref("project_id").notNull(),
  versionId: ref("version_id").notNull(),
  duId: ref("du_id").notNull(),
  workflowName: varchar("workflow_name", { length: 250 }).notNull(),
  duType: varchar("du_type", { length: 9 }).notNull(),
  customerSite: varchar("customer_site", { length: 100 }),
  directMigrationSite: varchar("direct_migration_site", { length: 100 }),
  allowDirectMoving: boolean("allow_direct_moving").notNull(),
  region: varchar("region", { length: 100 }),
  longitude: numeric("longitude", { precision: 9, scale: 6 }),
  latitude: numeric("latitude", { precision: 9, scale: 6 }),
  cluster: varchar("cluster", { length: 100 }),
  clusterPriority: integer("cluster_priority"),
  rfiPriority: integer("rfi_priority"),
  planEndDate: date("plan_end_date"),
  icActualEndDate: date("ic_actual_end_date"),
  decomActualEndDate: date("decom_actual_end_date"),
  eomonth: date("eomonth"),
  decomSite: varchar("decom_site", { length: 100 }),
  inScope: boolean("in_scope").notNull(),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** An activity of a workflow as a version of the engine plans it; `slot` is that of the library activity its dates are written to. */
export const engineActivity = pgTable("engine_activity", {
  id: id(),
  projectId: ref("project_id").notNull(),
  versionId: ref("version_id").notNull(),
  workflowName: varchar("workflow_name", { length: 250 }).notNull(),
  activityName: varchar("activity_name", { length: 250 }).notNull(),
  sort: integer("sort").notNull(),
  slot: smallint("slot"),
  durationDays: integer("duration_days").notNull(),
  materialRelated: boolean("material_related").notNull(),
  needSubcontractor: boolean("need_subcontractor").notNull(),
  disassembly: boolean("disassembly").notNull(),
  assembly: boolean("assembly").notNull(),
  skillType: varchar("skill_type", { length: 60 }),
  resourceName: varchar("resource_name", { length: 100 }),
  flowId: ref("flow_id"),
  flowVersion: integer("flow_version"),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** A relation of two activities of a workflow. */
export const engineActivityPre = pgTable(
  "engine_activity_pre",
  {
    engineActivityId: ref("engine_activity_id").notNull(),
    preEngineActivityId: ref("pre_engine_activity_id").notNull(),
    projectId: ref("project_id").notNull(),
    relation: varchar("relation", { length: 2 }).notNull(),
    offsetDays: integer("offset_days").notNull(),
  },
  (table) => [primaryKey({ columns: [table.engineActivityId, table.preEngineActivityId] })],
);

/** Two activities of a workflow that share a team or a resource name; the smaller id stands first. */
export const engineActivityLink = pgTable(
  "engine_activity_link",
  {
    engineActivityId: ref("engine_activity_id").notNull(),
    otherEngineActivityId: ref("other_engine_activity_id").notNull(),
    kind: varchar("kind", { length: 11 }).notNull(),
    projectId: ref("project_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.engineActivityId, table.otherEngineActivityId, table.kind] })],
);

/** The last upload into an input of a version. */
export const engineInputState = pgTable(
  "engine_input_state",
  {
    versionId: ref("version_id").notNull(),
    block: varchar("block", { length: 14 }).notNull(),
    projectId: ref("project_id").notNull(),
    uploadStatus: varchar("upload_status", { length: 9 }).notNull(),
    lastTaskId: uuid("last_task_id"),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.versionId, table.block] })],
);

/** The last synchronisation of the stock of a version. */
export const engineInventorySync = pgTable("engine_inventory_sync", {
  versionId: ref("version_id").primaryKey(),
  projectId: ref("project_id").notNull(),
  state: varchar("state", { length: 7 }).notNull(),
  taskId: uuid("task_id"),
  startedAt: moment("started_at").notNull(),
  finishedAt: moment("finished_at"),
  rows: integer("rows"),
  reason: varchar("reason", { length: 500 }),
  syncedAt: moment("synced_at"),
});

/** A calculation of a version, with the input it was frozen with. */
export const engineRun = pgTable("engine_run", {
  id: id(),
  projectId: ref("project_id").notNull(),
  versionId: ref("version_id").notNull(),
  kind: varchar("kind", { length: 9 }).notNull().default("plan"),
  status: varchar("status", { length: 11 }).notNull().default("executing"),
  phase: varchar("phase", { length: 9 }).notNull().default("queued"),
  percent: numeric("percent", { precision: 5, scale: 2 }).notNull().default("0"),
  evaluations: jsonb("evaluations"),
  incumbent: jsonb("incumbent"),
  bound: jsonb("bound"),
  snapshot: bytes("snapshot"),
  snapshotSha256: char("snapshot_sha256", { length: 64 }).notNull(),
  codeVersion: varchar("code_version", { length: 40 }).notNull(),
  seed: integer("seed").notNull(),
  evaluationLimit: integer("evaluation_limit").notNull(),
  timeBudgetS: integer("time_budget_s").notNull(),
  islands: smallint("islands").notNull(),
  stoppedEarly: boolean("stopped_early").notNull().default(false),
  formerStatus: varchar("former_status", { length: 12 }).notNull(),
  hasOutput: boolean("has_output").notNull().default(false),
  startedAt: moment("started_at"),
  finishedAt: moment("finished_at"),
  heartbeatAt: moment("heartbeat_at"),
  cancelRequestedAt: moment("cancel_requested_at"),
  cancelMode: varchar("cancel_mode", { length: 9 }),
  baseRunId: ref("base_run_id"),
  basePlan: boolean("base_plan").notNull().default(false),
  stabilityWeight: smallint("stability_weight").notNull().default(0),
  frozenDays: smallint("frozen_days").notNull().default(0),
  errorCode: varchar("error_code", { length: 40 }),
  diagnosis: jsonb("diagnosis"),
  checkReport: jsonb("check_report"),
  requestedById: ref("requested_by_id").notNull(),
  taskId: uuid("task_id"),
  createdAt: moment("created_at").notNull(),
});

/** What the positions of a workflow in the vectors of a run stand for; slot 0 has no activity of the library. */
export const engineRunFlow = pgTable(
  "engine_run_flow",
  {
    runId: ref("run_id").notNull(),
    projectId: ref("project_id").notNull(),
    workflowName: varchar("workflow_name", { length: 250 }).notNull(),
    activityNames: varchar("activity_names", { length: 250 }).array().notNull(),
    slots: smallint("slots").array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.workflowName] })],
);

/** What the pool numbers in the vectors of a run stand for, and how busy their teams are week by week. */
export const engineRunPool = pgTable(
  "engine_run_pool",
  {
    runId: ref("run_id").notNull(),
    projectId: ref("project_id").notNull(),
    idx: smallint("idx").notNull(),
    skillType: varchar("skill_type", { length: 60 }).notNull(),
    resourceName: varchar("resource_name", { length: 100 }).notNull(),
    region: varchar("region", { length: 100 }),
    teamCount: integer("team_count").notNull(),
    heldDays: integer("held_days").array().notNull(),
    openDays: integer("open_days").array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.idx] })],
);

/** The plan of a DU by a run: one position per activity of its workflow. */
export const engineOutDu = pgTable(
  "engine_out_du",
  {
    runId: ref("run_id").notNull(),
    projectId: ref("project_id").notNull(),
    duId: ref("du_id").notNull(),
    workflowName: varchar("workflow_name", { length: 250 }).notNull(),
    region: varchar("region", { length: 100 }),
    rank: integer("rank").notNull(),
    starts: smallint("starts").array().notNull(),
    ends: smallint("ends").array().notNull(),
    pools: smallint("pools").array().notNull(),
    teams: smallint("teams").array().notNull(),
    bindings: smallint("bindings").array().notNull(),
    bindingRefs: bigint("binding_refs", { mode: "number" }).array().notNull(),
    fixed: marks("fixed").notNull(),
    baseStarts: smallint("base_starts").array(),
    basePools: smallint("base_pools").array(),
    firstStart: date("first_start"),
    lastEnd: date("last_end"),
    anchorEnd: date("anchor_end"),
    dueDate: date("due_date"),
    lateDays: integer("late_days").notNull(),
    hasGap: boolean("has_gap").notNull(),
    cluster: varchar("cluster", { length: 100 }),
    clusterGate: date("cluster_gate"),
  },
  (table) => [primaryKey({ columns: [table.runId, table.duId] })],
);

/** What a DU takes of which supply. */
export const engineOutAlloc = pgTable("engine_out_alloc", {
  runId: ref("run_id").notNull(),
  projectId: ref("project_id").notNull(),
  duId: ref("du_id").notNull(),
  designItemCode: varchar("design_item_code", { length: 60 }).notNull(),
  itemCode: varchar("item_code", { length: 60 }).notNull(),
  qty: numeric("qty", { precision: 14, scale: 2 }).notNull(),
  coversQty: numeric("covers_qty", { precision: 14, scale: 2 }).notNull(),
  source: varchar("source", { length: 7 }).notNull(),
  warehouseId: ref("warehouse_id"),
  warehouseName: varchar("warehouse_name", { length: 100 }),
  donorDuId: ref("donor_du_id"),
  availableDate: date("available_date").notNull(),
  needDate: date("need_date").notNull(),
  substituteGroup: varchar("substitute_group", { length: 60 }),
});

/** What moves of an item on a day. */
export const engineOutMrp = pgTable(
  "engine_out_mrp",
  {
    runId: ref("run_id").notNull(),
    projectId: ref("project_id").notNull(),
    itemCode: varchar("item_code", { length: 60 }).notNull(),
    region: varchar("region", { length: 100 }).notNull(),
    day: date("day").notNull(),
    opening: numeric("opening", { precision: 16, scale: 2 }).notNull(),
    grossReq: numeric("gross_req", { precision: 16, scale: 2 }).notNull(),
    inbound: numeric("inbound", { precision: 16, scale: 2 }).notNull(),
    reuseIn: numeric("reuse_in", { precision: 16, scale: 2 }).notNull(),
    issued: numeric("issued", { precision: 16, scale: 2 }).notNull(),
    closing: numeric("closing", { precision: 16, scale: 2 }).notNull(),
    netReq: numeric("net_req", { precision: 16, scale: 2 }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.itemCode, table.region, table.day] })],
);

/** What a DU is short of, or waits for. */
export const engineOutGap = pgTable(
  "engine_out_gap",
  {
    runId: ref("run_id").notNull(),
    projectId: ref("project_id").notNull(),
    duId: ref("du_id").notNull(),
    itemCode: varchar("item_code", { length: 60 }).notNull(),
    requiredQty: numeric("required_qty", { precision: 14, scale: 2 }).notNull(),
    coveredQty: numeric("covered_qty", { precision: 14, scale: 2 }).notNull(),
    shortQty: numeric("short_qty", { precision: 14, scale: 2 }).notNull(),
    needDate: date("need_date").notNull(),
    coverDate: date("cover_date"),
    reason: varchar("reason", { length: 12 }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.duId, table.itemCode] })],
);
