import { z } from "zod";
import { deleteMappingsMax, type KeptKind, keptKinds, mappingNameMax, mappingRowsMax } from "./limits.ts";

const id = z.int().min(1);
const kinds = Object.fromEntries(keptKinds.map((kind) => [kind, z.boolean()])) as Record<KeptKind, z.ZodBoolean>;

/** An activity of the old flow and the one of the new flow that takes over from it. */
const Pair = z.strictObject({ fromActivityId: id, toActivityId: id, ...kinds });
export type RetentionPair = z.output<typeof Pair>;

const repeated =
  (key: "fromActivityId" | "toActivityId", code: "VALUE_REPEATED" | "TARGET_REPEATED") =>
  (rows: RetentionPair[], context: z.RefinementCtx) => {
    const seen = new Set<number>();
    rows.forEach((row, at) => {
      if (seen.has(row[key])) context.addIssue({ code: "custom", path: [at, key], params: { code, where: at + 1 } });
      seen.add(row[key]);
    });
  };

export const SaveRetentionMapping = z
  .strictObject({
    id: id.optional(),
    name: z
      .string()
      .trim()
      .max(mappingNameMax)
      .refine((name) => name !== "", { params: { code: "NAME_REQUIRED" } }),
    fromFlowId: id,
    toFlowId: id,
    isDefault: z.boolean().default(false),
    rows: z
      .array(Pair)
      .max(mappingRowsMax)
      .superRefine(repeated("toActivityId", "TARGET_REPEATED"))
      .superRefine(repeated("fromActivityId", "VALUE_REPEATED")),
    rowVersion: z.int().min(1).optional(),
  })
  .refine((mapping) => mapping.id === undefined || mapping.rowVersion !== undefined, {
    path: ["rowVersion"],
    params: { code: "VALUE_MISSING" },
  })
  .refine((mapping) => mapping.fromFlowId !== mapping.toFlowId, { path: ["toFlowId"], params: { code: "VALUE_REPEATED" } });

export const DeleteRetentionMappings = z.strictObject({ ids: z.array(id).min(1).max(deleteMappingsMax) });
/** Mappings from one flow, to one flow, or all of the project. */
export const ListRetentionMappings = z.strictObject({ fromFlowId: id.optional(), toFlowId: id.optional() });
export const SuggestRetention = z.strictObject({ fromFlowId: id, toFlowId: id });
