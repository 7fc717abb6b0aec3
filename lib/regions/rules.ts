import type { Rule } from "#lib/core/rule.ts";
import { wholeShare } from "./limits.ts";
import { shareSum } from "./logic.ts";

/** The regions in use and the shares they are to have. */
export type ShareFacts = { names: ReadonlyMap<number, string>; shares: readonly { id: number; percentage: number }[] };

/** Every region in use has one share, and together they have the whole. [REG-06] */
export const shareRules: readonly Rule<ShareFacts>[] = [
  {
    code: "REGION_MISSING",
    broken: ({ names, shares }) => {
      const given = new Set(shares.map(({ id }) => id));
      const missing = [...names].flatMap(([id, name]) => (given.has(id) ? [] : [name]));
      return missing.length > 0 ? { names: missing.join(", ") } : false;
    },
  },
  {
    code: "PERCENT_SUM",
    broken: ({ shares }) => {
      const sum = shareSum(shares.map(({ percentage }) => percentage));
      return sum === wholeShare ? false : { sum: (sum / 100).toFixed(2) };
    },
  },
];
