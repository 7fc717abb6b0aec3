import { describe, expect, it } from "vitest";
import {
  nextStatus,
  type OrderEvent,
  type OrderFacts,
  type OrderStatus,
  orderAfterDates,
  orderStatuses,
  transitions,
} from "#lib/work-orders/orders/logic.ts";

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
    [
      "a cleared actual end leads a dispatched order back to where it was",
      facts("completed", { actualEndBefore: 9, actualStart: 8, before: "started" }),
      "started",
    ],
    [
      "a cleared actual end leads a started order whose start is cleared too back to accepted",
      facts("completed", { actualEndBefore: 9, actualStartBefore: 8, before: "started" }),
      "accepted",
    ],
    [
      "a cleared actual end leaves an order nobody accepted where it was",
      facts("completed", { actualEndBefore: 9, before: "assigned" }),
      "assigned",
    ],
    ["a suspended order stays suspended", facts("suspended", { planEnd: 0 }), "suspended"],
  ];
  it.each(cases)("%s", (_title, given, next) => {
    expect(orderAfterDates(given)).toBe(next);
  });
});

describe("the state machine", () => {
  // Row: event; column: status it is asked in; "-": refused; "back": the status the order keeps.
  const drawn = `
    event      none      scheduled assigned  accepted  started   suspended completed cancelled
    offer      scheduled -         -         -         -         -         -         -
    withdraw   -         none      -         -         -         -         -         -
    enterStart -         -         -         started   -         -         -         -
    clearStart -         -         -         -         accepted  -         -         -
    enterEnd   completed completed completed completed completed -         -         -
    reopen     -         -         -         -         -         -         back      -
    dispatch   -         assigned  -         -         -         -         -         -
    accept     -         -         accepted  -         -         -         -         -
    rollback   -         -         scheduled scheduled -         -         -         -
    reassign   -         -         assigned  assigned  started   suspended -         -
    start      -         -         -         started   -         -         -         -
    suspend    -         -         -         suspended suspended -         -         -
    unsuspend  -         -         -         -         -         back      -         -
    complete   -         -         -         completed completed -         -         -
    cancel     -         cancelled cancelled cancelled -         -         -         -
    reactivate -         -         -         -         -         -         -         scheduled
    redo       -         -         scheduled scheduled scheduled scheduled scheduled -
    remoteStart -        -         started   started   started   -         -         -
    remoteEnd  -         -         completed completed completed -         -         -
    discard    -         cancelled cancelled cancelled cancelled cancelled -         -`;
  const [head = [], ...lines] = drawn
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/ +/));
  const events = lines.map(([event = ""]) => event);

  it("has the statuses of a work order and a drawn line for every event [WOR-03]", () => {
    expect(head.slice(1)).toEqual([...orderStatuses]);
    expect([...events].sort()).toEqual(Object.keys(transitions).sort());
    expect(orderStatuses).toEqual(
      expect.arrayContaining(["scheduled", "assigned", "accepted", "started", "suspended", "completed", "cancelled"]),
    );
  });

  const pairs = lines.flatMap(([event = "", ...cells]) => cells.map((to, at) => [event, head[at + 1] ?? "", to] as const));
  it.each(pairs)("%s in %s gives %s", (event, status, to) => {
    const next = nextStatus(event as OrderEvent, status as OrderStatus, "accepted");
    expect(next).toBe(to === "-" ? null : to === "back" ? "accepted" : to);
  });
});
