import { expect, test } from "vitest";
import type { Plan } from "#lib/planning-engine/model/logic.ts";
import { materialFaults, pegged, planned } from "#tests/support/material-plans.ts";
import { type DuGiven, type LotGiven, makeProblem } from "#tests/support/planning-problem.ts";

/** Swaps: what stood there is taken down after the new has been installed, a day each, by a team without end. */
function swaps(dus: Partial<DuGiven>[], lots: LotGiven[]) {
  return makeProblem({
    horizon: 300,
    flows: [
      {
        name: "SWAP",
        activities: [
          { name: "Install", days: 1 },
          { name: "Dismantle", days: 1, disassembly: true },
        ],
        relations: [["Install", "Dismantle", "FS", 0]],
        material: "Install",
      },
    ],
    pools: [],
    dus: dus.map((du) => ({ flow: "SWAP", demand: [[0, 1]], ...du })),
    lots,
    objective: ["gapDus", "completion"],
  });
}

const from = (donor: number, item = 0): LotGiven => ({ item, units: 1, source: "reuse", donor });
const shorts = ({ gaps }: Plan) => Array.from(gaps.du, (du, row) => [du, gaps.short[row]!]).filter(([, units]) => units! > 0);

test("a chain of donors is placed from its end, each waiting for the one before", () => {
  const problem = swaps(
    [{ demand: [[0, 1]] }, { demand: [[1, 1]] }, { demand: [[2, 1]] }],
    [from(1, 0), from(2, 1), { item: 2, units: 1, day: 1, source: "inbound" }],
  );
  const plan = planned(problem, 1);
  expect(materialFaults(problem, plan)).toEqual([]);
  expect(shorts(plan)).toEqual([]);
  expect([...plan.start]).toEqual([5, 6, 3, 4, 1, 2]);
});

test("a chain that returns to the material job itself is no supply: the one before it is planned with a gap", () => {
  const problem = swaps([{}, {}], [from(0), from(1)]);
  const plan = planned(problem, 1);
  expect(materialFaults(problem, plan)).toEqual([]);
  expect(shorts(plan)).toEqual([[1, 100]]);
  expect(pegged(problem, plan)).toEqual([{ du: 0, item: 0, lot: 1, units: 1, day: 2 }]);
});

test("a donor gives what it takes down before it installs, even to itself", () => {
  const problem = makeProblem({
    flows: [
      {
        name: "RENEW",
        activities: [
          { name: "Dismantle", days: 2, disassembly: true },
          { name: "Install", days: 1 },
        ],
        relations: [],
        material: "Install",
      },
    ],
    pools: [],
    dus: [{ flow: "RENEW", demand: [[0, 1]] }],
    lots: [{ ...from(0), turnaround: 1 }],
    objective: ["gapDus", "completion"],
  });
  const plan = planned(problem, 1);
  expect(materialFaults(problem, plan)).toEqual([]);
  expect([...plan.start]).toEqual([0, 3]);
});

test("a hundred sites, each with the material of the next, are planned in one pass without a gap", () => {
  const problem = swaps(
    Array.from({ length: 100 }, (_, at) => ({ demand: [[at, 1]] })),
    Array.from({ length: 100 }, (_, at) => (at === 99 ? { item: at, units: 1 } : from(at + 1, at))),
  );
  const plan = planned(problem, 1);
  expect(materialFaults(problem, plan)).toEqual([]);
  expect(shorts(plan)).toEqual([]);
});

test("a chain longer than five hundred is no supply at its end", () => {
  const count = 502;
  const problem = swaps(
    Array.from({ length: count }, (_, at) => ({ demand: [[at, 1]] })),
    Array.from({ length: count }, (_, at) => (at === count - 1 ? { item: at, units: 1 } : from(at + 1, at))),
  );
  problem.horizonDays = 1095;
  problem.calendars = [{ days: Int32Array.from({ length: 1095 }, (_, day) => day) }];
  const plan = planned(problem, 1);
  expect(materialFaults(problem, plan)).toEqual([]);
  expect(shorts(plan)).toEqual([[499, 100]]);
});
