import { boolean, char, date, jsonb, numeric, pgTable, primaryKey, text, uuid, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

export const project = pgTable("project", {
  id: id(),
  number: varchar("number", { length: 40 }).notNull(),
  name: varchar("name", { length: 200 }).notNull(),
  country: char("country", { length: 2 }).notNull(),
  customerName: varchar("customer_name", { length: 200 }),
  customerKind: varchar("customer_kind", { length: 20 }).notNull().default("standard"),
  hostingCountry: char("hosting_country", { length: 2 }).notNull(),
  datacenter: varchar("datacenter", { length: 60 }),
  tzOffsetBeijing: numeric("tz_offset_beijing", { precision: 4, scale: 2, mode: "number" }).notNull().default(0),
  status: varchar("status", { length: 10 }).notNull().default("active"),
  closedAt: moment("closed_at"),
  /** When the network data of the closed project was deleted: it cannot be opened again after that. */
  erasedAt: moment("erased_at"),
  defaultLanguage: char("default_language", { length: 2 }).notNull().default("zh"),
  rowVersion: rowVersion(),
});

export const appUser = pgTable("app_user", {
  id: id(),
  account: varchar("account", { length: 60 }).notNull(),
  name: varchar("name", { length: 200 }).notNull(),
  email: varchar("email", { length: 254 }).notNull(),
  employeeId: varchar("employee_id", { length: 40 }),
  kind: varchar("kind", { length: 20 }).notNull().default("employee"),
  country: char("country", { length: 2 }).notNull(),
  managerId: ref("manager_id"),
  dpaExpiresOn: date("dpa_expires_on"),
  active: boolean("active").notNull().default(true),
  passwordHash: text("password_hash"),
  language: char("language", { length: 2 }),
  defaultProjectId: ref("default_project_id"),
  /** When the personal data of the account was replaced. */
  erasedAt: moment("erased_at"),
  /** When it was made, or lost a role or its place in a pool; null for an account older than this and known by what it did. */
  keptFrom: moment("kept_from"),
  rowVersion: rowVersion(),
});

export const userSession = pgTable("user_session", {
  sid: uuid("sid").primaryKey(),
  userId: ref("user_id").notNull(),
  csrfToken: char("csrf_token", { length: 43 }).notNull(),
  createdAt: moment("created_at").notNull(),
  lastSeenAt: moment("last_seen_at").notNull(),
  expiresAt: moment("expires_at").notNull(),
  ip: varchar("ip", { length: 64 }),
  revokedAt: moment("revoked_at"),
});

export const userIdentity = pgTable(
  "user_identity",
  {
    issuer: varchar("issuer", { length: 500 }).notNull(),
    subject: varchar("subject", { length: 255 }).notNull(),
    userId: ref("user_id").notNull(),
    linkedAt: moment("linked_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] })],
);

export const sessionProject = pgTable(
  "session_project",
  {
    sid: uuid("sid").notNull(),
    projectId: ref("project_id").notNull(),
    roleFp: char("role_fp", { length: 64 }).notNull(),
    enteredAt: moment("entered_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.sid, table.projectId] })],
);

export const apiToken = pgTable("api_token", {
  id: id(),
  userId: ref("user_id").notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  hash: char("hash", { length: 64 }).notNull(),
  createdAt: moment("created_at").notNull(),
  expiresAt: moment("expires_at").notNull(),
  lastUsedAt: moment("last_used_at"),
  revokedAt: moment("revoked_at"),
});

export const userSetting = pgTable("user_setting", {
  userId: ref("user_id").notNull(),
  settingId: varchar("setting_id", { length: 100 }).notNull(),
  projectId: ref("project_id"),
  value: jsonb("value").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

export const userRecentProject = pgTable(
  "user_recent_project",
  { userId: ref("user_id").notNull(), projectId: ref("project_id").notNull(), lastAt: moment("last_at").notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.projectId] })],
);

export const noticeAck = pgTable(
  "notice_ack",
  { userId: ref("user_id").notNull(), noticeKey: varchar("notice_key", { length: 100 }).notNull(), ackedAt: moment("acked_at").notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.noticeKey] })],
);

export const crossBorderConsent = pgTable("cross_border_consent", {
  sid: uuid("sid"),
  tokenId: ref("token_id"),
  userId: ref("user_id").notNull(),
  projectId: ref("project_id").notNull(),
  fromCountry: char("from_country", { length: 2 }).notNull(),
  toCountry: char("to_country", { length: 2 }).notNull(),
  confirmedAt: moment("confirmed_at").notNull(),
  ip: varchar("ip", { length: 64 }),
});
