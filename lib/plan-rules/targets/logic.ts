import { addDays, dayNumber, weekday } from "#lib/core/clock.ts";

/** Whether a week begins on a day: weeks begin on Monday. */
export function isWeekStart(day: string): boolean {
  return weekday(dayNumber(day)) === 1;
}

/** The Monday of the week of a day. */
export function weekStart(day: string): string {
  return addDays(day, -((weekday(dayNumber(day)) + 6) % 7));
}

/** The weeks between two Mondays, both included. */
export function weeksBetween(from: string, to: string): string[] {
  const weeks: string[] = [];
  for (let week = from; week <= to; week = addDays(week, 7)) weeks.push(week);
  return weeks;
}

/** A total in equal parts: what is left over goes to the earlier ones, one each. */
export function spreadEvenly(total: number, parts: number): number[] {
  const each = Math.floor(total / parts);
  return Array.from({ length: parts }, (_, at) => each + (at < total - each * parts ? 1 : 0));
}
