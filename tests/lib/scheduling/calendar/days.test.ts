import { describe, expect, test } from "vitest";
import { type CalendarDraft, monthsOf, parseDays, toggleDay, withHolidays, works } from "#components/scheduling/calendar-days.ts";

const draft: CalendarDraft = {
  weekdays: new Set([1, 2, 3, 4, 5]),
  days: new Map([
    ["2026-10-01", { working: false, name: "National Day" }],
    ["2026-10-10", { working: true, name: "" }],
  ]),
};

describe("the year view", () => {
  test("has twelve months that begin on their weekday", () => {
    const months = monthsOf(2028);
    expect(months.map(({ days }) => days.length)).toEqual([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
    expect(months[1]).toMatchObject({ first: 2, days: expect.arrayContaining(["2028-02-01", "2028-02-29"]) });
    expect(monthsOf(2000)[0]).toMatchObject({ first: 6 });
  });

  test("a click switches a day and a second one leaves no exception behind", () => {
    expect(["2026-10-01", "2026-10-08", "2026-10-10", "2026-10-11"].map((day) => works(draft, day))).toEqual([false, true, true, false]);
    const free = toggleDay(draft, "2026-10-08");
    expect(free.days.get("2026-10-08")).toEqual({ working: false, name: "" });
    expect(toggleDay(free, "2026-10-08").days).toEqual(draft.days);
    expect(toggleDay(draft, "2026-10-01").days.has("2026-10-01")).toBe(false);
  });

  test("takes a pasted list and names the lines that are no day", () => {
    const text = "2026-10-01 National Day\n\n+ 2026/10/10\n2026.1.2, New Year\n２０２６－１０－０２\t国庆节\n2026-02-30\nholiday";
    expect(parseDays(text)).toEqual({
      days: [
        { day: "2026-10-01", working: false, name: "National Day" },
        { day: "2026-10-10", working: true, name: "" },
        { day: "2026-01-02", working: false, name: "New Year" },
        { day: "2026-10-02", working: false, name: "国庆节" },
      ],
      wrong: [6, 7],
    });
  });

  test("takes holidays over beside its own days: a day off keeps its name, an extra working day becomes one", () => {
    const holidays = ["2026-10-01", "2026-10-10", "2026-12-25"].map((day) => ({ day, name: "Holiday" }));
    expect([...withHolidays(draft, holidays).days]).toEqual([
      ["2026-10-01", { working: false, name: "National Day" }],
      ["2026-10-10", { working: false, name: "Holiday" }],
      ["2026-12-25", { working: false, name: "Holiday" }],
    ]);
    expect(draft.days.size).toBe(2);
  });
});
