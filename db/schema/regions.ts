import { boolean, char, date, integer, numeric, pgTable, primaryKey, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

export const deliveryRegion = pgTable("delivery_region", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  sortNo: integer("sort_no").notNull().default(1),
  percentage: numeric("percentage", { precision: 5, scale: 2, mode: "number" }).notNull().default(0),
  status: varchar("status", { length: 10 }).notNull().default("ACTIVE"),
  rowVersion: rowVersion(),
  deletedAt: moment("deleted_at"),
});

/** A region of the customer's network; null is unmapped. */
export const networkRegion = pgTable("network_region", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 200 }).notNull(),
  source: varchar("source", { length: 6 }).notNull(),
  regionId: ref("region_id"),
  rowVersion: rowVersion(),
});

export const regionOwner = pgTable("region_owner", { regionId: ref("region_id").notNull(), userId: ref("user_id").notNull() }, (table) => [
  primaryKey({ columns: [table.regionId, table.userId] }),
]);

export const subcontractor = pgTable("subcontractor", {
  id: id(),
  projectId: ref("project_id").notNull(),
  code: varchar("code", { length: 5 }).notNull(),
  name: varchar("name", { length: 200 }).notNull(),
  status: varchar("status", { length: 10 }).notNull().default("ACTIVE"),
  typeIds: ref("type_ids").array().notNull().default([]),
  countries: char("countries", { length: 2 }).array().notNull().default([]),
  dpaRequired: boolean("dpa_required").notNull().default(false),
  dpaExpires: date("dpa_expires"),
  createdBy: ref("created_by"),
  createdAt: moment("created_at"),
  updatedBy: ref("updated_by"),
  updatedAt: moment("updated_at"),
  rowVersion: rowVersion(),
});
