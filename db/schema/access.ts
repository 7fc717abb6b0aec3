import { date, pgTable, primaryKey, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

export const projectMember = pgTable("project_member", {
  id: id(),
  projectId: ref("project_id").notNull(),
  userId: ref("user_id").notNull(),
  role: varchar("role", { length: 30 }).notNull(),
  validFrom: date("valid_from").notNull(),
  validTo: date("valid_to"),
  grantedBy: ref("granted_by"),
  grantedAt: moment("granted_at").notNull(),
  rowVersion: rowVersion(),
});

export const rolePermission = pgTable(
  "role_permission",
  {
    projectId: ref("project_id").notNull(),
    role: varchar("role", { length: 30 }).notNull(),
    code: varchar("code", { length: 60 }).notNull(),
    scope: varchar("scope", { length: 1 }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.role, table.code] })],
);

export const roleDelegation = pgTable("role_delegation", {
  id: id(),
  projectId: ref("project_id").notNull(),
  role: varchar("role", { length: 30 }).notNull(),
  delegatorId: ref("delegator_id").notNull(),
  delegateId: ref("delegate_id").notNull(),
  validFrom: date("valid_from").notNull(),
  validTo: date("valid_to").notNull(),
  reason: varchar("reason", { length: 500 }),
  revokedAt: moment("revoked_at"),
});
