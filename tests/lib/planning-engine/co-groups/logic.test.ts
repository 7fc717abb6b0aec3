import { expect, test } from "vitest";
import { checkClaims } from "#lib/planning-engine/checker/logic.ts";
import { coTeamOverlaps } from "#lib/planning-engine/co-groups/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { preCheck } from "#lib/planning-engine/pre-checks/logic.ts";
import { newRun, planOf, runAll } from "#lib/planning-engine/solver/logic.ts";
import { planFaults } from "#tests/support/plan-faults.ts";
import { makeProblem, type ProblemGiven } from "#tests/support/planning-problem.ts";

/** Install and cutover by one team; surveys and cutovers of others make teams busy. */
const pair: ProblemGiven = {
  flows: [
    {
      name: "F",
      activities: [
        { name: "Install", days: 2, team: "I", coTeam: 0 },
        { name: "Cutover", days: 1, team: "I", coTeam: 0 },
      ],
      relations: [["Install", "Cutover", "FS", 1]],
    },
    { name: "G", activities: [{ name: "Repair", days: 2, team: "I" }], relations: [] },
  ],
  pools: [{ skill: "I", resource: "X", teams: 2 }],
  dus: [{ flow: "F" }],
};

function solve(given: ProblemGiven) {
  const problem = makeProblem({ ...given, objective: ["lateDus", "lateDays", "makespan", "completion"] });
  const run = newRun(normalise(problem).ready!, { seed: 1, evaluationLimit: 200, islands: 1 });
  runAll(run, () => false);
  const plan = planOf(run)!;
  expect(planFaults(problem, plan)).toEqual([]);
  return plan;
}

test("a group takes the team that lets all of it begin at once", () => {
  const repair = (start: number) => ({ flow: "G", kept: [{ activity: "Repair", state: "fixed" as const, start, end: start + 2 }] });
  // Team 1 repairs on days 3 and 4, when the cutover would be: team 2 is free for both.
  const plan = solve({ ...pair, dus: [repair(3), { flow: "F" }] });
  expect([...plan.start].slice(1)).toEqual([0, 3]);
  expect([...plan.team]).toEqual([1, 2, 2]);
});

test("free jobs of a group follow the team of a kept one", () => {
  const kept = (start: number) => [{ activity: "Install", state: "started" as const, start, end: start + 2 }];
  const plan = solve({
    ...pair,
    dus: [
      { flow: "G", kept: [{ activity: "Repair", state: "fixed", start: 0, end: 2 }] },
      { flow: "F", kept: kept(0) },
    ],
  });
  expect([...plan.team]).toEqual([1, 2, 2]);
  expect(plan.start[2]).toBe(3);
});

test("a group nobody can serve as a whole is named, one that somebody can is not", () => {
  const apart = (second: string): ProblemGiven => ({
    ...pair,
    flows: [
      {
        ...pair.flows[0]!,
        activities: [
          { name: "Install", days: 2, team: "I", resource: "X", coResource: 0 },
          { name: "Cutover", days: 1, team: "J", coResource: 0 },
        ],
      },
    ],
    pools: [
      { skill: "I", resource: "X", teams: 1 },
      { skill: "J", resource: second, teams: 1 },
    ],
  });
  const problem = makeProblem(apart("Y"));
  expect(preCheck(problem)).toEqual([{ code: "NO_COMMON_RESOURCE", du: 0, positions: [0, 1], needed: 1, available: 0, relax: 1 }]);
  expect(checkClaims(problem, preCheck(problem)).signed).toBe(true);
  expect(preCheck(makeProblem(apart("X")))).toEqual([]);
  const teams = apart("Y");
  for (const activity of teams.flows[0]!.activities) Object.assign(activity, { coTeam: 0, coResource: -1 });
  expect(preCheck(makeProblem(teams))).toMatchObject([{ code: "NO_COMMON_TEAM", positions: [0, 1] }]);
  expect(checkClaims(makeProblem(teams), preCheck(makeProblem(teams))).signed).toBe(true);
});

test("kept jobs of a co-team group that overlap are a warning, those one after the other are none", () => {
  const both = (start: number) =>
    makeProblem({
      ...pair,
      dus: [
        {
          flow: "F",
          kept: [
            { activity: "Install", state: "fixed", start: 0, end: 2 },
            { activity: "Cutover", state: "fixed", start, end: start + 1 },
          ],
        },
      ],
    });
  expect(coTeamOverlaps(both(1))).toEqual([{ du: 0, positions: [0, 1] }]);
  expect(coTeamOverlaps(both(2))).toEqual([]);
});
