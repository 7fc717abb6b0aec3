import { boolean, integer, jsonb, pgTable, primaryKey, text, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** A table that holds further data of DUs. */
export const duTab = pgTable("du_tab", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  keyMode: varchar("key_mode", { length: 2 }).notNull(),
  sortNo: integer("sort_no").notNull().default(1),
  brazilOnly: boolean("brazil_only").notNull().default(false),
  rowVersion: rowVersion(),
  createdBy: ref("created_by"),
  createdAt: moment("created_at").notNull(),
  updatedBy: ref("updated_by"),
  updatedAt: moment("updated_at").notNull(),
  deletedAt: moment("deleted_at"),
});

/** An extension attribute; its values are keys of `du.ext`, those of level TAB keys of the rows of its tab. */
export const attribute = pgTable("attribute", {
  id: id(),
  projectId: ref("project_id").notNull(),
  key: varchar("key", { length: 20 }).notNull(),
  name: varchar("name", { length: 250 }).notNull(),
  type: varchar("type", { length: 12 }).notNull(),
  level: varchar("level", { length: 8 }).notNull().default("DU"),
  valueLimit: jsonb("value_limit"),
  inRolloutPlan: boolean("in_rollout_plan").notNull().default(false),
  sortNo: integer("sort_no").notNull().default(1),
  rowVersion: rowVersion(),
  deletedAt: moment("deleted_at"),
  standardAttributeId: ref("standard_attribute_id"),
  standardName: varchar("standard_name", { length: 250 }),
  classification: varchar("classification", { length: 70 }),
  duTabId: ref("du_tab_id"),
  lookupListId: ref("lookup_list_id"),
  /** The attribute whose value chooses among the values of the second level. */
  lookupParentId: ref("lookup_parent_id"),
  required: boolean("required").notNull().default(false),
  visibleCustomer: boolean("visible_customer").notNull().default(false),
  visibleSubcon: boolean("visible_subcon").notNull().default(false),
  editableSubcon: boolean("editable_subcon").notNull().default(false),
  mobileDisplay: boolean("mobile_display").notNull().default(false),
  defaultValue: text("default_value"),
  projectDefaultValue: text("project_default_value"),
  editablePersonControl: boolean("editable_person_control").notNull().default(false),
  remark: text("remark"),
  /** Somebody appended it to the fields of an object. */
  custom: boolean("custom").notNull().default(false),
  createdBy: ref("created_by"),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedBy: ref("updated_by"),
  updatedAt: moment("updated_at").notNull().defaultNow(),
});

export const attributeEnum = pgTable("attribute_enum", {
  id: id(),
  attributeId: ref("attribute_id").notNull(),
  value: varchar("value", { length: 70 }).notNull(),
  sortNo: integer("sort_no").notNull().default(1),
  active: boolean("active").notNull().default(true),
});

/** The flows an attribute belongs to; all of them where it has no row. */
export const attributeFlow = pgTable(
  "attribute_flow",
  { attributeId: ref("attribute_id").notNull(), flowId: ref("flow_id").notNull() },
  (table) => [primaryKey({ columns: [table.attributeId, table.flowId] })],
);

/** A person who may only read an attribute, or one of those who alone may write it. */
export const attributeUser = pgTable(
  "attribute_user",
  { attributeId: ref("attribute_id").notNull(), userId: ref("user_id").notNull(), mode: varchar("mode", { length: 2 }).notNull() },
  (table) => [primaryKey({ columns: [table.attributeId, table.userId] })],
);

/** The only persons who may edit an attribute under person control. */
export const attributeEditablePerson = pgTable(
  "attribute_editable_person",
  { attributeId: ref("attribute_id").notNull(), userId: ref("user_id").notNull() },
  (table) => [primaryKey({ columns: [table.attributeId, table.userId] })],
);

/** What a role or an account may do with attributes: `[{ attributeId | '*', mode }]`. */
export const attributePermission = pgTable("attribute_permission", {
  id: id(),
  projectId: ref("project_id").notNull(),
  subjectType: varchar("subject_type", { length: 7 }).notNull(),
  role: varchar("role", { length: 40 }),
  userId: ref("user_id"),
  entries: jsonb("entries").notNull(),
  rowVersion: rowVersion(),
  updatedBy: ref("updated_by"),
  updatedAt: moment("updated_at").notNull(),
});

/** Who may add attributes; everybody who may edit them where a project has no row. */
export const attributeAddGrant = pgTable("attribute_add_grant", {
  id: id(),
  projectId: ref("project_id").notNull(),
  subjectType: varchar("subject_type", { length: 7 }).notNull(),
  role: varchar("role", { length: 40 }),
  userId: ref("user_id"),
});

/** A list of values that several attributes share. */
export const lookupList = pgTable("lookup_list", {
  id: id(),
  projectId: ref("project_id").notNull(),
  code: varchar("code", { length: 70 }).notNull(),
  rowVersion: rowVersion(),
  updatedBy: ref("updated_by"),
  updatedAt: moment("updated_at").notNull(),
});

export const lookupValue = pgTable("lookup_value", {
  id: id(),
  listId: ref("list_id").notNull(),
  parentId: ref("parent_id"),
  value: varchar("value", { length: 70 }).notNull(),
  sortNo: integer("sort_no").notNull().default(1),
});

/** Which configuration names what: the usage index that IN_USE answers and rechecks read. */
export const configRef = pgTable(
  "config_ref",
  {
    projectId: ref("project_id").notNull(),
    holderKind: varchar("holder_kind", { length: 20 }).notNull(),
    holderId: ref("holder_id").notNull(),
    targetKind: varchar("target_kind", { length: 12 }).notNull(),
    targetId: ref("target_id").notNull(),
    usage: varchar("usage", { length: 9 }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.holderKind, table.holderId, table.targetKind, table.targetId, table.usage] })],
);
