import { z } from "zod";
import { dusPerCall } from "../limits.ts";

export const FindByDu = z.strictObject({
  duIds: z
    .array(z.int().min(1))
    .refine((ids) => ids.length > 0, { params: { code: "DU_EMPTY" } })
    .transform((ids) => [...new Set(ids)])
    .refine((ids) => ids.length <= dusPerCall, { params: { code: "TOO_MANY_DU", max: dusPerCall } }),
});
export type FindByDu = z.output<typeof FindByDu>;
