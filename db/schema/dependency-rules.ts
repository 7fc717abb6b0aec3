import { date, pgTable, primaryKey, smallint, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** One event of an activity, or the maintenance of an attribute, that needs others before it; without flow it holds in every flow. */
export const depRule = pgTable("dep_rule", {
  id: id(),
  projectId: ref("project_id").notNull(),
  flowId: ref("flow_id"),
  targetKind: varchar("target_kind", { length: 9 }).notNull(),
  targetId: ref("target_id").notNull(),
  targetEvent: varchar("target_event", { length: 8 }).notNull(),
  status: varchar("status", { length: 9 }).notNull().default("EFFECTIVE"),
  expireDate: date("expire_date"),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** One of the events a rule asks for; all of them must have happened. */
export const depRulePrereq = pgTable(
  "dep_rule_prereq",
  {
    ruleId: ref("rule_id").notNull(),
    projectId: ref("project_id").notNull(),
    seq: smallint("seq").notNull(),
    kind: varchar("kind", { length: 9 }).notNull(),
    objectId: ref("object_id").notNull(),
    event: varchar("event", { length: 8 }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.ruleId, table.seq] })],
);
