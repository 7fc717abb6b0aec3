import { boolean, integer, jsonb, pgTable, primaryKey, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** An extension attribute; its values are keys of `du.ext`. */
export const attribute = pgTable("attribute", {
  id: id(),
  projectId: ref("project_id").notNull(),
  key: varchar("key", { length: 20 }).notNull(),
  name: varchar("name", { length: 250 }).notNull(),
  type: varchar("type", { length: 12 }).notNull(),
  level: varchar("level", { length: 8 }).notNull().default("DU"),
  valueLimit: jsonb("value_limit"),
  inRolloutPlan: boolean("in_rollout_plan").notNull().default(false),
  sortNo: integer("sort_no").notNull().default(1),
  rowVersion: rowVersion(),
  deletedAt: moment("deleted_at"),
});

export const attributeEnum = pgTable("attribute_enum", {
  id: id(),
  attributeId: ref("attribute_id").notNull(),
  value: varchar("value", { length: 70 }).notNull(),
  sortNo: integer("sort_no").notNull().default(1),
  active: boolean("active").notNull().default(true),
});

/** Which configuration names what: the usage index that IN_USE answers and rechecks read. */
export const configRef = pgTable(
  "config_ref",
  {
    projectId: ref("project_id").notNull(),
    holderKind: varchar("holder_kind", { length: 20 }).notNull(),
    holderId: ref("holder_id").notNull(),
    targetKind: varchar("target_kind", { length: 10 }).notNull(),
    targetId: ref("target_id").notNull(),
    usage: varchar("usage", { length: 9 }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.holderKind, table.holderId, table.targetKind, table.targetId, table.usage] })],
);
