import { integer, jsonb, numeric, pgTable, varchar } from "drizzle-orm/pg-core";
import { id, ref, rowVersion } from "#db/columns.ts";

/** DUs that are cut over together. */
export const cluster = pgTable("cluster", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 60 }).notNull(),
  regionId: ref("region_id"),
  priority: integer("priority").notNull(),
  completionRate: numeric("completion_rate", { precision: 6, scale: 2, mode: "number" }).notNull().default(0),
  rateKind: varchar("rate_kind", { length: 8 }).notNull().default("integer"),
  cutoverActivityId: ref("cutover_activity_id"),
  maxCutoverQty: integer("max_cutover_qty"),
  polygon: jsonb("polygon"),
  color: varchar("color", { length: 2 }).notNull(),
  rowVersion: rowVersion(),
});
