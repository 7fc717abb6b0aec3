import { addDays, addMonths, dayNumber, weekday } from "#lib/core/clock.ts";
import type { PeriodPreset } from "./limits.ts";

/** First and last day of a period, as day numbers. */
export type DayRange = { from: number; to: number };

/**
 * The days of a named period; weeks run from Sunday to Saturday.
 * @param today the project's day, ISO
 */
export function periodRange(preset: PeriodPreset, today: string): DayRange {
  const day = dayNumber(today);
  const sunday = day - weekday(day);
  const first = `${today.slice(0, 8)}01`;
  const monthFrom = (months: number) => dayNumber(addMonths(first, months));
  const monthTo = (months: number) => dayNumber(addDays(addMonths(first, months + 1), -1));
  const year = Number(today.slice(0, 4));
  const quarter = Math.floor((Number(today.slice(5, 7)) - 1) / 3) * 3;
  const back = quarter - (Number(today.slice(5, 7)) - 1);
  switch (preset) {
    case "thisWeek":
      return { from: sunday, to: sunday + 6 };
    case "nextWeek":
      return { from: sunday + 7, to: sunday + 13 };
    case "thisAndNextTwoWeeks":
      return { from: sunday, to: sunday + 20 };
    case "thisAndNextMonth":
      return { from: monthFrom(0), to: monthTo(1) };
    case "lastWeek":
      return { from: sunday - 7, to: sunday - 1 };
    case "lastMonth":
      return { from: monthFrom(-1), to: monthTo(-1) };
    case "thisQuarter":
      return { from: monthFrom(back), to: monthTo(back + 2) };
    case "thisMonth":
      return { from: monthFrom(0), to: monthTo(0) };
    case "last3Months":
      return { from: dayNumber(addMonths(today, -3)) + 1, to: day };
    case "thisYear":
      return { from: dayNumber(`${year}-01-01`), to: dayNumber(`${year}-12-31`) };
    case "lastYear":
      return { from: dayNumber(`${year - 1}-01-01`), to: dayNumber(`${year - 1}-12-31`) };
  }
}

/** A text as pattern of `like` that stands for itself. */
export function likeText(text: string): string {
  return text.replace(/[\\%_]/g, (sign) => `\\${sign}`);
}
