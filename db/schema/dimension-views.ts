import { boolean, integer, pgTable, primaryKey, smallint, varchar } from "drizzle-orm/pg-core";
import { id, ref, rowVersion } from "#db/columns.ts";

/** A tab that cuts the plan by one property of its DUs: of everybody where it has no owner. */
export const multiDimTab = pgTable("multi_dim_tab", {
  id: id(),
  projectId: ref("project_id").notNull(),
  ownerId: ref("owner_id"),
  alias: varchar("alias", { length: 40 }).notNull(),
  dimension: varchar("dimension", { length: 60 }).notNull(),
  showRate: boolean("show_rate").notNull(),
  showAmount: boolean("show_amount").notNull(),
  visible: boolean("visible").notNull(),
  sort: integer("sort").notNull(),
  rowVersion: rowVersion(),
});

/** The activities a tab counts, in their order. */
export const multiDimTabActivity = pgTable(
  "multi_dim_tab_activity",
  { tabId: ref("tab_id").notNull(), activityId: ref("activity_id").notNull(), sort: smallint("sort").notNull() },
  (table) => [primaryKey({ columns: [table.tabId, table.activityId] })],
);

/** What holds for the views of a whole project; without a row the product's own settings. */
export const multiDimGlobal = pgTable("multi_dim_global", {
  projectId: ref("project_id").primaryKey(),
  allowPersonal: boolean("allow_personal").notNull().default(true),
  defaultTabId: ref("default_tab_id"),
  period: varchar("period", { length: 20 }),
  rowLimit: integer("row_limit").notNull().default(500),
  rowVersion: rowVersion(),
});
