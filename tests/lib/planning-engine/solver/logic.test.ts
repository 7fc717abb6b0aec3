import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { MOST_BY_RULES, RULES_PERCENT } from "#lib/planning-engine/searches/limits.ts";
import { evaluationsOf, levelsOf, newRun, planOf, runAll, runFirst } from "#lib/planning-engine/solver/logic.ts";
import { planFaults } from "#tests/support/plan-faults.ts";
import { rollOut } from "#tests/support/roll-out.ts";
import { latestFinishReference } from "#tests/support/roll-out-reference.ts";

const never = () => false;

function solve(problem: Problem, evaluationLimit: number, seed = 1, islands = 1) {
  const run = newRun(normalise(problem).ready!, { seed, evaluationLimit, islands });
  runAll(run, never);
  return run;
}

function hashOf({ start, pool, team }: Plan): string {
  return createHash("sha256").update(start).update(pool).update(team).digest("hex").slice(0, 12);
}

describe("plans of the synthetic roll-out", () => {
  test("2,000 evaluations take away at least half of the weighted lateness, and the plan keeps every rule", () => {
    const { problem } = rollOut(1000, 20, 250, 1);
    const { weighted } = latestFinishReference(problem);
    const run = solve(problem, 2000);
    expect(levelsOf(run)![0]).toBeLessThanOrEqual(weighted * 0.5);
    const plan = planOf(run)!;
    expect(planFaults(problem, plan)).toEqual([]);
    let late = 0;
    for (let du = 0; du < 1000; du++) {
      const end = plan.end.subarray(problem.dus.firstJob[du], problem.dus.firstJob[du + 1]).reduce((most, day) => Math.max(most, day), 0);
      late += Math.max(0, end - 1 - problem.dus.due[du]!) * problem.dus.weight[du]!;
    }
    expect(plan.levels).toEqual([late]);
    // Components of some 2,000 jobs: the same on any machine, as the small ones below.
    expect([late, hashOf(plan)]).toMatchInlineSnapshot(`
      [
        42420,
        "a7abc07419ba",
      ]
    `);
  });

  test("breeding begins soon, however many evaluations there are; the order search of a plan backward later with more", () => {
    const { problem } = rollOut(100, 12, 80, 1);
    const byRules = (evaluationLimit: number, changed: Partial<Problem> = {}) =>
      newRun(normalise({ ...problem, ...changed }).ready!, { seed: 1, evaluationLimit, islands: 1 }).islands[0]!.searches[0]!;
    expect(byRules(1_000_000).byRules).toBe(24 + MOST_BY_RULES);
    const few = byRules(2_000);
    expect(few.byRules).toBe(24 + Math.floor(((few.share - 24) * RULES_PERCENT) / 100));
    const backward = byRules(1_000_000, { direction: "reverse" });
    expect(backward.byRules).toBe(24 + Math.floor((backward.share - 24) * 0.3));
  });

  test("twelve fixed roll-outs keep the quality they had, and their plans are the same on any machine", () => {
    const found = Array.from({ length: 12 }, (_, at) => {
      const plan = planOf(solve(rollOut(30, 12, 40, at + 1).problem, 2000))!;
      return [plan.levels[0], hashOf(plan)];
    });
    expect(found).toMatchInlineSnapshot(`
      [
        [
          619,
          "a36ec7ca259b",
        ],
        [
          254,
          "3197de72c0f9",
        ],
        [
          743,
          "1d6f95e010d7",
        ],
        [
          483,
          "6b53f75bebae",
        ],
        [
          602,
          "7aaa13271439",
        ],
        [
          525,
          "5f257aab2cc9",
        ],
        [
          422,
          "2811688ebe58",
        ],
        [
          566,
          "6be3c3228048",
        ],
        [
          534,
          "e00e5d2dccdc",
        ],
        [
          557,
          "5f13ea133134",
        ],
        [
          994,
          "10c890b148b8",
        ],
        [
          333,
          "4f21b940b158",
        ],
      ]
    `);
  });

  test("the first rule alone is the latest finish", () => {
    const { problem } = rollOut(300, 12, 80, 2);
    expect(levelsOf(solve(problem, 1))![0]).toBeLessThanOrEqual(latestFinishReference(problem).weighted * 1.05);
  });

  test("seed, limit and islands decide the plan, and more of them is no worse", () => {
    const { problem } = rollOut(30, 12, 40, 1);
    const once = planOf(solve(problem, 2000))!;
    expect(planOf(solve(problem, 2000))).toEqual(once);
    const other = solve(problem, 2000, 1, 2);
    expect(planOf(other)).toEqual(planOf(solve(problem, 2000, 1, 2)));
    expect(planFaults(problem, planOf(other)!)).toEqual([]);
    expect(levelsOf(solve(problem, 8000))![0]).toBeLessThanOrEqual(once.levels[0]!);
  });

  test("a stop is heard at the next evaluation, and what was found before stays", () => {
    const { problem } = rollOut(60, 12, 40, 1);
    const run = newRun(normalise(problem).ready!, { seed: 1, evaluationLimit: 100_000, islands: 1 });
    let polls = 0;
    expect(runAll(run, () => ++polls > 100)).toBe(false);
    expect(evaluationsOf(run)).toBe(100);
    expect(planFaults(problem, planOf(run)!)).toEqual([]);
  });
});

describe("what a plan has to keep", () => {
  test("calendars with free days, pools of any region and several eligible pools", () => {
    const { problem } = rollOut(80, 12, 60, 3);
    const all = problem.calendars[0]!.days;
    problem.calendars = [{ days: all.filter((day) => day % 7 < 5) }, { days: all.filter((day) => day % 7 !== 3) }];
    problem.dus.calendar = problem.dus.region.map((region) => region % 2);
    // Every class may also use the teams of another pool, which serve any region.
    const { teams } = problem;
    const pools = teams.eligible;
    teams.eligible = new Int32Array(pools.length * 2);
    for (let list = 0; list < pools.length; list++) {
      const region = list % teams.regions;
      teams.eligible[2 * list] = pools[list]!;
      teams.eligible[2 * list + 1] = pools[list - region + ((region + 1) % teams.regions)]!;
    }
    teams.eligibleAt = teams.eligibleAt.map((at) => 2 * at);
    teams.region.fill(-1);
    problem.objective = ["gapDus", "lateDus", "lateDays", "makespan", "completion"];
    const run = solve(problem, 500);
    const plan = planOf(run)!;
    expect(planFaults(problem, plan)).toEqual([]);
    expect(new Set(plan.pool).size).toBeGreaterThan(10);
    expect(plan.levels[3]).toBe(plan.end.reduce((most, day) => Math.max(most, day), 0));
  });

  test("kept dates stay, hold their team and bound what follows", () => {
    const { problem } = rollOut(20, 12, 30, 4);
    const { dus } = problem;
    const flow = problem.flows[dus.flow[3]!]!;
    const first = dus.firstJob[3]!;
    const position = 4;
    // Fixed far behind: all jobs that follow have to wait for it.
    problem.kept = {
      job: Int32Array.from([first, first + position]),
      state: Uint8Array.from([1, 4]),
      start: Int32Array.from([-5, 200]),
      end: Int32Array.from([-4, 200 + flow.durations[position]!]),
      first: Int32Array.from([0, 200]),
      last: Int32Array.from([0, 200 + flow.durations[position]! - 1]),
      pool: Int32Array.from([-1, -1]),
    };
    const plan = planOf(solve(problem, 200))!;
    expect(planFaults(problem, plan)).toEqual([]);
    expect([plan.start[first], plan.start[first + position]]).toEqual([-5, 200]);
    expect(plan.team[first + position]).toBe(1);
    expect(plan.conflicts.job).toHaveLength(0);
    // The fixed job is the material job: it does not wait for anything.
    expect([...plan.gaps.du]).not.toContain(3);
  });

  test("what no lot covers is a gap, and what comes late is waited for", () => {
    const { problem } = rollOut(20, 12, 30, 5);
    const { lots } = problem;
    const late = lots.item.indexOf(problem.demand.item[0]!);
    // All of one item comes a hundred days later, of another nothing comes.
    const [waited, missing] = [lots.item[late]!, (lots.item[late]! + 1) % 10];
    for (let lot = 0; lot < lots.item.length; lot++) {
      if (lots.item[lot] === waited) lots.day[lot]! += 100;
      if (lots.item[lot] === missing) lots.quantity[lot] = 0;
    }
    problem.objective = ["gapDus", "lateDays"];
    const plan = planOf(solve(problem, 200))!;
    expect(planFaults(problem, plan)).toEqual([]);
    const rows = Array.from(plan.gaps.du, (du, at) => ({
      du,
      item: plan.gaps.item[at],
      short: plan.gaps.short[at]!,
      reason: plan.gaps.reason[at],
    }));
    expect(rows.filter(({ item, short }) => item === missing && short > 0).length).toBeGreaterThan(0);
    expect(rows.filter(({ item, short, reason }) => item === waited && short === 0 && reason === 3).length).toBeGreaterThan(0);
    expect(plan.levels[0]).toBe(new Set(rows.filter(({ short }) => short > 0).map(({ du }) => du)).size);
  });

  test("an eligible pool that is not there is refused, below the first and above the last", () => {
    const { problem } = rollOut(5, 12, 40, 1);
    const { teams } = problem;
    const withPool = (pool: number) => {
      const eligible = teams.eligible.map((one, at) => (at === 0 ? pool : one));
      return () => newRun(normalise({ ...problem, teams: { ...teams, eligible } }).ready!, { seed: 1, evaluationLimit: 1, islands: 1 });
    };
    const last = teams.count.length - 1;
    for (const pool of [0, last]) expect(withPool(pool)).not.toThrow();
    for (const pool of [-1, last + 1]) expect(withPool(pool)).toThrow(RangeError);
  });

  test("no room inside the horizon is no plan", () => {
    const { problem } = rollOut(50, 12, 40, 1);
    problem.horizonDays = 30;
    const run = newRun(normalise(problem).ready!, { seed: 1, evaluationLimit: 1, islands: 1 });
    runFirst(run, never);
    expect(levelsOf(run)).toBeNull();
    expect(planOf(run)).toBeNull();
  });
});
