import type { Rule } from "#lib/core/rule.ts";
import { type RateKind, rateBounds } from "./limits.ts";

/** A rate of completed clusters lies within the bounds of its kind, with its decimals. [RES-33] */
export const RATE_RANGE: Rule<{ kind: RateKind; value: number }> = {
  code: "NUMBER_RANGE",
  broken: ({ kind, value }) => {
    const { min, max, decimals } = rateBounds[kind];
    const scaled = value * 10 ** decimals;
    return !(value >= min && value <= max && Math.abs(scaled - Math.round(scaled)) < 1e-6) && { min, max, decimals };
  },
};

/** Another currency is taken over only once confirmed. */
export const CURRENCY_CONFIRM: Rule<{ from: string; to: string; confirmed: boolean }> = {
  code: "CURRENCY_CONFIRM",
  broken: ({ from, to, confirmed }) => from !== to && !confirmed && { from, to },
};
