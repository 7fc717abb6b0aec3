import { z } from "zod";
import { KeptFilter, listInput } from "#lib/core/paging.ts";

/** `at` a range of days or a preset; `name` a part of the template's name. */
export const ListTemplateLog = listInput(
  { at: ["range", "preset"], actor: ["eq", "in"], act: ["eq", "in"], name: ["like"] },
  { sortable: [] },
);

/** The log as filtered; what is written after the call does not belong to it. */
export const ExportTemplateLog = z.strictObject({ filters: z.unknown().default([]) }).transform((given, context) => {
  const parsed = ListTemplateLog.safeParse({ page: 1, size: 20, filters: given.filters });
  if (parsed.success) return { filters: parsed.data.filters };
  for (const issue of parsed.error.issues) context.addIssue({ ...issue } as never);
  return z.NEVER;
});

export const TemplateLogParams = z.object({ filters: z.array(KeptFilter), upTo: z.int(), total: z.int() });
export type TemplateLogParams = z.output<typeof TemplateLogParams>;
