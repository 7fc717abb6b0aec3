import { z } from "zod";
import { locales } from "#lib/core/locale.ts";
import { templateBodyChars, templateKinds, templateSubjectChars } from "./limits.ts";

export const FindTemplates = z.object({ kind: z.enum(templateKinds).optional() });

/** Without subject and text the standard text is sent again. `rowVersion` is 0 where the project has no words of its own. */
export const SaveTemplate = z
  .object({
    kind: z.enum(templateKinds),
    lang: z.enum(locales),
    subject: z
      .string()
      .trim()
      .max(templateSubjectChars)
      .refine((text) => !/[\r\n]/.test(text), { params: { code: "VALUE_UNKNOWN" } }),
    body: z.string().trim().max(templateBodyChars),
    rowVersion: z.int().min(0),
  })
  .refine(({ subject, body }) => subject !== "" || body === "", { path: ["subject"], params: { code: "VALUE_MISSING" } })
  .refine(({ subject, body }) => body !== "" || subject === "", { path: ["body"], params: { code: "VALUE_MISSING" } });
export type SaveTemplate = z.output<typeof SaveTemplate>;
