import {
  bigint,
  boolean,
  char,
  date,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  timestamp,
  uuid,
  varchar,
} from "drizzle-orm/pg-core";

/** Activities of a project, each with its permanent slot in the plan rows; rows without project are the standard library. */
export const activityLibrary = pgTable("activity_library", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  projectId: bigint("project_id", { mode: "number" }),
  slot: smallint("slot"),
  code: varchar("code", { length: 60 }).notNull(),
  name: varchar("name", { length: 150 }).notNull(),
  kind: varchar("kind", { length: 20 }).notNull().default("normal"),
  automatic: boolean("automatic").notNull().default(false),
  disabledAt: timestamp("disabled_at", { withTimezone: true }),
  rowVersion: integer("row_version").notNull().default(1),
});

/** A flow, or the working copy of a released one (`draftOf`). */
export const activityFlow = pgTable("activity_flow", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  projectId: bigint("project_id", { mode: "number" }).notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  description: varchar("description", { length: 2000 }),
  deliveryTypes: varchar("delivery_types", { length: 40 }).array().notNull().default([]),
  status: varchar("status", { length: 10 }).notNull().default("draft"),
  version: integer("version").notNull().default(0),
  draftOf: bigint("draft_of", { mode: "number" }),
  ownerId: bigint("owner_id", { mode: "number" }).notNull(),
  rowVersion: integer("row_version").notNull().default(1),
  createdBy: bigint("created_by", { mode: "number" }).notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  updatedBy: bigint("updated_by", { mode: "number" }).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
});

/** A node of a flow. */
export const flowActivity = pgTable("flow_activity", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  flowId: bigint("flow_id", { mode: "number" }).notNull(),
  activityId: bigint("activity_id", { mode: "number" }),
  name: varchar("name", { length: 150 }).notNull(),
  seq: integer("seq").notNull(),
  leadTimeDays: integer("lead_time_days").notNull().default(1),
  isAnchor: boolean("is_anchor").notNull().default(false),
  isMilestone: boolean("is_milestone").notNull().default(false),
  needDeliverable: boolean("need_deliverable").notNull().default(false),
  needApproval: boolean("need_approval").notNull().default(false),
  naNeedsApproval: boolean("na_needs_approval").notNull().default(false),
  docPdMayCancelNa: boolean("doc_pd_may_cancel_na").notNull().default(false),
  subFlowId: bigint("sub_flow_id", { mode: "number" }),
  x: integer("x").notNull().default(0),
  y: integer("y").notNull().default(0),
  originNodeId: bigint("origin_node_id", { mode: "number" }),
});

/** `preNodeId` before `nodeId`. */
export const flowRelation = pgTable("flow_relation", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  flowId: bigint("flow_id", { mode: "number" }).notNull(),
  preNodeId: bigint("pre_node_id", { mode: "number" }).notNull(),
  nodeId: bigint("node_id", { mode: "number" }).notNull(),
  type: char("type", { length: 2 }).notNull(),
  offsetDays: integer("offset_days").notNull().default(0),
});

/** Which flow a DU follows; the row without `unboundAt` is the present one. */
export const duFlow = pgTable("du_flow", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  projectId: bigint("project_id", { mode: "number" }).notNull(),
  duId: bigint("du_id", { mode: "number" }).notNull(),
  flowId: bigint("flow_id", { mode: "number" }).notNull(),
  flowVersion: integer("flow_version").notNull(),
  source: varchar("source", { length: 10 }).notNull(),
  ruleId: bigint("rule_id", { mode: "number" }),
  boundBy: bigint("bound_by", { mode: "number" }),
  boundAt: timestamp("bound_at", { withTimezone: true }).notNull(),
  unboundAt: timestamp("unbound_at", { withTimezone: true }),
});

/** A copy of attribute values, and of the flow where asked, from one DU to others. */
export const copyJob = pgTable("copy_job", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  projectId: bigint("project_id", { mode: "number" }).notNull(),
  sourceDuId: bigint("source_du_id", { mode: "number" }).notNull(),
  attributeIds: bigint("attribute_ids", { mode: "number" }).array().notNull(),
  alsoBind: boolean("also_bind").notNull(),
  overwrite: boolean("overwrite").notNull(),
  createdBy: bigint("created_by", { mode: "number" }).notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

/** What became of one target of a copy. */
export const copyJobItem = pgTable(
  "copy_job_item",
  {
    jobId: bigint("job_id", { mode: "number" }).notNull(),
    targetCode: varchar("target_code", { length: 60 }).notNull(),
    targetDuId: bigint("target_du_id", { mode: "number" }),
    progress: varchar("progress", { length: 12 }).notNull().default("unprocessed"),
    association: varchar("association", { length: 12 }).notNull().default("unassociated"),
    code: smallint("code"),
    detail: varchar("detail", { length: 2000 }),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.targetCode] })],
);

/** Steps below an activity, used by any number of activities. */
export const subFlow = pgTable("sub_flow", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  projectId: bigint("project_id", { mode: "number" }).notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  status: varchar("status", { length: 8 }).notNull().default("active"),
  rowVersion: integer("row_version").notNull().default(1),
});

export const subFlowStep = pgTable("sub_flow_step", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  subFlowId: bigint("sub_flow_id", { mode: "number" }).notNull(),
  name: varchar("name", { length: 150 }).notNull(),
  seq: integer("seq").notNull(),
  weight: numeric("weight", { precision: 5, scale: 2, mode: "number" }).notNull().default(1),
  needDeliverable: boolean("need_deliverable").notNull().default(false),
});

/** A step that is done on one activity of one DU. */
export const duSubStep = pgTable(
  "du_sub_step",
  {
    projectId: bigint("project_id", { mode: "number" }).notNull(),
    duId: bigint("du_id", { mode: "number" }).notNull(),
    slot: smallint("slot").notNull(),
    stepId: bigint("step_id", { mode: "number" }).notNull(),
    doneOn: date("done_on").notNull(),
    doneBy: bigint("done_by", { mode: "number" }),
  },
  (table) => [primaryKey({ columns: [table.duId, table.slot, table.stepId] })],
);

/** How two DUs belong together; of a parent `relatedDuId` is the parent of `duId`. */
export const duRelation = pgTable("du_relation", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  projectId: bigint("project_id", { mode: "number" }).notNull(),
  duId: bigint("du_id", { mode: "number" }).notNull(),
  relatedDuId: bigint("related_du_id", { mode: "number" }).notNull(),
  kind: varchar("kind", { length: 12 }).notNull(),
  note: varchar("note", { length: 500 }),
  rowVersion: integer("row_version").notNull().default(1),
});

/** A rule that binds DUs to a flow by their region and by conditions. */
export const duFlowRule = pgTable("du_flow_rule", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  projectId: bigint("project_id", { mode: "number" }).notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  flowId: bigint("flow_id", { mode: "number" }).notNull(),
  regionId: bigint("region_id", { mode: "number" }),
  priority: integer("priority").notNull(),
  conditions: jsonb("conditions").notNull(),
  status: varchar("status", { length: 7 }).notNull().default("invalid"),
  invalidReason: varchar("invalid_reason", { length: 24 }),
  lastRunAt: timestamp("last_run_at", { withTimezone: true }),
  rowVersion: integer("row_version").notNull().default(1),
  createdBy: bigint("created_by", { mode: "number" }).notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  updatedBy: bigint("updated_by", { mode: "number" }).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
});

/** A DU no rule has bound, as the last run left it. */
export const duFlowUnmatched = pgTable("du_flow_unmatched", {
  duId: bigint("du_id", { mode: "number" }).primaryKey(),
  projectId: bigint("project_id", { mode: "number" }).notNull(),
  reason: varchar("reason", { length: 12 }).notNull(),
  at: timestamp("at", { withTimezone: true }).notNull(),
});

/** One run of the rules. */
export const duFlowRun = pgTable("du_flow_run", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  projectId: bigint("project_id", { mode: "number" }).notNull(),
  mode: varchar("mode", { length: 6 }).notNull(),
  ruleIds: bigint("rule_ids", { mode: "number" }).array().notNull(),
  taskId: uuid("task_id"),
  startedBy: bigint("started_by", { mode: "number" }),
  startedAt: timestamp("started_at", { withTimezone: true }).notNull(),
  finishedAt: timestamp("finished_at", { withTimezone: true }),
  scopeCount: integer("scope_count").notNull().default(0),
  boundCount: integer("bound_count").notNull().default(0),
  unmatchedCount: integer("unmatched_count").notNull().default(0),
  rules: jsonb("rules").notNull().default([]),
});

/** What became of activities that were copied with their flow, into this or another project. */
export const replicationLog = pgTable("replication_log", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  projectId: bigint("project_id", { mode: "number" }).notNull(),
  at: timestamp("at", { withTimezone: true }).notNull(),
  actorId: bigint("actor_id", { mode: "number" }).notNull(),
  sourceFlowId: bigint("source_flow_id", { mode: "number" }),
  sourceName: varchar("source_name", { length: 100 }).notNull(),
  targetProjectId: bigint("target_project_id", { mode: "number" }),
  targetFlowId: bigint("target_flow_id", { mode: "number" }),
  targetName: varchar("target_name", { length: 100 }).notNull(),
  activityCount: integer("activity_count").notNull(),
  successCount: integer("success_count").notNull().default(0),
  failedCount: integer("failed_count").notNull().default(0),
  status: varchar("status", { length: 8 }).notNull(),
  detail: jsonb("detail").notNull().default([]),
  taskId: uuid("task_id"),
});
