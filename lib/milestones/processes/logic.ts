import { noWorkingDay, shiftWorkingDays, upNumber, type WorkingDays } from "#lib/scheduling/calendar/logic.ts";

/** Names of work orders that stand twice among the steps or already in another process, by the place of the step. */
export function takenNames(steps: readonly { workOrderName: string }[], others: ReadonlySet<string>): number[] {
  const seen = new Set<string>();
  return steps.flatMap(({ workOrderName }, index) => {
    const name = workOrderName.toLowerCase();
    const taken = seen.has(name) || others.has(name);
    seen.add(name);
    return taken ? [index] : [];
  });
}

/** First and last day of every step, one behind the other: each begins on the working day after the one before ends. Null when the calendar runs out of working days. */
export function stepDays(
  calendar: WorkingDays,
  start: number,
  steps: readonly { days: number }[],
): { start: number; end: number }[] | null {
  const first = upNumber(calendar, start);
  let next: number | null = first === noWorkingDay ? null : (calendar.days[first] ?? null);
  const days: { start: number; end: number }[] = [];
  for (const step of steps) {
    const end: number | null = next === null ? null : shiftWorkingDays(calendar, next, step.days - 1);
    if (next === null || end === null) return null;
    days.push({ start: next, end });
    next = shiftWorkingDays(calendar, end, 1);
  }
  return days;
}
