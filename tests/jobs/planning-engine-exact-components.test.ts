import { resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openExactStep } from "#jobs/planning-engine-exact.ts";
import { proveComponents } from "#jobs/planning-engine-exact-components.ts";
import { solveInThreads } from "#jobs/planning-engine-threads.ts";
import { confirmsConflict } from "#lib/planning-engine/checker-conflicts/logic.ts";
import { exactFolder } from "#lib/planning-engine/exact/queries.ts";
import type { Problem } from "#lib/planning-engine/model/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { below, newRandom } from "#lib/planning-engine/random/logic.ts";
import { newRun, planOf, runFirst } from "#lib/planning-engine/solver/logic.ts";
import { bestPlan } from "#tests/support/exhaustive-plan.ts";
import { planFaults } from "#tests/support/plan-faults.ts";
import { makeProblem } from "#tests/support/planning-problem.ts";
import { rollOut } from "#tests/support/roll-out.ts";

const folder = exactFolder(resolve(".data"));
if (!folder) console.warn("skipped: the solver of the exact step is not installed (npm run get-exact)");

const kinds = ["FS", "SS", "FF", "SF"] as const;

/** Two DUs of two jobs, whatever else by chance; the levels are those of the exhaustive search. */
function randomProblem(seed: number): Problem {
  const random = newRandom(seed);
  const team = () => (below(random, 4) === 0 ? {} : { team: ["A", "B"][below(random, 2)]! });
  return makeProblem({
    horizon: 12,
    freeDays: below(random, 2) === 0 ? [[], []] : [[5, 6], [2]],
    flows: [0, 1].map((flow) => ({
      name: `F${flow}`,
      activities: [
        { name: "a", days: 1 + below(random, 2), ...team() },
        { name: "b", days: below(random, 3), ...team() },
      ],
      relations: [["a", "b", kinds[below(random, 4)]!, below(random, 3) - 1]],
      ...(below(random, 2) === 0 ? { anchor: "a" } : {}),
    })),
    pools: [
      { skill: "A", region: 0, teams: 1 },
      { skill: "A", region: 1, teams: 1 },
      { skill: "A", teams: 1 },
      { skill: "B", teams: 1 },
    ].slice(below(random, 2) === 0 ? 0 : 2),
    dus: [0, 1].map(() => ({
      flow: `F${below(random, 2)}`,
      region: below(random, 2),
      release: below(random, 2),
      due: below(random, 7),
    })),
    objective: ["lateDus", "lateDays", "makespan", "completion"],
  });
}

function firstPlan(problem: Problem) {
  const run = newRun(normalise(problem).ready!, { seed: 1, evaluationLimit: 1, islands: 1 });
  runFirst(run, () => false);
  return run;
}

describe.skipIf(!folder)("the exact step over the components of a run", () => {
  const step = openExactStep(folder!, 1);
  afterAll(() => step.end());

  test("proves what the exhaustive search of small problems finds, and its plans are signed", async () => {
    let improved = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const problem = randomProblem(seed);
      const best = bestPlan(problem);
      const run = firstPlan(problem);
      const before = planOf(run);
      if (!best || !before) continue;
      const outcomes = await proveComponents(run, step, 20);
      const plan = planOf(run)!;
      expect(planFaults(problem, plan), `seed ${seed}`).toEqual([]);
      expect(plan.levels, `seed ${seed}`).toEqual(best.levels);
      expect(
        outcomes.map(({ refusal, proved }) => [refusal, proved]),
        `seed ${seed}`,
      ).toEqual(outcomes.map(() => [null, 4]));
      if (plan.levels.join() !== before.levels.join()) improved++;
    }
    expect(improved).toBeGreaterThan(0);
  });

  test("waits for material that comes late, beside kept work, and leaves alone what it does not know", async () => {
    const given = {
      flows: [
        {
          name: "F",
          activities: [
            { name: "prepare", days: 1, team: "T" },
            { name: "build", days: 2, team: "T" },
          ],
          relations: [["prepare", "build", "FS", 0] as [string, string, "FS", number]],
          material: "build",
        },
      ],
      pools: [{ skill: "T", teams: 1 }],
      dus: [
        { flow: "F", due: 6, demand: [[0, 2]] as [number, number][] },
        { flow: "F", due: 12, demand: [[0, 3]] as [number, number][] },
        { flow: "F", kept: [{ activity: "prepare", state: "fixed" as const, start: 2, end: 3, pool: 0 }] },
      ],
      lots: [
        { item: 0, units: 3 },
        { item: 0, units: 2, day: 7 },
      ],
      objective: ["gapDus", "lateDus", "lateDays", "makespan", "completion"] as Problem["objective"],
    };
    const problem = makeProblem(given);
    const run = firstPlan(problem);
    const [outcome] = await proveComponents(run, step, 20);
    expect(outcome).toMatchObject({ refusal: null, proved: 5 });
    const plan = planOf(run)!;
    expect(planFaults(problem, plan)).toEqual([]);
    // The first builds on [3, 5), the third on [5, 7), the second when the rest has come: [7, 9).
    expect(plan.levels).toEqual([0, 0, 0, 9, 5 + 7 + 9]);
    const short = firstPlan(makeProblem({ ...given, lots: given.lots.slice(0, 1) }));
    expect((await proveComponents(short, step, 20))[0]).toMatchObject({ refusal: "gap", proved: 0, isAdopted: false });
  });

  test("names the fewest jobs that have no room together, and the checker confirms them", async () => {
    const problem = makeProblem({
      horizon: 6,
      flows: [
        {
          name: "F",
          activities: [
            { name: "a", days: 2, team: "T" },
            { name: "rest", days: 1 },
            { name: "b", days: 1, team: "T" },
          ],
          relations: [
            ["a", "rest", "FS", 0],
            ["rest", "b", "FS", 0],
          ],
        },
        { name: "G", activities: [{ name: "c", days: 2, team: "T" }], relations: [] },
      ],
      // a has to lie in [0, 4), so has the other a, and c in [1, 6): with the b behind them there is a day too few.
      pools: [{ skill: "T", teams: 1 }],
      dus: [{ flow: "F" }, { flow: "F" }, { flow: "G", release: 1 }],
      objective: ["makespan"],
    });
    const run = firstPlan(problem);
    expect(planOf(run)).toBeNull();
    const [outcome] = await proveComponents(run, step, 20);
    expect(outcome!.refusal).toBe("no-plan");
    expect(outcome!.conflict).not.toBeNull();
    const jobs = outcome!.conflict!;
    expect(confirmsConflict(problem, jobs)).toBe(true);
    for (const job of jobs)
      expect(
        confirmsConflict(
          problem,
          jobs.filter((one) => one !== job),
        ),
      ).toBe(false);
  });

  test("of a roll-out in threads it proves components or says nothing, and its plan is never worse than the search's", async () => {
    const { problem } = rollOut(30, 12, 40, 1);
    const calm = new AbortController().signal;
    const budget = { seed: 1, evaluationLimit: 2000, islands: 1 };
    const without = await solveInThreads(problem, budget, 1, calm);
    const { plan, exact } = await solveInThreads(problem, budget, 1, calm, () => {}, { folder: folder!, seconds: 2 });
    expect(without.exact).toBeNull();
    expect(planFaults(problem, plan!)).toEqual([]);
    expect(plan!.levels[0]).toBeLessThanOrEqual(without.plan!.levels[0]!);
    expect(exact!.filter(({ proved }) => proved === 1).length).toBeGreaterThan(0);
    for (const { isAdopted, proved } of exact!) if (isAdopted) expect(proved).toBe(1);
  });
});
