import { projectMoment, projectTime } from "#lib/core/clock.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Local hour of the slot every frequency is counted from. */
const anchorHour = 3;

/** When a rule runs by itself: hours between runs, and the project's day that every second day is counted from. */
export type Timing = { frequency: number; firstDay: string };

/** The day that holds a local moment, each day beginning with its first slot. */
function dayStart(local: number): number {
  return Math.floor((local - anchorHour * hourMs) / dayMs) * dayMs + anchorHour * hourMs;
}

function isSecondDay({ firstDay }: Timing, start: number): boolean {
  const days = Math.round((start - anchorHour * hourMs - Date.parse(`${firstDay}T00:00:00Z`)) / dayMs);
  return days % 2 === 0;
}

/**
 * The newest slot at or before a local moment, both written in UTC fields: the day's first slot is at 03:00, the others follow it by the frequency and end before
 * the next 03:00. [RUL-07]
 */
export function newestSlot(timing: Timing, local: Date): Date {
  let start = dayStart(local.getTime());
  if (timing.frequency > 24) return new Date(isSecondDay(timing, start) ? start : start - dayMs);
  const step = timing.frequency * hourMs;
  start += Math.floor((local.getTime() - start) / step) * step;
  return new Date(start);
}

/** The first slot after a local moment. */
export function nextSlot(timing: Timing, local: Date): Date {
  const newest = newestSlot(timing, local).getTime();
  if (timing.frequency > 24) return new Date(newest + 2 * dayMs);
  return new Date(Math.min(newest + timing.frequency * hourMs, dayStart(newest) + dayMs));
}

/** What decides when a rule runs next. */
export type Due = Timing & { effectiveAt: Date | null; lastSlot: Date | null };

/** The slot a rule has to be run for now, null when there is none: the newest one, whatever was missed before it, and only if it is later than the last by the project's clock. */
export function dueSlot(rule: Due, now: Date, offset: number): Date | null {
  if (rule.effectiveAt !== null && rule.effectiveAt > now) return null;
  const slot = newestSlot(rule, projectTime(now, offset));
  if (rule.lastSlot !== null && slot <= rule.lastSlot) return null;
  return rule.effectiveAt !== null && slot < projectTime(rule.effectiveAt, offset) ? null : slot;
}

/** The moment at which a rule runs next. */
export function nextRun(rule: Due, now: Date, offset: number): Date {
  // A slot at the very moment a rule begins to hold is its first.
  const from = rule.effectiveAt !== null && rule.effectiveAt > now ? rule.effectiveAt.getTime() - 1 : now.getTime();
  const local = Math.max(projectTime(new Date(from), offset).getTime(), rule.lastSlot?.getTime() ?? 0);
  return projectMoment(nextSlot(rule, new Date(local)), offset);
}
