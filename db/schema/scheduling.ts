import { bigint, boolean, customType, date, integer, jsonb, pgTable, primaryKey, smallint, uuid, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

const bytes = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });

/** Working calendar of a region, or of the project where `regionId` is null. */
export const workCalendar = pgTable("work_calendar", {
  id: id(),
  projectId: ref("project_id").notNull(),
  regionId: ref("region_id"),
  name: varchar("name", { length: 100 }).notNull(),
  weekdays: smallint("weekdays").notNull().default(62),
  updatedBy: ref("updated_by"),
  rowVersion: rowVersion(),
});

/** A day that differs from its weekday. */
export const workCalendarDay = pgTable(
  "work_calendar_day",
  {
    calendarId: ref("calendar_id").notNull(),
    day: date("day").notNull(),
    working: boolean("working").notNull(),
    name: varchar("name", { length: 100 }),
  },
  (table) => [primaryKey({ columns: [table.calendarId, table.day] })],
);

/** What a schedule would change, kept for half an hour. */
export const schedulePreview = pgTable("schedule_preview", {
  id: uuid("id").primaryKey(),
  projectId: ref("project_id").notNull(),
  userId: ref("user_id").notNull(),
  params: jsonb("params").notNull(),
  result: bytes("result").notNull(),
  expiresAt: moment("expires_at").notNull(),
});

/** A freeze of one activity of one DU; the open one stands behind the frozen bit of the plan row. */
export const planFreeze = pgTable("plan_freeze", {
  id: id(),
  projectId: ref("project_id").notNull(),
  duId: ref("du_id").notNull(),
  slot: smallint("slot").notNull(),
  reason: varchar("reason", { length: 500 }).notNull(),
  frozenAt: moment("frozen_at").notNull(),
  frozenBy: ref("frozen_by").notNull(),
  unfrozenAt: moment("unfrozen_at"),
  unfrozenBy: ref("unfrozen_by"),
  unfreezeReason: varchar("unfreeze_reason", { length: 500 }),
});

/** A change of frozen or controlled plan dates with its reason; kept as it was. */
export const planChange = pgTable("plan_change", {
  id: id(),
  projectId: ref("project_id").notNull(),
  number: integer("number").notNull(),
  reason: varchar("reason", { length: 500 }).notNull(),
  status: varchar("status", { length: 8 }).notNull(),
  batchId: ref("batch_id"),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
});

/** One plan date of a change; `code` says why it was refused. */
export const planChangeItem = pgTable(
  "plan_change_item",
  {
    changeId: ref("change_id").notNull(),
    projectId: ref("project_id").notNull(),
    duId: ref("du_id").notNull(),
    slot: smallint("slot").notNull(),
    field: varchar("field", { length: 10 }).notNull(),
    old: smallint("old").notNull(),
    new: smallint("new").notNull(),
    code: varchar("code", { length: 40 }),
  },
  (table) => [primaryKey({ columns: [table.changeId, table.duId, table.slot, table.field] })],
);

/** When the plan of a DU was last scheduled and released, by whom and into which version. */
export const duRelease = pgTable("du_release", {
  duId: bigint("du_id", { mode: "number" }).primaryKey(),
  projectId: ref("project_id").notNull(),
  scheduledAt: moment("scheduled_at"),
  releasedAt: moment("released_at").notNull(),
  releasedBy: ref("released_by").notNull(),
  versionId: ref("version_id"),
});
