import { authEndingDays, type authStates } from "./limits.ts";

/** The same day a year later; the 29th of February becomes the 28th. */
export function yearAfter(day: string): string {
  const next = `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;
  return next.endsWith("-02-29") ? next.replace("-29", "-28") : next;
}

/** Whether an authorisation ends after it begins and at most a year later, the anniversary included. [RES-18] */
export const isAuthPeriod = (start: string, end: string): boolean => end > start && end <= yearAfter(start);

/** How an authorisation stands on a day. */
export function authState(start: string | null, end: string | null, today: string): (typeof authStates)[number] {
  if (start === null || end === null) return "NONE";
  if (end < today) return "EXPIRED";
  if (start > today) return "FUTURE";
  return daysUntil(today, end) < authEndingDays ? "ENDING" : "VALID";
}

/** Days from one day to another. */
export const daysUntil = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** How much of an authorisation is over on a day, from 0 to 1. */
export function authSpent(start: string, end: string, today: string): number {
  return Math.min(1, Math.max(0, daysUntil(start, today) / Math.max(1, daysUntil(start, end))));
}
