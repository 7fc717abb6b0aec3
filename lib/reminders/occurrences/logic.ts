import { isIsoDay, projectMoment, weekday } from "#lib/core/clock.ts";
import { lateHours } from "./limits.ts";
import type { Frequency } from "./schema.ts";

// Moments of a project's wall clock are milliseconds of a date whose UTC fields are the local ones, as `projectTime` gives them.

const dayMs = 86_400_000;
const minuteMs = 60_000;
const epoch = Date.UTC(2000, 0, 1);

/** When a reminder is sent, by the project's wall clock. */
export type Pattern = {
  frequency: Frequency;
  /** `HH:mm`; null with REALTIME. */
  sendTime: string | null;
  /** First and last moment, both included. */
  validBegin: number;
  validEnd: number;
};

/** Whether a text is a moment of the wall clock to the minute: `2026-10-14T08:00`. */
export function isLocalText(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/.test(text) && isIsoDay(text.slice(0, 10));
}

/** A moment of the wall clock as number. */
export function localMs(text: string): number {
  return Date.parse(`${text}Z`);
}

/** A moment of the wall clock as text, to the minute: `2026-10-14T08:00`. */
export function localText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16);
}

/** The moment at which the project's wall clock shows a local time. */
export function momentOf(ms: number, offset: number): Date {
  return projectMoment(new Date(ms), offset);
}

const timeOf = (pattern: Pattern): number => {
  const [hours = 0, minutes = 0] = (pattern.sendTime ?? "00:00").split(":").map(Number);
  return (hours * 60 + minutes) * minuteMs;
};
const dayOf = (ms: number): number => Math.floor(ms / dayMs);

function isLastOfMonth(day: number): boolean {
  return new Date((day + 1) * dayMs).getUTCDate() === 1;
}

function matches(frequency: Frequency, day: number, firstDay: number): boolean {
  switch (frequency.kind) {
    case "WEEKLY":
      return frequency.weekdays.includes(weekday(day - epoch / dayMs));
    case "MONTHLY":
      return frequency.day === "LAST" ? isLastOfMonth(day) : new Date(day * dayMs).getUTCDate() === frequency.day;
    case "EVERY_N_DAYS":
      return (day - firstDay) % frequency.days === 0;
    default:
      return frequency.kind !== "REALTIME";
  }
}

/**
 * The first time to send after a moment of the wall clock.
 * @param after not included; null for the first of all
 * @returns null when the validity ends before
 */
export function nextOccurrence(pattern: Pattern, after: number | null): number | null {
  const { frequency, validBegin, validEnd } = pattern;
  if (frequency.kind === "REALTIME") return null;
  const time = timeOf(pattern);
  const firstDay = dayOf(validBegin);
  // The one time of ONCE does not move with what was sent before it.
  const from = frequency.kind === "ONCE" ? firstDay : Math.max(firstDay, after === null ? firstDay : dayOf(after));
  for (let day = from; day * dayMs + time <= validEnd; day++) {
    const at = day * dayMs + time;
    if (at < validBegin || !matches(frequency, day, firstDay)) continue;
    if (after === null || at > after) return at;
    if (frequency.kind === "ONCE") return null;
  }
  return null;
}

/** What becomes of the times that have come. */
export type Due = {
  /** The one to send now. */
  fire: number | null;
  /** Those that are passed over, ascending. */
  missed: number[];
  /** The next one that has not come yet. */
  next: number | null;
};

/**
 * Judges the times that have come. Of several only the newest is sent; it is passed over too when it is more than a day late or the next one is nearer.
 * @param first the earliest time not dealt with
 * @param now the project's wall clock
 */
export function judgeDue(pattern: Pattern, first: number, now: number): Due {
  const passed: number[] = [];
  let next: number | null = first;
  while (next !== null && next <= now) {
    passed.push(next);
    next = nextOccurrence(pattern, next);
  }
  const newest = passed.at(-1);
  if (newest === undefined) return { fire: null, missed: [], next };
  const late = now - newest;
  const tooLate = late > lateHours * 3_600_000 || (next !== null && next - now < late);
  return tooLate ? { fire: null, missed: passed, next } : { fire: newest, missed: passed.slice(0, -1), next };
}
