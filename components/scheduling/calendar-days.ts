import { dayNumber, isIsoDay, isoDay, weekday } from "#lib/core/clock.ts";

/** Days that differ from their weekday, by ISO day. */
export type Exceptions = ReadonlyMap<string, { working: boolean; name: string }>;
export type CalendarDraft = { weekdays: ReadonlySet<number>; days: Exceptions };

/** Days of a year by month, each month with the weekday (0 = Sunday) its first day falls on. */
export function monthsOf(year: number): { first: number; days: string[] }[] {
  return Array.from({ length: 12 }, (_, month) => {
    const from = dayNumber(`${year}-${String(month + 1).padStart(2, "0")}-01`);
    const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
    return { first: weekday(from), days: Array.from({ length }, (_, day) => isoDay(from + day)!) };
  });
}

/** Whether people work on a day. */
export function works({ weekdays, days }: CalendarDraft, day: string): boolean {
  return days.get(day)?.working ?? weekdays.has(weekday(dayNumber(day)));
}

/** The draft with a day switched; back at what its weekday says it is no exception any more. */
export function toggleDay(draft: CalendarDraft, day: string): CalendarDraft {
  const days = new Map(draft.days);
  const working = !works(draft, day);
  if (working === draft.weekdays.has(weekday(dayNumber(day)))) days.delete(day);
  else days.set(day, { working, name: days.get(day)?.name ?? "" });
  return { ...draft, days };
}

/** The draft with further days off; a day that is off already keeps its name. */
export function withHolidays(draft: CalendarDraft, holidays: readonly { day: string; name: string }[]): CalendarDraft {
  const days = new Map(draft.days);
  for (const { day, name } of holidays) if (days.get(day)?.working !== false) days.set(day, { working: false, name });
  return { ...draft, days };
}

export type PastedDays = { days: { day: string; working: boolean; name: string }[]; wrong: number[] };

/** Reads a list of days, one per line: a day, then its name; a leading + makes it a working day. Lines (from 1) that are none are told. */
export function parseDays(text: string): PastedDays {
  const found: PastedDays = { days: [], wrong: [] };
  text.split("\n").forEach((line, at) => {
    const trimmed = line.normalize("NFKC").trim();
    if (trimmed === "") return;
    const match = /^(\+?)\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[\s,;]+(.*))?$/.exec(trimmed);
    const day = match ? `${match[2]}-${match[3]!.padStart(2, "0")}-${match[4]!.padStart(2, "0")}` : "";
    if (match && isIsoDay(day)) found.days.push({ day, working: match[1] === "+", name: (match[5] ?? "").trim() });
    else found.wrong.push(at + 1);
  });
  return found;
}
