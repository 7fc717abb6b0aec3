import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { locales } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { type CalendarSettings, findCalendarSettings } from "#lib/scheduling/calendar/queries.ts";
import type { DayKind, SheetColumn } from "./limits.ts";
import type { CalendarState, SheetTexts } from "./logic.ts";

type Words = { title: string; column: Record<SheetColumn, string>; kind: Record<DayKind, string> };

const wordsOf = (locale: Ctx["locale"]): Words =>
  (loadMessages(locale).scheduling as unknown as { calendar: { sheet: Words } }).calendar.sheet;

// 2023-01-01 was a Sunday.
const weekdayName = (locale: string, weekday: "long" | "short", day: number): string =>
  new Intl.DateTimeFormat(locale, { weekday, timeZone: "UTC" }).format(new Date(Date.UTC(2023, 0, 1 + day)));

/** Words of the workbook in the caller's language and in all languages. */
export function sheetTexts({ locale }: Pick<Ctx, "locale">): SheetTexts {
  const own = wordsOf(locale);
  const all = locales.map(wordsOf);
  return {
    column: (key) => own.column[key],
    columnNames: (key) => all.map((words) => words.column[key]),
    kind: (kind) => own.kind[kind],
    kindNames: (kind) => all.map((words) => words.kind[kind]),
    weekday: (day) => weekdayName(locale, "long", day),
    weekdayNames: (day) => locales.flatMap((one) => [weekdayName(one, "long", day), weekdayName(one, "short", day)]),
  };
}

/** What the workbook is called. */
export const sheetTitle = ({ locale }: Pick<Ctx, "locale">): string => wordsOf(locale).title;

/** The calendar of the project or of a region as it is set or inherited, with its revision. */
export async function readCalendarState(ctx: Ctx, regionId: number | null): Promise<{ state: CalendarState; settings: CalendarSettings }> {
  const settings = await findCalendarSettings(ctx, { regionId });
  const days = new Map<string, { working: boolean; name: string | null }>();
  for (const { day, name } of settings.holidays) days.set(day, { working: false, name });
  for (const { day, name } of settings.extraWorkdays) days.set(day, { working: true, name });
  return { state: { weekdays: new Set(settings.weekdays), days }, settings };
}
