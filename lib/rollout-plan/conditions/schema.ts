import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { filterTypes } from "#lib/core/filter-types.ts";
import { conditionsMax, periodPresets, searchFields, sortsMax } from "./limits.ts";

const id = z.int().min(1);
const day = z.string().refine(isIsoDay, { params: { code: "DATE_FORMAT" } });
const value = z.union([z.string().max(2000), z.number(), z.boolean(), z.null()]);

/** One condition: a DU column, an activity's column (with its activity) or an attribute `a12`. */
export const Condition = z.strictObject({
  field: z.string().min(1).max(60),
  activityId: id.optional(),
  type: z.enum(filterTypes),
  values: z.array(value).max(500).default([]),
});
export type Condition = z.output<typeof Condition>;

export const PlanSort = z.strictObject({ field: z.string().min(1).max(60), activityId: id.optional(), dir: z.enum(["asc", "desc"]) });
export type PlanSort = z.output<typeof PlanSort>;

export const Period = z.union([
  z.strictObject({ preset: z.enum(periodPresets) }),
  z.strictObject({ from: day, to: day }).refine((given) => given.from <= given.to, { params: { code: "DATE_ORDER" } }),
]);
export type Period = z.output<typeof Period>;

const query = {
  filters: z.array(Condition).max(conditionsMax).default([]),
  search: z.strictObject({ field: z.enum(searchFields).default("code"), text: z.string().max(100_000) }).optional(),
  period: Period.optional(),
  sort: z.array(PlanSort).max(sortsMax).default([]),
  flowIds: z.array(id).max(500).optional(),
  /** Key of a stored selection of one's own, or of a kept list: only its DUs. */
  selection: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional(),
  /** The shown activities: the period looks at their dates; without them at all. */
  activityIds: z.array(id).max(2000).optional(),
};

/** A question to the plan: which DUs, in which order. */
export const PlanQuestion = z.strictObject(query);
export type PlanQuestion = z.output<typeof PlanQuestion>;
