import { z } from "zod";
import { selectionDusMax, stateBytesMax } from "./limits.ts";

const id = z.int().min(1);

export const FindHomePage = z.strictObject({});

/** What the database's JSON cannot hold, as JSON writes it: the zero character and halves of a pair. */
const unkeepable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;

/** View, columns, widths, collapsed groups, filters, sort and period of a person's plan; the screen owns the form. */
export const ViewState = z
  .record(z.string().max(60), z.unknown())
  .refine((state) => new TextEncoder().encode(JSON.stringify(state)).length <= stateBytesMax, {
    params: { code: "VALUE_TOO_LONG", max: stateBytesMax },
  })
  .refine((state) => !unkeepable.test(JSON.stringify(state)), { params: { code: "VALUE_FORMAT" } });

export const SaveHomePage = z.strictObject({ state: ViewState });
export type SaveHomePage = z.output<typeof SaveHomePage>;

export const StoreSelection = z.strictObject({
  key: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  kind: z.string().trim().min(1).max(40),
  duIds: z
    .array(id)
    .refine((given) => given.length > 0, { params: { code: "DU_EMPTY" } })
    .refine((given) => given.length <= selectionDusMax, { params: { code: "TOO_MANY_DU", max: selectionDusMax } })
    .transform((given) => [...new Set(given)]),
});
export type StoreSelection = z.output<typeof StoreSelection>;

export const QuickFind = z.strictObject({ q: z.string().trim().min(1).max(200) });
export type QuickFind = z.output<typeof QuickFind>;

/** The site itself, or the site of a DU. */
export const SiteInfoInput = z.strictObject({ id: z.coerce.number().int().min(1), of: z.enum(["site", "du"]).default("site") });
export type SiteInfoInput = z.output<typeof SiteInfoInput>;
