import { z } from "zod";
import { siteTypeNameChars, siteTypesMax, subTypesMax } from "./limits.ts";

const id = z.int().min(1);
const name = z
  .string()
  .refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } })
  .trim()
  .refine((given) => given !== "", { params: { code: "NAME_REQUIRED" } })
  .refine((given) => [...given].length <= siteTypeNameChars, { params: { code: "NAME_TOO_LONG", max: siteTypeNameChars } });
const percentage = z.number().refine((given) => given >= 0 && given <= 100 && Math.abs(given * 100 - Math.round(given * 100)) < 1e-6, {
  params: { code: "PERCENT_RANGE" },
});

const Dimension = z.strictObject({ id: id.optional(), name });
const Type = z
  .strictObject({
    id: id.optional(),
    name,
    subs: z.array(z.strictObject({ dimension: name, name, percentage })).max(subTypesMax),
    rowVersion: z.int().min(1).optional(),
  })
  .superRefine((given, context) => {
    if (given.id !== undefined && given.rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
  });

/** Dimensions are the whole list where given, with the base it was made upon; site types not named stay as they are. A part names its dimension. */
export const SaveSiteTypes = z
  .strictObject({
    dimensions: z.array(Dimension).max(100).optional(),
    base: z.array(z.strictObject({ id, name })).max(100).optional(),
    types: z.array(Type).max(100).optional(),
  })
  .superRefine(({ dimensions, base }, context) => {
    if (dimensions && !base) context.addIssue({ code: "custom", path: ["base"], params: { code: "VALUE_MISSING" } });
  });
export type SaveSiteTypes = z.output<typeof SaveSiteTypes>;
export const SiteTypeIds = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .max(siteTypesMax)
    .transform((ids) => [...new Set(ids)]),
});
export type SiteTypeIds = z.output<typeof SiteTypeIds>;
export const Nothing = z.strictObject({});
