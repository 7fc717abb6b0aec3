import { z } from "zod";
import { dayNumber, firstDay, isIsoDay, isoDay, lastDay } from "./clock.ts";

/** A day that a plan can hold, as ISO day; what lies outside is refused with the range. */
export const PlanDay = z
  .string()
  .refine(isIsoDay, { params: { code: "DATE_FORMAT" }, abort: true })
  .refine((iso) => dayNumber(iso) >= firstDay && dayNumber(iso) <= lastDay, {
    params: { code: "DATE_OUT_OF_RANGE", min: isoDay(firstDay), max: isoDay(lastDay) },
  });
