import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { detailsPerCall, isolationValueChars } from "./limits.ts";

const id = z.int().min(1);
const distinct = (ids: number[]) => [...new Set(ids)];
const text = () => z.string().refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } });

export const ListDetails = listInput(
  { search: ["like"], subcontractorId: ["eq", "in"], attributeId: ["eq", "in"] },
  { sortable: ["attribute", "value", "subcontractor"] },
);

/** A detail with an id is changed from what it was when it was read (`base`), one without is added. */
export const SaveIsolation = z
  .strictObject({
    enabled: z.boolean().optional(),
    details: z
      .array(
        z.strictObject({
          id: id.optional(),
          attributeId: id,
          value: text()
            .trim()
            .max(isolationValueChars)
            .refine((given) => given !== "", { params: { code: "VALUE_MISSING" } }),
          subcontractorId: id,
          base: z.strictObject({ attributeId: id, value: z.string(), subcontractorId: id }).optional(),
        }),
      )
      .max(detailsPerCall)
      .optional(),
  })
  .superRefine(({ details = [] }, context) => {
    const seen = new Set<string>();
    details.forEach(({ id: known, attributeId, value, subcontractorId, base }, index) => {
      if (known !== undefined && !base)
        context.addIssue({ code: "custom", path: ["details", index, "base"], params: { code: "VALUE_MISSING" } });
      const key = JSON.stringify([attributeId, value, subcontractorId]);
      if (seen.has(key)) context.addIssue({ code: "custom", path: ["details", index], params: { code: "ISOLATION_REPEAT" } });
      seen.add(key);
    });
  });
export type SaveIsolation = z.output<typeof SaveIsolation>;

export const DetailIds = z.strictObject({ ids: z.array(id).min(1).max(detailsPerCall).transform(distinct) });
export type DetailIds = z.output<typeof DetailIds>;
export const Nothing = z.strictObject({});
