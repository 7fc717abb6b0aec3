import { expect, test } from "vitest";
import { type HolidaySpan, holidayDays } from "#lib/scheduling/holidays/logic.ts";

/** A holiday from a local day and hour on; the moments are those of a zone eight hours ahead. */
function span(date: string, hours: number, name: string, rest: Partial<HolidaySpan> = {}): HolidaySpan {
  const start = new Date(`${date.replace(" ", "T")}+08:00`);
  return { date, start, end: new Date(start.getTime() + hours * 3_600_000), type: "public", name, ...rest };
}

test.each<[string, HolidaySpan[], string[]]>([
  ["a day", [span("2026-01-01 00:00:00", 24, "New Year")], ["2026-01-01 New Year"]],
  ["every day of a long one", [span("2026-12-31 00:00:00", 48, "Eve")], ["2026-12-31 Eve", "2027-01-01 Eve"]],
  ["no half day", [span("2026-03-08 12:00:00", 12, "Women's Day")], []],
  ["a day shortened by the clocks", [span("2026-03-29 00:00:00", 23, "Easter")], ["2026-03-29 Easter"]],
  ["public ones only", [span("2026-11-15 00:00:00", 24, "Shichi-Go-San", { type: "observance" })], []],
  ["both names of a day", [span("2026-10-01 00:00:00", 24, "B"), span("2026-10-01 00:00:00", 24, "A")], ["2026-10-01 B / A"]],
  ["a name once", [span("2026-10-01 00:00:00", 24, "A"), span("2026-10-01 00:00:00", 24, "A")], ["2026-10-01 A"]],
  ["in order", [span("2026-05-01 00:00:00", 24, "B"), span("2026-01-01 00:00:00", 24, "A")], ["2026-01-01 A", "2026-05-01 B"]],
  ["nothing before the first day of a calendar", [span("2000-01-01 00:00:00", 48, "First")], ["2000-01-02 First"]],
  ["nothing behind the last day of a calendar", [span("2089-09-17 00:00:00", 48, "Last")], ["2089-09-17 Last"]],
])("gives %s", (_, spans, days) => {
  expect(holidayDays(spans).map(({ day, name }) => `${day} ${name}`)).toEqual(days);
});
