import { z } from "zod";
import { restoreDusMax, restoreFields, restoreReasonMax } from "./limits.ts";

const id = z.int().min(1);
const fields = z
  .array(z.enum(restoreFields))
  .min(1)
  .default(["plan"])
  .transform((given) => [...new Set(given)]);

/** Puts the plan back as a version holds it, of all its DUs or of the named ones. Only a preview needs no reason. */
export const RestoreVersion = z
  .strictObject({
    id,
    duIds: z
      .array(id)
      .min(1)
      .refine((ids) => ids.length <= restoreDusMax, { params: { code: "TOO_MANY_DU", max: restoreDusMax } })
      .transform((ids) => [...new Set(ids)])
      .optional(),
    fields,
    reason: z.string().trim().max(restoreReasonMax).default(""),
    preview: z.boolean().default(false),
  })
  .refine(({ preview, reason }) => preview || reason !== "", { path: ["reason"], params: { code: "REASON_REQUIRED" } });
export type RestoreVersion = z.output<typeof RestoreVersion>;

/** What the task of a restore keeps. */
export const RestoreParams = z.strictObject({ id, duIds: z.array(z.int()), fields, reason: z.string() });
export type RestoreParams = z.output<typeof RestoreParams>;
