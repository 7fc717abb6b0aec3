import { z } from "zod";
import { ganttDusMax } from "./limits.ts";

export const GanttInput = z.strictObject({
  duIds: z
    .array(z.int().min(1))
    .min(1)
    .transform((ids) => [...new Set(ids)])
    .refine((ids) => ids.length <= ganttDusMax, { params: { code: "TOO_MANY_DU", max: ganttDusMax } }),
});
export type GanttInput = z.output<typeof GanttInput>;
