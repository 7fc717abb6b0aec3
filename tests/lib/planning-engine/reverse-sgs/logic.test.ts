import { describe, expect, test } from "vitest";
import { checkClaims, checkPlan } from "#lib/planning-engine/checker/logic.ts";
import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";
import { causesOf, movesOf } from "#lib/planning-engine/moves/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { preCheck } from "#lib/planning-engine/pre-checks/logic.ts";
import { freezeBase } from "#lib/planning-engine/re-planning/logic.ts";
import { newRun, planOf, runAll } from "#lib/planning-engine/solver/logic.ts";
import { backward, faultsOf, planBackward, published } from "#tests/support/backward.ts";
import { allAssignments, judge, planOf as planGiven } from "#tests/support/exhaustive-plan.ts";
import { planFaults } from "#tests/support/plan-faults.ts";
import { mutants } from "#tests/support/plan-mutants.ts";
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

test("with clusters plans are as good as the best of all assignments", () => {
  let equal = 0;
  let possible = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const draw = chance(seed + 900);
    const problem = makeProblem({
      direction: "reverse",
      horizon: 5,
      freeDays: [[draw(7)]],
      flows: [
        {
          name: "F",
          activities: [
            { name: "A", days: 1 + draw(2), team: "T" },
            { name: "B", days: draw(3), ...(draw(2) ? { team: "T" } : {}) },
          ],
          relations: [["A", "B", "FS", 0]],
          anchor: "B",
        },
        { name: "G", activities: [{ name: "C", days: 1 + draw(2) }], relations: [], anchor: "C" },
      ],
      pools: [{ skill: "T", teams: 2 }],
      dus: [
        { flow: "F", cluster: 0, due: 3 + draw(2) },
        { flow: "F", cluster: draw(2), due: 3 + draw(2) },
        { flow: "G", cluster: 1, release: draw(2), due: 2 + draw(3) },
      ],
      clusters: { needed: [1, 1], limit: draw(3) - 1 || -1 },
      objective: [...objective],
    });
    const members = [0, 1].map((cluster) => problem.dus.cluster.filter((own) => own === cluster).length);
    problem.clusters!.needed.set(members.map((count) => Math.ceil(count * 0.6)));
    let best: [number, number] | null = null;
    for (const assignment of allAssignments(problem)) {
      if (assignment.team[0]! > 1 || !judge(problem, assignment).allowed) continue;
      const plan = planGiven(problem, assignment);
      const begins = [0, 1, 2].map((du) => Math.min(...plan.start.slice(problem.dus.firstJob[du], problem.dus.firstJob[du + 1])));
      const levels: [number, number] = [-Math.min(...begins), -begins.reduce((sum, day) => sum + day, 0)];
      if (best && (levels[0] > best[0] || (levels[0] === best[0] && levels[1] >= best[1]))) continue;
      plan.gates = Int32Array.of(0, 0);
      const verdict = checkPlan({ problem, plan, bounds: null, dus: null, balance: null, moves: null, source: null });
      const faults = ["before-gate", "windows", "after-due"];
      if (verdict.signed || !verdict.violations.some(({ fault }) => faults.includes(fault))) best = levels;
    }
    const plan = solve(problem, 200);
    if (!best) {
      expect(plan, `seed ${seed}`).toBeNull();
      continue;
    }
    possible++;
    if (!plan) {
      console.log(`seed ${seed}: none instead of ${best}`);
      continue;
    }
    expect(planFaults(problem, plan), `seed ${seed}`).toEqual([]);
    const [earliest, sum] = [plan.levels[1]! - best[0], plan.levels[2]! - best[1]];
    expect(earliest < 0 || (earliest === 0 && sum < 0), `seed ${seed}`).toBe(false);
    if (earliest === 0 && sum === 0) equal++;
    else console.log(`seed ${seed}: ${plan.levels.slice(1)} instead of ${best}`);
  }
  expect(possible).toBeGreaterThan(5);
  expect(equal).toBeGreaterThanOrEqual(0.9 * possible);
});

describe("planned again backward", () => {
  const again = (problem: Problem, plan: Plan, stabilityWeight: number): Problem => ({
    ...problem,
    base: { start: plan.start, pool: plan.pool, stabilityWeight },
    objective: ["gapDus", "stability", "earliestStart", "duStarts"],
  });

  test("what did not change does not move; an earlier due date moves its own DU, and names it", () => {
    const problem = makeProblem({
      ...site,
      dus: [
        { flow: "NEW", due: 29 },
        { flow: "NEW", due: 20 },
      ],
    });
    const plan = solve(problem)!;
    const same = again(problem, plan, 50);
    const next = solve(same)!;
    expect(faultsOf(same, next)).toEqual([]);
    expect([...next.start]).toEqual([...plan.start]);
    expect(next.levels[1]).toBe(0);
    const earlier = makeProblem({
      ...site,
      dus: [
        { flow: "NEW", due: 27 },
        { flow: "NEW", due: 20 },
      ],
    });
    const changed = again(earlier, plan, 50);
    const moved = solve(changed)!;
    expect(faultsOf(changed, moved)).toEqual([]);
    const moves = movesOf(changed, moved);
    // What leads to the cutover moves with it; the handing over stays where it was.
    expect(moves.map(({ job, to }) => [job, to])).toEqual([
      [0, 22],
      [1, 23],
      [2, 27],
    ]);
    expect(causesOf(changed, moved, moves, problem).map(({ change, du }) => [change, du])).toEqual(moves.map(() => ["rank", 0]));
  });

  test("a due date that became later moves nothing while moved days weigh", () => {
    const problem = makeProblem(site);
    const plan = solve(problem)!;
    const later = makeProblem({ ...site, dus: [{ flow: "NEW", due: 33 }] });
    expect([...solve(again(later, plan, 1))!.start]).toEqual([...plan.start]);
    const free = { ...again(later, plan, 0), objective: [...objective] };
    expect([...solve(free)!.start]).toEqual([28, 29, 33, 35]);
  });
});

test("the checker signs random roll-outs planned backward with clusters and from a base, and finds what is broken in them", () => {
  let signed = 0;
  let held = 0;
  const broken = new Map<string, number>();
  const directed = ["a gate a day off", "no window may be open", "a window pulled into another"];
  for (let seed = 1; seed <= 24; seed++) {
    const given = randomRollOut(seed, seed % 4 === 0 ? 20 : 8);
    const problem = backward(makeProblem(given), 10 + (seed % 5) * 8);
    const plan = planBackward(problem);
    if (!plan) continue;
    signed++;
    expect(faultsOf(problem, plan), `seed ${seed}`).toEqual([]);
    for (const { rule, name, change } of mutants) {
      if (!directed.includes(name)) continue;
      const copy = structuredClone(published(problem, plan));
      if (!change(copy, chance(seed))) continue;
      const verdict = checkPlan(copy);
      expect(verdict.signed ? [] : [...verdict.counts.keys()], `${name}, seed ${seed}`).toContain(rule);
      broken.set(name, (broken.get(name) ?? 0) + 1);
    }
    const base = {
      start: plan.start.map((day, job) => (problem.kept.job.includes(job) ? 1_000_000_000 : day)),
      pool: plan.pool,
      stabilityWeight: 20,
    };
    const due = problem.dus.due.map((day, du) => (du % 3 === 1 ? day - 3 : day));
    const from: Problem = {
      ...problem,
      base,
      dus: { ...problem.dus, due },
      objective: ["gapDus", "stability", "earliestStart", "duStarts"],
    };
    const { problem: frozen } = freezeBase(from, seed % 2 === 0 ? 20 : 0);
    const next = planBackward(frozen, 30);
    if (!next) continue;
    expect(faultsOf(frozen, next), `seed ${seed}, again`).toEqual([]);
    held += next.binding.filter((one) => one === 7).length;
    const moves = movesOf(frozen, next);
    if (moves.length === 0) continue;
    const untold = checkPlan({ ...published(frozen, next), moves: moves.slice(1) });
    expect(untold.signed ? [] : [...untold.counts.keys()]).toEqual(["C20"]);
  }
  expect(signed).toBeGreaterThan(15);
  expect(held).toBeGreaterThan(10);
  for (const name of directed) expect(broken.get(name) ?? 0, name).toBeGreaterThan(0);
});
