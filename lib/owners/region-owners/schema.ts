import { z } from "zod";
import { KeptFilter, listInput, refuseLongFilters } from "#lib/core/paging.ts";
import { ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";
import { judgedAccountsMax, ownerRegionsMax } from "./limits.ts";

const id = z.int().min(1);
const accountChars = 100;
const account = z.string().trim().min(1).max(accountChars);
const accounts = z
  .array(account)
  .max(ownersMax)
  .transform((given) => [...new Set(given)]);

/** Owners of regions as they are to be; `base` are the accounts that were read. */
export const SaveRegionOwners = z.strictObject({
  rows: z
    .array(z.strictObject({ regionId: id, accounts, base: z.array(account).optional() }))
    .min(1)
    .max(ownerRegionsMax),
});
export type SaveRegionOwners = z.output<typeof SaveRegionOwners>;

export const JudgeAccounts = z.strictObject({ accounts: z.array(account).min(1).max(judgedAccountsMax) });

export const ListRegionOwners = listInput({ search: ["like"], blank: ["eq"] }, { sortable: ["name", "duCount"] });
export const ExportRegionOwners = z.strictObject({ filters: z.array(KeptFilter).max(100).superRefine(refuseLongFilters).default([]) });

/** What the task of an export keeps. */
export const RegionOwnerExportParams = z.object({ filters: z.array(KeptFilter), total: z.int() });
export type RegionOwnerExportParams = z.output<typeof RegionOwnerExportParams>;
