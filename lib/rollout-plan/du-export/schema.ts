import { z } from "zod";
import { KeptFilter, type ListInput } from "#lib/core/paging.ts";
import { ListDus, ListSites } from "#lib/rollout-plan/dus/schema.ts";

// The conditions of a list alone: an export has no page.
const filtersOf = (list: z.ZodType<ListInput>) =>
  z.strictObject({ filters: z.unknown().default([]) }).transform((given, context) => {
    const parsed = list.safeParse({ page: 1, size: 20, filters: given.filters });
    if (parsed.success) return { filters: parsed.data.filters };
    for (const issue of parsed.error.issues) context.addIssue({ ...issue } as never);
    return z.NEVER;
  });

export const ExportDus = filtersOf(ListDus);
export const ExportSites = filtersOf(ListSites);

/** What the task of an export keeps. */
export const MasterExportParams = z.object({ filters: z.array(KeptFilter), total: z.int() });
export type MasterExportParams = z.output<typeof MasterExportParams>;
