import type { Rule } from "#lib/core/rule.ts";
import { siteDimensionsMax, siteTypesMax } from "./limits.ts";
import { percentSum } from "./logic.ts";

/** How many there are after a change. */
export type MixFacts = { types: number; dimensions: number };

export const mixRules: readonly Rule<MixFacts>[] = [
  { code: "TOO_MANY_SITE_TYPES", broken: ({ types }) => types > siteTypesMax && { max: siteTypesMax } },
  { code: "TOO_MANY_DIMENSIONS", broken: ({ dimensions }) => dimensions > siteDimensionsMax && { max: siteDimensionsMax } },
];

/** The parts of a site type in one dimension share all of it. [RES-35] */
export const PERCENT_SUM: Rule<{ percentages: readonly number[] }> = {
  code: "PERCENT_SUM",
  broken: ({ percentages }) => percentages.length > 0 && percentSum(percentages) !== 100 && { sum: percentSum(percentages).toFixed(2) },
};
