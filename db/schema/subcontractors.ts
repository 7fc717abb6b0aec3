import { boolean, date, integer, numeric, pgTable, primaryKey, varchar } from "drizzle-orm/pg-core";
import { id, moment, ref, rowVersion } from "#db/columns.ts";

/** A kind of company with the activities it does. */
export const subconType = pgTable("subcon_type", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 200 }).notNull(),
  activityIds: ref("activity_ids").array().notNull().default([]),
  rowVersion: rowVersion(),
  updatedBy: ref("updated_by"),
  updatedAt: moment("updated_at").notNull(),
});

/** Revision of what is set for a company; without company for all that have nothing of their own. */
export const subconSetting = pgTable("subcon_setting", {
  id: id(),
  projectId: ref("project_id").notNull(),
  subcontractorId: ref("subcontractor_id"),
  rowVersion: rowVersion(),
  updatedBy: ref("updated_by"),
  updatedAt: moment("updated_at").notNull(),
});

/** A switch of a company. */
export const subconConfig = pgTable(
  "subcon_config",
  {
    settingId: ref("setting_id").notNull(),
    projectId: ref("project_id").notNull(),
    key: varchar("key", { length: 40 }).notNull(),
    value: boolean("value").notNull(),
  },
  (table) => [primaryKey({ columns: [table.settingId, table.key] })],
);

const amount = (name: string) => numeric(name, { precision: 7, scale: 2, mode: "number" });

/** What can be done a week, growing from its first one on: in a region, by a kind of company, or altogether. */
export const subconCapacity = pgTable("subcon_capacity", {
  id: id(),
  projectId: ref("project_id").notNull(),
  settingId: ref("setting_id").notNull(),
  regionId: ref("region_id"),
  subconTypeId: ref("subcon_type_id"),
  baseline: amount("baseline").notNull(),
  upperCap: amount("upper_cap").notNull(),
  lowerLimit: amount("lower_limit").notNull(),
  leadTimeWeeks: integer("lead_time_weeks").notNull(),
  increasePeriodWeeks: integer("increase_period_weeks").notNull(),
  increasePerCycle: amount("increase_per_cycle").notNull(),
  redundancyRatio: amount("redundancy_ratio").notNull(),
  startWeek: date("start_week").notNull(),
});

/** A week whose capacity was set by hand. */
export const subconCapacityWeek = pgTable(
  "subcon_capacity_week",
  {
    capacityId: ref("capacity_id").notNull(),
    projectId: ref("project_id").notNull(),
    weekStart: date("week_start").notNull(),
    value: amount("value").notNull(),
  },
  (table) => [primaryKey({ columns: [table.capacityId, table.weekStart] })],
);
