import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { duColumnKeys, duColumns } from "#lib/rollout-plan/columns/limits.ts";
import { parseAttributeKey } from "#lib/rollout-plan/columns/logic.ts";
import { slotMax } from "#lib/rollout-plan/plan-rows/limits.ts";
import { tileColumnsMax, tileRowsMax } from "./limits.ts";

export const TileInput = z.strictObject({
  queryId: z.uuid(),
  from: z.int().min(0).max(10_000_000),
  count: z.int().min(1).max(tileRowsMax).default(tileRowsMax),
  parts: z
    .strictObject({
      plan: z.boolean().default(false),
      released: z.boolean().default(false),
      /** Keys of DU columns. */
      fields: z.array(z.enum(duColumnKeys)).max(duColumnKeys.length).default([]),
      /** Keys of attributes as in du.ext: `a12`, `a12@7`. */
      attrs: z
        .array(z.string().refine((key) => parseAttributeKey(key) !== null, { params: { code: "VALUE_UNKNOWN" } }))
        .max(tileColumnsMax)
        .default([]),
      /** Slots of the activities whose notes are shown. */
      notes: z.array(z.int().min(1).max(slotMax)).max(slotMax).default([]),
    })
    .prefault({}),
});
export type TileInput = z.output<typeof TileInput>;

const textual = ["eq", "in", "like", "empty", "notEmpty"] as const;
const numeric = ["eq", "in", "range", "empty", "notEmpty"] as const;
const types = {
  text: textual,
  choice: ["eq", "in", "empty", "notEmpty"],
  month: [...textual, "range"],
  integer: numeric,
  number: numeric,
  progress: numeric,
  reference: ["eq", "in", "empty", "notEmpty"],
  boolean: ["eq"],
  status: ["eq", "in"],
  date: ["eq", "in", "range", "preset", "empty", "notEmpty"],
} as const;

export const ListRows = listInput(Object.fromEntries(duColumnKeys.map((key) => [key, types[duColumns[key].type]])));

export const ChangesInput = z.strictObject({ sinceSeq: z.int().min(0) });
export type ChangesInput = z.output<typeof ChangesInput>;
