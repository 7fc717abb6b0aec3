import { z } from "zod";
import { KeptFilter, listInput, refuseLongFilters } from "#lib/core/paging.ts";
import { ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";
import { duOwnerKinds, ownerDusMax } from "./limits.ts";

const id = z.int().min(1);
const accountChars = 100;
const account = z.string().trim().min(1).max(accountChars);
const accounts = z
  .array(account)
  .max(ownersMax)
  .transform((given) => [...new Set(given)]);

/** Owners of DUs as they are to be; `base` are the accounts that were read. */
export const SaveDuOwners = z.strictObject({
  rows: z
    .array(z.strictObject({ duId: id, ownerKind: z.enum(duOwnerKinds), accounts, base: z.array(account).optional() }))
    .min(1)
    .max(ownerDusMax * duOwnerKinds.length)
    .refine((rows) => new Set(rows.map(({ duId }) => duId)).size <= ownerDusMax, { params: { code: "TOO_MANY_DU", max: ownerDusMax } }),
});
export type SaveDuOwners = z.output<typeof SaveDuOwners>;

/** `blank` keeps DUs that have nobody of a kind, `owner` those a person owns. */
export const ListDuOwners = listInput(
  { search: ["like", "in"], regionId: ["in", "eq"], blank: ["in", "eq"], owner: ["like"] },
  { sortable: ["code", "name", "region"] },
);
export const ExportDuOwners = z.strictObject({ filters: z.array(KeptFilter).max(100).superRefine(refuseLongFilters).default([]) });

/** What the task of an export keeps. */
export const DuOwnerExportParams = z.object({ filters: z.array(KeptFilter), total: z.int() });
export type DuOwnerExportParams = z.output<typeof DuOwnerExportParams>;

/** What a person may ask of an import of owners. */
export const OwnerImportOptions = z.strictObject({
  /** What an empty cell means: the owners stay, or there are none any more. */
  blanks: z.enum(["keep", "clear"]).default("keep"),
});
export type OwnerImportOptions = z.output<typeof OwnerImportOptions>;
