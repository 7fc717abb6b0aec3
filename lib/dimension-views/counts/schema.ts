import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { filterChars } from "#lib/core/filter-limits.ts";
import { filterTypes } from "#lib/core/filter-types.ts";
import { dimensionChars, rowLimitMax, tabActivitiesMax, viewPeriods } from "../limits.ts";
import { TabActivities } from "../schema.ts";
import { buckets, orders, rowKinds, searchChars, trendGrains, viewConditionsMax } from "./limits.ts";

const id = z.int().min(1);
const day = z.string().refine(isIsoDay, { params: { code: "DATE_FORMAT" } });

/** Counting ends with the last day of the period; without one with today. */
export const ViewPeriodInput = z.union([
  z.strictObject({ preset: z.enum(viewPeriods) }),
  z.strictObject({ from: day, to: day }).refine((given) => given.from <= given.to, { params: { code: "DATE_ORDER" } }),
]);
export type ViewPeriodInput = z.output<typeof ViewPeriodInput>;

const filters = z
  .array(
    z.strictObject({
      field: z.string().min(1).max(60),
      activityId: id.optional(),
      type: z.enum(filterTypes),
      values: z
        .array(z.union([z.string().max(2000), z.number(), z.boolean(), z.null()]))
        .max(500)
        .default([]),
    }),
  )
  .max(viewConditionsMax)
  .refine((given) => JSON.stringify(given).length <= filterChars, { params: { code: "FILTER_TOO_LONG", max: filterChars } })
  .default([]);

/** What decides which figures are counted. */
export const askedView = { tabId: id, period: ViewPeriodInput.optional(), filters };
/** Which rows are shown, in which order. */
export const arrangement = {
  /** A part of the values' titles. */
  search: z.string().max(searchChars).optional(),
  sort: z
    .strictObject({
      by: z.enum(orders),
      activity: z
        .int()
        .min(0)
        .max(tabActivitiesMax - 1)
        .optional(),
      dir: z.enum(["asc", "desc"]),
    })
    .optional(),
};

export const QueryView = z.strictObject({
  ...askedView,
  ...arrangement,
  page: z.int().min(1).max(1_000_000).default(1),
  size: z
    .int()
    .min(1)
    .max(rowLimitMax + 1)
    .default(50),
});
export type QueryView = z.output<typeof QueryView>;

/** A tab that is being edited, counted for its first rows. */
export const PreviewTab = z.strictObject({ dimension: z.string().min(1).max(dimensionChars), activityIds: TabActivities });
export type PreviewTab = z.output<typeof PreviewTab>;

const row = {
  /** The row: of the value by default, of all where none is named. */
  row: z.enum(rowKinds).optional(),
  value: z.string().max(2000).optional(),
};

/** The DUs behind a number. */
export const DrillInto = z
  .strictObject({ ...askedView, ...row, activityId: id.optional(), bucket: z.enum(buckets) })
  .superRefine((given, context) => {
    if (given.bucket !== "total" && given.activityId === undefined)
      context.addIssue({ code: "custom", path: ["activityId"], params: { code: "VALUE_MISSING" } });
  });
export type DrillInto = z.output<typeof DrillInto>;

export const ReadTrend = z.strictObject({ tabId: id, filters, ...row, activityId: id, grain: z.enum(trendGrains).default("week") });
export type ReadTrend = z.output<typeof ReadTrend>;
