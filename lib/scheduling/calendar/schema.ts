import { z } from "zod";
import { PlanDay } from "#lib/core/plan-day.ts";
import { calendarDaysMax, calendarNameMax } from "./limits.ts";

const id = z.int().min(1);

export const FindCalendar = z.strictObject({ regionId: id.nullish() });

const days = z
  .array(z.strictObject({ day: PlanDay, working: z.boolean(), name: z.string().trim().max(calendarNameMax).nullish() }))
  .max(calendarDaysMax)
  .superRefine((given, context) => {
    const seen = new Set<string>();
    given.forEach(({ day }, at) => {
      if (seen.has(day)) context.addIssue({ code: "custom", path: [at, "day"], params: { code: "VALUE_REPEATED" } });
      seen.add(day);
    });
  });

/**
 * A calendar as it is to be: weekdays are the numbers 0 = Sunday to 6 = Saturday on which people work, days those that differ from their weekday.
 * With `inherit` a region follows the project's calendar again.
 */
export const SaveCalendar = z
  .strictObject({
    regionId: id.nullish(),
    inherit: z.literal(true).optional(),
    weekdays: z.array(z.int().min(0).max(6)).max(7).optional(),
    days: days.optional(),
    rowVersion: z.int().min(1).nullish(),
  })
  .superRefine((given, context) => {
    const needed = given.inherit ? (["regionId"] as const) : (["weekdays", "days"] as const);
    for (const field of needed)
      if (given[field] === undefined || given[field] === null)
        context.addIssue({ code: "custom", path: [field], params: { code: "VALUE_MISSING" } });
  });
