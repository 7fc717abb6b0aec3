import { bigint, boolean, integer, pgTable, primaryKey, smallint, uuid, varchar } from "drizzle-orm/pg-core";
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
