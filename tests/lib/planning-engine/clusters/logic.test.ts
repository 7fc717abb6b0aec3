import { describe, expect, test } from "vitest";
import { checkClaims, checkPlan } from "#lib/planning-engine/checker/logic.ts";
import { planWarnings } from "#lib/planning-engine/diagnosis/logic.ts";
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

test("windows open since before the plan start are given: both are closed, no third is opened beside them", () => {
  const begun = (cluster: number) => ({
    flow: "F",
    cluster,
    kept: [{ activity: "Cutover", state: "completed" as const, start: -4, end: -3 }],
  });
  const both = [begun(0), begun(1), ...readyOn([3], 0), ...readyOn([6], 1)];
  // Half of each is cut over already: neither window could be closed before the other stands open.
  expect(cutovers(solve(given(both, [2, 2], 1))!)).toEqual([-4, -4, 3, 6]);
  const third = solve(given([...both, ...readyOn([2], 2)], [2, 2, 1], 1))!;
  expect(cutovers(third)).toEqual([-4, -4, 3, 6, 7]);
  const beside = structuredClone(third);
  [beside.start[9], beside.end[9]] = [4, 5];
  const verdict = checkPlan({
    problem: makeProblem(given([...both, ...readyOn([2], 2)], [2, 2, 1], 1)),
    plan: beside,
    bounds: null,
    dus: null,
    balance: null,
    moves: null,
    source: null,
  });
  expect(verdict.signed ? 0 : verdict.counts.get("C13")).toBe(1);
  const warned = makeProblem(given(both, [2, 2], 1));
  const plan = solve(given(both, [2, 2], 1))!;
  expect(planWarnings(warned, plan, [])).toContainEqual(
    expect.objectContaining({ code: "WINDOWS_GIVEN", names: { days: 4, windows: 2, limit: 1 } }),
  );
  expect(planWarnings(warned, { ...plan, ...solve(given(both, [2, 2], 2))! }, []).map(({ code }) => code)).toContain("WINDOWS_GIVEN");
  const wide = makeProblem(given(both, [2, 2], 2));
  expect(planWarnings(wide, plan, []).map(({ code }) => code)).not.toContain("WINDOWS_GIVEN");
});

test("two windows that kept dates open after the plan start are judged where the plan holds them open", () => {
  const fixed = (cluster: number, start: number) => ({
    flow: "F",
    cluster,
    kept: [{ activity: "Cutover", state: "fixed" as const, start, end: start + 1 }],
  });
  // The second begins on day 4: by then the first has to be closed.
  const plan = solve(given([fixed(0, 2), fixed(1, 4), ...readyOn([1], 0), ...readyOn([8], 1)], [2, 2], 1))!;
  expect(cutovers(plan)).toEqual([2, 4, 2, 8]);
  expect(solve(given([fixed(0, 2), fixed(1, 4), ...readyOn([6], 0), ...readyOn([8], 1)], [2, 2], 1))).toBeNull();
});

describe("planned backward", () => {
  const back = (dus: DuGiven[], needed: number[], limit: number, teams = 5): ProblemGiven => ({
    ...given(dus, needed, limit, teams),
    direction: "reverse",
    objective: ["gapDus", "earliestStart", "duStarts"],
  });
  const sites = (dues: number[], cluster = 0) => dues.map((due) => ({ flow: "F", due, cluster }));

  test("as many as the gate asks for are ready by the first cutover", () => {
    const plan = solve(back(sites([9, 12, 20, 30]), [3], -1))!;
    expect(cutovers(plan)).toEqual([9, 12, 20, 30]);
    // Two more have to be ready on day 9, the last one has not.
    expect([...plan.start].filter((_, job) => job % 2 === 0)).toEqual([8, 8, 8, 29]);
    expect([...plan.gates]).toEqual([9]);
    expect([plan.binding[2], plan.binding[6]]).toEqual([4, 8]);
    expect([...solve(back(sites([9, 12, 20, 30]), [1], -1))!.start].filter((_, job) => job % 2 === 0)).toEqual([8, 11, 19, 29]);
  });

  test("a window closes before the other opens; those the gate does without stay as late as they can", () => {
    const plan = solve(back([...sites([20, 30], 0), ...sites([25, 30], 1)], [1, 2], 1))!;
    // The first closes with day 20; in the second both are needed.
    expect(cutovers(plan)).toEqual([20, 30, 25, 30]);
    const tight = solve(back([...sites([20, 20], 0), ...sites([20, 20], 1)], [2, 2], 1, 2))!;
    expect(cutovers(tight).sort((a, b) => a - b)).toEqual([19, 19, 20, 20]);
    expect([...tight.binding]).toContain(5);
    expect(cutovers(solve(back([...sites([20, 20], 0), ...sites([20, 20], 1)], [2, 2], 2, 4))!)).toEqual([20, 20, 20, 20]);
  });

  test("a cluster cut over in part closes before the others open", () => {
    const done = { flow: "F", cluster: 0, due: 30, kept: [{ activity: "Cutover", state: "completed" as const, start: -4, end: -3 }] };
    const plan = solve(back([done, ...sites([30], 0), ...sites([30, 30], 1)], [2, 2], 1))!;
    expect(cutovers(plan)).toEqual([-4, 29, 30, 30]);
  });

  test("sites that cannot be ready by the first cutover leave no plan", () => {
    const dus: DuGiven[] = [...sites([9]), { flow: "F", due: 30, release: 9, cluster: 0 }];
    expect(solve(back(dus, [2], -1))).toBeNull();
    expect(cutovers(solve(back(dus, [1], -1))!)).toEqual([9, 30]);
    dus[1]!.release = 8;
    expect(solve(back(dus, [2], -1))).not.toBeNull();
  });
});
