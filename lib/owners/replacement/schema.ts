import { z } from "zod";
import { ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";
import { replaceFields, scopeDusMax, scopeFlowsMax, scopeRegionsMax } from "./limits.ts";

const id = z.int().min(1);
const accountChars = 100;
const distinct = <T>(given: T[]) => [...new Set(given)];
const some = (max: number) => z.array(id).max(max).default([]).transform(distinct);

const Scope = z.strictObject({ flowIds: some(scopeFlowsMax), regionIds: some(scopeRegionsMax), duIds: some(scopeDusMax) });
const fields = z.array(z.enum(replaceFields)).min(1).transform(distinct);

/** Who is replaced by whom, and where; an empty scope is the whole project. */
export const ReplaceOwner = z.strictObject({
  oldOwner: z
    .string()
    .trim()
    .max(accountChars)
    .optional()
    .refine((account) => Boolean(account), { params: { code: "OLD_OWNER_REQUIRED" } })
    .transform((account) => account as string),
  newOwners: z.array(z.string().trim().min(1).max(accountChars)).min(1).max(ownersMax).transform(distinct),
  scope: Scope.default({ flowIds: [], regionIds: [], duIds: [] }),
  fields,
  /** Only counts what would change. */
  dryRun: z.boolean().default(false),
  /** Activities whose order is dispatched change too, and the orders of the old owner go to the first of the new ones. */
  includeDispatched: z.boolean().default(false),
});
export type ReplaceOwner = z.output<typeof ReplaceOwner>;

/** What the task of a replacement keeps: the DUs that named the old owner when it was started. */
export const ReplaceParams = z.strictObject({
  oldOwner: z.string(),
  newOwners: z.array(z.string()),
  scope: Scope,
  fields,
  includeDispatched: z.boolean(),
  duIds: z.array(id),
});
export type ReplaceParams = z.output<typeof ReplaceParams>;
