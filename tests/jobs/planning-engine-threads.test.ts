import { describe, expect, test } from "vitest";
import { type Progress, solveInThreads } from "#jobs/planning-engine-threads.ts";
import type { Problem } from "#lib/planning-engine/model/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import type { Budget } from "#lib/planning-engine/searches/logic.ts";
import { newRun, planOf, runAll } from "#lib/planning-engine/solver/logic.ts";
import { planFaults } from "#tests/support/plan-faults.ts";
import { makeProblem, randomRollOut } from "#tests/support/planning-problem.ts";
import { rollOut } from "#tests/support/roll-out.ts";

const calm = new AbortController().signal;

async function expectAlike(problem: Problem, budget: Budget): Promise<void> {
  const run = newRun(normalise(problem).ready!, budget);
  runAll(run, () => false);
  const alone = planOf(run);
  expect(planFaults(problem, alone!)).toEqual([]);
  for (const threads of [1, 2, 4]) {
    const { plan, stoppedEarly } = await solveInThreads(problem, budget, threads, calm);
    expect(stoppedEarly).toBe(false);
    expect(plan, `${threads} threads`).toEqual(alone);
  }
}

describe("a run in threads", () => {
  test("1, 2 and 4 threads give the plan of none, with several islands and a makespan that all components share", async () => {
    const { problem } = rollOut(120, 12, 60, 1);
    problem.objective = ["weightedLateDays", "makespan", "completion"];
    await expectAlike(problem, { seed: 7, evaluationLimit: 3000, islands: 2 });
  });

  test("1, 2 and 4 threads give the plan of none with clusters, groups, reuse, direct moving, substitutes and kept dates", async () => {
    const problem = makeProblem(randomRollOut(3, 24));
    expect([problem.clusters !== null, problem.substitutes.covers.length > 0, problem.kept.job.length > 0]).toEqual([true, true, true]);
    await expectAlike(problem, { seed: 5, evaluationLimit: 400, islands: 4 });
  });

  test("tells how far it is, and a cancel ends it within 2 s with the best plan so far", async () => {
    const { problem } = rollOut(1000, 20, 250, 1);
    const cancel = new AbortController();
    const states: Progress[] = [];
    let cancelled = 0;
    const { plan, stoppedEarly } = await solveInThreads(
      problem,
      { seed: 1, evaluationLimit: 1_000_000, islands: 1 },
      2,
      cancel.signal,
      (state) => {
        states.push(state);
        if (!state.levels || cancel.signal.aborted) return;
        cancelled = performance.now();
        cancel.abort();
      },
    );
    expect(performance.now() - cancelled).toBeLessThan(2000);
    expect(stoppedEarly).toBe(true);
    expect(planFaults(problem, plan!)).toEqual([]);
    expect(states.at(-1)!.levels).toEqual(plan!.levels);
    expect(states.at(-1)!.evaluations).toBeGreaterThan(0);
  });

  test("a thread that fails ends the run", async () => {
    const { problem } = rollOut(30, 12, 40, 1);
    // Weights are looked at in the threads only.
    const broken = { ...problem, dus: { ...problem.dus, weight: null as unknown as Int32Array } };
    await expect(solveInThreads(broken, { seed: 1, evaluationLimit: 100, islands: 1 }, 2, calm)).rejects.toThrow();
  });
});
