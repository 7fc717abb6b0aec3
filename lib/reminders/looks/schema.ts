import { z } from "zod";
import { locales } from "#lib/core/locale.ts";
import { SaveDeviation } from "../deviations/schema.ts";
import { SaveActualTime, SaveRule } from "../rules/schema.ts";
import { reminderKinds } from "../switching/limits.ts";

/** A reminder to look at: one that is saved, or one as it is typed. */
export const LookAt = z
  .strictObject({
    saved: z.strictObject({ kind: z.enum(reminderKinds), id: z.int().min(1) }).optional(),
    rule: SaveRule.optional(),
    actualTime: SaveActualTime.optional(),
    deviation: SaveDeviation.optional(),
    /** Language of the mail shown; the caller's where it is left out. */
    lang: z.enum(locales).optional(),
  })
  .refine(({ saved, rule, actualTime, deviation }) => [saved, rule, actualTime, deviation].filter(Boolean).length === 1, {
    path: ["rule"],
    params: { code: "VALUE_MISSING" },
  });
export type LookAt = z.output<typeof LookAt>;
