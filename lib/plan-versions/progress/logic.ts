import { dayNumber, isoDay, weekday } from "#lib/core/clock.ts";
import type { ProgressGrain } from "./limits.ts";

/** How many plan ends (or actual ends) fall on each day. */
export type DayCounts = ReadonlyMap<number, number>;

/** Last day of the step a day belongs to: the day, the Saturday of its week, the last of its month. */
export function stepEnd(day: number, grain: ProgressGrain): number {
  if (grain === "day") return day;
  if (grain === "week") return day + 6 - weekday(day);
  const [year, month] = (isoDay(day) as string).split("-").map(Number) as [number, number];
  return dayNumber(new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10));
}

/** Steps from the first to the last of all counted days, and for each series how many ends lie on or before the end of each step. */
export function accumulate(series: readonly DayCounts[], grain: ProgressGrain): { steps: number[]; sums: number[][] } {
  const ends = new Set<number>();
  for (const counts of series) for (const day of counts.keys()) ends.add(stepEnd(day, grain));
  const steps = [...ends].sort((a, b) => a - b);
  const sums = series.map((counts) => {
    const byStep = new Map<number, number>();
    for (const [day, count] of counts) {
      const end = stepEnd(day, grain);
      byStep.set(end, (byStep.get(end) ?? 0) + count);
    }
    let sum = 0;
    return steps.map((step) => {
      sum += byStep.get(step) ?? 0;
      return sum;
    });
  });
  return { steps, sums };
}

/** How many of the steps have begun by a day: behind them nothing can have been finished. */
export function begunSteps(steps: readonly number[], grain: ProgressGrain, day: number): number {
  const end = stepEnd(day, grain);
  return steps.filter((step) => step <= end).length;
}
