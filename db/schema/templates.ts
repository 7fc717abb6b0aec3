import { boolean, jsonb, pgTable, primaryKey, smallint, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** A kept search, filter, column layout, layout of a foreign plan, or plan of a flow; public ones are the project's. */
export const template = pgTable("template", {
  id: id(),
  projectId: ref("project_id").notNull(),
  kind: varchar("kind", { length: 8 }).notNull(),
  objectType: varchar("object_type", { length: 8 }).notNull(),
  gridKey: varchar("grid_key", { length: 60 }),
  name: varchar("name", { length: 200 }).notNull(),
  remark: varchar("remark", { length: 500 }),
  isPublic: boolean("is_public").notNull(),
  ownerId: ref("owner_id").notNull(),
  lockedColumns: smallint("locked_columns").notNull().default(0),
  networkType: varchar("network_type", { length: 60 }),
  organisation: varchar("organisation", { length: 120 }),
  body: jsonb("body").notNull(),
  sharedFromId: ref("shared_from_id"),
  sharedBy: ref("shared_by"),
  isProjectDefault: boolean("is_project_default").notNull().default(false),
  updatedAt: moment("updated_at").notNull(),
  rowVersion: rowVersion(),
});

/** The template a person starts a grid with. */
export const templateDefault = pgTable(
  "template_default",
  {
    userId: ref("user_id").notNull(),
    projectId: ref("project_id").notNull(),
    gridKey: varchar("grid_key", { length: 60 }).notNull(),
    kind: varchar("kind", { length: 8 }).notNull(),
    templateId: ref("template_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.projectId, table.gridKey, table.kind] })],
);

/** Places and widths of columns: of one person's grid, or of a template for all who use it. */
export const columnPosition = pgTable("column_position", {
  id: id(),
  projectId: ref("project_id").notNull(),
  userId: ref("user_id"),
  templateId: ref("template_id"),
  gridKey: varchar("grid_key", { length: 60 }).notNull(),
  columns: jsonb("columns").notNull(),
});
