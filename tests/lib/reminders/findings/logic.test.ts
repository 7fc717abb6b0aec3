import { describe, expect, it } from "vitest";
import { dayNumber } from "#lib/core/clock.ts";
import { findLate, findWaiting, gatherChanges, type LoggedChange, netChange } from "#lib/reminders/findings/logic.ts";
import { isSated, isSettled, nextHour } from "#lib/reminders/firing/logic.ts";
import { fillContent, fillSubject, valueList, writeTable } from "#lib/reminders/letters/logic.ts";
import { emptyBlock, setCell } from "#lib/rollout-plan/plan-rows/logic.ts";

const today = dayNumber("2025-03-15");

describe("what is late", () => {
  const block = emptyBlock([1, 2, 3, 4], 3, ["planEnd", "actualEnd", "actualStart", "state"]);
  for (const [row, day] of ["2025-03-10", "2025-03-12", "2025-03-13", "2025-03-10"].entries()) {
    setCell(block, row, 1, "state", 1);
    setCell(block, row, 1, "planEnd", dayNumber(day));
  }
  setCell(block, 3, 1, "actualEnd", dayNumber("2025-03-14"));
  const late = (days: number) => findLate(block, block.duIds.keys(), [1, 2, 99], days, today).map(({ duId, days: found }) => [duId, found]);

  it("is what has passed its plan date by the days, and is not done", () => {
    expect(late(3)).toEqual([
      [1, 5],
      [2, 3],
    ]);
    expect(late(5)).toEqual([[1, 5]]);
    expect(late(6)).toEqual([]);
  });

  it("is what comes soon where the days are negative", () => {
    expect(late(2)).toHaveLength(3);
    expect(findLate(block, [2], [1], -3, dayNumber("2025-03-10"))).toMatchObject([{ duId: 3, days: -3 }]);
    expect(findLate(block, [2], [1], -3, dayNumber("2025-03-09"))).toEqual([]);
  });
});

describe("what waits after RFI", () => {
  const block = emptyBlock([1, 2, 3], 3, ["actualStart", "actualEnd", "state"]);
  for (const [row, day] of ["2025-03-12", "2025-03-08", "2025-02-25"].entries()) {
    setCell(block, row, 1, "state", 1);
    setCell(block, row, 1, "actualEnd", dayNumber(day));
  }
  const waiting = (min: number, max: number | null) =>
    findWaiting(block, [0, 1, 2], [1], { min, max, until: [2] }, today).map(({ duId, days }) => [duId, days]);

  it("lies between the two numbers of days, or beyond the larger one", () => {
    expect(waiting(5, 15)).toEqual([[2, 7]]);
    expect(waiting(16, null)).toEqual([[3, 18]]);
    expect(waiting(7, 7)).toEqual([[2, 7]]);
    expect(waiting(8, 17)).toEqual([]);
  });
});

describe("changes", () => {
  const at = (hour: number) => new Date(Date.UTC(2025, 2, 10, hour));
  const entry = (seq: number, hour: number, old: number, now: number, byId: number | null = 7): LoggedChange => ({
    duId: 1,
    seq,
    at: at(hour),
    byId,
    cells: [18, 34],
    old: [old, 1],
    new: [now, 2],
    attrs: { "a5@2": ["x", "y"], "du.name": ["a", "b"] },
  });
  const gather = (log: LoggedChange[], since = 0) => gatherChanges(log, { cells: [18], keys: ["a5"], since }, () => true);

  it("of one place are told as its first old and last new value; what is as it was is not told", () => {
    const [row] = gather([entry(1, 9, 10, 12), entry(2, 11, 12, 15, 8)]);
    expect(netChange(row!, null)).toEqual({ old: 10, now: 15, byId: 8, at: at(11), count: 2 });
    expect(netChange(gather([entry(1, 9, 10, 12), entry(2, 11, 12, 10)])[0]!, null)).toBeNull();
  });

  it("leave out what the receiver changed himself, what was told before, and what nobody asked for", () => {
    const [row] = gather([entry(1, 9, 10, 12), entry(2, 11, 12, 15, 8)]);
    expect(netChange(row!, 8)).toMatchObject({ old: 10, now: 12, count: 1 });
    expect(gather([entry(1, 9, 10, 12)], 1)).toEqual([]);
    expect(gather([entry(1, 9, 10, 12)]).map(({ slot, cell, key }) => [slot, cell, key])).toEqual([
      [1, 18, null],
      [2, null, "a5@2"],
    ]);
  });
});

describe("a rule that follows changes", () => {
  const now = new Date("2026-10-14T06:20:00Z");
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

  it("waits five minutes after the first change, and past twelve mails of the day for the full hour", () => {
    expect(isSettled(ago(4), now)).toBe(false);
    expect(isSettled(ago(5), now)).toBe(true);
    expect(isSated({ mailsToday: 11, lastAt: ago(1) }, now, 0)).toBe(false);
    expect(isSated({ mailsToday: 12, lastAt: ago(19) }, now, 0)).toBe(true);
    expect(isSated({ mailsToday: 12, lastAt: ago(21) }, now, 0)).toBe(false);
    expect(nextHour(now, 0)).toEqual(ago(-40));
    // Where the wall clock is a quarter of an hour ahead its hours begin earlier.
    expect(nextHour(now, 0.25)).toEqual(ago(-25));
  });
});

describe("own words", () => {
  const table = writeTable({ columns: ["A"], rows: [["<1>"]], note: null });

  it("are filled in once: what a value says is no placeholder, and nothing of it is markup", () => {
    expect(fillSubject("{duCode} {table}{unknown}", { duCode: "{project}", project: "P" })).toBe("{project} {unknown}");
    const { html, text } = fillContent("Hi {duCode}\n{table}\nBye", { duCode: "<b>" }, table);
    expect(html).toContain("Hi &lt;b&gt;");
    expect(html).toContain("&lt;1&gt;");
    expect(html.indexOf("<table")).toBeLessThan(html.indexOf("Bye"));
    expect(text).toBe("Hi <b>\nA\n<1>\nBye");
    expect(fillContent("Only this", {}, table).text).toBe("Only this\n\nA\n<1>");
  });

  it("list the first few of many values", () => {
    expect(valueList(["a", "a", "b", ""])).toBe("a, b");
    expect(valueList(["1", "2", "3", "4", "5", "6", "7"])).toBe("1, 2, 3, 4, 5 +2");
  });
});
