import type { Rule } from "#lib/core/rule.ts";
import { isApplicable, naMisplaced, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";

/** Rules of a batch as a whole. */
export const batchRules = [
  { code: "TOO_MANY_DU", broken: ({ dus, max }) => dus > max && { max } },
  { code: "NA_PLAN_END_ONLY", broken: ({ field, value }) => naMisplaced(field, typeof value === "string" ? value : null) },
] as const satisfies readonly Rule<{ dus: number; max: number; field: string; value: unknown }>[];

/** [RPL-26]: DUs whose plan dates are set together carry one RFC number; none counts as a number of its own. */
export const rfcRules = [
  { code: "RFC_DIFFERS", broken: ({ rfcNumbers, planDate }) => planDate && rfcNumbers.size > 1 },
] as const satisfies readonly Rule<{ rfcNumbers: ReadonlySet<string | null>; planDate: boolean }>[];

/** One activity of one DU that is to be closed or reopened. */
export type ClosedFacts = { state: number; actualEnd: number; hasReason: boolean };

/** Rules of closing an activity. */
export const closeRules = [
  { code: "NO_ACTIVITY", broken: ({ state }) => !isApplicable(state) },
  { code: "WRONG_STATUS", broken: ({ state }) => stateValue(state, "closed") === 1 },
  { code: "IN_APPROVAL", broken: ({ state }) => stateValue(state, "approval") === 2 },
  { code: "NOT_COMPLETED", broken: ({ actualEnd }) => actualEnd === 0 },
] as const satisfies readonly Rule<ClosedFacts>[];

/** Rules of reopening a closed activity. */
export const reopenRules = [
  { code: "WRONG_STATUS", broken: ({ state }) => stateValue(state, "closed") === 0 },
  { code: "REVENUE_TRIGGERED", broken: ({ state }) => stateValue(state, "revenue") === 1 },
] as const satisfies readonly Rule<ClosedFacts>[];
