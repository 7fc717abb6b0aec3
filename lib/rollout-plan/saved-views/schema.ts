import { z } from "zod";
import { ViewState } from "#lib/rollout-plan/schema.ts";
import { viewNameChars, viewsMax } from "./limits.ts";

const name = z
  .string()
  .trim()
  .refine((given) => given !== "", { params: { code: "NAME_REQUIRED" } })
  .refine((given) => [...given].length <= viewNameChars, { params: { code: "NAME_TOO_LONG", max: viewNameChars } })
  .refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } });

export const ListViews = z.strictObject({});

export const FindView = z.strictObject({ id: z.uuid() });

/** A new view, or one's own as it was read. */
export const SaveView = z
  .strictObject({ id: z.uuid().optional(), name, state: ViewState, shared: z.boolean(), rowVersion: z.int().min(1).optional() })
  .refine((view) => view.id === undefined || view.rowVersion !== undefined, { path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
export type SaveView = z.output<typeof SaveView>;

export const DeleteViews = z.strictObject({
  ids: z
    .array(z.uuid())
    .min(1)
    .max(viewsMax)
    .transform((given) => [...new Set(given)]),
});
