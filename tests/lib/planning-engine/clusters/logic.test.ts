import { expect, test } from "vitest";
import { checkClaims } from "#lib/planning-engine/checker/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { preCheck } from "#lib/planning-engine/pre-checks/logic.ts";
import { newRun, planOf, runAll } from "#lib/planning-engine/solver/logic.ts";
import { planFaults } from "#tests/support/plan-faults.ts";
import { type DuGiven, makeProblem, type ProblemGiven } from "#tests/support/planning-problem.ts";

const flow = {
  name: "F",
  activities: [
    { name: "Prepare", days: 1 },
    { name: "Cutover", days: 1, team: "T" },
  ],
  relations: [["Prepare", "Cutover", "FS", 0]] as ["Prepare", "Cutover", "FS", 0][],
  anchor: "Cutover",
};

function given(dus: DuGiven[], needed: number[], limit: number, teams = 5): ProblemGiven {
  return {
    flows: [flow],
    pools: [{ skill: "T", teams }],
    dus,
    clusters: { needed, limit },
    objective: ["lateDus", "lateDays", "makespan", "completion"],
  };
}

function solve(of: ProblemGiven) {
  const problem = makeProblem(of);
  const run = newRun(normalise(problem).ready!, { seed: 1, evaluationLimit: 200, islands: 1 });
  runAll(run, () => false);
  const plan = planOf(run);
  if (plan) expect(planFaults(problem, plan)).toEqual([]);
  return plan;
}

/** Sites whose anchor is ready on these days. */
const readyOn = (days: number[], cluster = 0) => days.map((day) => ({ flow: "F", release: day - 1, cluster }));
const cutovers = (plan: { start: Int32Array }) => Array.from(plan.start).filter((_, job) => job % 2 === 1);

test("a gate opens with the day that makes enough sites ready [ENG-03]", () => {
  const plan = solve(given(readyOn([3, 5, 6, 9, 20]), [4], -1))!;
  expect([...plan.gates]).toEqual([9]);
  expect(cutovers(plan)).toEqual([9, 9, 9, 9, 20]);
});

test("windows are not open together beyond their limit: the second waits for the first to close", () => {
  const sites = [...readyOn([2, 4], 0), ...readyOn([2, 4], 1)];
  // One team: the two cutovers of a cluster follow one another, and stragglers do not keep a window open.
  expect(cutovers(solve(given(sites, [2, 2], 1, 2))!).sort((a, b) => a - b)).toEqual([4, 4, 5, 5]);
  expect(cutovers(solve(given(sites, [2, 2], 2, 4))!)).toEqual([4, 4, 4, 4]);
  expect(cutovers(solve(given(sites, [2, 2], 1, 1))!).sort((a, b) => a - b)).toEqual([4, 5, 6, 7]);
});

test("a site cut over already is exempt from the gate and holds the window open", () => {
  const done = { flow: "F", cluster: 0, kept: [{ activity: "Cutover", state: "fixed" as const, start: 2, end: 3 }] };
  const plan = solve(given([done, ...readyOn([6, 8], 0), ...readyOn([1], 1)], [2, 1], 1))!;
  // The first cluster stands open from day 2 until its second cutover ends.
  expect([...plan.gates]).toEqual([6, 1]);
  expect(cutovers(plan)).toEqual([2, 6, 8, 1]);
  const later = solve(given([done, ...readyOn([6, 8], 0), ...readyOn([3], 1)], [2, 1], 1))!;
  expect(cutovers(later)).toEqual([2, 6, 8, 7]);
});

test("a gate for more sites than a cluster has, and windows that do not fit, are proved", () => {
  const few = makeProblem(given(readyOn([2, 3]), [3], 1));
  expect(preCheck(few)).toEqual([{ code: "CLUSTER_UNREACHABLE", cluster: 0, needed: 3, available: 2, relax: 1 }]);
  expect(checkClaims(few, preCheck(few)).signed).toBe(true);
  expect(preCheck(makeProblem(given(readyOn([2, 3]), [2], 1)))).toEqual([]);
  const many = {
    ...given(
      [0, 1, 2, 3].flatMap((cluster) => readyOn([1, 1], cluster)),
      [2, 2, 2, 2],
      1,
      1,
    ),
    horizon: 7,
  };
  expect(preCheck(makeProblem(many))).toContainEqual({ code: "CLUSTER_UNREACHABLE", cluster: -1, needed: 8, available: 7, relax: 1 });
  expect(
    checkClaims(
      makeProblem(many),
      preCheck(makeProblem(many)).filter(({ code }) => code === "CLUSTER_UNREACHABLE"),
    ).signed,
  ).toBe(true);
  expect(solve(many)).toBeNull();
  expect(preCheck(makeProblem({ ...many, horizon: 8 })).filter(({ code }) => code === "CLUSTER_UNREACHABLE")).toEqual([]);
});
