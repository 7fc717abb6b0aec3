import { integer, pgTable, primaryKey, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** A switch somebody has set in a project; without a row it is off. */
export const projectSwitch = pgTable(
  "project_switch",
  {
    projectId: ref("project_id").notNull(),
    key: varchar("key", { length: 60 }).notNull(),
    value: varchar("value", { length: 200 }).notNull(),
    effectiveAt: moment("effective_at").notNull(),
    updatedBy: ref("updated_by"),
    updatedAt: moment("updated_at").notNull(),
    rowVersion: rowVersion(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.key] })],
);

/** A limit: the installation's row has no project, a project's row replaces it. */
export const limitSetting = pgTable("limit_setting", {
  id: id(),
  projectId: ref("project_id"),
  key: varchar("key", { length: 60 }).notNull(),
  value: integer("value").notNull(),
  min: integer("min").notNull(),
  max: integer("max").notNull(),
  rowVersion: rowVersion(),
});

/** What a person reported about an error; the id is the ticket number. */
export const errorReport = pgTable("error_report", {
  id: id(),
  projectId: ref("project_id"),
  userId: ref("user_id").notNull(),
  code: varchar("code", { length: 60 }).notNull(),
  requestId: varchar("request_id", { length: 64 }).notNull(),
  text: varchar("text", { length: 2000 }),
  screen: varchar("screen", { length: 200 }),
  at: moment("at").notNull(),
});
