import { isoDay, weekday } from "#lib/core/clock.ts";
import { formatWeek } from "#lib/core/format.ts";

/** How closely time is drawn. */
export const timeScales = ["day", "week", "month", "quarter"] as const;
export type TimeScale = (typeof timeScales)[number];

/** Width of a day by scale, in pixels. */
const dayWidths: Record<TimeScale, number> = { day: 28, week: 11, month: 4, quarter: 1.5 };

/** The days a view shows in a row, from left to right. */
export type TimeAxis = { scale: TimeScale; first: number; last: number; dayWidth: number; width: number };

/** An axis from one day number to another. */
export function timeAxis(scale: TimeScale, first: number, last: number): TimeAxis {
  const dayWidth = dayWidths[scale];
  return { scale, first, last, dayWidth, width: Math.ceil((last - first + 1) * dayWidth) };
}

/** Days that a width has room for. */
export function daysOver(scale: TimeScale, width: number): number {
  return Math.ceil(width / dayWidths[scale]);
}

/** Where a day begins, in pixels from the left. */
export function dayLeft(axis: TimeAxis, day: number): number {
  return (day - axis.first) * axis.dayWidth;
}

/** The day at a place. */
export function dayAt(axis: TimeAxis, left: number): number {
  return Math.min(axis.last, Math.max(axis.first, axis.first + Math.floor(left / axis.dayWidth)));
}

/** A part of a head row: where it begins and how long it is, in pixels. */
export type TimeTick = { day: number; left: number; width: number; text: string };

type Parts = { year: number; month: number; date: number };

function partsOf(day: number): Parts {
  const iso = isoDay(day) ?? "2000-01-01";
  return { year: Number(iso.slice(0, 4)), month: Number(iso.slice(5, 7)), date: Number(iso.slice(8)) };
}

/** Parts of the axis within some days, each from where the text of its days changes. */
function ticks(axis: TimeAxis, from: number, to: number, begins: (day: number) => boolean, text: (day: number) => string): TimeTick[] {
  const starts: number[] = [];
  for (let day = from; day >= axis.first; day--)
    if (begins(day) || day === axis.first) {
      starts.push(day);
      break;
    }
  for (let day = from + 1; day <= to; day++) if (begins(day)) starts.push(day);
  return starts.map((day, at) => {
    let end = starts[at + 1] ?? day + 1;
    if (at === starts.length - 1) while (end <= axis.last && !begins(end)) end++;
    return { day, left: dayLeft(axis, day), width: (end - day) * axis.dayWidth, text: text(day) };
  });
}

/** Both rows of the head for the days in sight. */
export function timeHead(axis: TimeAxis, from: number, to: number, locale: string): { upper: TimeTick[]; lower: TimeTick[] } {
  const named = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
    return (day: number) => format.format(Date.parse(`${isoDay(day)}T00:00:00Z`));
  };
  const monthBegins = (day: number) => partsOf(day).date === 1;
  const yearBegins = (day: number) => partsOf(day).month === 1 && partsOf(day).date === 1;
  const year = (day: number) => String(partsOf(day).year);
  switch (axis.scale) {
    case "day":
      return {
        upper: ticks(axis, from, to, monthBegins, named({ year: "numeric", month: "long" })),
        lower: ticks(
          axis,
          from,
          to,
          () => true,
          (day) => String(partsOf(day).date),
        ),
      };
    case "week":
      return {
        upper: ticks(axis, from, to, monthBegins, named({ year: "numeric", month: "long" })),
        // A week from Sunday has the number of its Monday.
        lower: ticks(
          axis,
          from,
          to,
          (day) => weekday(day) === 0,
          (day) => formatWeek(isoDay(day + 1) ?? "").slice(5),
        ),
      };
    case "month":
      return { upper: ticks(axis, from, to, yearBegins, year), lower: ticks(axis, from, to, monthBegins, named({ month: "short" })) };
    default:
      return {
        upper: ticks(axis, from, to, yearBegins, year),
        lower: ticks(
          axis,
          from,
          to,
          (day) => partsOf(day).date === 1 && partsOf(day).month % 3 === 1,
          (day) => `Q${Math.floor((partsOf(day).month - 1) / 3) + 1}`,
        ),
      };
  }
}
