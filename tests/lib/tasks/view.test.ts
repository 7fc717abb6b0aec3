import { describe, expect, test } from "vitest";
import { filtersOf, isOpen, runTime, stateOf, timeLeft } from "#components/tasks/task-view.ts";
import { statuses } from "#lib/tasks/limits.ts";

const start = new Date("2026-10-14T02:00:00Z");
const at = (seconds: number) => start.getTime() + seconds * 1000;

test.each(statuses)("a task that is %s is open or not", (status) => {
  expect(isOpen({ status })).toBe(status === "queued" || status === "running");
});

test("a running task that was asked to stop is stopping, an ended one is what it is", () => {
  expect(stateOf({ status: "running", cancelRequested: true })).toBe("stopping");
  expect(stateOf({ status: "running", cancelRequested: false })).toBe("running");
  expect(stateOf({ status: "cancelled", cancelRequested: true })).toBe("cancelled");
});

describe("time", () => {
  test.each([
    [{ startedAt: null, finishedAt: null }, null],
    [{ startedAt: start, finishedAt: null }, 42_000],
    [{ startedAt: start, finishedAt: new Date(at(10)) }, 10_000],
    // As the wire carries it.
    [{ startedAt: start.toISOString() as never, finishedAt: new Date(at(10)).toISOString() as never }, 10_000],
    [{ startedAt: new Date(at(60)), finishedAt: null }, 0],
  ])("%j has run for %s ms", (task, milliseconds) => {
    expect(runTime(task, at(42))).toBe(milliseconds);
  });

  test.each([
    ["running", 63, 63, 37_000],
    ["running", 4, 63, null],
    ["running", 99, 99, 1_000],
    ["queued", 63, 63, null],
    ["succeeded", 100, 63, null],
  ] as const)("a task %s at %s percent after %s s still needs %s ms", (status, progress, seconds, milliseconds) => {
    expect(timeLeft({ status, progress, startedAt: start, finishedAt: null }, at(seconds))).toBe(milliseconds);
  });
});

test.each([
  ["any", false, []],
  ["open", false, [{ field: "status", type: "in", values: ["queued", "running"] }]],
  [
    "trouble",
    true,
    [
      { field: "status", type: "in", values: ["partial", "failed"] },
      { field: "mine", type: "eq", values: [true] },
    ],
  ],
] as const)("the group %s, only mine %s, asks for %j", (group, mine, filters) => {
  expect(filtersOf(group, mine)).toEqual(filters);
});
