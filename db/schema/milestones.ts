import { boolean, date, integer, jsonb, numeric, pgTable, primaryKey, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** A milestone of the project, named in three languages. */
export const milestone = pgTable("milestone", {
  id: id(),
  projectId: ref("project_id").notNull(),
  number: varchar("number", { length: 30 }).notNull(),
  nameZh: varchar("name_zh", { length: 100 }).notNull(),
  nameEn: varchar("name_en", { length: 100 }).notNull(),
  nameJa: varchar("name_ja", { length: 100 }),
  flag: varchar("flag", { length: 10 }).notNull(),
  color: varchar("color", { length: 2 }).notNull(),
  sort: integer("sort").notNull(),
  enabled: boolean("enabled").notNull(),
  rowVersion: rowVersion(),
});

/** What a milestone means for the DUs of a delivery type. */
export const milestoneInfo = pgTable("milestone_info", {
  id: id(),
  projectId: ref("project_id").notNull(),
  milestoneId: ref("milestone_id").notNull(),
  deliveryType: varchar("delivery_type", { length: 40 }),
  target: varchar("target", { length: 14 }).notNull(),
  tempMilestoneId: ref("temp_milestone_id"),
  weight: numeric("weight", { precision: 5, scale: 2, mode: "number" }),
  dateField: varchar("date_field", { length: 10 }).notNull(),
});

/** The activity of a flow that a milestone stands for. */
export const milestoneMapping = pgTable("milestone_mapping", {
  id: id(),
  projectId: ref("project_id").notNull(),
  milestoneId: ref("milestone_id").notNull(),
  flowId: ref("flow_id").notNull(),
  activityId: ref("activity_id").notNull(),
});

/** A milestone outside all flows. */
export const tempMilestone = pgTable("temp_milestone", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  productCode: varchar("product_code", { length: 60 }),
  product: varchar("product", { length: 200 }),
  deliverable: varchar("deliverable", { length: 200 }),
  status: varchar("status", { length: 8 }).notNull(),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
});

/** Dates of a temporary milestone in a DU. */
export const tempMilestoneDu = pgTable(
  "temp_milestone_du",
  {
    tempMilestoneId: ref("temp_milestone_id").notNull(),
    duId: ref("du_id").notNull(),
    projectId: ref("project_id").notNull(),
    planDate: date("plan_date"),
    actualDate: date("actual_date"),
  },
  (table) => [primaryKey({ columns: [table.tempMilestoneId, table.duId] })],
);

/** Steps outside all flows from which temporary work orders are made. */
export const tempProcess = pgTable("temp_process", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  flowId: ref("flow_id"),
  steps: jsonb("steps").notNull(),
  status: varchar("status", { length: 8 }).notNull(),
  rowVersion: rowVersion(),
});
