import { z } from "zod";
import { KeptFilter, listInput } from "#lib/core/paging.ts";
import { milestonesPerCall } from "../limits.ts";

/** Conditions on the DUs, as the list of DUs has them. */
const DuFilters = listInput({
  search: ["like", "in"],
  code: ["eq", "in"],
  flowId: ["eq", "in", "empty", "notEmpty"],
  regionId: ["eq", "in", "empty"],
  deliveryType: ["eq", "in", "like", "empty"],
  subcontractorId: ["eq", "in", "empty"],
});

const milestoneIds = z
  .array(z.int().min(1))
  .min(1)
  .max(milestonesPerCall)
  .transform((given) => [...new Set(given)]);

/** The milestones to export, and which DUs. */
export const ExportErp = z.strictObject({ milestoneIds, filters: z.unknown().default([]) }).transform((given, context) => {
  const parsed = DuFilters.safeParse({ page: 1, size: 20, filters: given.filters });
  if (parsed.success) return { milestoneIds: given.milestoneIds, filters: parsed.data.filters };
  for (const issue of parsed.error.issues) context.addIssue({ ...issue } as never);
  return z.NEVER;
});
export type ExportErp = z.output<typeof ExportErp>;

/** What the task keeps. */
export const ErpParams = z.object({ milestoneIds: z.array(z.int()), filters: z.array(KeptFilter), total: z.int() });
export type ErpParams = z.output<typeof ErpParams>;
