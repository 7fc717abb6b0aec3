import { bigint, boolean, char, integer, jsonb, numeric, pgTable, primaryKey, timestamp, varchar } from "drizzle-orm/pg-core";

/** A place of the customer; its DUs point to it. A deleted one keeps its row, its code is free again. */
export const customerSite = pgTable("customer_site", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  projectId: bigint("project_id", { mode: "number" }).notNull(),
  code: varchar("code", { length: 60 }).notNull(),
  name: varchar("name", { length: 200 }).notNull(),
  siteNumber: varchar("site_number", { length: 60 }),
  country: varchar("country", { length: 80 }),
  province: varchar("province", { length: 80 }),
  city: varchar("city", { length: 80 }),
  town: varchar("town", { length: 80 }),
  address: varchar("address", { length: 2000 }),
  postCode: varchar("post_code", { length: 20 }),
  longitude: numeric("longitude", { precision: 9, scale: 6, mode: "number" }),
  latitude: numeric("latitude", { precision: 9, scale: 6, mode: "number" }),
  stateId: varchar("state_id", { length: 40 }),
  stateName: varchar("state_name", { length: 80 }),
  siteScenario: varchar("site_scenario", { length: 60 }),
  status: varchar("status", { length: 10 }).notNull().default("active"),
  rowVersion: integer("row_version").notNull().default(1),
  deletedAt: timestamp("deleted_at", { withTimezone: true }),
});

/** A delivery unit: what is rolled out at a site. Its plan is one row of du_plan. */
export const du = pgTable("du", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  projectId: bigint("project_id", { mode: "number" }).notNull(),
  code: varchar("code", { length: 60 }).notNull(),
  name: varchar("name", { length: 200 }).notNull(),
  siteId: bigint("site_id", { mode: "number" }).notNull(),
  projectCode: varchar("project_code", { length: 60 }),
  subProjectCode: varchar("sub_project_code", { length: 60 }),
  deliveryType: varchar("delivery_type", { length: 40 }),
  workType: varchar("work_type", { length: 10 }),
  regionId: bigint("region_id", { mode: "number" }),
  networkRegionId: bigint("network_region_id", { mode: "number" }),
  subcontractorId: bigint("subcontractor_id", { mode: "number" }),
  clusterId: bigint("cluster_id", { mode: "number" }),
  clusterPriority: integer("cluster_priority"),
  rfiPriority: integer("rfi_priority"),
  directMigrationSiteId: bigint("direct_migration_site_id", { mode: "number" }),
  decomSiteId: bigint("decom_site_id", { mode: "number" }),
  allowDirectMoving: boolean("allow_direct_moving").notNull().default(false),
  acceptance: varchar("acceptance", { length: 60 }),
  poCompletenessNo: varchar("po_completeness_no", { length: 60 }),
  deliveryKey: varchar("delivery_key", { length: 80 }),
  deliveryBatchNo: varchar("delivery_batch_no", { length: 80 }),
  productType: varchar("product_type", { length: 80 }),
  productLine: varchar("product_line", { length: 80 }),
  scenarioType: varchar("scenario_type", { length: 80 }),
  rruIcsScene: varchar("rru_ics_scene", { length: 80 }),
  valueUnit: varchar("value_unit", { length: 10 }),
  valueQty: numeric("value_qty", { precision: 12, scale: 2, mode: "number" }),
  eomonth: char("eomonth", { length: 7 }),
  rfcNumber: varchar("rfc_number", { length: 60 }),
  ext: jsonb("ext").notNull().default({}),
  rowVersion: integer("row_version").notNull().default(1),
  deletedAt: timestamp("deleted_at", { withTimezone: true }),
});

/** Persons a DU belongs to. */
export const duOwner = pgTable(
  "du_owner",
  {
    duId: bigint("du_id", { mode: "number" }).notNull(),
    ownerKind: varchar("owner_kind", { length: 20 }).notNull(),
    userId: bigint("user_id", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.duId, table.ownerKind, table.userId] })],
);
