import type { Rule } from "#lib/core/rule.ts";
import { localMs } from "../occurrences/logic.ts";

export type PeriodFacts = { validBegin: string; validEnd: string };

/** A reminder ends after it begins. REM-17 */
export const DATE_ORDER: Rule<PeriodFacts> = {
  code: "DATE_ORDER",
  broken: ({ validBegin, validEnd }) => localMs(validEnd) <= localMs(validBegin),
};

/** A rule writes to somebody. */
export const RECIPIENT_EMPTY: Rule<{ receivers: number }> = { code: "RECIPIENT_EMPTY", broken: ({ receivers }) => receivers === 0 };

/** Whoever is to get a copy is a person of the project. REM-27 */
export const CC_UNKNOWN: Rule<{ unknown: readonly number[] }> = { code: "CC_UNKNOWN", broken: ({ unknown }) => unknown.length > 0 };
