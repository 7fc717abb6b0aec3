import { integer, jsonb, pgTable, uuid, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** A row of a DU tab: one of many of its DU by serial number, or the DU's only one. */
export const duTabRow = pgTable("du_tab_row", {
  id: id(),
  projectId: ref("project_id").notNull(),
  tabId: ref("tab_id").notNull(),
  duId: ref("du_id").notNull(),
  keyMode: varchar("key_mode", { length: 2 }).notNull(),
  sn: varchar("sn", { length: 50 }),
  data: jsonb("data").notNull().default({}),
  rowVersion: rowVersion(),
  createdBy: ref("created_by"),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by"),
  updatedAt: moment("updated_at").notNull(),
  deletedBy: ref("deleted_by"),
  deletedAt: moment("deleted_at"),
});

/** Who only reads a tab, and who writes it. */
export const duTabUser = pgTable("du_tab_user", {
  id: id(),
  projectId: ref("project_id").notNull(),
  tabId: ref("tab_id").notNull(),
  userId: ref("user_id"),
  role: varchar("role", { length: 40 }),
  mode: varchar("mode", { length: 2 }).notNull(),
});

/** What one write changed in a row, by key: old and new value. */
export const duTabHistory = pgTable("du_tab_history", {
  id: id(),
  projectId: ref("project_id").notNull(),
  tabId: ref("tab_id").notNull(),
  rowId: ref("row_id").notNull(),
  duId: ref("du_id").notNull(),
  changes: jsonb("changes").notNull(),
  userId: ref("user_id").notNull(),
  at: moment("at").notNull(),
  source: varchar("source", { length: 7 }).notNull(),
});

/** The newest export of a tab by a person; the id is that of its task. */
export const duTabExport = pgTable("du_tab_export", {
  id: uuid("id").primaryKey(),
  projectId: ref("project_id").notNull(),
  tabId: ref("tab_id").notNull(),
  userId: ref("user_id").notNull(),
  exportedAt: moment("exported_at").notNull(),
  columnHash: varchar("column_hash", { length: 64 }).notNull(),
  rowCount: integer("row_count").notNull(),
});
