import { jsonb, pgTable, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref } from "#db/columns.ts";

export const auditLog = pgTable("audit_log", {
  id: id(),
  at: moment("at").notNull(),
  actorId: ref("actor_id"),
  ip: varchar("ip", { length: 64 }),
  requestId: varchar("request_id", { length: 64 }),
  projectId: ref("project_id"),
  event: varchar("event", { length: 40 }).notNull(),
  address: varchar("address", { length: 120 }),
  object: varchar("object", { length: 200 }),
  detail: jsonb("detail"),
});
