import { z } from "zod";
import { dayNumber } from "#lib/core/clock.ts";
import { PlanDay } from "#lib/core/plan-day.ts";
import { boardDaysMax, boardGroups, boardLanesMax } from "./limits.ts";

const id = z.int().min(1);

/**
 * Days and grouping of a board. Without `lanes` every lane is counted and what has no dates is listed; with them their cards are given, and with `counts`
 * their counts too.
 */
export const BoardInput = z
  .strictObject({
    from: PlanDay,
    to: PlanDay,
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
