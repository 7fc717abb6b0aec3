import { addMonths } from "#lib/core/clock.ts";
import { eraseAfterMonths, personalYears, warningDays } from "./limits.ts";

const dayMs = 86_400_000;

/** The moment from which the data of a project closed at `closedAt` is deleted: one calendar month later, or on the last day of a shorter month. */
export function eraseMoment(closedAt: Date): Date {
  const iso = closedAt.toISOString();
  return new Date(`${addMonths(iso.slice(0, 10), eraseAfterMonths)}${iso.slice(10)}`);
}

/** The warning that is due now: the smallest number of days that has been reached, null before the first and once it is too late. */
export function dueWarning(closedAt: Date, now: Date): number | null {
  const left = eraseMoment(closedAt).getTime() - now.getTime();
  if (left <= 0) return null;
  return [...warningDays].sort((a, b) => a - b).find((days) => left <= days * dayMs) ?? null;
}

/** Personal data of whoever did nothing since this moment is no longer kept. */
export function personalLimit(now: Date): Date {
  const iso = now.toISOString();
  return new Date(`${addMonths(iso.slice(0, 10), -12 * personalYears)}${iso.slice(10)}`);
}
