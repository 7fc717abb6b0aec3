import { z } from "zod";
import { dayNumber, firstDay, isIsoDay, isoDay, lastDay } from "#lib/core/clock.ts";
import { boardDaysMax, boardGroups, boardLanesMax } from "./limits.ts";

const id = z.int().min(1);
const day = z
  .string()
  .refine(isIsoDay, { params: { code: "DATE_FORMAT" }, abort: true })
  .refine((iso) => dayNumber(iso) >= firstDay && dayNumber(iso) <= lastDay, {
    params: { code: "DATE_OUT_OF_RANGE", min: isoDay(firstDay), max: isoDay(lastDay) },
  });

/**
 * Days and grouping of a board. Without `lanes` every lane is counted and what has no dates is listed; with them their cards are given, and with `counts`
 * their counts too.
 */
export const BoardInput = z
  .strictObject({
    from: day,
    to: day,
    groupBy: z.enum(boardGroups),
    queryId: z.uuid(),
    activityIds: z.array(id).max(2000).optional(),
    /** Ids of owners, subcontractors, regions or clusters; 0 for what has none. */
    lanes: z.array(z.int().min(0)).min(1).max(boardLanesMax).optional(),
    counts: z.boolean().default(true),
  })
  .superRefine(({ from, to }, context) => {
    if (from > to) context.addIssue({ code: "custom", path: ["to"], params: { code: "DATE_ORDER" } });
    else if (dayNumber(to) - dayNumber(from) >= boardDaysMax)
      context.addIssue({ code: "custom", path: ["to"], params: { code: "TOO_MANY_DAYS", max: boardDaysMax } });
  });
export type BoardInput = z.output<typeof BoardInput>;
