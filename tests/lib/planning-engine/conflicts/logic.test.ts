import { expect, test } from "vitest";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { newRun, planOf, runAll } from "#lib/planning-engine/solver/logic.ts";
import { planFaults } from "#tests/support/plan-faults.ts";
import { makeProblem } from "#tests/support/planning-problem.ts";

/** Install keeps [first day, day after the last one); the survey before it takes one day, and the single team has a job of two days to do as well. */
function planned(state: "fixed" | "started", start: number, end: number, due: number | undefined) {
  const problem = makeProblem({
    flows: [
      {
        name: "F",
        activities: [
          { name: "Survey", days: 1, team: "T" },
          { name: "Install", days: 3 },
        ],
        relations: [["Survey", "Install", "FS", 1]],
      },
      { name: "G", activities: [{ name: "Repair", days: 2, team: "T" }], relations: [] },
    ],
    pools: [{ skill: "T", teams: 1 }],
    dus: [
      { flow: "F", kept: [{ activity: "Install", state, start, end }], ...(due === undefined ? {} : { due }) },
      { flow: "G", due: 0 },
    ],
    objective: ["lateDus", "lateDays", "makespan"],
  });
  const run = newRun(normalise(problem).ready!, { seed: 1, evaluationLimit: 100, islands: 1 });
  runAll(run, () => false);
  const plan = planOf(run)!;
  expect(planFaults(problem, plan)).toEqual([]);
  return plan;
}

test("days by which a fixed job misses what leads to it are late days of its DU, with or without a due date", () => {
  // Survey may end on day -1 at best for an install on day 1: on day 0 it is a day too late.
  const alone = planned("fixed", 1, 4, undefined);
  expect([...alone.conflicts.job, ...alone.conflicts.days]).toEqual([1, 1]);
  expect(alone.levels).toEqual([2, 3, 4]);
  expect(planned("fixed", 1, 4, 2).levels).toEqual([2, 4, 4]);
  // Two days later nothing is missed, if the survey comes first.
  const met = planned("fixed", 2, 5, 4);
  expect(met.conflicts.job).toHaveLength(0);
  expect(met.levels).toEqual([1, 2, 5]);
});

test("what leads to a started job is not missed by it", () => {
  const plan = planned("started", 0, 3, undefined);
  expect(plan.conflicts.job).toHaveLength(0);
  expect(plan.levels[0]).toBe(1);
});
