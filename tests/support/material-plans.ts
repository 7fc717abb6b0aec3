import { checkPlan } from "#lib/planning-engine/checker/logic.ts";
import type { Violation } from "#lib/planning-engine/checker-facts/logic.ts";
import { materialPlan } from "#lib/planning-engine/material-plan/logic.ts";
import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { newRun, planOf, runAll } from "#lib/planning-engine/solver/logic.ts";
import { makeProblem, randomRollOut } from "#tests/support/planning-problem.ts";

/** The best plan after so many evaluations. */
export function planned(problem: Problem, evaluationLimit = 100): Plan {
  const run = newRun(normalise(problem).ready!, { seed: 1, evaluationLimit, islands: 1 });
  runAll(run, () => false);
  return planOf(run)!;
}

/** What the checker finds wrong with a plan and its movements of material. */
export function materialFaults(problem: Problem, plan: Plan): Violation[] {
  const verdict = checkPlan({ problem, plan, bounds: null, dus: null, balance: materialPlan(problem, plan), moves: null, source: null });
  return verdict.signed ? [] : verdict.violations;
}

/** A random roll-out in which only the named features have to do with material, and nothing but material and dates is asked for. */
export function materialRollOut(seed: number, features: ("substitution" | "reuse" | "direct moving")[]): Problem {
  const given = randomRollOut(seed);
  delete given.clusters;
  for (const flow of given.flows)
    for (const activity of flow.activities) {
      delete activity.coTeam;
      delete activity.coResource;
    }
  for (const du of given.dus) {
    if (!features.includes("direct moving")) delete du.directFrom;
    // Fixed jobs that miss what leads to them count as late days, which is no matter of material.
    du.kept = du.kept?.filter(({ state }) => state !== "fixed");
  }
  if (!features.includes("reuse")) given.lots = given.lots?.filter(({ source }) => source !== "reuse");
  if (!features.includes("substitution")) given.substitutes = [];
  given.objective = ["gapDus", "lateDus", "lateDays", "classCompletion", "makespan", "completion"];
  if (features.includes("substitution")) given.objective.push("substituted");
  return makeProblem(given);
}

/** The rows of a pegging that can be read, in units. */
export function pegged(problem: Problem, { allocations }: Plan) {
  return Array.from(allocations.du, (du, row) => ({
    du,
    item: allocations.designItem[row]!,
    lot: allocations.lot[row]!,
    units: allocations.quantity[row]! / 100,
    day: allocations.available[row]!,
    ...(allocations.group[row]! >= 0
      ? { covers: allocations.covers[row]! / 100, group: problem.substitutes.name[allocations.group[row]!] }
      : {}),
    ...(allocations.direct[row] ? { direct: true } : {}),
  }));
}
