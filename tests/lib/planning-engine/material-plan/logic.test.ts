import { expect, test } from "vitest";
import { materialPlan } from "#lib/planning-engine/material-plan/logic.ts";
import { materialFaults, planned } from "#tests/support/material-plans.ts";
import { makeProblem } from "#tests/support/planning-problem.ts";

test("movements by item, region and day: each opens where the one before closed, and what is missing is the net requirement", () => {
  const problem = makeProblem({
    freeDays: [[], []],
    flows: [{ name: "NEW", activities: [{ name: "Install", days: 2, team: "INST" }], relations: [], material: "Install" }],
    pools: [{ skill: "INST", teams: 1 }],
    dus: [
      { flow: "NEW", region: 1, due: 5, demand: [[0, 2]] },
      { flow: "NEW", region: 1, due: 9, demand: [[0, 3]] },
    ],
    lots: [
      { item: 0, units: 1 },
      { item: 0, units: 3, region: 1, day: 4, source: "inbound" },
    ],
    objective: ["gapDus", "lateDays", "completion"],
  });
  // By the first rule alone: a search serves the second site first, and leaves the first one short without waiting.
  const plan = planned(problem, 1);
  expect(materialFaults(problem, plan)).toEqual([]);
  const moves = materialPlan(problem, plan);
  const rows = Array.from(moves.day, (day, row) => ({
    region: moves.region[row],
    day,
    figures: [moves.opening, moves.required, moves.inbound, moves.issued, moves.closing, moves.missing].map((column) => column[row]! / 100),
  }));
  // The first site has to wait for the delivery, and takes the stock first; the second gets what is left.
  expect(rows).toEqual([
    { region: -1, day: 4, figures: [1, 0, 0, 1, 0, 0] },
    { region: 1, day: 4, figures: [0, 2, 3, 1, 2, 0] },
    { region: 1, day: 6, figures: [2, 3, 0, 2, 0, 1] },
  ]);
  expect([...moves.needDay]).toEqual([1_000_000_000, 1_000_000_000, 6]);
});
