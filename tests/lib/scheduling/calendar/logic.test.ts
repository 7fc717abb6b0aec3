import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import {
  type CalendarDay,
  crossesBreak,
  downNumber,
  isWorkingDay,
  noWorkingDay,
  shiftWorkingDays,
  upNumber,
  workingDays,
  workingDaysBetween,
} from "#lib/scheduling/calendar/logic.ts";

const day = (iso: string) => dayNumber(`2026-${iso}`);
const days = (working: boolean, ...list: string[]): CalendarDay[] => list.map((iso) => ({ day: day(iso), working }));
const autumn = workingDays(62, [...days(false, "10-01", "10-02", "10-05", "10-06", "10-07"), ...days(true, "10-10")]);

describe("day tables", () => {
  it.each([
    // day, first working day on or after, last on or before
    ["09-30", "09-30", "09-30"],
    ["10-01", "10-08", "09-30"],
    ["10-07", "10-08", "09-30"],
    ["10-10", "10-10", "10-10"],
    ["10-11", "10-12", "10-10"],
    ["10-17", "10-19", "10-16"],
  ])("%s goes up to %s and down to %s", (from, up, down) => {
    expect(isoDay(autumn.days[upNumber(autumn, day(from))]!)).toBe(`2026-${up}`);
    expect(isoDay(autumn.days[downNumber(autumn, day(from))]!)).toBe(`2026-${down}`);
  });

  it("every weekday mask follows the week, 2000-01-02 being a Sunday", () => {
    for (let weekdays = 1; weekdays < 128; weekdays++) {
      const calendar = workingDays(weekdays, []);
      for (let at = 1; at <= 14; at++) expect(isWorkingDay(calendar, at)).toBe(((weekdays >> ((at - 1) % 7)) & 1) === 1);
    }
  });

  it("the last of several entries for a day counts, days out of range do not", () => {
    const calendar = workingDays(62, [
      ...days(false, "10-14"),
      ...days(true, "10-14"),
      { day: 0, working: true },
      { day: 40_000, working: true },
    ]);
    expect(isWorkingDay(calendar, day("10-14"))).toBe(true);
    expect(calendar.days.at(-1)).toBeLessThan(32_780);
  });

  it("[SCH-14] finds a working day 1095 days away and none 1096 away", () => {
    const calendar = workingDays(0, [{ day: 5000, working: true }]);
    expect(upNumber(calendar, 5000 - 1095)).toBe(0);
    expect(upNumber(calendar, 5000 - 1096)).toBe(noWorkingDay);
    expect(downNumber(calendar, 5000 + 1095)).toBe(0);
    expect(downNumber(calendar, 5000 + 1096)).toBe(noWorkingDay);
  });

  it("[SCH-14] knows where more than 1095 free days lie between two working days", () => {
    const pair = (days: number) =>
      workingDays(
        0,
        [5000, 5001, 5001 + days].map((day) => ({ day, working: true })),
      );
    expect(crossesBreak(pair(1096), 0, 2)).toBe(false);
    expect(crossesBreak(pair(1097), 0, 2)).toBe(true);
    expect(crossesBreak(pair(1097), 0, 1)).toBe(false);
  });

  it("is its own definition on random calendars", () => {
    const exception = fc.record({ day: fc.integer({ min: 9700, max: 9800 }), working: fc.boolean() });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 127 }),
        fc.uniqueArray(exception, { selector: (one) => one.day }),
        fc.integer({ min: 9690, max: 9810 }),
        (weekdays, exceptions, from) => {
          const calendar = workingDays(weekdays, exceptions);
          const works = (at: number) => exceptions.find((one) => one.day === at)?.working ?? ((weekdays >> ((at + 6) % 7)) & 1) === 1;
          let up = from;
          while (!works(up)) up++;
          let down = from;
          while (!works(down)) down--;
          expect(calendar.days[upNumber(calendar, from)]).toBe(up);
          expect(calendar.days[downNumber(calendar, from)]).toBe(down);
          expect(upNumber(calendar, from) - downNumber(calendar, from)).toBe(works(from) ? 0 : 1);
        },
      ),
      { numRuns: 300, seed: 20261014 },
    );
  });
});

describe("steps by working days", () => {
  it.each([
    ["10-14", 0, "10-14"],
    ["10-17", 0, "10-17"],
    ["10-14", 5, "10-21"],
    ["10-14", -6, "09-30"],
    ["10-17", 1, "10-19"],
    ["10-17", -1, "10-16"],
  ])("%s %i is %s", (from, steps, to) => {
    expect(shiftWorkingDays(autumn, day(from), steps)).toBe(day(to));
  });

  it("ends where the calendar does", () => {
    const three = workingDays(0, days(true, "10-12", "10-13", "10-14"));
    expect(shiftWorkingDays(three, day("10-12"), 2)).toBe(day("10-14"));
    expect(shiftWorkingDays(three, day("10-12"), 3)).toBe(null);
    expect(shiftWorkingDays(three, day("10-12"), -1)).toBe(null);
  });

  it.each([
    ["10-14", "10-21", 5],
    ["10-21", "10-14", -5],
    ["09-30", "10-14", 6],
    ["10-17", "10-18", 0],
  ])("%s to %s is %i working days", (from, to, expected) => {
    expect(workingDaysBetween(autumn, day(from), day(to))).toBe(expected);
  });
});
