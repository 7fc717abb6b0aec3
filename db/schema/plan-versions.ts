import { bigint, boolean, char, date, integer, jsonb, pgTable, primaryKey, smallint, uuid, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** The plan of a project: its name, and how often the whole of it was published. */
export const rolloutPlan = pgTable("rollout_plan", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  version: integer("version").notNull().default(1),
  rowVersion: rowVersion(),
  createdBy: ref("created_by"),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by"),
  updatedAt: moment("updated_at").notNull(),
});

/** A version of the plan that is kept: a baseline, a published one, or one of these that was replaced. */
export const planVersion = pgTable("plan_version", {
  id: id(),
  projectId: ref("project_id").notNull(),
  planId: ref("plan_id").notNull(),
  kind: varchar("kind", { length: 10 }).notNull(),
  formerKind: varchar("former_kind", { length: 10 }),
  name: varchar("name", { length: 100 }).notNull(),
  code: varchar("code", { length: 30 }).notNull(),
  scope: varchar("scope", { length: 9 }).notNull(),
  inForce: boolean("in_force").notNull(),
  duCount: integer("du_count").notNull().default(0),
  activityCount: integer("activity_count").notNull().default(0),
  slotCount: smallint("slot_count").notNull(),
  source: varchar("source", { length: 11 }).notNull(),
  remark: varchar("remark", { length: 2000 }),
  taskId: uuid("task_id"),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
});

/** The plan of one DU as it was: the arrays of its plan row, written once. */
export const planVersionRow = pgTable(
  "plan_version_row",
  {
    versionId: ref("version_id").notNull(),
    projectId: ref("project_id").notNull(),
    duId: ref("du_id").notNull(),
    duCode: varchar("du_code", { length: 60 }).notNull(),
    duName: varchar("du_name", { length: 200 }).notNull(),
    flowId: bigint("flow_id", { mode: "number" }),
    planStart: smallint("plan_start").array(),
    planEnd: smallint("plan_end").array(),
    actualStart: smallint("actual_start").array(),
    actualEnd: smallint("actual_end").array(),
    baselineStart: smallint("baseline_start").array(),
    baselineEnd: smallint("baseline_end").array(),
    state: integer("state").array().notNull(),
    planOwner: integer("plan_owner").array(),
    actualOwner: integer("actual_owner").array(),
  },
  (table) => [primaryKey({ columns: [table.versionId, table.duId] })],
);

/** A published version sent to a person, a company or an address, with the DUs it tells of. */
export const planDistribution = pgTable("plan_distribution", {
  id: id(),
  projectId: ref("project_id").notNull(),
  versionId: ref("version_id").notNull(),
  recipientUserId: ref("recipient_user_id"),
  subcontractorId: ref("subcontractor_id"),
  email: varchar("email", { length: 254 }),
  filters: jsonb("filters").notNull(),
  duIds: bigint("du_ids", { mode: "number" }).array().notNull(),
  activityCount: integer("activity_count").notNull(),
  message: varchar("message", { length: 2000 }),
  dueDate: date("due_date"),
  lang: char("lang", { length: 2 }).notNull(),
  fileId: uuid("file_id"),
  sentBy: ref("sent_by").notNull(),
  sentAt: moment("sent_at").notNull(),
  remindedAt: moment("reminded_at"),
  status: varchar("status", { length: 8 }).notNull().default("sent"),
});

/** An answer to a distributed plan about one activity of one DU. */
export const planFeedback = pgTable("plan_feedback", {
  id: id(),
  projectId: ref("project_id").notNull(),
  distributionId: ref("distribution_id").notNull(),
  rawDu: varchar("raw_du", { length: 250 }).notNull(),
  rawActivity: varchar("raw_activity", { length: 250 }).notNull(),
  proposedStart: date("proposed_start"),
  proposedEnd: date("proposed_end"),
  remark: varchar("remark", { length: 2000 }),
  duId: ref("du_id"),
  slot: smallint("slot"),
  mapping: varchar("mapping", { length: 10 }).notNull(),
  late: boolean("late").notNull(),
  submittedBy: ref("submitted_by").notNull(),
  submittedAt: moment("submitted_at").notNull(),
  decision: varchar("decision", { length: 8 }).notNull().default("open"),
  decidedBy: ref("decided_by"),
  decidedAt: moment("decided_at"),
  comment: varchar("comment", { length: 2000 }),
  batchId: ref("batch_id"),
});

/** What a word of a recipient stands for. */
export const feedbackMapping = pgTable(
  "feedback_mapping",
  {
    projectId: ref("project_id").notNull(),
    kind: varchar("kind", { length: 8 }).notNull(),
    rawText: varchar("raw_text", { length: 250 }).notNull(),
    duId: ref("du_id"),
    activityId: ref("activity_id"),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.kind, table.rawText] })],
);
