import { describe, expect, test } from "vitest";
import {
  ALREADY_CHANGED,
  CHANGE_IN_PROGRESS,
  type ChangeFacts,
  changeRules,
  FLOW_NOT_RELEASED,
  HAS_FACTS,
  MAPPING_MISFIT,
  MOS_FROZEN,
  NOT_BOUND,
  REVENUE_TRIGGERED,
  unbindRules,
} from "#lib/activity-flows/changes/rules.ts";
import { brokenRules } from "#lib/core/rule.ts";

const none: ChangeFacts = {
  flowId: 5,
  planDates: 0,
  actualDates: 0,
  approvals: 0,
  workOrders: 0,
  frozen: 0,
  revenue: 0,
  mosFrozen: 0,
  owners: 0,
  expectedFlowId: null,
  target: null,
  inProgress: false,
  misfit: null,
};

describe("NOT_BOUND", () => {
  test("bound", () => expect(NOT_BOUND.broken(none)).toBe(false));
  test("not bound", () => expect(NOT_BOUND.broken({ ...none, flowId: 0 })).toBe(true));
});

describe("REVENUE_TRIGGERED and MOS_FROZEN", () => {
  test("neither", () => expect([REVENUE_TRIGGERED.broken(none), MOS_FROZEN.broken(none)]).toEqual([false, false]));
  test("one slot is enough", () =>
    expect([REVENUE_TRIGGERED.broken({ ...none, revenue: 1 }), MOS_FROZEN.broken({ ...none, mosFrozen: 1 })]).toEqual([true, true]));
});

describe("HAS_FACTS", () => {
  test("plan dates and owners are none", () => expect(HAS_FACTS.broken({ ...none, planDates: 9, owners: 9 })).toBe(false));
  test.each(["actualDates", "approvals", "workOrders", "frozen"] as const)("%s", (name) => {
    expect(HAS_FACTS.broken({ ...none, [name]: 1 })).toMatchObject({ [name]: 1 });
  });
});

test("all reasons are told at once", () => {
  expect(brokenRules(unbindRules, { ...none, actualDates: 2, revenue: 1, mosFrozen: 1 }).map((problem) => problem.code)).toEqual([
    "REVENUE_TRIGGERED",
    "MOS_FROZEN",
    "HAS_FACTS",
  ]);
});

describe("what is asked of a change besides", () => {
  const target = { id: 6, name: "Swap", released: true };
  test("another flow than the present one is fine", () => expect(brokenRules(changeRules, { ...none, target })).toEqual([]));
  test("the flow it has already", () => expect(ALREADY_CHANGED.broken({ ...none, target: { ...target, id: 5 } })).toBe(true));
  test("a flow that is not the one it was to leave", () =>
    expect([6, 5].map((expectedFlowId) => ALREADY_CHANGED.broken({ ...none, expectedFlowId }))).toEqual([true, false]));
  test("a DU without flow is not bound, and nothing else", () =>
    expect(brokenRules(changeRules, { ...none, flowId: 0, target, misfit: "M" }).map(({ code }) => code)).toEqual(["NOT_BOUND"]));
  test("an open change", () =>
    expect([true, false].map((inProgress) => CHANGE_IN_PROGRESS.broken({ ...none, inProgress }))).toEqual([true, false]));
  test("a flow that is no longer released", () =>
    expect([true, false].map((released) => FLOW_NOT_RELEASED.broken({ ...none, target: { ...target, released } }))).toEqual([
      false,
      { name: "Swap" },
    ]));
  test("a mapping of other flows", () =>
    expect([null, "M"].map((misfit) => MAPPING_MISFIT.broken({ ...none, misfit }))).toEqual([false, { name: "M" }]));
});
