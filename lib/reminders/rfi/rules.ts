import type { Rule } from "#lib/core/rule.ts";
import { rfiCountry } from "./limits.ts";

/** Only projects in Brazil have federative states. */
export const NOT_BRAZIL_PROJECT: Rule<{ country: string }> = {
  code: "NOT_BRAZIL_PROJECT",
  broken: ({ country }) => country !== rfiCountry,
};

/** The longest wait is not below the shortest. REM-14 */
export const MAX_BELOW_MIN: Rule<{ minDays: number; maxDays: number }> = {
  code: "MAX_BELOW_MIN",
  broken: ({ minDays, maxDays }) => maxDays < minDays && { min: minDays, max: maxDays },
};
