import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { targetMax, targetsMax } from "./limits.ts";
import { isWeekStart } from "./logic.ts";

const id = z.int().min(1);
const ids = z.array(id).min(1).max(200);
const week = z
  .string()
  .refine(isIsoDay, { params: { code: "DATE_FORMAT" } })
  .refine((day) => !isIsoDay(day) || isWeekStart(day), { params: { code: "NOT_A_WEEK_START" } });
const count = z
  .int()
  .max(targetMax)
  .refine((given) => given >= 0, { params: { code: "NEGATIVE_TARGET" } });

export const FindTargets = z.strictObject({
  ruleId: id.optional(),
  regionIds: ids.optional(),
  activityIds: ids.optional(),
  from: week,
  to: week,
});

/**
 * Targets as they were typed, each with the one that stood there when it was read (`base`), or a total that is spread evenly over the weeks of a region and an
 * activity, whatever stands there.
 */
export const SaveTargets = z
  .strictObject({
    ruleId: id,
    rows: z
      .array(z.strictObject({ regionId: id, activityId: id, weekStart: week, target: count.nullable(), base: count.nullable() }))
      .min(1)
      .max(targetsMax)
      .optional(),
    spread: z.literal(true).optional(),
    regionId: id.optional(),
    activityId: id.optional(),
    total: count.optional(),
    from: week.optional(),
    to: week.optional(),
  })
  .superRefine((given, context) => {
    if (given.rows) return;
    for (const field of ["regionId", "activityId", "total", "from", "to"] as const)
      if (given[field] === undefined) context.addIssue({ code: "custom", path: [field], params: { code: "VALUE_MISSING", field } });
    if (given.from && given.to && given.from > given.to) context.addIssue({ code: "custom", path: ["to"], params: { code: "DATE_ORDER" } });
  });
export type SaveTargets = z.output<typeof SaveTargets>;
