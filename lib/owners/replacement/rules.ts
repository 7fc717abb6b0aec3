import type { Rule } from "#lib/core/rule.ts";
import { ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";

/** Nobody is replaced by himself. [OWN-08] */
export const SAME_OWNER: Rule<{ oldOwner: string; newOwners: readonly string[] }> = {
  code: "SAME_OWNER",
  broken: ({ oldOwner, newOwners }) => newOwners.some((account) => account.toLowerCase() === oldOwner.toLowerCase()),
};

/** A replacement leaves no cell, DU or region with more people than it may have. */
export const TOO_MANY: Rule<{ longest: number }> = {
  code: "TOO_MANY",
  broken: ({ longest }) => longest > ownersMax && { max: ownersMax },
};
