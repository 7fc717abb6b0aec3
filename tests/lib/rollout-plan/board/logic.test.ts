import { describe, expect, it } from "vitest";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import {
  firstDates,
  movedDates,
  runningCounts,
  shiftedDates,
  standing,
  weekOf,
  weekStart,
  workedOn,
} from "#lib/rollout-plan/board/logic.ts";
import { workingDays } from "#lib/scheduling/calendar/logic.ts";

const day = dayNumber;
const dates = (planStart: string | null, planEnd: string | null) => ({ planStart: day(planStart), planEnd: day(planEnd) });
const text = (given: { planStart: number; planEnd: number } | null) => given && [isoDay(given.planStart), isoDay(given.planEnd)];
/** Monday to Friday without the first week of October. */
const calendar = workingDays(
  62,
  Array.from({ length: 7 }, (_, at) => ({ day: day("2026-10-01") + at, working: false })),
);

describe("the days of a board", () => {
  it("numbers weeks from Sunday to Saturday", () => {
    expect(["2026-10-10", "2026-10-11", "2026-10-17", "2026-10-18"].map((iso) => weekOf(day(iso)) - weekOf(day("2026-10-11")))).toEqual([
      -1, 0, 0, 1,
    ]);
    expect(isoDay(weekStart(weekOf(day("2026-10-14"))))).toBe("2026-10-11");
  });

  it("lets an activity with one plan date stand on that day", () => {
    expect(standing(10, 12)).toEqual({ from: 10, to: 12 });
    expect(standing(0, 12)).toEqual({ from: 12, to: 12 });
    expect(standing(10, 0)).toEqual({ from: 10, to: 10 });
    expect(standing(0, 0)).toBeNull();
  });

  it("sums steps up to counts, also those from before the first day and behind the last", () => {
    const steps = [
      { at: 8, by: 2 },
      { at: 11, by: 1 },
      { at: 12, by: -2 },
      { at: 14, by: -1 },
    ];
    expect(runningCounts(steps, 10, 13)).toEqual([2, 3, 1, 1]);
  });

  it("counts no load on free days", () => {
    expect(workedOn([1, 1, 1, 1], day("2026-10-16"), calendar)).toEqual([1, 0, 0, 1]);
  });
});

describe("moving by working days", () => {
  it("moves start and end by as many working days as lie between the two places", () => {
    expect(text(movedDates(calendar, dates("2026-10-14", "2026-10-16"), day("2026-10-14"), day("2026-10-19")))).toEqual([
      "2026-10-19",
      "2026-10-21",
    ]);
    expect(text(movedDates(calendar, dates("2026-10-14", "2026-10-16"), day("2026-10-16"), day("2026-10-14")))).toEqual([
      "2026-10-12",
      "2026-10-14",
    ]);
  });

  it("takes a free day as the working day after it", () => {
    expect(text(movedDates(calendar, dates("2026-10-14", "2026-10-14"), day("2026-10-14"), day("2026-10-17")))).toEqual([
      "2026-10-19",
      "2026-10-19",
    ]);
  });

  it("passes holidays, leaves an empty date empty, and says when the calendar ends", () => {
    expect(text(shiftedDates(calendar, dates("2026-09-30", null), 1))).toEqual(["2026-10-08", null]);
    expect(text(shiftedDates(calendar, dates("2026-09-30", "2026-10-08"), 0))).toEqual(["2026-09-30", "2026-10-08"]);
    expect(shiftedDates(workingDays(0, [{ day: day("2026-10-14"), working: true }]), dates("2026-10-14", "2026-10-14"), 1)).toBeNull();
  });

  it("plans what has no dates from the next working day on, as long as its lead time, a point in time on one day", () => {
    expect(text(firstDates(calendar, day("2026-09-30"), 2))).toEqual(["2026-09-30", "2026-10-08"]);
    expect(text(firstDates(calendar, day("2026-10-17"), 0))).toEqual(["2026-10-19", "2026-10-19"]);
    expect(firstDates(workingDays(0, []), day("2026-10-14"), 1)).toBeNull();
  });
});
