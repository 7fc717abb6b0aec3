import { integer, pgTable, smallint, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** A distance in days between two dates of a DU that is worth a warning; without flow it holds in every flow. */
export const warningConfig = pgTable("warning_config", {
  id: id(),
  projectId: ref("project_id").notNull(),
  flowId: ref("flow_id"),
  anchorActivityId: ref("anchor_activity_id").notNull(),
  fieldA: varchar("field_a", { length: 11 }).notNull(),
  alertActivityId: ref("alert_activity_id").notNull(),
  fieldB: varchar("field_b", { length: 11 }).notNull(),
  operator: varchar("operator", { length: 2 }).notNull(),
  days: smallint("days").notNull(),
  level: varchar("level", { length: 9 }).notNull(),
  message: varchar("message", { length: 500 }).notNull(),
  status: varchar("status", { length: 8 }).notNull().default("ENABLED"),
  sortNo: integer("sort_no").notNull(),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});
