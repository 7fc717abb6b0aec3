import { z } from "zod";
import { copyProjectsMax } from "../limits.ts";

/** Projects the milestones are copied to. */
export const CopyMilestones = z.strictObject({
  toProjectNumbers: z
    .array(z.string().trim().min(1).max(40))
    .min(1)
    .max(copyProjectsMax)
    .transform((given) => [...new Set(given)]),
});
export type CopyMilestones = z.output<typeof CopyMilestones>;
