import { checkPlan } from "#lib/planning-engine/checker/logic.ts";
import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";

/** What the independent checker finds wrong with a plan; empty when it signs it. */
export function planFaults(problem: Problem, plan: Plan): unknown[] {
  const verdict = checkPlan({ problem, plan, bounds: null, dus: null, balance: null, moves: null, source: null });
  return verdict.signed ? [] : verdict.violations;
}
