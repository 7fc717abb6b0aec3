import { boolean, date, integer, jsonb, pgTable, primaryKey, smallint, text, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** A rule that fills owners of activities. A deleted one keeps its row for the history, its name is free again. */
export const ownerRule = pgTable("owner_rule", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  sortNo: integer("sort_no").notNull(),
  flowIds: ref("flow_ids").array().notNull(),
  flowText: varchar("flow_text", { length: 4000 }).notNull(),
  activityIds: ref("activity_ids").array().notNull().default([]),
  ownerFields: text("owner_fields").array().notNull(),
  fillMode: varchar("fill_mode", { length: 12 }).notNull(),
  fillValue: jsonb("fill_value"),
  overwrite: boolean("overwrite").notNull().default(false),
  description: varchar("description", { length: 2000 }),
  expireDate: date("expire_date"),
  status: varchar("status", { length: 7 }).notNull().default("INVALID"),
  invalidReason: varchar("invalid_reason", { length: 24 }),
  deletedAt: moment("deleted_at"),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** What an owner rule asks of a DU: of an attribute or of a field; all conditions have to hold. */
export const ownerRuleCondition = pgTable(
  "owner_rule_condition",
  {
    ruleId: ref("rule_id").notNull(),
    seq: smallint("seq").notNull(),
    projectId: ref("project_id").notNull(),
    attributeId: ref("attribute_id"),
    field: varchar("field", { length: 40 }),
    type: varchar("type", { length: 8 }).notNull(),
    operator: varchar("operator", { length: 12 }).notNull(),
    values: jsonb("values").notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.ruleId, table.seq] })],
);
