import { describe, expect, it } from "vitest";
import { impactFigures } from "#lib/activity-flows/changes/limits.ts";
import {
  type KeptSlots,
  measureImpact,
  moveAttributes,
  needsApproval,
  rebuildRow,
  sumImpacts,
  usablePairs,
} from "#lib/activity-flows/changes/logic.ts";
import { keptKinds } from "#lib/activity-flows/retention-mappings/limits.ts";
import { emptyBlock, setCell } from "#lib/rollout-plan/plan-rows/logic.ts";

const pair = (from: number, to: number, ...kinds: (typeof keptKinds)[number][]): KeptSlots => ({
  from,
  to,
  ...(Object.fromEntries(keptKinds.map((kind) => [kind, kinds.includes(kind)])) as Record<(typeof keptKinds)[number], boolean>),
});
const activities = (...slots: number[]) => slots.map((slot) => ({ slot, needApproval: slot === 5 }));

/** Two rows of seven slots, of which the first three are in flow. */
function block() {
  const made = emptyBlock([10, 20], 8);
  for (const row of [0, 1]) for (const slot of [1, 2, 3]) setCell(made, row, slot, "state", 1);
  return made;
}
const states = (made: ReturnType<typeof block>, row: number) => [...made.state.slice(row * 8 + 1, row * 8 + 8)];

describe("rebuildRow", () => {
  it("keeps what a pair names at its new slot, empties the rest and leaves other rows alone", () => {
    const made = block();
    for (const row of [0, 1])
      for (const [slot, field, value] of [
        [1, "planEnd", 100],
        [1, "actualEnd", 90],
        [1, "planOwner", 4],
        [1, "releasedEnd", 99],
        [2, "planEnd", 110],
        [3, "baselineEnd", 120],
      ] as const)
        setCell(made, row, slot, field, value);
    rebuildRow(made, 0, activities(3, 5, 7), [pair(1, 7, "plan", "owner"), pair(3, 5, "baseline")]);
    expect([...made.planEnd.slice(1, 8)]).toEqual([0, 0, 0, 0, 0, 0, 100]);
    expect([...made.actualEnd.slice(1, 8)]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect([...made.planOwner.slice(1, 8)]).toEqual([0, 0, 0, 0, 0, 0, 4]);
    expect([...made.baselineEnd.slice(1, 8)]).toEqual([0, 0, 0, 0, 120, 0, 0]);
    expect(made.releasedEnd.every((value, at) => at > 8 || value === 0)).toBe(true);
    // Approval: not started at slot 5, which needs one, else not required.
    expect(states(made, 0)).toEqual([0, 0, 1 | (7 << 7), 0, 1, 0, 1 | (7 << 7)]);
    expect([made.planEnd[9], made.actualEnd[9], made.baselineEnd[11], states(made, 1)]).toEqual([100, 90, 120, [1, 1, 1, 0, 0, 0, 0]]);
  });

  it("changes places of two activities without losing one, and empties a row without flow", () => {
    const made = block();
    setCell(made, 0, 1, "planEnd", 100);
    setCell(made, 0, 2, "planEnd", 110);
    rebuildRow(made, 0, activities(1, 2), [pair(1, 2, "plan"), pair(2, 1, "plan")]);
    expect([made.planEnd[1], made.planEnd[2]]).toEqual([110, 100]);
    rebuildRow(made, 0, [], []);
    expect([...made.planEnd.slice(0, 8), ...states(made, 0)].every((value) => value === 0)).toBe(true);
  });

  it("counts an activity whose actual end is kept as completed, at the same slot too", () => {
    const made = block();
    setCell(made, 0, 1, "actualEnd", 90);
    setCell(made, 0, 3, "actualEnd", 91);
    setCell(made, 0, 2, "actualStart", 92);
    rebuildRow(made, 0, activities(3, 6, 7), [pair(1, 7, "actual"), pair(3, 3, "actual"), pair(2, 6, "actual")]);
    expect([3, 6, 7].map((slot) => (made.state[slot]! >> 10) & 7)).toEqual([6, 0, 6]);
  });
});

it("pairs are of use where the old slot is in flow and the new one in the new flow", () => {
  const made = block();
  const pairs = [pair(1, 7, "plan"), pair(4, 5, "plan"), pair(2, 6, "plan"), pair(99, 7, "plan")];
  expect(usablePairs(made, 0, pairs, activities(5, 7))).toEqual([pairs[0]]);
  expect(usablePairs(made, 0, pairs, [])).toEqual([]);
});

it("attribute values move with their pair, also in a ring; the rest of the activities goes, the DU's own stay", () => {
  const ext = { a1: "DU", "a2@1": "x", "a3@1": 5, "a2@2": "y", "a2@3": "z" };
  expect(moveAttributes(ext, [pair(1, 2, "attributes"), pair(2, 1, "attributes"), pair(3, 7, "plan")])).toEqual({
    "a2@1": ["x", "y"],
    "a2@2": ["y", "x"],
    "a3@1": [5, null],
    "a3@2": [null, 5],
    "a2@3": ["z", null],
  });
  expect(moveAttributes({ "a2@1": "x" }, [pair(1, 1, "attributes")])).toEqual({});
});

describe("measureImpact", () => {
  it("counts activities, not values, on the side they fall, and temporary orders of the flow beside them", () => {
    const made = block();
    setCell(made, 0, 1, "planStart", 1);
    setCell(made, 0, 1, "planEnd", 2);
    setCell(made, 0, 2, "planEnd", 3);
    setCell(made, 0, 1, "actualStart", 1);
    setCell(made, 0, 3, "state", 1 | (1 << 4) | (7 << 7) | (1 << 10));
    const { lost, kept } = measureImpact(made, 0, [pair(1, 7, "plan", "attributes")], {
      ext: { a1: 1, "a2@1": 1, "a3@1": 2, "a2@3": 1 },
      notes: [2],
      orders: [3],
      temporaryOrders: 2,
    });
    const some = (side: typeof lost) =>
      Object.fromEntries(impactFigures.flatMap((figure) => (side[figure] > 0 ? [[figure, side[figure]]] : [])));
    expect([some(lost), some(kept)]).toEqual([
      { planDates: 1, actualDates: 1, attributes: 1, notes: 1, workOrders: 3, frozen: 1 },
      { planDates: 1, attributes: 1 },
    ]);
  });

  it.each([
    ["an actual start", "actualStart", 5, true],
    ["an actual end", "actualEnd", 5, true],
    ["a freeze", "state", 1 | (1 << 4), true],
    ["plan dates", "planEnd", 5, false],
    ["an order", "state", 1 | (3 << 10), false],
  ] as const)("%s that is lost asks for approval: %#", (_name, field, value, asks) => {
    const made = block();
    setCell(made, 0, 2, field, value);
    expect(needsApproval(measureImpact(made, 0, [], { ext: {}, notes: [], orders: [], temporaryOrders: 0 }))).toBe(asks);
  });

  it("adds up over DUs", () => {
    const made = block();
    for (const row of [0, 1]) setCell(made, row, 1, "planEnd", 5);
    const impacts = [0, 1].map((row) =>
      measureImpact(made, row, row === 0 ? [pair(1, 7, "plan")] : [], { ext: {}, notes: [], orders: [], temporaryOrders: 0 }),
    );
    expect([sumImpacts(impacts).lost.planDates, sumImpacts(impacts).kept.planDates]).toEqual([1, 1]);
  });
});
