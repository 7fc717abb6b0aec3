import { boolean, char, date, doublePrecision, integer, numeric, pgTable, primaryKey, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** A person of the project's pool; the company of a subcontractor's person follows from the active row. */
export const resource = pgTable("resource", {
  id: id(),
  projectId: ref("project_id").notNull(),
  userId: ref("user_id").notNull(),
  type: varchar("type", { length: 12 }).notNull(),
  contractor: varchar("contractor", { length: 200 }),
  subcontractorId: ref("subcontractor_id"),
  phone: varchar("phone", { length: 100 }),
  authStart: date("auth_start"),
  authEnd: date("auth_end"),
  visaType: varchar("visa_type", { length: 60 }),
  visaStart: date("visa_start"),
  visaEnd: date("visa_end"),
  skills: varchar("skills", { length: 60 }).array().notNull(),
  longitude: doublePrecision("longitude"),
  latitude: doublePrecision("latitude"),
  availability: char("availability", { length: 1 }).notNull().default("Y"),
  presence: char("presence", { length: 1 }).notNull().default("Y"),
  lastActivityAt: moment("last_activity_at"),
  publicAccount: boolean("public_account").notNull().default(false),
  dataOwner: boolean("data_owner").notNull().default(false),
  status: varchar("status", { length: 10 }).notNull().default("ACTIVE"),
  rowVersion: rowVersion(),
  createdBy: ref("created_by"),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by"),
  updatedAt: moment("updated_at").notNull(),
});

export const resSetting = pgTable("res_setting", {
  projectId: ref("project_id").primaryKey(),
  availabilityInactiveDays: integer("availability_inactive_days").notNull().default(90),
  presenceInactiveDays: integer("presence_inactive_days").notNull().default(30),
  keyRoles: varchar("key_roles", { length: 30 }).array().notNull(),
  keyRoleSwitch: boolean("key_role_switch").notNull().default(false),
  rowVersion: rowVersion(),
});

export const resGroup = pgTable("res_group", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  scenario: varchar("scenario", { length: 200 }),
  contractor: varchar("contractor", { length: 200 }),
  rowVersion: rowVersion(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

export const resGroupMember = pgTable(
  "res_group_member",
  {
    groupId: ref("group_id").notNull(),
    resourceId: ref("resource_id").notNull(),
    projectId: ref("project_id").notNull(),
    memberType: varchar("member_type", { length: 60 }),
    isLeader: boolean("is_leader").notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.resourceId] })],
);

export const resIntroduction = pgTable("res_introduction", {
  id: id(),
  projectId: ref("project_id").notNull(),
  subcontractorId: ref("subcontractor_id").notNull(),
  userIds: ref("user_ids").array().notNull(),
  status: varchar("status", { length: 10 }).notNull().default("PENDING"),
  applicantId: ref("applicant_id").notNull(),
  approverId: ref("approver_id"),
  reason: varchar("reason", { length: 500 }),
  rowVersion: rowVersion(),
  createdAt: moment("created_at").notNull(),
  decidedAt: moment("decided_at"),
});

export const resAssignment = pgTable(
  "res_assignment",
  {
    projectId: ref("project_id").notNull(),
    activityId: ref("activity_id").notNull(),
    types: varchar("types", { length: 12 }).array().notNull(),
    requiredSkill: varchar("required_skill", { length: 60 }),
    maxDistanceKm: numeric("max_distance_km", { precision: 6, scale: 1, mode: "number" }),
    rowVersion: rowVersion(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.activityId] })],
);
