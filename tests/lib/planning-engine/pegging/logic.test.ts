import { describe, expect, test } from "vitest";
import { materialFaults, materialRollOut, pegged, planned } from "#tests/support/material-plans.ts";
import { type LotGiven, makeProblem, type ProblemGiven } from "#tests/support/planning-problem.ts";

/** Sites that need 2 of an item each, one after the other: a team that installs a day each. */
function sites(lots: LotGiven[], regions: number[] = [0, 0], given: Partial<ProblemGiven> = {}) {
  return makeProblem({
    freeDays: [[], []],
    flows: [{ name: "NEW", activities: [{ name: "Install", days: 1, team: "INST" }], relations: [], material: "Install" }],
    pools: [{ skill: "INST", teams: 1 }],
    dus: regions.map((region, index) => ({ flow: "NEW", region, due: 5 + index, demand: [[0, 2]] })),
    lots,
    items: 2,
    objective: ["gapDus", "lateDays", "completion"],
    ...given,
  });
}

describe("pegging when the dates stand", () => {
  test("whoever starts first gets the stock of the warehouse that comes first, deliveries come last by day", () => {
    const problem = sites([
      { item: 0, units: 2, priority: 2 },
      { item: 0, units: 2, priority: 1 },
      { item: 0, units: 2, day: 0, source: "inbound", priority: 1 },
    ]);
    const plan = planned(problem);
    expect(pegged(problem, plan)).toEqual([
      { du: 0, item: 0, lot: 1, units: 2, day: 0 },
      { du: 1, item: 0, lot: 0, units: 2, day: 0 },
    ]);
    expect(materialFaults(problem, plan)).toEqual([]);
  });

  test("it stays as planned where somebody of another region would get nothing", () => {
    const problem = sites(
      [
        { item: 0, units: 2, priority: 1 },
        { item: 0, units: 2, priority: 2, region: 0 },
      ],
      [0, 1],
    );
    const plan = planned(problem);
    expect(pegged(problem, plan).map(({ du, lot }) => [du, lot])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(materialFaults(problem, plan)).toEqual([]);
  });
});

describe("reasons of gaps", () => {
  const reasons = (lots: LotGiven[], given: Partial<ProblemGiven> = {}) => {
    const problem = sites(lots, [0], given);
    const plan = planned(problem);
    expect(materialFaults(problem, plan)).toEqual([]);
    const { gaps } = plan;
    return Array.from(gaps.du, (_, row) => [gaps.short[row]! / 100, gaps.reason[row], gaps.needDay[row], gaps.coverDay[row]]);
  };
  const never = 1_000_000_000;

  test.each([
    ["none left", [{ item: 0, units: 1 }], [[1, 0, 0, never]]],
    ["no supply", [{ item: 1, units: 1 }], [[2, 1, 0, never]]],
    ["wrong region", [{ item: 0, units: 2, region: 1 }], [[2, 2, 0, never]]],
    ["none left, as what lies elsewhere would not do", [{ item: 0, units: 1, region: 1 }], [[2, 0, 0, never]]],
    ["late", [{ item: 0, units: 2, day: 7, source: "inbound" }], [[0, 3, 0, 7]]],
  ] as [string, LotGiven[], number[][]][])("%s", (_, lots, expected) => {
    expect(reasons(lots)).toEqual(expected);
  });

  test("a fixed installation names the day on which the delivery would have covered it", () => {
    const dus = [
      {
        flow: "NEW",
        region: 0,
        demand: [[0, 2]] as [number, number][],
        kept: [{ activity: "Install", state: "fixed" as const, start: 3, end: 4 }],
      },
    ];
    expect(reasons([{ item: 0, units: 2, day: 7, source: "inbound" }], { dus })).toEqual([[2, 0, 3, 7]]);
  });

  test("what a started installation needed is with it already", () => {
    const dus = [
      {
        flow: "NEW",
        region: 0,
        demand: [[0, 2]] as [number, number][],
        kept: [{ activity: "Install", state: "started" as const, start: -1, end: 4 }],
      },
    ];
    expect(reasons([], { dus, items: 1 })).toEqual([]);
  });
});

test("random roll-outs without reuse and substitution: pegging, gaps and movements are signed", () => {
  for (let seed = 1; seed <= 15; seed++) {
    const problem = materialRollOut(seed, []);
    expect([seed, materialFaults(problem, planned(problem))]).toEqual([seed, []]);
  }
});
