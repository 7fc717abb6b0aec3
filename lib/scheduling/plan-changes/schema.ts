import { z } from "zod";
import { planChangeDusMax, planChangeReasonMax } from "./limits.ts";

const id = z.int().min(1);
/** ISO day, or null for none; which days are in range is a rule of the cell. */
const Day = z.string().max(60).nullable();

/** Plan dates to change, each with the value the editor read, and why. */
export const SavePlanChange = z.strictObject({
  changes: z
    .array(z.strictObject({ duId: id, activityId: id, field: z.enum(["planStart", "planEnd"]), value: Day, base: Day }))
    .refine((changes) => changes.length > 0, { params: { code: "NOTHING_MODIFIED" } })
    .refine((changes) => new Set(changes.map(({ duId }) => duId)).size <= planChangeDusMax, {
      params: { code: "TOO_MANY_DU", max: planChangeDusMax },
    }),
  reason: z
    .string()
    .trim()
    .max(planChangeReasonMax)
    .refine((text) => text !== "", { params: { code: "REASON_REQUIRED" } }),
  /** The hash of the questions the change asked, once they are answered with yes. */
  confirmed: z.string().max(64).optional(),
});
export type SavePlanChange = z.output<typeof SavePlanChange>;
