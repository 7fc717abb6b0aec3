import { describe, expect, test } from "vitest";
import { checkPlan } from "#lib/planning-engine/checker/logic.ts";
import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";
import { causesOf, inNumbersOf, movesOf } from "#lib/planning-engine/moves/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { causedMoves, moveCauses } from "#lib/planning-engine/publication/logic.ts";
import { freezeBase } from "#lib/planning-engine/re-planning/logic.ts";
import { newRun, planOf, runAll } from "#lib/planning-engine/solver/logic.ts";
import { chance, makeProblem, type ProblemGiven, randomRollOut } from "#tests/support/planning-problem.ts";
import { rollOut as syntheticRollOut } from "#tests/support/roll-out.ts";

function solve(problem: Problem, evaluationLimit = 100): Plan {
  const run = newRun(normalise(problem).ready!, { seed: 1, evaluationLimit, islands: 1 });
  runAll(run, () => false);
  return planOf(run)!;
}

/** What the checker finds in a plan with its moves. */
function faults(problem: Problem, plan: Plan): unknown[] {
  const moves = movesOf(problem, plan);
  const verdict = checkPlan({ problem, plan, bounds: null, dus: null, balance: null, moves, source: null });
  return verdict.signed
    ? []
    : verdict.violations.filter(({ rule }) => ["C3", "C4", "C5", "C6", "C7", "C12", "C13", "C16", "C19", "C20"].includes(rule));
}

const replanObjective = ["gapDus", "stability", "lateDus", "classCompletion", "makespan", "completion"] as const;

function from(problem: Problem, plan: Plan, stabilityWeight: number): Problem {
  const objective = stabilityWeight > 0 ? [...replanObjective] : problem.objective;
  return { ...problem, base: { start: plan.start, pool: plan.pool, stabilityWeight }, objective };
}

function rollOut(seed: number, groups: boolean): Problem {
  const given = randomRollOut(seed, 12);
  given.lots = given.lots!.filter(({ source }) => source !== "reuse");
  for (const du of given.dus) delete du.directFrom;
  given.substitutes = [];
  given.objective = ["gapDus", "lateDus", "lateDays", "classCompletion", "makespan", "completion"];
  if (!groups) {
    // Where nothing is scarce, the order of the base alone says who gets what.
    for (const lot of given.lots!) lot.units += 100;
    delete given.clusters;
    for (const du of given.dus) delete du.cluster;
    for (const { activities } of given.flows)
      for (const activity of activities) {
        delete activity.coTeam;
        delete activity.coResource;
      }
  }
  return makeProblem(given);
}

/** One team, three repairs after one another; the material of the second comes on day 2. */
const repairs: ProblemGiven = {
  flows: [{ name: "F", activities: [{ name: "Repair", days: 2, team: "T" }], relations: [], material: "Repair" }],
  pools: [{ skill: "T", teams: 1 }],
  dus: [
    { flow: "F", due: 1 },
    { flow: "F", due: 3, demand: [[0, 1]] },
    { flow: "F", due: 20 },
  ],
  lots: [{ item: 0, units: 1, day: 2, source: "inbound" }],
  objective: ["gapDus", "lateDus", "lateDays", "makespan", "completion"],
};

describe("planning again from a base", () => {
  test("what did not change does not move, and is signed with an empty list of moves", () => {
    for (let seed = 1; seed <= 30; seed++) {
      const problem = rollOut(seed, seed % 2 === 0);
      const plan = solve(problem, 60);
      const again = from(problem, plan, 1000);
      const kept = solve(again, 1);
      if (seed % 2 === 1) expect(movesOf(again, kept), `seed ${seed}`).toEqual([]);
      expect(faults(again, kept), `seed ${seed}`).toEqual([]);
    }
  });

  test("a heavier weight moves less; every plan is signed with its moves", () => {
    let light = 0;
    let heavy = 0;
    for (let seed = 1; seed <= 15; seed++) {
      const problem = rollOut(seed, seed % 2 === 0);
      const plan = solve(problem, 60);
      const draw = chance(seed);
      const day = problem.lots.day.map((own, lot) => (problem.lots.source[lot] === 1 && draw(2) ? own + 4 : own));
      const changed = { ...problem, lots: { ...problem.lots, day } };
      const days = (again: Problem) => {
        const next = solve(again, 120);
        expect(faults(again, next), `seed ${seed}`).toEqual([]);
        return movesOf(again, next).reduce((sum, move) => sum + Math.abs(move.to - move.from), 0);
      };
      light += days(from(changed, plan, 0));
      heavy += days(from(changed, plan, 1000));
    }
    expect(heavy).toBeLessThan(light);
  });

  test("a late receipt moves the DU that waits for it, and those behind it only where they must", () => {
    const problem = makeProblem(repairs);
    const plan = solve(problem);
    expect([...plan.start]).toEqual([0, 2, 4]);
    const late = makeProblem({ ...repairs, lots: [{ item: 0, units: 1, day: 3, source: "inbound" }] });
    // By a day: the third follows a day later, as a day late of the second weighs more than a day moved of the third.
    const again = from(late, plan, 50);
    const next = solve(again);
    expect([...next.start]).toEqual([0, 3, 5]);
    expect(next.levels.slice(0, 3)).toEqual([0, 100 + 2 * 50, 1]);
    expect(faults(again, next)).toEqual([]);
    const moves = movesOf(again, next);
    expect(moves).toMatchObject([
      { job: 1, from: 2, to: 3 },
      { job: 2, from: 4, to: 5 },
    ]);
    expect(causesOf(again, next, moves, problem)).toEqual([
      { change: "lot", du: 1 },
      { change: "lot", du: 1 },
    ]);
  });

  test("with days of an earlier actual date and a lost team the causes are named", () => {
    const problem = makeProblem(repairs);
    const plan = solve(problem);
    const started = makeProblem({
      ...repairs,
      dus: [{ flow: "F", due: 1, kept: [{ activity: "Repair", state: "started", start: 0, end: 3 }] }, ...repairs.dus.slice(1)],
    });
    const again = from(started, plan, 100);
    const next = solve(again);
    const moves = movesOf(again, next);
    expect(moves.map(({ job, to }) => [job, to])).toEqual([
      [1, 3],
      [2, 5],
    ]);
    expect(causesOf(again, next, moves, problem)).toEqual([
      { change: "actualDate", du: 0 },
      { change: "actualDate", du: 0 },
    ]);
    const better = { ...problem, base: { start: Int32Array.of(0, 3, 6), pool: plan.pool, stabilityWeight: 0 } };
    const earlier = solve(better);
    expect(causesOf(better, earlier, movesOf(better, earlier), problem).map(({ change }) => change)).toEqual(["betterPlan", "betterPlan"]);
  });
});

test("a DU that is no longer there is named where others have its team or its material now", () => {
  const problem = makeProblem(repairs);
  const plan = solve(problem);
  const gone = makeProblem({ ...repairs, dus: repairs.dus.slice(1) });
  gone.dus.id.set([101, 102]);
  const again: Problem = { ...gone, base: { start: plan.start.slice(1), pool: plan.pool.slice(1), stabilityWeight: 0 } };
  const next = solve(again);
  const moves = movesOf(again, next);
  // The last repair takes the two days that are free now.
  expect(moves.map(({ job, from: then, to }) => [job, then, to])).toEqual([[1, 4, 0]]);
  expect(causesOf(again, next, moves, problem)).toEqual([{ change: "removedDu", du: 1, removed: 100 }]);
  expect(causedMoves(moves, causesOf(again, next, moves, problem))).toEqual([
    { job: 1, cause: moveCauses.indexOf("removedDu") + 1, du: 1, removed: 100 },
  ]);
  // One that had been done already is in nobody's way.
  const over = makeProblem({
    ...repairs,
    dus: [{ flow: "F", due: 1, kept: [{ activity: "Repair", state: "completed", start: -3, end: -1 }] }, ...repairs.dus.slice(1)],
  });
  expect(causesOf(again, next, moves, over).map(({ change }) => change)).toEqual(["betterPlan"]);
});

describe("frozen days", () => {
  test("jobs that begin before them keep day and pool, those on the day itself are free", () => {
    const problem = makeProblem(repairs);
    const plan = solve(problem);
    const again = { ...problem, base: { start: plan.start, pool: plan.pool, stabilityWeight: 100 } };
    const two = freezeBase(again, 2);
    expect([...two.problem.kept.job]).toEqual([0]);
    expect(two.broken).toEqual([]);
    const three = freezeBase(again, 3);
    expect([...three.problem.kept.job]).toEqual([0, 1]);
    expect([...three.problem.kept.state]).toEqual([5, 5]);
    expect([...three.problem.kept.end]).toEqual([2, 4]);
    const next = solve({ ...three.problem, objective: ["gapDus", "stability", "lateDus"] });
    expect([...next.start]).toEqual([0, 2, 4]);
    expect(faults({ ...three.problem, objective: ["gapDus", "stability", "lateDus"] }, next)).toEqual([]);
  });

  test("what material, teams or relations no longer let be is free, and named", () => {
    const plan = solve(makeProblem(repairs));
    const base = { start: [...plan.start], pool: [...plan.pool], stabilityWeight: 100 };
    const late = makeProblem({ ...repairs, base, lots: [{ item: 0, units: 1, day: 3, source: "inbound" }] });
    expect(freezeBase(late, 10).broken).toEqual([1]);
    const lost = makeProblem({ ...repairs, base, pools: [{ skill: "T", teams: 0 }] });
    expect(freezeBase(lost, 10).broken).toEqual([0, 1, 2]);
    const moved = makeProblem({ ...repairs, base: { ...base, start: [0, 2, 3] } });
    // Two jobs on one team: the one that begins first keeps it.
    expect(freezeBase(moved, 10).broken).toEqual([2]);
  });

  test("the checker signs frozen plans of random roll-outs", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const problem = rollOut(seed, seed % 2 === 0);
      const { problem: frozen, broken } = freezeBase(from(problem, solve(problem, 60), 100), 6);
      const plan = solve(frozen, 60);
      expect(faults(frozen, plan), `seed ${seed}`).toEqual([]);
      if (seed % 2 === 1) expect(broken, `seed ${seed}`).toEqual([]);
    }
  });
});

test("the present plan is tried first: nothing is worse than it", () => {
  let found = 0;
  for (let seed = 1; seed <= 5; seed++) {
    const { problem } = syntheticRollOut(30, 12, 40, seed);
    const best = solve(problem, 300);
    expect(solve({ ...problem, present: best.start }, 1).levels[0], `seed ${seed}`).toBeLessThanOrEqual(best.levels[0]!);
    if (solve(problem, 1).levels[0]! > best.levels[0]!) found++;
  }
  // Without it the first plan is another one.
  expect(found).toBeGreaterThan(2);
});

describe("causes are found where the input is numbered anew", () => {
  const names = { planStart: "2026-11-02", pools: [{ skill: "T", resource: "A", region: null }], items: ["ANT"], regions: ["North"] };

  test("a pool and an item that came before the others change nothing for those that do not use them", () => {
    const problem = makeProblem(repairs);
    const plan = solve(problem);
    // The same teams and antennas at other places: only the receipt is later.
    const renumbered = makeProblem({
      ...repairs,
      pools: [
        { skill: "S", teams: 3 },
        { skill: "T", teams: 1 },
      ],
      dus: repairs.dus.map((du) => (du.demand ? { ...du, demand: [[1, 1]] } : du)),
      lots: [
        { item: 0, units: 7 },
        { item: 1, units: 1, day: 3, source: "inbound" },
      ],
    });
    const now = { ...names, pools: [{ skill: "S", resource: "A", region: null }, ...names.pools], items: ["AAU", ...names.items] };
    const base = inNumbersOf(now, names, problem);
    expect([[...base.teams.count], [...base.teams.eligible], [...base.lots.item], [...base.demand.item]]).toEqual([[0, 1], [1], [1], [1]]);
    const again = from(renumbered, { ...plan, pool: plan.pool.map(() => 1) }, 50);
    const next = solve(again);
    const moves = movesOf(again, next);
    expect(causesOf(again, next, moves, base)).toEqual([
      { change: "lot", du: 1 },
      { change: "lot", du: 1 },
    ]);
    // A team more is another input of all who may use it; teams that were there before and are gone are, too.
    const more = { ...again, teams: { ...again.teams, count: Int32Array.of(3, 2) } };
    expect(new Set(causesOf(more, next, moves, base).map(({ change }) => change))).toEqual(new Set(["teamCount"]));
    const gone = inNumbersOf(now, { ...names, pools: [{ skill: "T", resource: "B", region: null }] }, problem);
    expect(new Set(causesOf(again, next, moves, gone).map(({ change }) => change))).toEqual(new Set(["teamCount"]));
  });

  test("a plan that starts a week later has the calendars, dates and lots it had, and one that is really late is named", () => {
    const given: ProblemGiven = {
      ...repairs,
      freeDays: [[5, 6]],
      dus: [
        { flow: "F", due: 8 },
        { flow: "F", due: 11, demand: [[0, 1]] },
        { flow: "F", due: 30, kept: [{ activity: "Repair", state: "fixed", start: 14, end: 16 }] },
      ],
      lots: [{ item: 0, units: 1, day: 9, source: "inbound" }],
    };
    const problem = makeProblem(given);
    const plan = solve(problem);
    const week = (days: Int32Array) => days.map((day) => day - 7);
    const weekLater = (lotDay: number) =>
      makeProblem({
        ...given,
        dus: [
          { flow: "F", due: 1 },
          { flow: "F", due: 4, demand: [[0, 1]] },
          { flow: "F", due: 23, kept: [{ activity: "Repair", state: "fixed", start: 7, end: 9 }] },
        ],
        lots: [{ item: 0, units: 1, day: lotDay, source: "inbound" }],
      });
    const base = inNumbersOf({ ...names, planStart: "2026-11-09" }, names, problem);
    const causes = (lotDay: number) => {
      const again = from(weekLater(lotDay), { ...plan, start: week(plan.start) }, 100);
      const next = solve(again);
      const moves = movesOf(again, next);
      return causesOf(again, next, moves, base).map(({ change }, at) => [moves[at]!.job, change]);
    };
    // The first was planned before the plan now starts: it moves, and no input is to blame.
    expect(causes(2)).toEqual([[0, "betterPlan"]]);
    expect(causes(9)).toContainEqual([1, "lot"]);
  });
});
