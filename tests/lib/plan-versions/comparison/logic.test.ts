import { describe, expect, test } from "vitest";
import { dayNumber } from "#lib/core/clock.ts";
import { compareRow, type DateChange, fillSide, newSide, ShiftCounter, shiftOf } from "#lib/plan-versions/comparison/logic.ts";
import { workingDays } from "#lib/scheduling/calendar/logic.ts";

// Mon to Fri; free 2026-10-01, 02, 05, 06, 07; extra working Saturday 2026-10-10.
const calendar = workingDays(62, [
  ...["2026-10-01", "2026-10-02", "2026-10-05", "2026-10-06", "2026-10-07"].map((day) => ({ day: dayNumber(day), working: false })),
  { day: dayNumber("2026-10-10"), working: true },
]);
const shift = (from: string, to: string) => shiftOf(calendar, dayNumber(from), dayNumber(to));

describe("a shift", () => {
  test.each([
    ["2026-09-30", "2026-10-10", 3],
    ["2026-10-10", "2026-09-30", -3],
    ["2026-09-30", "2026-10-07", 0],
    ["2026-10-14", "2026-10-19", 3],
    ["2026-10-16", "2026-10-18", 0],
  ])("from %s to %s is %i working days", (from, to, days) => {
    expect(shift(from, to)).toBe(days);
  });
});

describe("the rows of two sides", () => {
  const width = 4;
  const side = (planEnd: string[], state: number[]) => {
    const made = newSide(1, width);
    const days = planEnd.map((day) => (day ? dayNumber(day) : 0));
    fillSide(made, { fields: [`{${days.join(",")}}`], state: `{${state.join(",")}}`, owner: null }, width);
    return made;
  };
  const differences = (left: ReturnType<typeof side>, right: ReturnType<typeof side>, slots = [1, 2, 3]) => {
    const found: DateChange[] = [];
    compareRow(left, right, slots, calendar, (change) => found.push({ ...change }));
    return found.map(({ slot, kind, days }) => `${slot} ${kind}${days === null ? "" : ` ${days}`}`);
  };

  test("differ later, earlier, over free days, by dates that came and went", () => {
    const left = side(["2026-10-14", "2026-10-14", "2026-10-16"], [1, 1, 1]);
    const right = side(["2026-10-15", "2026-10-13", "2026-10-18"], [1, 1, 1]);
    expect(differences(left, right)).toEqual(["1 later 1", "2 earlier -1", "3 same 0"]);
    expect(differences(left, side(["", "2026-10-14", "2026-10-16"], [1, 1, 1]))).toEqual(["1 removed"]);
    expect(differences(side(["", "2026-10-14", "2026-10-16"], [1, 1, 1]), left)).toEqual(["1 added"]);
  });

  test("what is out of the flow, NA or INV is not there", () => {
    const both = ["2026-10-14", "2026-10-14", "2026-10-14"];
    const all = side(both, [1, 1, 1]);
    expect(differences(all, side(both, [0, 3, 5]))).toEqual(["1 removed", "2 removed", "3 removed"]);
    expect(differences(side(both, [3, 0, 1]), all)).toEqual(["1 added", "2 added"]);
    // Left out on both sides: no difference, whatever stands there.
    expect(differences(side(both, [3, 3, 3]), side(["2026-10-20", "", ""], [5, 0, 3]))).toEqual([]);
  });

  test("come in the order of the flow", () => {
    expect(differences(side(["2026-10-14", "2026-10-14"], [1, 1]), side(["2026-10-15", "2026-10-15"], [1, 1]), [2, 1])).toEqual([
      "2 later 1",
      "1 later 1",
    ]);
  });
});

describe("the summary", () => {
  const of = (...days: number[]) => {
    const counter = new ShiftCounter();
    for (const shifted of days) counter.add({ kind: shifted > 0 ? "later" : shifted < 0 ? "earlier" : "same", days: shifted });
    return counter.summary();
  };

  test("counts kinds, and takes the lower of two middle shifts", () => {
    expect(of(3, -1, 0, 4)).toMatchObject({ changed: 4, later: 2, earlier: 1, medianDays: 0 });
    expect(of(3, -1, 0, 4, 9)).toMatchObject({ medianDays: 3 });
    expect(of()).toMatchObject({ changed: 0, medianDays: null });
    const counter = new ShiftCounter();
    counter.add({ kind: "added", days: null });
    counter.add({ kind: "removed", days: null });
    expect(counter.summary()).toMatchObject({ changed: 0, added: 1, removed: 1, medianDays: null });
  });

  test("puts every shift into exactly one bar; the bars adjoin and are open at both ends", () => {
    const days = Array.from({ length: 81 }, (_, at) => at - 40);
    const { histogram } = of(...days);
    expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(81);
    expect(histogram[0]).toMatchObject({ from: null, to: -21 });
    expect(histogram.at(-1)).toMatchObject({ from: 21, to: null });
    for (let at = 1; at < histogram.length; at++) expect(histogram[at]!.from).toBe(histogram[at - 1]!.to! + 1);
    for (const { from, to, count } of histogram) if (from !== null && to !== null) expect(count).toBe(to - from + 1);
  });
});
