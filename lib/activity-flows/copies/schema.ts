import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { copyAttributesMax, copyTargetsMax, targetCodeChars } from "./limits.ts";

const id = z.int().min(1);
const codes = z
  .array(z.string().trim().min(1).max(targetCodeChars))
  .refine((given) => given.length > 0, { params: { code: "NO_SELECTION", object: "du" } })
  .refine((given) => given.length <= copyTargetsMax, { params: { code: "TOO_MANY_DU", max: copyTargetsMax } })
  .transform((given) => [...new Set(given)]);

/** A copy of the values of attributes, of the flow, or of both, from one DU to others. */
export const StartCopy = z
  .strictObject({
    sourceDuId: id,
    targetDuCodes: codes,
    attributeIds: z
      .array(id)
      .max(copyAttributesMax)
      .default([])
      .transform((ids) => [...new Set(ids)]),
    alsoBind: z.boolean().default(false),
    /** Values that are there already are replaced. */
    overwrite: z.boolean().default(false),
  })
  .refine((copy) => copy.attributeIds.length > 0 || copy.alsoBind, { path: ["attributeIds"], params: { code: "VALUE_MISSING" } });

export const ListCopies = listInput({ sourceCode: ["like"] }, { sortable: [] });
export const ListCopyItems = z.strictObject({ jobId: z.coerce.number().pipe(id) });
export const RetryCopy = z.strictObject({ jobId: id, targetDuCodes: codes });

/** What the task keeps. */
export const CopyParams = z.strictObject({ jobId: id });
export type CopyParams = z.output<typeof CopyParams>;
