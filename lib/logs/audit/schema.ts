import { z } from "zod";
import { KeptFilter, listInput } from "#lib/core/paging.ts";

/** `at` a range of days or a preset; `object` and `address` a part of their text; `request` the whole number of a request. */
const fields = {
  at: ["range", "preset"],
  actor: ["eq", "in"],
  event: ["eq", "in"],
  object: ["like"],
  address: ["like"],
  request: ["eq"],
} as const;

export const ListAudit = listInput(fields, { sortable: [] });

/** The list as filtered; what is written after the call does not belong to it. */
export const ExportAudit = z.object({ filters: z.unknown().default([]) }).transform((given, context) => {
  const parsed = ListAudit.safeParse({ page: 1, size: 20, filters: given.filters });
  if (parsed.success) return { filters: parsed.data.filters };
  for (const issue of parsed.error.issues) context.addIssue({ ...issue } as never);
  return z.NEVER;
});

export const AuditParams = z.object({ filters: z.array(KeptFilter), upTo: z.int(), total: z.int() });
export type AuditParams = z.output<typeof AuditParams>;

export const ListErrorReports = listInput({ request: ["eq"] }, { sortable: [] });
