import { z } from "zod";
import { KeptFilter } from "#lib/core/paging.ts";
import { ListPlanLog } from "../schema.ts";

/** The list as filtered; what is written after the call does not belong to it. */
export const ExportPlanLog = z.strictObject({ filters: z.unknown().default([]) }).transform((given, context) => {
  const parsed = ListPlanLog.safeParse({ page: 1, size: 20, filters: given.filters });
  if (parsed.success) return { filters: parsed.data.filters };
  for (const issue of parsed.error.issues) context.addIssue({ ...issue } as never);
  return z.NEVER;
});

export const PlanLogParams = z.object({ filters: z.array(KeptFilter), upTo: z.int(), total: z.int() });
export type PlanLogParams = z.output<typeof PlanLogParams>;
