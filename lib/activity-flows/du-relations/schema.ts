import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { deleteRelationsMax, relationKinds, relationNoteChars } from "./limits.ts";

const id = z.int().min(1);

/** A relation between two DUs: a new one without id, else one as it was read. */
export const SaveDuRelation = z
  .strictObject({
    id: id.optional(),
    duId: id,
    relatedDuId: id,
    kind: z.enum(relationKinds),
    note: z.string().trim().max(relationNoteChars).nullish(),
    rowVersion: z.int().min(1).optional(),
  })
  .refine((relation) => relation.id === undefined || relation.rowVersion !== undefined, {
    path: ["rowVersion"],
    params: { code: "VALUE_MISSING" },
  });
export type SaveDuRelation = z.output<typeof SaveDuRelation>;

export const DeleteDuRelations = z.strictObject({ ids: z.array(id).min(1).max(deleteRelationsMax) });

/** `du` finds a DU at either end. */
export const ListDuRelations = listInput(
  { search: ["like"], kind: ["eq", "in"], duId: ["eq"] },
  { sortable: ["code", "relatedCode", "kind"] },
);

/** An import of relations has nothing to choose. */
export const DuRelationImportOptions = z.strictObject({});
