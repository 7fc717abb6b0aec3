import type { Publication } from "#lib/planning-engine/checker/logic.ts";
import { checkPlan } from "#lib/planning-engine/checker/logic.ts";
import { materialPlan } from "#lib/planning-engine/material-plan/logic.ts";
import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";
import { movesOf } from "#lib/planning-engine/moves/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { newRun, planOf, runAll } from "#lib/planning-engine/solver/logic.ts";

/** A problem planned backward instead, with due dates so many days later that most of it fits. */
export function backward(problem: Problem, later: number): Problem {
  const due = problem.dus.due.map((day) => Math.min(day, 40) + later);
  return {
    ...problem,
    direction: "reverse",
    dus: { ...problem.dus, due },
    objective: ["gapDus", "earliestStart", "duStarts", "substituted"],
  };
}

/** The plan of a problem; null when none was found. */
export function planBackward(problem: Problem, evaluationLimit = 50): Plan | null {
  const run = newRun(normalise(problem).ready!, { seed: 1, evaluationLimit, islands: 1 });
  runAll(run, () => false);
  return planOf(run);
}

/** A plan with its movements of material and its moves, as it would be published. */
export function published(problem: Problem, plan: Plan): Publication {
  return { problem, plan, bounds: null, dus: null, balance: materialPlan(problem, plan), moves: movesOf(problem, plan), source: null };
}

/** What the checker finds wrong with a plan and what is published of it. */
export function faultsOf(problem: Problem, plan: Plan): unknown[] {
  const verdict = checkPlan(published(problem, plan));
  return verdict.signed ? [] : verdict.violations;
}
