import { describe, expect, test } from "vitest";
import { checkClaims } from "#lib/planning-engine/checker/logic.ts";
import { reusable } from "#lib/planning-engine/lots/logic.ts";
import { materialPlan } from "#lib/planning-engine/material-plan/logic.ts";
import { preCheck } from "#lib/planning-engine/pre-checks/logic.ts";
import { materialFaults, pegged, planned } from "#tests/support/material-plans.ts";
import { makeProblem, type ProblemGiven } from "#tests/support/planning-problem.ts";

/**
 * A and B need 2 antennas each, of which 2 lie in stock; X yields 4 that the rates bring down. All days are working days, one survey and one installation team:
 * installation and cutover have the same team as there is only one.
 */
function example(damage: number, byPriority: boolean, strict = false) {
  const given: ProblemGiven = {
    horizon: 60,
    flows: [
      {
        name: "NEW",
        activities: [
          { name: "Survey", days: 1, team: "SUR" },
          { name: "Install", days: 3, team: "INST" },
          { name: "Cutover", days: 1, team: "INST" },
        ],
        relations: [
          ["Survey", "Install", "FS", 0],
          ["Install", "Cutover", "FS", 1],
        ],
        material: "Install",
        anchor: "Cutover",
      },
      { name: "DISM", activities: [{ name: "Dismantle", days: 2, team: "INST", disassembly: true }], relations: [] },
    ],
    pools: [
      { skill: "SUR", teams: 1 },
      { skill: "INST", teams: 1 },
    ],
    dus: [
      { flow: "NEW", demand: [[0, 2]], rankClass: 0 },
      { flow: "NEW", demand: [[0, 2]], rankClass: byPriority ? 1 : 0 },
      { flow: "DISM", rankClass: byPriority ? 2 : 0 },
    ],
    lots: [
      { item: 0, units: 2 },
      { item: 0, units: reusable(400, { damage, reuse: 8000, buffer: 0 }) / 100, source: "reuse", donor: 2, turnaround: 1 },
    ],
    strict,
    objective: byPriority
      ? ["gapDus", "lateDus", "lateDays", "classCompletion", "makespan", "completion", "substituted"]
      : ["gapDus", "lateDus", "lateDays", "makespan", "completion", "substituted"],
  };
  return makeProblem(given);
}

/** The best plan, signed: days of all jobs as [first, behind the last). */
function solved(problem: ReturnType<typeof example>) {
  const plan = planned(problem, 500);
  expect(materialFaults(problem, plan)).toEqual([]);
  const days = Array.from(plan.start, (start, job) => [start, plan.end[job]]);
  return { plan, days, levels: plan.levels };
}

describe("the worked example of the planning engine", () => {
  test("by dates alone the dismantling comes first: ten days, all of them the installation team's", () => {
    const problem = example(1000, false);
    const { plan, days, levels } = solved(problem);
    expect(levels).toEqual([0, 0, 0, 10, 21, 0]);
    expect(days.slice(1, 3)).toEqual([
      [2, 5],
      [8, 9],
    ]);
    expect(days.slice(4)).toEqual([
      [5, 8],
      [9, 10],
      [0, 2],
    ]);
    expect(pegged(problem, plan).map(({ du, lot, units, day }) => [du, lot, units, day])).toEqual([
      [0, 0, 2, 0],
      [1, 1, 2, 3],
    ]);
  });

  test("by priority of readiness the first site comes first, whatever the others pay", () => {
    const { days, levels } = solved(example(1000, true));
    expect(levels).toEqual([0, 0, 0, 6, 14, 8, 14, 28, 0]);
    expect(days).toEqual([[0, 1], [1, 4], [5, 6], days[3], [9, 12], [13, 14], [6, 8]]);
  });

  test("more damage leaves the second site short of one antenna, which is the net requirement of its day", () => {
    const problem = example(5000, true);
    const { plan, levels } = solved(problem);
    expect(levels[0]).toBe(1);
    const { gaps } = plan;
    expect([gaps.du[0], gaps.required[0], gaps.covered[0], gaps.short[0], gaps.needDay[0]]).toEqual([1, 200, 100, 100, plan.start[4]]);
    const moves = materialPlan(problem, plan);
    const missing = Array.from(moves.day, (day, row) => [day, moves.missing[row]!]).filter(([, units]) => units! > 0);
    expect(missing).toEqual([[plan.start[4], 100]]);
    // Monday 2026-03-02 is day 0: the week from Sunday 2026-03-08 on begins with day 6.
    expect(plan.start[4]).toBeGreaterThanOrEqual(6);
    expect(plan.start[4]).toBeLessThan(13);
  });

  test("where no gap is allowed it proves that there is no plan: one antenna more would do", () => {
    const problem = example(5000, true, true);
    const proofs = preCheck(problem);
    expect(proofs).toEqual([
      expect.objectContaining({ code: "MATERIAL_GAP", du: 1, item: 0, region: 0, needed: 400, available: 300, relax: 100 }),
      expect.objectContaining({ code: "MATERIAL_GAP", du: 1, item: 0, region: -1, needed: 400, available: 300, relax: 100 }),
    ]);
    expect(checkClaims(problem, proofs)).toEqual({ signed: true, unproved: [] });
    expect(preCheck(example(1000, true, true))).toEqual([]);
  });
});
