import {
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
  varchar,
} from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

const ids = (name: string) => bigint(name, { mode: "number" }).array();

/** A rule that fills plan dates or attributes of the DUs its conditions hold for. */
export const planRule = pgTable("plan_rule", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  ruleType: varchar("rule_type", { length: 12 }).notNull(),
  flowId: ref("flow_id").notNull(),
  regionIds: ids("region_ids").notNull(),
  duFilter: jsonb("du_filter").notNull(),
  status: varchar("status", { length: 9 }).notNull(),
  invalidReason: varchar("invalid_reason", { length: 24 }),
  events: jsonb("events"),
  sinceSeq: ref("since_seq").notNull(),
  effectiveAt: moment("effective_at"),
  expireDate: date("expire_date"),
  autoExecute: boolean("auto_execute").notNull(),
  frequencyHours: numeric("frequency_hours", { precision: 4, scale: 1 }),
  lastSlot: timestamp("last_slot"),
  nextRunAt: moment("next_run_at"),
  sortNo: integer("sort_no").notNull(),
  description: varchar("description", { length: 2000 }),
  deletedAt: moment("deleted_at"),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** One condition row of a rule. */
export const planRuleCondition = pgTable(
  "plan_rule_condition",
  {
    ruleId: ref("rule_id").notNull(),
    projectId: ref("project_id").notNull(),
    seq: smallint("seq").notNull(),
    openCount: smallint("open_count").notNull(),
    object: jsonb("object").notNull(),
    objectType: varchar("object_type", { length: 8 }).notNull(),
    operator: varchar("operator", { length: 12 }).notNull(),
    values: jsonb("values").notNull(),
    closeCount: smallint("close_count").notNull(),
    logic: varchar("logic", { length: 3 }),
  },
  (table) => [primaryKey({ columns: [table.ruleId, table.seq] })],
);

/** One row from sources to a target. */
export const planRuleAction = pgTable(
  "plan_rule_action",
  {
    ruleId: ref("rule_id").notNull(),
    projectId: ref("project_id").notNull(),
    seq: smallint("seq").notNull(),
    sources: jsonb("sources").notNull(),
    aggregate: varchar("aggregate", { length: 8 }),
    blanks: varchar("blanks", { length: 11 }).notNull(),
    offsetDays: integer("offset_days").notNull(),
    target: jsonb("target").notNull(),
    types: jsonb("types").notNull(),
    overwrite: boolean("overwrite").notNull(),
  },
  (table) => [primaryKey({ columns: [table.ruleId, table.seq] })],
);

/** A run of rules: dry, by hand, by schedule, by events, or taking another back. */
export const ruleRun = pgTable("rule_run", {
  id: id(),
  projectId: ref("project_id").notNull(),
  mode: varchar("mode", { length: 7 }).notNull(),
  kind: varchar("kind", { length: 5 }).notNull(),
  ruleIds: ids("rule_ids").notNull(),
  targets: jsonb("targets").notNull(),
  status: varchar("status", { length: 7 }).notNull(),
  startedBy: ref("started_by"),
  startedAt: moment("started_at").notNull(),
  finishedAt: moment("finished_at"),
  scopeCount: integer("scope_count").notNull(),
  matchedCount: integer("matched_count").notNull(),
  changedCount: integer("changed_count").notNull(),
  skippedCount: integer("skipped_count").notNull(),
  unchangedCount: integer("unchanged_count").notNull(),
  error: varchar("error", { length: 60 }),
  duIds: ids("du_ids"),
  previewRunId: ref("preview_run_id"),
  revertsRunId: ref("reverts_run_id"),
  taskId: uuid("task_id"),
});

/** What one rule of a run did. */
export const ruleRunRule = pgTable(
  "rule_run_rule",
  {
    runId: ref("run_id").notNull(),
    projectId: ref("project_id").notNull(),
    ruleId: ref("rule_id").notNull(),
    name: varchar("name", { length: 100 }).notNull(),
    matched: integer("matched").notNull(),
    changed: integer("changed").notNull(),
    unchanged: integer("unchanged").notNull(),
    sourceEmpty: integer("source_empty").notNull(),
    superseded: integer("superseded").notNull(),
    skippedByReason: jsonb("skipped_by_reason").notNull(),
    reverted: boolean("reverted").notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.ruleId] })],
);

/** Changed and skipped cells of one DU in a run. */
export const ruleRunChange = pgTable(
  "rule_run_change",
  {
    runId: ref("run_id").notNull(),
    projectId: ref("project_id").notNull(),
    duId: ref("du_id").notNull(),
    target: smallint("target").array().notNull(),
    rule: smallint("rule").array().notNull(),
    outcome: smallint("outcome").array().notNull(),
    oldValue: integer("old_value").array().notNull(),
    newValue: integer("new_value").array().notNull(),
    oldText: text("old_text").array(),
    newText: text("new_text").array(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.duId] })],
);

/** The change number up to which events of a project were looked at. */
export const ruleEventCursor = pgTable("rule_event_cursor", {
  projectId: ref("project_id").primaryKey(),
  seq: ref("seq").notNull(),
});

/** DUs wanted at a milestone in a region and week. */
export const orgTarget = pgTable(
  "org_target",
  {
    projectId: ref("project_id").notNull(),
    regionId: ref("region_id").notNull(),
    activityId: ref("activity_id").notNull(),
    weekStart: date("week_start").notNull(),
    target: integer("target").notNull(),
    ruleId: ref("rule_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.regionId, table.activityId, table.weekStart] })],
);
