import { describe, expect, test } from "vitest";
import type { PlanFacts } from "#lib/activity-flows/binding/logic.ts";
import { HAS_FACTS, MOS_FROZEN, NOT_BOUND, REVENUE_TRIGGERED, unbindRules } from "#lib/activity-flows/binding/rules.ts";
import { brokenRules } from "#lib/core/rule.ts";

const none: PlanFacts = {
  flowId: 5,
  planDates: 0,
  actualDates: 0,
  approvals: 0,
  workOrders: 0,
  frozen: 0,
  revenue: 0,
  mosFrozen: 0,
  owners: 0,
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
