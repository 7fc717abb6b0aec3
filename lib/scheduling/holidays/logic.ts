import { dayNumber, firstDay, isoDay, lastDay } from "#lib/core/clock.ts";

/** A day off by law, with its name and, where the data say so, whom or what it is for. */
export type Holiday = { day: string; name: string; note: string | null };

/** A holiday as the data give it: local date with time, and the moments it begins and ends. */
export type HolidaySpan = { date: string; start: Date; end: Date; type: string; name: string; note?: string };

const hourMs = 3_600_000;
const dayHours = 24;

/**
 * Single days of public holidays a calendar can hold, in order: one of several days gives each of them, half a day none.
 * A day with two holidays carries both names.
 */
export function holidayDays(spans: readonly HolidaySpan[]): Holiday[] {
  const days = new Map<number, Holiday>();
  for (const { date, start, end, type, name, note } of spans) {
    const hours = (end.getTime() - start.getTime()) / hourMs;
    if (type !== "public" || hours <= dayHours / 2) continue;
    const first = dayNumber(date.slice(0, 10));
    for (let day = first; day < first + Math.round(hours / dayHours); day++) {
      if (day < firstDay || day > lastDay) continue;
      const before = days.get(day);
      if (!before) days.set(day, { day: isoDay(day) as string, name, note: note ?? null });
      else if (!before.name.split(" / ").includes(name)) before.name = `${before.name} / ${name}`;
    }
  }
  return [...days].sort(([a], [b]) => a - b).map(([, holiday]) => holiday);
}
