import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { stepsMax } from "../sub-flows/limits.ts";

const id = z.int().min(1);
const day = z.string().refine(isIsoDay, { params: { code: "DATE_FORMAT" } });
const reasonChars = 2000;

export const FindSubSteps = z.strictObject({ duId: id, activityId: id });

/**
 * Steps of one activity of a DU with the day each was done on, null to open it again, and the one that stood there when it was read (`base`). Steps that are not
 * named stay as they are.
 */
export const SaveSubSteps = z.strictObject({
  duId: id,
  activityId: id,
  steps: z
    .array(z.strictObject({ stepId: id, doneOn: day.nullable(), base: day.nullable() }))
    .min(1)
    .max(stepsMax)
    .refine((steps) => new Set(steps.map(({ stepId }) => stepId)).size === steps.length, { params: { code: "VALUE_REPEATED" } }),
  reason: z.string().trim().max(reasonChars).optional(),
  /** The hash of the questions the save asked, once they are answered with yes. */
  confirmed: z.string().max(64).optional(),
});
