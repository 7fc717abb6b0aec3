import { z } from "zod";
import { dateFormats } from "#lib/imports/kind/limits.ts";
import { delimiters, encodings } from "#lib/imports/limits.ts";
import { applyDusMax } from "./limits.ts";

const id = z.int().min(1);

/** An uploaded plan in somebody else's layout and the template that says what its columns mean. */
export const ApplyReverse = z.strictObject({
  fileId: z.uuid(),
  templateId: id,
  sheet: z.string().max(255).optional(),
  encoding: z.enum(encodings).default("utf-8"),
  delimiter: z.enum(delimiters).default(""),
  dateFormat: z.enum(dateFormats).default("ymd"),
  /** Shows what its columns give; otherwise its cells are checked. */
  preview: z.boolean().default(false),
});
export type ApplyReverse = z.output<typeof ApplyReverse>;

/** DUs a plan template is applied to, or what would become of them. */
export const ApplyPlan = z.strictObject({
  templateId: id,
  duIds: z
    .array(id)
    .min(1)
    .refine((ids) => ids.length <= applyDusMax, { params: { code: "TOO_MANY_DU", max: applyDusMax } })
    .transform((ids) => [...new Set(ids)]),
  preview: z.boolean().default(false),
});
export type ApplyPlan = z.output<typeof ApplyPlan>;
