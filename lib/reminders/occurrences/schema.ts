import { z } from "zod";
import { everyDaysMax, monthDayMax } from "./limits.ts";
import { isLocalText } from "./logic.ts";

/** How often: weekdays from 0 = Sunday, a day of the month or its last one, every so many days from the day the validity begins. */
export const Frequency = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ONCE") }),
  z.strictObject({ kind: z.literal("DAILY") }),
  z.strictObject({
    kind: z.literal("WEEKLY"),
    weekdays: z
      .array(z.int().min(0).max(6))
      .min(1)
      .max(7)
      .transform((days) => [...new Set(days)].sort((a, b) => a - b)),
  }),
  z.strictObject({ kind: z.literal("MONTHLY"), day: z.union([z.int().min(1).max(monthDayMax), z.literal("LAST")]) }),
  z.strictObject({ kind: z.literal("EVERY_N_DAYS"), days: z.int().min(1).max(everyDaysMax) }),
  z.strictObject({ kind: z.literal("REALTIME") }),
]);
export type Frequency = z.output<typeof Frequency>;

/** A moment on the project's wall clock, to the minute: `2026-10-14T08:00`. */
export const LocalMoment = z.string().refine(isLocalText, { params: { code: "DATE_FORMAT" } });

/** A time of the day, to the minute: `08:00`. */
export const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
