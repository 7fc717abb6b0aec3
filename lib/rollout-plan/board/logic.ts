import {
  isWorkingDay,
  noWorkingDay,
  shiftWorkingDays,
  upNumber,
  type WorkingDays,
  workingDaysBetween,
} from "#lib/scheduling/calendar/logic.ts";

/** Number of the week, Sunday to Saturday, that a day number lies in. */
export function weekOf(day: number): number {
  return Math.floor((day + 6) / 7);
}

/** First day, a Sunday, of a week. */
export function weekStart(week: number): number {
  return week * 7 - 6;
}

/** First and last day on which an activity stands: where one of its plan dates is empty, on that of the other; null where both are. */
export function standing(planStart: number, planEnd: number): { from: number; to: number } | null {
  const from = planStart || planEnd;
  return from === 0 ? null : { from, to: Math.max(from, planEnd || planStart) };
}

/** How many more (or fewer) stand somewhere from a day or week on. */
export type Step = { at: number; by: number };

/** How many stand at each place from the first to the last one, from the steps at which that changes. */
export function runningCounts(steps: Iterable<Step>, first: number, last: number): number[] {
  const counts = new Array<number>(last - first + 1).fill(0);
  for (const { at, by } of steps) if (at <= last) counts[Math.max(0, at - first)]! += by;
  for (let place = 1; place < counts.length; place++) counts[place]! += counts[place - 1]!;
  return counts;
}

/** Of what stands on each day, what is worked on: nothing on free days. */
export function workedOn(counts: readonly number[], firstDay: number, calendar: WorkingDays): number[] {
  return counts.map((count, place) => (isWorkingDay(calendar, firstDay + place) ? count : 0));
}

/**
 * Plan dates after a move from one day to another: both by as many working days as lie between the two.
 * Null where the calendar has no such day; the dates as they are where nothing lies between.
 */
export function movedDates(
  calendar: WorkingDays,
  dates: { planStart: number; planEnd: number },
  from: number,
  to: number,
): { planStart: number; planEnd: number } | null {
  const steps = workingDaysBetween(calendar, from, to);
  return steps === null ? null : shiftedDates(calendar, dates, steps);
}

/** Plan dates moved by working days; an empty one stays empty. Null where the calendar has no such day. */
export function shiftedDates(
  calendar: WorkingDays,
  { planStart, planEnd }: { planStart: number; planEnd: number },
  steps: number,
): { planStart: number; planEnd: number } | null {
  const start = planStart === 0 ? 0 : shiftWorkingDays(calendar, planStart, steps);
  const end = planEnd === 0 ? 0 : shiftWorkingDays(calendar, planEnd, steps);
  return start === null || end === null ? null : { planStart: start, planEnd: end };
}

/** Dates of an activity that is planned for the first time: from the first working day on or after a day, as long as its lead time. Null where the calendar has no such days. */
export function firstDates(calendar: WorkingDays, day: number, leadTime: number): { planStart: number; planEnd: number } | null {
  const number = upNumber(calendar, day);
  const start = number === noWorkingDay ? undefined : calendar.days[number];
  const end = start === undefined ? null : shiftWorkingDays(calendar, start, Math.max(leadTime, 1) - 1);
  return start === undefined || end === null ? null : { planStart: start, planEnd: end };
}
