import { describe, expect, it } from "vitest";
import { type OrderFacts, type OrderStatus, orderAfterDates } from "#lib/work-orders/orders/logic.ts";

const facts = (status: OrderStatus, given: Partial<OrderFacts> = {}): OrderFacts => ({
  status,
  applicable: true,
  planStart: 10,
  planEnd: 12,
  actualStart: 0,
  actualEnd: 0,
  actualStartBefore: 0,
  actualEndBefore: 0,
  scheduling: false,
  ...given,
});

describe("orderAfterDates", () => {
  const cases: [title: string, facts: OrderFacts, next: OrderStatus][] = [
    ["scheduling with both plan dates offers the activity", facts("none", { scheduling: true }), "scheduled"],
    ["scheduling with one plan date does not", facts("none", { scheduling: true, planStart: 0 }), "none"],
    ["scheduling of an NA activity does not", facts("none", { scheduling: true, applicable: false }), "none"],
    ["plan dates typed by hand do not", facts("none"), "none"],
    ["clearing a plan date takes the offer back", facts("scheduled", { planEnd: 0 }), "none"],
    ["clearing a plan date leaves an assigned order", facts("assigned", { planEnd: 0 }), "assigned"],
    ["an actual end completes what was only offered", facts("scheduled", { actualEnd: 9 }), "completed"],
    ["an actual end completes what was never offered", facts("none", { actualEnd: 9 }), "completed"],
    ["an actual end completes a started order", facts("started", { actualStart: 8, actualEnd: 9 }), "completed"],
    ["an actual end leaves a cancelled order cancelled", facts("cancelled", { actualEnd: 9 }), "cancelled"],
    ["a changed actual end leaves the order as it is", facts("accepted", { actualEnd: 9, actualEndBefore: 8 }), "accepted"],
    ["a cleared actual end offers a planned activity again", facts("completed", { actualEndBefore: 9 }), "scheduled"],
    [
      "a cleared actual end of an unplanned activity leaves nothing",
      facts("completed", { actualEndBefore: 9, planStart: 0, planEnd: 0 }),
      "none",
    ],
    ["an actual start starts an accepted order", facts("accepted", { actualStart: 9 }), "started"],
    ["an actual start does not start an assigned one", facts("assigned", { actualStart: 9 }), "assigned"],
    ["a cleared actual start leads back to accepted", facts("started", { actualStartBefore: 9 }), "accepted"],
    ["a suspended order stays suspended", facts("suspended", { planEnd: 0 }), "suspended"],
  ];
  it.each(cases)("%s", (_title, given, next) => {
    expect(orderAfterDates(given)).toBe(next);
  });
});
