import { boolean, integer, jsonb, pgTable, primaryKey, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** Which data of a DU survives a change from one flow to another. */
export const retentionMapping = pgTable("retention_mapping", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  fromFlowId: ref("from_flow_id").notNull(),
  toFlowId: ref("to_flow_id").notNull(),
  isDefault: boolean("is_default").notNull().default(false),
  rowVersion: rowVersion(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/** One activity of the old flow, the activity of the new one that stands for it, and the kinds it takes over. */
export const retentionMappingRow = pgTable(
  "retention_mapping_row",
  {
    mappingId: ref("mapping_id").notNull(),
    projectId: ref("project_id").notNull(),
    fromActivityId: ref("from_activity_id").notNull(),
    toActivityId: ref("to_activity_id").notNull(),
    keepPlan: boolean("keep_plan").notNull(),
    keepActual: boolean("keep_actual").notNull(),
    keepOwner: boolean("keep_owner").notNull(),
    keepBaseline: boolean("keep_baseline").notNull(),
    keepDeliverables: boolean("keep_deliverables").notNull(),
    keepAttributes: boolean("keep_attributes").notNull(),
  },
  (table) => [primaryKey({ columns: [table.mappingId, table.toActivityId] })],
);

/** A change of the flow of DUs, or its removal; `pairs` is what it keeps, as it was when it was submitted. */
export const duChange = pgTable("du_change", {
  id: id(),
  projectId: ref("project_id").notNull(),
  number: integer("number").notNull(),
  kind: varchar("kind", { length: 6 }).notNull(),
  deliveryType: varchar("delivery_type", { length: 40 }),
  reason: varchar("reason", { length: 2000 }).notNull(),
  mappingId: ref("mapping_id"),
  mappingName: varchar("mapping_name", { length: 100 }),
  pairs: jsonb("pairs").notNull().default([]),
  needsApproval: boolean("needs_approval").notNull(),
  status: varchar("status", { length: 11 }).notNull(),
  rowVersion: rowVersion(),
  submitterId: ref("submitter_id").notNull(),
  submittedAt: moment("submitted_at").notNull(),
  approverId: ref("approver_id"),
  tlApproverId: ref("tl_approver_id"),
  tlApprovedAt: moment("tl_approved_at"),
  decidedBy: ref("decided_by"),
  decidedAt: moment("decided_at"),
  comment: varchar("comment", { length: 2000 }),
  versionId: ref("version_id"),
});

/** One DU of a change; a DU is in one open change at most. */
export const duChangeItem = pgTable(
  "du_change_item",
  {
    changeId: ref("change_id").notNull(),
    projectId: ref("project_id").notNull(),
    duId: ref("du_id").notNull(),
    oldFlowId: ref("old_flow_id").notNull(),
    newFlowId: ref("new_flow_id"),
    result: varchar("result", { length: 7 }).notNull(),
    code: varchar("code", { length: 40 }),
    impact: jsonb("impact").notNull(),
  },
  (table) => [primaryKey({ columns: [table.changeId, table.duId] })],
);

/** One step of a change; transfers name who is asked from then on. */
export const duChangeEvent = pgTable("du_change_event", {
  id: id(),
  projectId: ref("project_id").notNull(),
  changeId: ref("change_id").notNull(),
  event: varchar("event", { length: 10 }).notNull(),
  actorId: ref("actor_id").notNull(),
  toUserId: ref("to_user_id"),
  comment: varchar("comment", { length: 2000 }),
  at: moment("at").notNull(),
});
