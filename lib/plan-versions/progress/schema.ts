import { z } from "zod";
import { progressGrains, progressVersionsMax } from "./limits.ts";

const id = z.int().min(1);

/** Versions whose planned progress is drawn beside the present plan and what is done; of one activity, or of all. */
export const ReadProgress = z.strictObject({
  versionIds: z
    .array(id)
    .refine((ids) => ids.length <= progressVersionsMax, { params: { code: "TOO_MANY", max: progressVersionsMax } })
    .default([])
    .transform((ids) => [...new Set(ids)]),
  activityId: id.optional(),
  grain: z.enum(progressGrains).default("week"),
});
