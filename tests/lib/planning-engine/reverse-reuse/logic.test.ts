import { describe, expect, test } from "vitest";
import { checkPlan } from "#lib/planning-engine/checker/logic.ts";
import { backward, faultsOf, planBackward, published } from "#tests/support/backward.ts";
import { randomExchange } from "#tests/support/material-plans.ts";
import { chance, makeProblem, type ProblemGiven, randomRollOut } from "#tests/support/planning-problem.ts";

/** A new site due on day 20 that needs two units; one site taken down yields them, two working days later. */
function exchange(more: Partial<ProblemGiven> = {}): ProblemGiven {
  return {
    direction: "reverse",
    flows: [
      { name: "NEW", activities: [{ name: "Install", days: 2, team: "T" }], relations: [], material: "Install" },
      {
        name: "DISM",
        activities: [
          { name: "Visit", days: 1 },
          { name: "Dismantle", days: 3, team: "T", disassembly: true },
        ],
        relations: [["Visit", "Dismantle", "FS", 0]],
      },
    ],
    pools: [{ skill: "T", teams: 2 }],
    dus: [
      { flow: "NEW", due: 20, demand: [[0, 2]] },
      { flow: "DISM", due: 39 },
    ],
    lots: [{ item: 0, units: 2, source: "reuse", donor: 1, turnaround: 2 }],
    objective: ["gapDus", "earliestStart", "duStarts"],
    ...more,
  };
}

describe("reuse planned backward", () => {
  test("a donor is dismantled as late as the turnaround before the start allows, and says what waits for it", () => {
    const problem = makeProblem(exchange());
    const plan = planBackward(problem)!;
    expect(faultsOf(problem, plan)).toEqual([]);
    // Installed on days 19 and 20; dismantled on 14 to 16, and two days later it is there on day 19.
    expect([...plan.start]).toEqual([19, 13, 14]);
    expect([...plan.binding]).toEqual([9, 8, 3]);
    expect([...plan.allocations.available]).toEqual([19]);
    expect(plan.gaps.du).toHaveLength(0);
    plan.binding[2] = 0;
    expect(checkPlan(published(problem, plan)).signed).toBe(false);
  });

  test("nobody is dismantled for what stock covers, nor before there is a way", () => {
    const stocked = exchange();
    const own = makeProblem({ ...stocked, lots: [...stocked.lots!, { item: 0, units: 2 }] });
    expect([...planBackward(own)!.start]).toEqual([19, 36, 37]);
    const late = exchange();
    late.dus[1] = { flow: "DISM", due: 39, release: 14 };
    const problem = makeProblem(late);
    const plan = planBackward(problem)!;
    expect(faultsOf(problem, plan)).toEqual([]);
    expect([...plan.start]).toEqual([19, 36, 37]);
    expect([...plan.gaps.short]).toEqual([200]);
    // One day earlier it can be visited on day 13, just in time.
    late.dus[1] = { flow: "DISM", due: 39, release: 13 };
    expect(planBackward(makeProblem(late))!.gaps.du).toHaveLength(0);
  });

  test("what moves directly needs no turnaround, and the earlier of two takers sets the day", () => {
    const direct = exchange();
    direct.dus = [
      { flow: "NEW", due: 20, demand: [[0, 1]], directFrom: 5 },
      { flow: "DISM", due: 39, site: 5 },
    ];
    expect([...planBackward(makeProblem(direct))!.start]).toEqual([19, 15, 16]);
    const two = exchange();
    two.dus = [{ flow: "NEW", due: 20, demand: [[0, 1]] }, two.dus[1]!, { flow: "NEW", due: 12, demand: [[0, 1]] }];
    const problem = makeProblem(two);
    const plan = planBackward(problem)!;
    expect(faultsOf(problem, plan)).toEqual([]);
    expect([...plan.start]).toEqual([19, 5, 6, 11]);
    expect(plan.gaps.du).toHaveLength(0);
  });

  test("a site that gives what it replaces is dismantled behind its own cutover, for those behind it", () => {
    const problem = makeProblem({
      ...exchange(),
      flows: [
        ...exchange().flows,
        {
          name: "SWAP",
          activities: [
            { name: "Install", days: 1, team: "T" },
            { name: "Dismantle", days: 1, team: "T", disassembly: true },
          ],
          relations: [["Install", "Dismantle", "FS", 0]],
          material: "Install",
          anchor: "Install",
        },
      ],
      dus: [
        { flow: "NEW", due: 30, demand: [[0, 1]] },
        { flow: "SWAP", due: 25, demand: [[0, 1]] },
        { flow: "DISM", due: 39 },
      ],
      lots: [
        { item: 0, units: 1, source: "reuse", donor: 1 },
        { item: 0, units: 1, source: "reuse", donor: 2, turnaround: 1 },
      ],
    });
    const plan = planBackward(problem)!;
    expect(faultsOf(problem, plan)).toEqual([]);
    expect(plan.gaps.du).toHaveLength(0);
  });

  test("the checker signs random roll-outs with everything on, and finds what is broken in them", () => {
    let planned = 0;
    let gaps = 0;
    let reused = 0;
    for (let seed = 1; seed <= 24; seed++) {
      const draw = chance(seed);
      const kinds = [
        () => makeProblem(randomRollOut(seed, seed % 8 === 0 ? 20 : 8)),
        () => randomExchange(seed, 9),
        () => randomExchange(seed, 9, true),
      ];
      const problem = backward(kinds[seed % 3]!(), 5 + draw(30));
      const plan = planBackward(problem);
      if (!plan) continue;
      planned++;
      gaps += plan.levels[0]!;
      expect(faultsOf(problem, plan), `seed ${seed}`).toEqual([]);
      const donors = [...plan.allocations.lot].filter((lot) => problem.lots.donor[lot]! >= 0);
      reused += donors.length;
      // A dismantling later than what was taken of it allows.
      const row = [...plan.allocations.lot].findIndex((lot) => problem.lots.donor[lot]! >= 0);
      if (row < 0) continue;
      const broken = structuredClone(plan);
      broken.allocations.available[row] = broken.allocations.need[row]! + 1;
      const verdict = checkPlan(published(problem, broken));
      expect(verdict.signed ? [] : [...verdict.counts.keys()], `seed ${seed}`).toContain("C10");
    }
    expect(planned).toBeGreaterThan(18);
    expect(reused).toBeGreaterThan(20);
    expect(gaps).toBeGreaterThan(0);
  });
});
