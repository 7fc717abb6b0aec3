import { dayNumber, firstDay, isIsoDay, isoDay, lastDay } from "#lib/core/clock.ts";

/** Spreadsheets count days from 1899-12-30; plan days from 2000-01-01. */
const serialOffset = 36_526;

function calendarDay(year: string, month: string, day: string): string | undefined {
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isIsoDay(iso) ? iso : undefined;
}

/**
 * Reads a day as people type it and spreadsheets copy it: yyyy-MM-dd, yyyy/MM/dd, yyyy.MM.dd, yyyyMMdd, dd.MM.yyyy, yyyy年M月d日 and spreadsheet serials,
 * each with or without a time of day behind it.
 * @returns the ISO day; undefined when the text is no day. Days outside the range of a plan are left to the rules, except as serials, which would be any number.
 */
export function readDay(text: string): string | undefined {
  const given = text.normalize("NFKC").trim();
  const [day = ""] = given.split(/[T\s]+(?=\d{1,2}:\d{2})/);
  const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(day) ?? /^(\d{4})()(\d{2})(\d{2})$/.exec(day);
  if (yearFirst) return calendarDay(yearFirst[1] as string, yearFirst[3] as string, yearFirst[4] as string);
  const written = /^(\d{4})年(\d{1,2})月(\d{1,2})日$/.exec(day);
  if (written) return calendarDay(written[1] as string, written[2] as string, written[3] as string);
  const dayFirst = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(day);
  if (dayFirst) return calendarDay(dayFirst[3] as string, dayFirst[2] as string, dayFirst[1] as string);
  if (/^\d{5}(\.\d+)?$/.test(day)) {
    const number = Math.floor(Number(day)) - serialOffset;
    return number >= firstDay && number <= lastDay ? (isoDay(number) ?? undefined) : undefined;
  }
  return undefined;
}

/** Reads a month: yyyy-MM, yyyy/MM, yyyy年M月, or any day of it. */
export function readMonth(text: string): string | undefined {
  const given = text.normalize("NFKC").trim();
  const match = /^(\d{4})[-/.](\d{1,2})$/.exec(given) ?? /^(\d{4})年(\d{1,2})月$/.exec(given);
  if (match) return calendarDay(match[1] as string, match[2] as string, "1")?.slice(0, 7);
  return readDay(given)?.slice(0, 7);
}

/** Number of days from one ISO day to another. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}
