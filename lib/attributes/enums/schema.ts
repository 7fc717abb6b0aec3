import { z } from "zod";
import { attributesPerCall, enumsMax } from "../limits.ts";
import { Choices } from "../schema.ts";
import { choicePageMax } from "./limits.ts";

const id = z.int().min(1);

/** A page of the choices of an attribute; of a lookup attribute those below one value. */
export const ListChoices = z.strictObject({
  attributeId: id,
  keyword: z.string().max(100).optional(),
  parentId: id.optional(),
  page: z.int().min(1).max(100_000).default(1),
  size: z.int().min(1).max(choicePageMax).default(100),
});
export type ListChoices = z.output<typeof ListChoices>;

/** The whole list of choices of an attribute as it is to be, and the revision of the attribute it was read at. */
export const SaveChoices = z.strictObject({ attributeId: id, rowVersion: id, values: Choices });
export type SaveChoices = z.output<typeof SaveChoices>;
export const ChoiceIds = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .max(Math.min(enumsMax, attributesPerCall))
    .transform((given) => [...new Set(given)]),
});
export type ChoiceIds = z.output<typeof ChoiceIds>;
