import { z } from "zod";
import { filterTypes } from "#lib/core/filter-types.ts";
import { ListPlanLog } from "#lib/logs/schema.ts";
import { batchPageMax } from "./limits.ts";

const filter = z.object({ field: z.string(), type: z.enum(filterTypes), values: z.array(z.unknown()) });

/** Batches of the plan log behind a change number, newest first; the filters are those of `planLog/list`. */
export const ListBatches = z
  .strictObject({
    filters: z.array(filter).default([]),
    beforeSeq: z.int().min(1).optional(),
    size: z.int().min(1).max(batchPageMax).default(batchPageMax),
  })
  .transform((input, context) => {
    const read = ListPlanLog.safeParse({ page: 1, size: 10, filters: input.filters });
    if (read.success) return { ...input, filters: read.data.filters };
    for (const issue of read.error.issues) context.addIssue({ ...issue } as never);
    return z.NEVER;
  });
export type ListBatches = z.output<typeof ListBatches>;

export const ListLogFields = z.strictObject({});
