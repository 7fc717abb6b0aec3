import { describe, expect, test } from "vitest";
import { applyFlow, planFacts, searchCondition } from "#lib/activity-flows/binding/logic.ts";
import { planFields } from "#lib/rollout-plan/plan-rows/limits.ts";
import { emptyBlock, withState } from "#lib/rollout-plan/plan-rows/logic.ts";

/** One row of four slots. */
const block = () => emptyBlock([1], 5);
const open = { needApproval: true };
const free = { needApproval: false };

describe("a row brought to a flow", () => {
  test("has the bit exactly at its slots, with an approval as the activity says", () => {
    const row = block();
    expect(
      applyFlow(row, 0, [
        { slot: 1, ...free },
        { slot: 3, ...open },
        { slot: null, ...open },
      ]),
    ).toEqual([]);
    expect([...row.state]).toEqual([0, 1 | (7 << 7), 0, 1, 0]);
  });

  test("empties the slots that leave, whatever they held", () => {
    const row = block();
    applyFlow(row, 0, [
      { slot: 1, ...free },
      { slot: 2, ...free },
    ]);
    for (const field of planFields) row[field][2] = field === "state" ? 0x7ffff : 9;
    expect(applyFlow(row, 0, [{ slot: 1, ...free }])).toEqual([2]);
    for (const field of planFields) expect(row[field][2], field).toBe(0);
    expect(row.state[1]).toBe(1 | (7 << 7));
  });

  test("leaves everything else of a slot that stays", () => {
    const row = block();
    applyFlow(row, 0, [{ slot: 1, ...open }]);
    row.planEnd[1] = 9783;
    row.state[1] = withState(withState(row.state[1]!, "frozen", 1), "approval", 3);
    const before = row.state[1];
    applyFlow(row, 0, [{ slot: 1, ...free }]);
    expect([row.planEnd[1], row.state[1]]).toEqual([9783, before]);
  });

  test("twice is as once", () => {
    const row = block();
    const flow = [{ slot: 2, ...open }];
    applyFlow(row, 0, flow);
    const once = [...row.state];
    applyFlow(row, 0, flow);
    expect([...row.state]).toEqual(once);
  });
});

describe("facts of a row", () => {
  const facts = (change: (row: ReturnType<typeof block>) => void) => {
    const row = block();
    applyFlow(row, 0, [
      { slot: 1, ...open },
      { slot: 2, ...free },
    ]);
    change(row);
    const { flowId: _flow, ...counts } = planFacts(row, 0);
    return Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${name} ${count}`)
      .join(" ");
  };

  test.each([
    ["none after binding", () => {}, ""],
    [
      "plan dates",
      (row) => {
        row.planStart[1] = 1;
        row.planEnd[1] = 1;
        row.baselineEnd[2] = 1;
      },
      "planDates 2",
    ],
    [
      "actual dates",
      (row) => {
        row.actualEnd[2] = 1;
      },
      "actualDates 1",
    ],
    [
      "an approval that began",
      (row) => {
        row.state[1] = withState(row.state[1]!, "approval", 1);
      },
      "approvals 1",
    ],
    [
      "a scheduled order is none",
      (row) => {
        row.state[1] = withState(row.state[1]!, "workOrder", 1);
      },
      "",
    ],
    [
      "an assigned order",
      (row) => {
        row.state[1] = withState(row.state[1]!, "workOrder", 2);
      },
      "workOrders 1",
    ],
    [
      "an open NA request",
      (row) => {
        row.state[1] = withState(row.state[1]!, "naRequest", 1);
      },
      "workOrders 1",
    ],
    [
      "frozen, revenue, MOS",
      (row) => {
        row.state[1] = withState(withState(withState(row.state[1]!, "frozen", 1), "revenue", 1), "mosFrozen", 1);
      },
      "frozen 1 revenue 1 mosFrozen 1",
    ],
    [
      "owners",
      (row) => {
        row.planOwner[2] = 4;
      },
      "owners 1",
    ],
    [
      "nothing outside the flow counts",
      (row) => {
        row.planEnd[4] = 9;
      },
      "",
    ],
  ] as [string, (row: ReturnType<typeof block>) => void, string][])("%s", (_title, change, expected) => {
    expect(facts(change)).toBe(expected);
  });
});

describe("the condition of a search box", () => {
  test.each([
    ["", null],
    [" , \n", null],
    ["site 7", { field: "search", type: "like", values: ["site 7"] }],
    ["D1, D2，D3\nD4\tD1", { field: "search", type: "in", values: ["D1", "D2", "D3", "D4"] }],
  ])("%j", (text, expected) => expect(searchCondition(text)).toEqual(expected));
});
