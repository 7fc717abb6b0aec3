import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { historyPageMax, rowsMax, snChars } from "../limits.ts";

const id = z.int().min(1);
const text = () => z.string().refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } });

/** Rows of the tab that `tabId` names; `search` takes codes and names of DUs. */
export const ListRows = listInput(
  {
    tabId: ["eq"],
    search: ["like", "in"],
    sn: ["like", "in"],
    region: ["in"],
    deliveryType: ["in"],
    productLine: ["in"],
    productType: ["in"],
    siteScenario: ["in"],
  },
  { sortable: ["code", "sn", "name", "siteCode", "siteName", "deliveryType", "productLine", "productType", "updatedAt"] },
);

/** New rows, and changed ones as they were read. Only what is named in `data` changes; a blank empties. `duVersion` is that of the DU, where a value is kept with it. */
export const SaveRows = z.strictObject({
  tabId: id,
  rows: z
    .array(
      z.strictObject({
        id: id.optional(),
        duId: id,
        sn: text().trim().max(snChars).nullish(),
        data: z.record(z.string().regex(/^a\d{1,15}$/), z.union([text(), z.number(), z.null()])).default({}),
        rowVersion: z.int().min(1).optional(),
        duVersion: z.int().min(1).optional(),
      }),
    )
    .min(1)
    .refine((given) => given.length <= rowsMax, { params: { code: "TOO_MANY", max: rowsMax } })
    .superRefine((given, context) => {
      const seen = new Set<number>();
      given.forEach((row, index) => {
        if (row.id === undefined) return;
        if (row.rowVersion === undefined)
          context.addIssue({ code: "custom", path: [index, "rowVersion"], params: { code: "VALUE_MISSING" } });
        if (seen.has(row.id)) context.addIssue({ code: "custom", path: [index, "id"], params: { code: "VALUE_REPEATED" } });
        seen.add(row.id);
      });
    }),
});
export type SaveRows = z.output<typeof SaveRows>;

export const RowIds = z.strictObject({
  tabId: id,
  ids: z
    .array(id)
    .min(1)
    .transform((given) => [...new Set(given)])
    .refine((given) => given.length <= rowsMax, { params: { code: "TOO_MANY", max: rowsMax } }),
});
export type RowIds = z.output<typeof RowIds>;

export const GetHistory = z.strictObject({
  tabId: id,
  rowId: id.optional(),
  duId: id.optional(),
  attributeKey: z
    .string()
    .regex(/^(a\d{1,15}|sn)$/)
    .optional(),
  page: z.int().min(1).max(1_000_000).default(1),
  size: z.int().min(1).max(historyPageMax).default(50),
});
export type GetHistory = z.output<typeof GetHistory>;
