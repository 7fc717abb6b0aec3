import { boolean, date, integer, pgTable, smallint, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** An order somebody was asked to carry out; plan and actual dates are those of its slot. */
export const workOrder = pgTable("work_order", {
  id: id(),
  projectId: ref("project_id").notNull(),
  number: integer("number").notNull(),
  duId: ref("du_id").notNull(),
  slot: smallint("slot"),
  name: varchar("name", { length: 100 }),
  status: varchar("status", { length: 9 }).notNull(),
  redone: boolean("redone").notNull().default(false),
  redoCount: integer("redo_count").notNull().default(0),
  assigneeId: ref("assignee_id"),
  subcontractorId: ref("subcontractor_id"),
  assignedAt: moment("assigned_at"),
  acceptedAt: moment("accepted_at"),
  startedAt: moment("started_at"),
  completedAt: moment("completed_at"),
  suspendedAt: moment("suspended_at"),
  cancelledAt: moment("cancelled_at"),
  suspendedFrom: varchar("suspended_from", { length: 9 }),
  completedFrom: varchar("completed_from", { length: 9 }),
  temp: boolean("temp").notNull().default(false),
  tempProcessId: ref("temp_process_id"),
  tempStart: date("temp_start"),
  tempEnd: date("temp_end"),
  rowVersion: rowVersion(),
});

/** One step of an order; kept when the order is removed. */
export const workOrderEvent = pgTable("work_order_event", {
  id: id(),
  projectId: ref("project_id").notNull(),
  workOrderId: ref("work_order_id").notNull(),
  number: integer("number").notNull(),
  duId: ref("du_id").notNull(),
  slot: smallint("slot"),
  event: varchar("event", { length: 12 }).notNull(),
  fromStatus: varchar("from_status", { length: 9 }).notNull(),
  toStatus: varchar("to_status", { length: 9 }).notNull(),
  actorId: ref("actor_id"),
  reason: varchar("reason", { length: 2000 }),
  at: moment("at").notNull(),
  batchId: ref("batch_id"),
  wasAssigneeId: ref("was_assignee_id"),
  wasRedone: boolean("was_redone"),
});

/** A request to declare an activity not applicable or invalid, or to take that back. */
export const naRequest = pgTable("na_request", {
  id: id(),
  projectId: ref("project_id").notNull(),
  number: integer("number").notNull(),
  duId: ref("du_id").notNull(),
  slot: smallint("slot").notNull(),
  kind: varchar("kind", { length: 6 }).notNull(),
  reason: varchar("reason", { length: 2000 }).notNull(),
  applicantId: ref("applicant_id").notNull(),
  approverId: ref("approver_id"),
  flowNo: varchar("flow_no", { length: 60 }),
  status: varchar("status", { length: 10 }).notNull(),
  decidedBy: ref("decided_by"),
  decidedAt: moment("decided_at"),
  comment: varchar("comment", { length: 2000 }),
  code: varchar("code", { length: 40 }),
  createdAt: moment("created_at").notNull(),
  doneAt: moment("done_at"),
});
