import { firstDay, lastDay, weekday } from "#lib/core/clock.ts";
import { allWeekdays, searchDaysMax } from "./limits.ts";

/** One day that differs from its weekday: day number, and whether people work on it. */
export type CalendarDay = { day: number; working: boolean };

/**
 * Working days of one calendar, numbered consecutively from 0. Two tables answer every question:
 * day → numbers of the first working day on or after it and of the last on or before it, and number → day.
 */
export type WorkingDays = {
  /** At `2 × (day − tableFirst)` the number going up, behind it the number going down; `noWorkingDay` when the search fails. */
  numbers: Int32Array;
  /** Day of each number. */
  days: Int32Array;
  /** Some weekday is a working day: days go on beyond both ends of the table. */
  endless: boolean;
  /** Numbers behind which more free days follow than a search goes through. */
  breaks: readonly number[];
};

/** In `numbers`: no working day within the search. */
export const noWorkingDay = -0x8000_0000;

/** A margin around the days a plan may hold, so that a search from the first or last of them stays in the table. */
const margin = 8;
export const tableFirst = firstDay - margin;
export const tableLast = lastDay + margin;

/**
 * Builds both tables from the weekdays and the single days of a calendar.
 * @param weekdays bit 0 = Sunday .. bit 6 = Saturday
 * @param exceptions days that override their weekday; the last one given for a day counts
 */
export function workingDays(weekdays: number, exceptions: Iterable<CalendarDay>): WorkingDays {
  const size = tableLast - tableFirst + 1;
  const working = new Uint8Array(size);
  for (let day = tableFirst; day <= tableLast; day++) working[day - tableFirst] = (weekdays >> weekday(day)) & 1;
  for (const { day, working: works } of exceptions) if (day >= firstDay && day <= lastDay) working[day - tableFirst] = works ? 1 : 0;

  const numbers = new Int32Array(2 * size).fill(noWorkingDay);
  const days = new Int32Array(working.reduce((count, works) => count + works, 0));
  const breaks: number[] = [];
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (let day = tableFirst; day <= tableLast; day++) {
    if (working[day - tableFirst]) {
      for (let at = Math.max(last + 1, day - searchDaysMax, tableFirst); at <= day; at++) numbers[2 * (at - tableFirst)] = count;
      if (day - last > searchDaysMax + 1 && count > 0) breaks.push(count - 1);
      days[count++] = day;
      last = day;
    }
    if (day - last <= searchDaysMax) numbers[2 * (day - tableFirst) + 1] = count - 1;
  }
  return { numbers, days, endless: (weekdays & allWeekdays) !== 0, breaks };
}

/** Number of the first working day on or after a day of the table, `noWorkingDay` when none is found in time. */
export function upNumber(calendar: WorkingDays, day: number): number {
  return calendar.numbers[2 * (day - tableFirst)] ?? noWorkingDay;
}

/** Number of the last working day on or before a day of the table, `noWorkingDay` when none is found in time. */
export function downNumber(calendar: WorkingDays, day: number): number {
  return calendar.numbers[2 * (day - tableFirst) + 1] ?? noWorkingDay;
}

/** Whether a day of the table is a working day. */
export function isWorkingDay(calendar: WorkingDays, day: number): boolean {
  const up = upNumber(calendar, day);
  return up !== noWorkingDay && calendar.days[up] === day;
}

/**
 * Moves a day by working days: the first step forward goes to the next working day after it, the first step backward to the last one before it;
 * 0 steps leave it where it is. Null when the calendar has no such day.
 */
export function shiftWorkingDays(calendar: WorkingDays, day: number, steps: number): number | null {
  if (steps === 0) return day;
  const first = steps > 0 ? upNumber(calendar, day + 1) : downNumber(calendar, day - 1);
  if (first === noWorkingDay) return null;
  const target = steps > 0 ? first + steps - 1 : first + steps + 1;
  return crossesBreak(calendar, Math.min(first, target), Math.max(first, target)) ? null : (calendar.days[target] ?? null);
}

/** Signed number of working days from one day to another: how far a start moved, counted from working day to working day. */
export function workingDaysBetween(calendar: WorkingDays, from: number, to: number): number | null {
  const first = upNumber(calendar, from);
  const last = upNumber(calendar, to);
  return first === noWorkingDay || last === noWorkingDay ? null : last - first;
}

/** Whether a search from one working day to the next within these numbers would fail because too many free days lie between. */
export function crossesBreak(calendar: WorkingDays, least: number, most: number): boolean {
  return calendar.breaks.some((number) => number >= least && number < most);
}
