import { boolean, integer, pgTable, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref } from "#db/columns.ts";

/** Whether attributes of DUs say which company sees them; `version` is raised by every change of the switch or the details. */
export const isolation = pgTable("isolation", {
  projectId: ref("project_id").primaryKey(),
  enabled: boolean("enabled").notNull(),
  version: integer("version").notNull(),
  updatedBy: ref("updated_by"),
  updatedAt: moment("updated_at").notNull(),
});

/** A value of an attribute with the company that sees the DUs which have it. */
export const isolationDetail = pgTable("isolation_detail", {
  id: id(),
  projectId: ref("project_id").notNull(),
  attributeId: ref("attribute_id").notNull(),
  value: varchar("value", { length: 250 }).notNull(),
  subcontractorId: ref("subcontractor_id").notNull(),
  createdBy: ref("created_by"),
  createdAt: moment("created_at").notNull(),
});
