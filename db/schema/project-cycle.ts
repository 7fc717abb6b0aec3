import { char, date, numeric, pgTable, smallint, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** The phases under one project number. */
export const projectCycle = pgTable("project_cycle", {
  id: id(),
  projectId: ref("project_id").notNull(),
  projectNumber: varchar("project_number", { length: 60 }).notNull(),
  rowVersion: rowVersion(),
  updatedBy: ref("updated_by"),
  updatedAt: moment("updated_at").notNull(),
});

export const projectPhase = pgTable("project_phase", {
  id: id(),
  projectId: ref("project_id").notNull(),
  cycleId: ref("cycle_id").notNull(),
  code: varchar("code", { length: 20 }).notNull(),
  name: varchar("name", { length: 200 }).notNull(),
  startDate: date("start_date").notNull(),
  endDate: date("end_date").notNull(),
});

/** A property sites are divided by. */
export const siteDimension = pgTable("site_dimension", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 200 }).notNull(),
  sortNo: smallint("sort_no").notNull(),
});

export const siteType = pgTable("site_type", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 200 }).notNull(),
  rowVersion: rowVersion(),
  updatedBy: ref("updated_by"),
  updatedAt: moment("updated_at").notNull(),
});

/** A part of a site type: what share of its sites has a value of a dimension. */
export const subSiteType = pgTable("sub_site_type", {
  id: id(),
  projectId: ref("project_id").notNull(),
  siteTypeId: ref("site_type_id").notNull(),
  dimensionId: ref("dimension_id").notNull(),
  name: varchar("name", { length: 200 }).notNull(),
  percentage: numeric("percentage", { precision: 5, scale: 2, mode: "number" }).notNull(),
  sortNo: smallint("sort_no").notNull(),
});

/** The currency of a project's amounts; without a row US dollars. */
export const projectCurrency = pgTable("project_currency", {
  projectId: ref("project_id").primaryKey(),
  code: char("code", { length: 3 }).notNull(),
  rowVersion: rowVersion(),
  updatedBy: ref("updated_by"),
  updatedAt: moment("updated_at").notNull(),
});

/** From which rate on a cluster counts as completed. */
export const clusterRate = pgTable("cluster_rate", {
  projectId: ref("project_id").primaryKey(),
  kind: varchar("kind", { length: 7 }).notNull(),
  value: numeric("value", { precision: 6, scale: 2, mode: "number" }).notNull(),
  rowVersion: rowVersion(),
  updatedBy: ref("updated_by"),
  updatedAt: moment("updated_at").notNull(),
});
