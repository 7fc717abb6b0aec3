import {
  bigint,
  boolean,
  char,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
  varchar,
} from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

const days = (name: string) => smallint(name).array();
const numbers = (name: string) => integer(name).array();
const derived = (name: string) => smallint(name).notNull().default(0);

/** The plan of a DU: one array per kind, indexed by the slot of the activity; days since 2000-01-01, 0 = empty. Written by plan-rows alone. */
export const duPlan = pgTable("du_plan", {
  duId: ref("du_id").primaryKey(),
  projectId: ref("project_id").notNull(),
  planStart: days("plan_start"),
  planEnd: days("plan_end"),
  actualStart: days("actual_start"),
  actualEnd: days("actual_end"),
  baselineStart: days("baseline_start"),
  baselineEnd: days("baseline_end"),
  releasedStart: days("released_start"),
  releasedEnd: days("released_end"),
  state: numbers("state").notNull().default([]),
  planOwner: numbers("plan_owner"),
  actualOwner: numbers("actual_owner"),
  attrOwner: numbers("attr_owner"),
  releaseState: derived("release_state"),
  lastPlanEnd: derived("last_plan_end"),
  nextPlanEnd: derived("next_plan_end"),
  icActualEnd: derived("ic_actual_end"),
  decomActualEnd: derived("decom_actual_end"),
  doneCount: derived("done_count"),
  applicableCount: derived("applicable_count"),
  rowVersion: integer("row_version").notNull().default(1),
});

/** An ordered set of people; a slot of the owner arrays holds its id. */
export const ownerSet = pgTable("owner_set", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  projectId: ref("project_id").notNull(),
  userIds: ref("user_ids").array().notNull(),
});

export const duActivityNote = pgTable(
  "du_activity_note",
  {
    duId: ref("du_id").notNull(),
    slot: smallint("slot").notNull(),
    delayReason: varchar("delay_reason", { length: 500 }),
    score: smallint("score"),
    scoreRemark: varchar("score_remark", { length: 500 }),
    closedAt: moment("closed_at"),
    closedBy: ref("closed_by"),
  },
  (table) => [primaryKey({ columns: [table.duId, table.slot] })],
);

/** Texts of plan rows as a tile carries them, each of one version of its row. */
export const duPlanText = pgTable(
  "du_plan_text",
  {
    duId: ref("du_id").primaryKey(),
    projectId: ref("project_id").notNull(),
    version: integer("version").notNull(),
    flowId: ref("flow_id").notNull(),
    flowVersion: integer("flow_version").notNull(),
    text: text("text").notNull(),
    sets: integer("sets").array().notNull(),
  },
  (table) => [index("du_plan_text_project").on(table.projectId, table.duId)],
);

/** Last change number of a project's plan. */
export const planSeq = pgTable("plan_seq", { projectId: ref("project_id").primaryKey(), seq: ref("seq").notNull().default(0) });

/** One operation on the plan. Append only. */
export const planBatch = pgTable("plan_batch", {
  id: id(),
  projectId: ref("project_id").notNull(),
  seq: ref("seq").notNull(),
  at: moment("at").notNull(),
  actorId: ref("actor_id"),
  source: varchar("source", { length: 20 }).notNull(),
  reason: varchar("reason", { length: 2000 }),
  origin: jsonb("origin"),
  undoOf: ref("undo_of"),
  duCount: integer("du_count").notNull(),
  cellCount: integer("cell_count").notNull(),
});

/** Packed changes of one DU in one operation. Append only. */
export const planLog = pgTable(
  "plan_log",
  {
    duId: ref("du_id").notNull(),
    batchId: ref("batch_id").notNull(),
    projectId: ref("project_id").notNull(),
    at: moment("at").notNull(),
    flowId: ref("flow_id"),
    cells: smallint("cells").array().notNull(),
    old: integer("old").array().notNull(),
    new: integer("new").array().notNull(),
    attrs: jsonb("attrs"),
  },
  (table) => [primaryKey({ columns: [table.duId, table.batchId] })],
);

/** Result of a question, kept for minutes. */
export const planQuery = pgTable("plan_query", {
  id: uuid("id").primaryKey(),
  userId: ref("user_id").notNull(),
  projectId: ref("project_id").notNull(),
  fingerprint: char("fingerprint", { length: 64 }).notNull(),
  query: jsonb("query").notNull(),
  duIds: ref("du_ids").array().notNull(),
  total: integer("total").notNull(),
  seq: ref("seq").notNull(),
  expiresAt: moment("expires_at").notNull(),
});

export const duSelection = pgTable(
  "du_selection",
  {
    projectId: ref("project_id").notNull(),
    userId: ref("user_id").notNull(),
    key: varchar("key", { length: 64 }).notNull(),
    kind: varchar("kind", { length: 40 }).notNull(),
    duIds: ref("du_ids").array().notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.userId, table.key] })],
);

/** Last used state of a person's grid; the pair is unique. */
export const homePageState = pgTable(
  "home_page_state",
  { userId: ref("user_id").notNull(), projectId: ref("project_id").notNull(), state: jsonb("state").notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.projectId] })],
);

/** What a person sees of the plan, kept under a name. */
export const savedView = pgTable("saved_view", {
  id: uuid("id").primaryKey(),
  projectId: ref("project_id").notNull(),
  ownerId: ref("owner_id").notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  state: jsonb("state").notNull(),
  shared: boolean("shared").notNull(),
  rowVersion: rowVersion(),
});

/** A secret address of a person's calendar feed, as its hash. */
export const feedToken = pgTable("feed_token", {
  id: id(),
  projectId: ref("project_id").notNull(),
  userId: ref("user_id").notNull(),
  hash: char("hash", { length: 64 }).notNull(),
  createdAt: moment("created_at").notNull(),
  lastUsedAt: moment("last_used_at"),
  revokedAt: moment("revoked_at"),
});

/** The joint date of an activity for two DUs of one site. */
export const specialPlan = pgTable("special_plan", {
  id: id(),
  projectId: ref("project_id").notNull(),
  siteId: ref("site_id").notNull(),
  duAId: ref("du_a_id").notNull(),
  duBId: ref("du_b_id").notNull(),
  activityId: ref("activity_id").notNull(),
  jointDate: date("joint_date"),
  rfcNumber: varchar("rfc_number", { length: 60 }).notNull(),
  rowVersion: rowVersion(),
});

/** An application for a permit and the answer of the authority. */
export const permitApplication = pgTable("permit_application", {
  id: id(),
  projectId: ref("project_id").notNull(),
  duIds: bigint("du_ids", { mode: "number" }).array().notNull(),
  kind: varchar("kind", { length: 12 }).notNull(),
  reason: varchar("reason", { length: 2000 }).notNull(),
  status: varchar("status", { length: 9 }).notNull().default("submitted"),
  answeredOn: date("answered_on"),
  remark: varchar("remark", { length: 2000 }),
  applicantId: ref("applicant_id").notNull(),
  createdAt: moment("created_at").notNull(),
  rowVersion: rowVersion(),
});
