import { describe, expect, test } from "vitest";
import type { FieldValue, ImportRow } from "#lib/imports/kind/logic.ts";
import { calendarDaysMax } from "#lib/scheduling/calendar/limits.ts";
import {
  type CalendarState,
  checkCalendarRow,
  leftOut,
  noRows,
  type SheetTexts,
  sheetRows,
  withRows,
} from "#lib/scheduling/calendar-sheet/logic.ts";

const state: CalendarState = {
  weekdays: new Set([1, 2, 3, 4, 5]),
  days: new Map([
    ["2026-10-10", { working: true, name: null }],
    ["2026-10-01", { working: false, name: "National Day" }],
  ]),
};
const texts: SheetTexts = {
  column: (key) => key,
  columnNames: () => [],
  kind: (kind) => kind.toUpperCase(),
  kindNames: () => [],
  weekday: (day) => `W${day}`,
  weekdayNames: () => [],
};
const row = (values: Record<string, FieldValue>, no = 2): ImportRow => ({ no, values, problems: [] });
const check = (values: Record<string, FieldValue>) => checkCalendarRow(row(values), state, noRows(), texts);

test("the workbook holds the weekdays from Monday on, then the days in order", () => {
  expect(sheetRows(state, texts)).toEqual([
    ["W1", null, "WORK", null],
    ["W2", null, "WORK", null],
    ["W3", null, "WORK", null],
    ["W4", null, "WORK", null],
    ["W5", null, "WORK", null],
    ["W6", null, "OFF", null],
    ["W0", null, "OFF", null],
    [null, "2026-10-01", "OFF", "National Day"],
    [null, "2026-10-10", "WORK", null],
  ]);
});

describe("a row", () => {
  test.each<[Record<string, FieldValue>, string, unknown[]]>([
    [{ weekday: "1", kind: "work" }, "unchanged", []],
    [{ weekday: "6", kind: "work" }, "changed", [["kind", "OFF", "WORK"]]],
    [{ day: "2026-10-01", kind: "off", name: "National Day" }, "unchanged", []],
    [{ day: "2026-10-01", kind: "off" }, "unchanged", []],
    [{ day: "2026-10-01", kind: "off", name: null }, "changed", [["name", "National Day", null]]],
    [{ day: "2026-10-01", kind: "work", name: "National Day" }, "changed", [["kind", "OFF", "WORK"]]],
    [
      { day: "2026-10-01", kind: null, name: "National Day" },
      "changed",
      [
        ["kind", "OFF", null],
        ["name", "National Day", null],
      ],
    ],
    [{ day: "2026-10-02", kind: null }, "unchanged", []],
    [
      { day: "2026-10-02", kind: "off", name: "x" },
      "new",
      [
        ["kind", null, "OFF"],
        ["name", null, "x"],
      ],
    ],
  ])("%j is %s", (values, outcome, changes) => {
    expect(check(values)).toMatchObject({ outcome, changes, problems: [] });
  });

  test.each<[Record<string, FieldValue>, string]>([
    [{ kind: "off" }, "day VALUE_MISSING"],
    [{ weekday: "1", day: "2026-10-02", kind: "off" }, "day DAY_OR_WEEKDAY"],
    [{ weekday: "1", kind: null }, "kind VALUE_MISSING"],
    [{ day: "2026-10-02", kind: "off", name: "n".repeat(101) }, "name VALUE_TOO_LONG"],
  ])("%j is refused: %s", (values, problem) => {
    const { outcome, problems } = check(values);
    expect(outcome).toBe("rejected");
    expect(problems.map(({ path, code }) => `${path} ${code}`)).toEqual([problem]);
  });

  test("that names a day or weekday a second time is refused with the row of the first", () => {
    const seen = noRows();
    const twice: Record<string, FieldValue>[] = [
      { day: "2026-10-02", kind: "off" },
      { weekday: "1", kind: "work" },
    ];
    for (const values of twice) {
      checkCalendarRow(row(values, 3), state, seen, texts);
      expect(checkCalendarRow(row(values, 9), state, seen, texts).problems).toMatchObject([
        { code: "REPEATED_IN_FILE", params: { row: 3 } },
      ]);
    }
  });

  test("beyond the days a calendar may hold is refused with the bound", () => {
    const seen = { ...noRows(), kept: calendarDaysMax - 1 };
    const outcome = (day: string) => checkCalendarRow(row({ day, kind: "off" }), state, seen, texts);
    expect(outcome("2026-10-02").problems).toEqual([]);
    expect(outcome("2026-10-03").problems).toEqual([{ path: "day", code: "TOO_MANY", params: { max: calendarDaysMax } }]);
  });
});

test("days the file does not name are left out, none while one of its days could not be read", () => {
  const seen = noRows();
  checkCalendarRow(row({ day: "2026-10-10", kind: "work" }), state, seen, texts);
  expect(leftOut(state, seen)).toEqual(["2026-10-01"]);
  checkCalendarRow({ no: 4, values: { kind: "off" }, problems: [{ path: "day", code: "DATE_FORMAT" }] }, state, seen, texts);
  expect(leftOut(state, seen)).toEqual([]);
});

test("rows change weekdays and days", () => {
  const next = withRows(state, [
    row({ weekday: "6", kind: "work" }),
    row({ weekday: "1", kind: "off" }),
    row({ day: "2026-10-10", kind: null }),
    row({ day: "2026-10-01", kind: "work" }),
    row({ day: "2026-10-02", kind: "off", name: "x" }),
  ]);
  expect([...next.weekdays].sort()).toEqual([2, 3, 4, 5, 6]);
  expect([...next.days].sort()).toEqual([
    ["2026-10-01", { working: true, name: "National Day" }],
    ["2026-10-02", { working: false, name: "x" }],
  ]);
});
