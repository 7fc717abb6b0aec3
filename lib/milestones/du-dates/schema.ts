import { z } from "zod";
import { searchEntriesMax } from "#lib/core/filter-limits.ts";
import { dusPerCall } from "../limits.ts";

export const FindByDu = z.strictObject({
  duIds: z
    .array(z.int().min(1))
    .min(1)
    .transform((ids) => [...new Set(ids)])
    .refine((ids) => ids.length <= dusPerCall, { params: { code: "TOO_MANY_DU", max: dusPerCall } }),
});
export type FindByDu = z.output<typeof FindByDu>;

/** Codes of DUs as somebody pasted them. */
export const FindDus = z.strictObject({
  codes: z
    .array(z.string().trim().min(1).max(200))
    .transform((codes) => [...new Set(codes)])
    .refine((codes) => codes.length <= searchEntriesMax, { params: { code: "SEARCH_TOO_MANY", max: searchEntriesMax } }),
});
export type FindDus = z.output<typeof FindDus>;
