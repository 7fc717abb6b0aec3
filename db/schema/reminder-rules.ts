import { bigint, char, integer, jsonb, pgTable, primaryKey, text, time, timestamp, varchar } from "drizzle-orm/pg-core";
import { moment, ref, rowVersion } from "#db/columns.ts";

/** A moment on the project's wall clock. */
const local = (name: string) => timestamp(name, { mode: "string" });
const ids = (name: string) => bigint(name, { mode: "number" }).array().notNull();
/** The sequence `reminder_id` gives the ids of all three kinds of reminders. */
const reminderId = () => bigint("id", { mode: "number" }).primaryKey();

const firing = {
  status: varchar("status", { length: 8 }).notNull(),
  disabledReason: varchar("disabled_reason", { length: 20 }),
  armedLocal: local("armed_local").notNull(),
  nextLocal: local("next_local"),
};
const history = {
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
};

/** An automatic mail: what it tells of, whom, and when. */
export const mailRule = pgTable("mail_rule", {
  id: reminderId(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  ruleType: varchar("rule_type", { length: 20 }).notNull(),
  activityIds: ids("activity_ids"),
  attributeIds: ids("attribute_ids"),
  dateFields: text("date_fields").array().notNull(),
  deviationDays: integer("deviation_days"),
  offsetDays: integer("offset_days"),
  validBegin: local("valid_begin").notNull(),
  validEnd: local("valid_end").notNull(),
  frequency: jsonb("frequency").notNull(),
  sendTime: time("send_time"),
  sendRange: varchar("send_range", { length: 6 }).notNull(),
  regionIds: ids("region_ids"),
  receivers: jsonb("receivers").notNull(),
  mailTo: text("mail_to").array().notNull(),
  ccUserIds: ids("cc_user_ids"),
  lang: char("lang", { length: 2 }),
  subject: varchar("subject", { length: 200 }),
  content: varchar("content", { length: 4000 }),
  responsibleId: ref("responsible_id").notNull(),
  ...firing,
  watermarkSeq: ref("watermark_seq").notNull(),
  held: jsonb("held").notNull(),
  heldUntil: moment("held_until"),
  ...history,
});

/** A reminder of activities that are late by a number of days, in one region. */
export const deviationRemind = pgTable("deviation_remind", {
  id: reminderId(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 300 }).notNull(),
  regionId: ref("region_id").notNull(),
  activityId: ref("activity_id").notNull(),
  deviationDays: integer("deviation_days").notNull(),
  roles: text("roles").array().notNull(),
  userIds: ids("user_ids"),
  groupIds: ids("group_ids"),
  frequency: jsonb("frequency").notNull(),
  sendTime: time("send_time").notNull(),
  validBegin: local("valid_begin").notNull(),
  validEnd: local("valid_end").notNull(),
  ...firing,
  ...history,
});

/** A reminder of sites of a federative state that wait after RFI. */
export const rfiRemind = pgTable("rfi_remind", {
  id: reminderId(),
  projectId: ref("project_id").notNull(),
  stateId: varchar("state_id", { length: 40 }).notNull(),
  minDays: integer("min_days").notNull(),
  maxDays: integer("max_days").notNull(),
  remindTypes: text("remind_types").array().notNull(),
  exceptionReceivers: jsonb("exception_receivers").notNull(),
  untilActivityId: ref("until_activity_id"),
  ...firing,
  ...history,
});

/** A send time that was dealt with. */
export const remFire = pgTable(
  "rem_fire",
  {
    projectId: ref("project_id").notNull(),
    kind: varchar("kind", { length: 9 }).notNull(),
    ruleId: ref("rule_id").notNull(),
    occurrenceLocal: local("occurrence_local").notNull(),
    firedAt: moment("fired_at").notNull(),
    result: varchar("result", { length: 7 }).notNull(),
    rows: integer("rows").notNull().default(0),
    mails: integer("mails").notNull().default(0),
    leftOut: jsonb("left_out").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.ruleId, table.occurrenceLocal] })],
);
