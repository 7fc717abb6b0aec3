import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { countMax, engineRegionChars, inputRowsMax } from "../inputs/limits.ts";
import { principalNameChars, sourceCodeChars, sourceSystemChars, warehouseNameChars, warehouseTypes } from "./limits.ts";

const id = z.int().min(1);
const text = (max: number) =>
  z
    .string()
    .refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } })
    .trim()
    .refine((given) => [...given].length <= max, { params: { code: "VALUE_TOO_LONG", max } });
const required = (max: number) => text(max).refine((given) => given !== "", { params: { code: "VALUE_MISSING" } });
const optional = (max: number) =>
  text(max)
    .transform((given) => given || null)
    .nullish();
const stored = { id: id.optional(), rowVersion: z.int().min(1).optional() };
const missing = (context: z.RefinementCtx, field: string) =>
  context.addIssue({ code: "custom", path: [field], params: { code: "VALUE_MISSING" } });
const rowsOf = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({
    rows: z
      .array(row)
      .refine((given) => given.length > 0, { params: { code: "NOTHING_MODIFIED" } })
      .refine((given) => given.length <= inputRowsMax, { params: { code: "TOO_MANY", max: inputRowsMax } }),
  });

export const ListWarehouses = listInput({ search: ["like"] }, { sortable: [] });

/** Warehouses; a regional one names its region, a central one serves all. [ENG-13] */
export const SaveWarehouses = rowsOf(
  z
    .strictObject({
      ...stored,
      name: required(warehouseNameChars),
      principalName: optional(principalNameChars),
      priority: z.int().min(1).max(countMax),
      type: z.enum(warehouseTypes),
      region: optional(engineRegionChars),
    })
    .superRefine((row, context) => {
      if (row.id !== undefined && row.rowVersion === undefined) missing(context, "rowVersion");
      if (row.type === "regional" && !row.region) missing(context, "region");
      if (row.type === "central" && row.region) context.addIssue({ code: "custom", path: ["region"], params: { code: "VALUE_UNKNOWN" } });
    }),
);

/** Warehouses to delete; `confirm` deletes stock that was synchronised into them too. [ENG-36] */
export const DeleteWarehouses = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .refine((given) => given.length <= inputRowsMax, { params: { code: "TOO_MANY", max: inputRowsMax } })
    .transform((given) => [...new Set(given)]),
  confirm: z.boolean().default(false),
});
export type DeleteWarehouses = z.output<typeof DeleteWarehouses>;

export const SaveWarehouseMappings = rowsOf(
  z
    .strictObject({ ...stored, sourceSystem: required(sourceSystemChars), sourceCode: required(sourceCodeChars), warehouseId: id })
    .superRefine((row, context) => {
      if (row.id !== undefined && row.rowVersion === undefined) missing(context, "rowVersion");
    }),
);

export const FindWarehouses = z.strictObject({ type: z.enum(warehouseTypes).optional() });
