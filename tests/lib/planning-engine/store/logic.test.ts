import { describe, expect, test } from "vitest";
import { boundsOf } from "#lib/planning-engine/checker-levels/logic.ts";
import { materialFaults, materialRollOut, pegged, planned, randomExchange } from "#tests/support/material-plans.ts";
import { type DuGiven, type LotGiven, makeProblem, type ProblemGiven, randomRollOut } from "#tests/support/planning-problem.ts";

/** Sites that install with one team, a day each, and sites that are taken down by another. */
function problemOf(dus: DuGiven[], lots: LotGiven[], given: Partial<ProblemGiven> = {}) {
  return makeProblem({
    horizon: 60,
    freeDays: [[], []],
    flows: [
      { name: "NEW", activities: [{ name: "Install", days: 1, team: "INST" }], relations: [], material: "Install" },
      { name: "DISM", activities: [{ name: "Dismantle", days: 2, team: "DISM", disassembly: true }], relations: [] },
    ],
    pools: [
      { skill: "INST", teams: 1 },
      { skill: "DISM", teams: 1 },
    ],
    dus,
    lots,
    objective: ["gapDus", "lateDus", "lateDays", "classCompletion", "makespan", "completion", "substituted"],
    ...given,
  });
}

function solved(...given: Parameters<typeof problemOf>) {
  const problem = problemOf(...given);
  const plan = planned(problem);
  expect(materialFaults(problem, plan)).toEqual([]);
  return {
    starts: [...plan.start],
    levels: plan.levels,
    takes: pegged(problem, plan),
    short: [...plan.gaps.short].filter((units) => units > 0),
  };
}

describe("substitution", () => {
  const dus: DuGiven[] = [{ flow: "NEW", demand: [[0, 5]] }];

  test("what is open is covered by whole lots of the groups in their order, as far as supply goes", () => {
    const { takes, levels, short } = solved(
      dus,
      [
        { item: 0, units: 1 },
        { item: 1, units: 3 },
        { item: 2, units: 9 },
      ],
      {
        substitutes: [
          { item: 0, covers: 2, parts: [[1, 2]] },
          { item: 0, covers: 3, parts: [[2, 4]] },
        ],
      },
    );
    // One lot of the first group (its second would need 4), one of the second, of which only 2 of 3 are needed.
    expect(takes).toEqual([
      { du: 0, item: 0, lot: 0, units: 1, day: 0 },
      { du: 0, item: 0, lot: 1, units: 2, day: 0, covers: 2, group: "G0" },
      { du: 0, item: 0, lot: 2, units: 4, day: 0, covers: 2, group: "G1" },
    ]);
    expect([short, levels.at(-1)]).toEqual([[], 400]);
  });

  test("a group whose parts are not all there covers nothing", () => {
    const { takes, short } = solved(
      dus,
      [
        { item: 1, units: 9 },
        { item: 2, units: 1 },
      ],
      {
        substitutes: [
          {
            item: 0,
            covers: 1,
            parts: [
              [1, 1],
              [2, 2],
            ],
          },
        ],
      },
    );
    expect([takes, short]).toEqual([[], [500]]);
  });

  test("a substitute that is there is taken rather than waiting for the item, and the item where it comes no later", () => {
    const substitutes = [{ item: 0, covers: 1, parts: [[1, 1]] as [number, number][] }];
    const lots = (day: number): LotGiven[] => [
      { item: 0, units: 5, day, source: "inbound" },
      { item: 1, units: 5 },
    ];
    expect(solved(dus, lots(9), { substitutes })).toMatchObject({ starts: [0], takes: [{ lot: 1, covers: 5 }] });
    expect(solved(dus, lots(0), { substitutes })).toMatchObject({ starts: [0], takes: [{ lot: 0, units: 5 }] });
  });

  test("of plans alike in all else, the one with fewer substituted units is better", () => {
    // Either site may use the item; only the second has a substitute in its region.
    const { levels, short } = solved(
      [
        { flow: "NEW", region: 1, demand: [[0, 1]] },
        { flow: "NEW", region: 0, demand: [[0, 1]] },
      ],
      [
        { item: 0, units: 2 },
        { item: 1, units: 1, region: 1 },
      ],
      { substitutes: [{ item: 0, covers: 1, parts: [[1, 1]] }] },
    );
    expect([short, levels.at(-1)]).toEqual([[], 0]);
  });
});

describe("reuse", () => {
  const donor: DuGiven = { flow: "DISM" };

  test("a donor is placed first when its lot is needed; the lot comes with the turnaround", () => {
    const { starts, takes } = solved(
      [
        { flow: "NEW", due: 3, demand: [[0, 2]] },
        { ...donor, rankClass: 1 },
      ],
      [{ item: 0, units: 2, source: "reuse", donor: 1, turnaround: 1 }],
    );
    expect(starts).toEqual([3, 0]);
    expect(takes).toEqual([{ du: 0, item: 0, lot: 0, units: 2, day: 3 }]);
  });

  test("a lot serves the region of its donor only", () => {
    const { short } = solved([{ flow: "NEW", region: 1, demand: [[0, 2]] }, donor], [{ item: 0, units: 2, source: "reuse", donor: 1 }]);
    expect(short).toEqual([200]);
  });

  test("a dismantling that is done gives its lot on its own day", () => {
    const done: DuGiven = { flow: "DISM", kept: [{ activity: "Dismantle", state: "completed", start: -3, end: -1 }] };
    const { starts, takes } = solved(
      [{ flow: "NEW", demand: [[0, 2]] }, done],
      [{ item: 0, units: 2, source: "reuse", donor: 1, turnaround: 4 }],
    );
    expect([starts[0], takes[0]!.day]).toEqual([3, 3]);
  });

  test("a fixed installation takes the lot of a donor that is done by then before anybody else", () => {
    const fixed: DuGiven = { flow: "NEW", demand: [[0, 2]], kept: [{ activity: "Install", state: "fixed", start: 4, end: 5 }] };
    const { short, takes } = solved(
      [{ flow: "NEW", due: 2, demand: [[0, 2]] }, donor, fixed],
      [{ item: 0, units: 2, source: "reuse", donor: 1, turnaround: 1 }],
    );
    expect(takes).toEqual([{ du: 2, item: 0, lot: 0, units: 2, day: 3 }]);
    expect(short).toEqual([200]);
  });
});

describe("direct moving", () => {
  const given: Partial<ProblemGiven> = { freeDays: [[], []] };
  const donor: DuGiven = { flow: "DISM", site: 7 };
  const lot: LotGiven = { item: 0, units: 3, source: "reuse", donor: 0, turnaround: 4 };

  test("the lot comes without turnaround, whatever the region, and what is left goes to its region with it", () => {
    const { starts, takes } = solved(
      [donor, { flow: "NEW", region: 1, directFrom: 7, demand: [[0, 2]] }, { flow: "NEW", demand: [[0, 1]] }],
      [lot],
      given,
    );
    expect(takes).toEqual([
      { du: 1, item: 0, lot: 0, units: 2, day: 2, direct: true },
      { du: 2, item: 0, lot: 0, units: 1, day: 6 },
    ]);
    expect(starts).toEqual([0, 2, 6]);
  });

  test("several claimants come by rank, and before others", () => {
    const { takes, short } = solved(
      [
        donor,
        { flow: "NEW", demand: [[0, 2]], rankClass: 0 },
        { flow: "NEW", directFrom: 7, demand: [[0, 2]], rankClass: 2 },
        { flow: "NEW", directFrom: 7, demand: [[0, 2]], rankClass: 1 },
      ],
      [lot],
      given,
    );
    expect(takes.map(({ du, units }) => [du, units])).toEqual([
      [2, 1],
      [3, 2],
    ]);
    expect(short).toEqual([200, 100]);
  });
});

describe("random roll-outs are signed", () => {
  test.each([[["substitution"]], [["reuse"]], [["substitution", "reuse", "direct moving"]]] as (
    | "substitution"
    | "reuse"
    | "direct moving"
  )[][][])("with %s", (features) => {
    for (let seed = 1; seed <= 8; seed++) {
      const problem = materialRollOut(seed, features);
      expect([seed, materialFaults(problem, planned(problem, 50))]).toEqual([seed, []]);
    }
  });

  test("sites that exchange material, by chains of donors and groups with parts in common", () => {
    for (let seed = 1; seed <= 25; seed++) {
      const problem = randomExchange(seed);
      const plan = planned(problem, 60);
      expect([seed, materialFaults(problem, plan)]).toEqual([seed, []]);
      expect(boundsOf(problem)[0], `seed ${seed}`).toBeLessThanOrEqual(plan.levels[0]!);
    }
    for (let seed = 1; seed <= 2; seed++) {
      const problem = randomExchange(seed, 40);
      expect([seed, materialFaults(problem, planned(problem, 30))]).toEqual([seed, []]);
    }
  });

  test("planned backward, with substitution", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const problem = materialRollOut(seed, ["substitution"]);
      problem.direction = "reverse";
      problem.dus.due = problem.dus.due.map((due) => Math.min(due, 60) + 20);
      problem.objective = ["gapDus", "earliestStart", "duStarts", "substituted"];
      expect([seed, materialFaults(problem, planned(problem, 50))]).toEqual([seed, []]);
    }
  });

  test("with everything else on too: groups that share teams, clusters, fixed dates", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const problem = makeProblem(randomRollOut(seed));
      expect([seed, materialFaults(problem, planned(problem, 50))]).toEqual([seed, []]);
    }
  });

  test("anchors of clusters that take material or give it", () => {
    // In the last one a delivery and what is dismantled meanwhile would make a substitute together, only later than its DU has begun.
    for (const seed of [...Array(12).keys(), 88].map((one) => one + 1)) {
      const problem = randomExchange(seed, 9, true);
      const plan = planned(problem, 60);
      // Kept anchors may leave no room for the windows of the others.
      if (plan) expect([seed, materialFaults(problem, plan)]).toEqual([seed, []]);
    }
  });

  test("the same plan every time", () => {
    for (let seed = 1; seed <= 3; seed++) expect(planned(randomExchange(seed), 60)).toEqual(planned(randomExchange(seed), 60));
  });
});
