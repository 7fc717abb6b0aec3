import { z } from "zod";
import { exportColumnsMax, exportDusMax } from "./limits.ts";

const columns = z
  .array(z.string().max(60))
  .min(1)
  .max(exportColumnsMax)
  .transform((keys) => [...new Set(keys)]);

/** An export of the plan: the DUs of a kept query, or the named ones, with the shown columns by their keys (`code`, `a12`, `7:planEnd`, `7:a12`). */
export const ExportPlan = z
  .strictObject({
    queryId: z.uuid().optional(),
    duIds: z.array(z.int().min(1)).max(exportDusMax).optional(),
    columns,
    lockedColumns: z.int().min(0).max(8).default(0),
  })
  .refine((given) => (given.queryId === undefined) !== (given.duIds === undefined), {
    path: ["queryId"],
    params: { code: "VALUE_MISSING" },
  });

/** What the task keeps: the query may have expired when it runs. */
export const ExportParams = z.strictObject({ duIds: z.array(z.int()), columns: z.array(z.string()), lockedColumns: z.int() });
export type ExportParams = z.output<typeof ExportParams>;
