import { bigint, boolean, char, integer, jsonb, pgTable, primaryKey, text, time, timestamp, uuid, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** Text of a mail: one serves all receivers of the same words. */
export const mailBody = pgTable("mail_body", {
  id: id(),
  projectId: ref("project_id").notNull(),
  hash: char("hash", { length: 64 }).notNull(),
  subject: varchar("subject", { length: 200 }).notNull(),
  html: text("html").notNull(),
  text: text("text").notNull(),
  createdAt: moment("created_at").notNull(),
  /** What it lists: headings, then rows. */
  rows: jsonb("rows"),
  attributeIds: bigint("attribute_ids", { mode: "number" }).array().notNull().default([]),
  /** DUs the words tell of. */
  duIds: bigint("du_ids", { mode: "number" }).array().notNull().default([]),
  /** The rows as a workbook, once it was needed. */
  fileId: uuid("file_id"),
});

/** One mail to one receiver with what became of it. */
export const mailOutbox = pgTable("mail_outbox", {
  id: id(),
  projectId: ref("project_id").notNull(),
  dedupeKey: char("dedupe_key", { length: 64 }).notNull(),
  kind: varchar("kind", { length: 60 }).notNull(),
  ruleId: ref("rule_id"),
  toUserId: ref("to_user_id"),
  toAddress: varchar("to_address", { length: 254 }).notNull(),
  toName: varchar("to_name", { length: 200 }),
  cc: boolean("cc").notNull().default(false),
  lang: char("lang", { length: 2 }).notNull(),
  bodyId: ref("body_id").notNull(),
  attachmentIds: uuid("attachment_ids").array().notNull().default([]),
  status: varchar("status", { length: 10 }).notNull().default("QUEUED"),
  attempts: integer("attempts").notNull().default(0),
  nextAttemptAt: moment("next_attempt_at").notNull(),
  expiresAt: moment("expires_at").notNull(),
  lastError: varchar("last_error", { length: 500 }),
  messageId: varchar("message_id", { length: 200 }),
  /** Sign of life of the worker that took the mail for its last attempt. */
  claimedBy: uuid("claimed_by"),
  createdAt: moment("created_at").notNull(),
  sentAt: moment("sent_at"),
  responsibleId: ref("responsible_id"),
  occurrenceLocal: timestamp("occurrence_local", { mode: "string" }),
  /** The account of a subcontractor that has to see the DUs of the words: the receiver, or for an address outside the person who answers for the mail. */
  viewerId: ref("viewer_id"),
});

/** An address with its failures since the last success. */
export const mailAddress = pgTable("mail_address", {
  address: varchar("address", { length: 254 }).primaryKey(),
  failures: integer("failures").notNull().default(0),
  lastError: varchar("last_error", { length: 500 }),
  blocked: boolean("blocked").notNull().default(false),
});

/** A kind of mail an account or a plain address has declined in a project. */
export const mailOptout = pgTable("mail_optout", {
  id: id(),
  projectId: ref("project_id").notNull(),
  kind: varchar("kind", { length: 60 }).notNull(),
  userId: ref("user_id"),
  address: varchar("address", { length: 254 }),
  createdAt: moment("created_at").notNull(),
});

/** Mails of a project in one minute. */
export const mailMinute = pgTable(
  "mail_minute",
  { projectId: ref("project_id").notNull(), minute: moment("minute").notNull(), mails: integer("mails").notNull() },
  (table) => [primaryKey({ columns: [table.projectId, table.minute] })],
);

/** What the product tells a person inside itself: a key of the texts with its values. */
export const notice = pgTable("notice", {
  id: id(),
  projectId: ref("project_id").notNull(),
  userId: ref("user_id").notNull(),
  kind: varchar("kind", { length: 60 }).notNull(),
  title: varchar("title", { length: 120 }).notNull(),
  params: jsonb("params").notNull(),
  body: varchar("body", { length: 1000 }),
  link: varchar("link", { length: 500 }),
  event: char("event", { length: 64 }),
  createdAt: moment("created_at").notNull(),
  readAt: moment("read_at"),
});

/** How the mails of a project are sent. */
export const remSetting = pgTable("rem_setting", {
  projectId: ref("project_id").primaryKey(),
  senderName: varchar("sender_name", { length: 100 }),
  replyTo: varchar("reply_to", { length: 254 }),
  defaultSendTime: time("default_send_time").notNull(),
  equipmentAccountAttrId: ref("equipment_account_attr_id"),
  productNameAttrId: ref("product_name_attr_id"),
  rowVersion: rowVersion(),
});

/** Words of a project in place of the standard ones of a kind of mail. */
export const mailTemplate = pgTable("mail_template", {
  id: id(),
  projectId: ref("project_id").notNull(),
  kind: varchar("kind", { length: 40 }).notNull(),
  lang: char("lang", { length: 2 }).notNull(),
  subject: varchar("subject", { length: 200 }).notNull(),
  body: varchar("body", { length: 4000 }).notNull(),
  rowVersion: rowVersion(),
});
