import type { Rule } from "#lib/core/rule.ts";
import { isApplicable, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";

/** One activity of one DU as it is before the change. */
export type LockFacts = { state: number; planStart: number; planEnd: number; actualEnd: number };

export const NO_ACTIVITY: Rule<LockFacts> = { code: "NO_ACTIVITY", broken: ({ state }) => stateValue(state, "inFlow") === 0 };

export const NA_OR_INV: Rule<LockFacts> = {
  code: "NA_OR_INV",
  broken: ({ state }) => stateValue(state, "inFlow") === 1 && !isApplicable(state),
};

export const ACTIVITY_COMPLETED: Rule<LockFacts> = { code: "ACTIVITY_COMPLETED", broken: ({ actualEnd }) => actualEnd !== 0 };

/** One plan date is enough to be fixed. */
const PLAN_EMPTY: Rule<LockFacts> = { code: "PLAN_EMPTY", broken: ({ planStart, planEnd }) => planStart === 0 && planEnd === 0 };

/** What is promised by a freeze are both plan dates. */
const PLAN_INCOMPLETE: Rule<LockFacts> = { code: "PLAN_EMPTY", broken: ({ planStart, planEnd }) => planStart === 0 || planEnd === 0 };

export const fixRules: readonly Rule<LockFacts>[] = [NO_ACTIVITY, NA_OR_INV, PLAN_EMPTY];
export const freezeRules: readonly Rule<LockFacts>[] = [NO_ACTIVITY, NA_OR_INV, ACTIVITY_COMPLETED, PLAN_INCOMPLETE];
/** Taking a lock away asks for nothing but the activity. */
export const unlockRules: readonly Rule<LockFacts>[] = [NO_ACTIVITY];
