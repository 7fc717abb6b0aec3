import { describe, expect, test } from "vitest";
import { firstWorkAt, lagOf, normalise } from "#lib/planning-engine/normalise/logic.ts";
import { rollOut } from "#tests/support/roll-out.ts";

describe("lags of the start by relation", () => {
  // Predecessor of 3 days on working days 10 to 12.
  test.each([
    ["FS: next working day", 0, 0, 3, 2, 3],
    ["FS into a milestone: the last day itself", 0, 0, 3, 0, 2],
    ["FS with offset", 0, 4, 3, 2, 7],
    ["FS out of a milestone, which lasts its day", 0, 0, 0, 2, 1],
    ["SS", 1, 2, 3, 2, 2],
    ["FF: ends together", 2, 0, 3, 2, 1],
    ["FF into a longer one", 2, 0, 3, 5, -2],
    ["SF: ends with the start", 3, 0, 3, 2, -1],
    ["SF with a negative offset", 3, -2, 3, 1, -2],
  ])("%s", (_, kind, offset, before, after, lag) => {
    expect(lagOf(kind, offset, before, after)).toBe(lag);
  });
});

describe("a problem made ready", () => {
  test("relations that go round are named with their sum", () => {
    const { problem } = rollOut(3, 6, 40, 1);
    const flow = problem.flows[1]!;
    flow.inAt = Int32Array.from([0, 0, 1, 2, 3, 3, 3]);
    flow.inFrom = Int32Array.from([3, 1, 2]);
    flow.inKind = Uint8Array.from([0, 0, 1]);
    flow.inOffset = Int32Array.from([0, 1, 0]);
    flow.durations = Int32Array.from([0, 2, 3, 1, 1, 1]);
    const { loops } = normalise(problem);
    // 3 -> 1 one day, 1 -> 2 two days and the offset, 2 -> 3 none.
    expect(loops).toEqual([{ code: "LOOP", flow: 1, positions: [1, 2, 3], needed: 4, available: 0, relax: 1 }]);
  });

  test("jobs stand behind their predecessors whatever the order of the flow", () => {
    const { problem } = rollOut(3, 4, 40, 1);
    for (const flow of problem.flows) {
      flow.inAt = Int32Array.from([0, 1, 2, 3, 3]);
      flow.inFrom = Int32Array.from([1, 2, 3]);
      flow.inKind = new Uint8Array(3);
      flow.inOffset = new Int32Array(3);
    }
    const { ready } = normalise(problem);
    expect([...ready!.flows.position.subarray(0, 4)]).toEqual([3, 2, 1, 0]);
    expect([...ready!.flows.inFrom.subarray(0, 3)]).toEqual([0, 1, 2]);
  });

  test("days and working days of a calendar with free days", () => {
    const { problem } = rollOut(3, 4, 40, 1);
    problem.calendars = [{ days: Int32Array.from([-3, 0, 1, 4, 5]) }];
    const calendar = normalise(problem).ready!.calendars[0]!;
    expect([-4, -3, -2, 0, 1, 2, 4, 5, 6].map((day) => firstWorkAt(calendar, day))).toEqual([0, 0, 1, 1, 2, 3, 3, 4, 5]);
    expect(calendar.plain).toBe(false);
  });
});
