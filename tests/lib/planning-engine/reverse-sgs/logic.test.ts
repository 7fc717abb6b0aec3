import { describe, expect, test } from "vitest";
import { checkClaims, checkPlan } from "#lib/planning-engine/checker/logic.ts";
import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { preCheck } from "#lib/planning-engine/pre-checks/logic.ts";
import { newRun, planOf, runAll } from "#lib/planning-engine/solver/logic.ts";
import { allAssignments, judge } from "#tests/support/exhaustive-plan.ts";
import { planFaults } from "#tests/support/plan-faults.ts";
import { chance, makeProblem, type ProblemGiven, randomRollOut } from "#tests/support/planning-problem.ts";

const objective = ["gapDus", "earliestStart", "duStarts"] as const;

function solve(problem: Problem, evaluationLimit = 200): Plan | null {
  const run = newRun(normalise(problem).ready!, { seed: 1, evaluationLimit, islands: 1 });
  runAll(run, () => false);
  return planOf(run);
}

/** The worked example: survey, install and cutover of a site that is due on day 29. */
const site: ProblemGiven = {
  direction: "reverse",
  flows: [
    {
      name: "NEW",
      activities: [
        { name: "Survey", days: 1, team: "SUR" },
        { name: "Install", days: 3, team: "INST", coTeam: 0 },
        { name: "Cutover", days: 1, team: "INST", coTeam: 0 },
        { name: "Hand over", days: 0 },
      ],
      relations: [
        ["Survey", "Install", "FS", 0],
        ["Install", "Cutover", "FS", 1],
        ["Cutover", "Hand over", "FS", 2],
      ],
      material: "Install",
      anchor: "Cutover",
    },
  ],
  pools: [
    { skill: "SUR", teams: 1 },
    { skill: "INST", teams: 1 },
  ],
  dus: [{ flow: "NEW", due: 29 }],
  objective: [...objective],
};

describe("planning backward", () => {
  test("the worked example: everything as late as the due date lets it, what follows the anchor behind it", () => {
    const problem = makeProblem(site);
    const plan = solve(problem)!;
    expect(planFaults(problem, plan)).toEqual([]);
    expect([...plan.start]).toEqual([24, 25, 29, 31]);
    expect(plan.levels).toEqual([0, -24, -24]);
  });

  test("material that is not there by the start is a gap; a day earlier it is taken", () => {
    const planned = (day: number) => {
      const problem = makeProblem({
        ...site,
        dus: [{ flow: "NEW", due: 29, demand: [[0, 2]] }],
        lots: [{ item: 0, units: 2, day, source: "inbound" }],
      });
      return solve(problem)!;
    };
    expect(planned(25).gaps.du).toHaveLength(0);
    expect([...planned(26).gaps.short]).toEqual([200]);
    expect(planned(26).levels[0]).toBe(1);
  });

  test("a window one day too short is proved, one that just fits is planned", () => {
    const given = (due: number) => makeProblem({ ...site, dus: [{ flow: "NEW", due, release: 3 }] });
    expect(preCheck(given(8))).toEqual([]);
    expect([...solve(given(8))!.start].slice(0, 3)).toEqual([3, 4, 8]);
    const tight = preCheck(given(7));
    expect(tight).toEqual([{ code: "WINDOW_TOO_TIGHT", du: 0, position: 2, needed: 6, available: 5, relax: 1 }]);
    expect(checkClaims(given(7), tight).signed).toBe(true);
    expect(solve(given(7))).toBeNull();
  });

  test("more work than teams before the due dates is proved", () => {
    const given = (sites: number) => makeProblem({ ...site, dus: Array.from({ length: sites }, () => ({ flow: "NEW", due: 13 })) });
    expect(preCheck(given(2))).toEqual([]);
    const found = preCheck(given(5));
    expect(found.map(({ code }) => code)).toContain("TEAM_OVERLOAD");
    expect(checkClaims(given(5), found)).toEqual({ signed: true, unproved: [] });
  });
});

test("plans are as good as the best of all assignments, and no due date is passed", () => {
  let equal = 0;
  let possible = 0;
  for (let seed = 1; seed <= 24; seed++) {
    const draw = chance(seed);
    const kind = (["FS", "SS", "FF"] as const)[draw(3)]!;
    const problem = makeProblem({
      direction: "reverse",
      horizon: 6,
      freeDays: [[draw(5)], [1 + draw(3)]],
      flows: [
        {
          name: "F",
          activities: [
            { name: "A", days: 1 + draw(2), team: "T", ...(draw(2) ? { coTeam: 0 } : {}) },
            { name: "B", days: draw(3), team: "T", ...(draw(2) ? { coTeam: 0 } : {}) },
          ],
          relations: [["A", "B", kind, draw(2)]],
          ...(draw(2) ? { anchor: "B" } : {}),
        },
      ],
      pools: [
        { skill: "T", resource: "X", teams: 1 },
        { skill: "T", resource: "Y", region: 0, teams: 1 },
      ],
      dus: [
        { flow: "F", region: draw(2), due: 2 + draw(4) },
        { flow: "F", region: draw(2), release: draw(2), due: 3 + draw(3) },
      ],
      objective: [...objective],
    });
    let best: [number, number] | null = null;
    for (const assignment of allAssignments(problem)) {
      const { start, end, allowed } = judge(problem, assignment);
      if (!allowed) continue;
      const { dus, flows } = problem;
      const late = dus.id.some((_, du) =>
        [0, 1].some((position) => (flows[0]!.anchor < 0 || flows[0]!.anchor === position) && end[2 * du + position]! - 1 > dus.due[du]!),
      );
      if (late) continue;
      const levels: [number, number] = [-Math.min(...start), -Math.min(start[0]!, start[1]!) - Math.min(start[2]!, start[3]!)];
      if (!best || levels[0] < best[0] || (levels[0] === best[0] && levels[1] < best[1])) best = levels;
    }
    const plan = solve(problem, 400);
    if (!best) {
      expect(plan, `seed ${seed}`).toBeNull();
      continue;
    }
    possible++;
    if (!plan) continue;
    expect(planFaults(problem, plan), `seed ${seed}`).toEqual([]);
    const [earliest, sum] = [plan.levels[1]! - best[0], plan.levels[2]! - best[1]];
    expect(earliest < 0 || (earliest === 0 && sum < 0), `seed ${seed}`).toBe(false);
    if (earliest === 0 && sum === 0) equal++;
    else console.log(`seed ${seed}: ${plan.levels.slice(1)} instead of ${best}`);
  }
  expect(possible).toBeGreaterThan(10);
  expect(equal).toBeGreaterThanOrEqual(0.95 * possible);
});

test("the checker signs random roll-outs planned backward, with groups and kept dates", () => {
  let planned = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const given = randomRollOut(seed, seed % 4 === 0 ? 20 : 8);
    given.lots = given.lots!.filter(({ source }) => source !== "reuse");
    delete given.clusters;
    given.direction = "reverse";
    given.objective = [...objective];
    for (const du of given.dus) {
      delete du.directFrom;
      delete du.cluster;
      du.due = (du.due ?? 20) + 30;
    }
    const problem = makeProblem(given);
    const plan = solve(problem, 50);
    if (!plan) continue;
    planned++;
    const verdict = checkPlan({ problem, plan, bounds: null, dus: null, balance: null, moves: null, source: null });
    expect(verdict.signed ? [] : verdict.violations, `seed ${seed}`).toEqual([]);
  }
  expect(planned).toBeGreaterThan(36);
});
