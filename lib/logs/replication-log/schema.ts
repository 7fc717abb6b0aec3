import { z } from "zod";
import { KeptFilter, listInput } from "#lib/core/paging.ts";

/** `at` a range of days or a preset; `flow` a part of the name of either flow; `project` the number of the project it went to. */
export const ListReplications = listInput(
  { at: ["range", "preset"], actor: ["eq", "in"], status: ["eq", "in"], flow: ["like"], project: ["eq", "in"] },
  { sortable: [] },
);

/** The log as filtered; what is written after the call does not belong to it. */
export const ExportReplications = z.strictObject({ filters: z.unknown().default([]) }).transform((given, context) => {
  const parsed = ListReplications.safeParse({ page: 1, size: 20, filters: given.filters });
  if (parsed.success) return { filters: parsed.data.filters };
  for (const issue of parsed.error.issues) context.addIssue({ ...issue } as never);
  return z.NEVER;
});

export const ReplicationExportParams = z.object({ filters: z.array(KeptFilter), upTo: z.int(), total: z.int() });
export type ReplicationExportParams = z.output<typeof ReplicationExportParams>;
