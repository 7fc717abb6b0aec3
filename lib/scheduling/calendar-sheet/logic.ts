import type { Cell } from "#lib/core/workbook-cell.ts";
import type { CheckedRow, FieldProblem, FieldValue, ImportField, ImportRow } from "#lib/imports/kind/logic.ts";
import { calendarDaysMax, calendarNameMax } from "#lib/scheduling/calendar/limits.ts";
import { type DayKind, dayKinds, type SheetColumn, sheetColumns } from "./limits.ts";

/** A calendar as a workbook holds it: weekdays on which people work (0 = Sunday), and the days that differ from theirs. */
export type CalendarState = { weekdays: ReadonlySet<number>; days: ReadonlyMap<string, { working: boolean; name: string | null }> };

/** Words of the workbook in the language of the person, and in all languages for reading. */
export type SheetTexts = {
  column: (key: SheetColumn) => string;
  columnNames: (key: SheetColumn) => string[];
  kind: (kind: DayKind) => string;
  kindNames: (kind: DayKind) => string[];
  weekday: (day: number) => string;
  weekdayNames: (day: number) => string[];
};

/** Monday to Sunday, in the order they are written. */
const weekdayOrder = [1, 2, 3, 4, 5, 6, 0];
const fieldTypes = { weekday: "choice", day: "day", kind: "choice", name: "text" } as const;

/** Fields a column of a file can be mapped to. */
export function calendarFields(texts: SheetTexts): ImportField[] {
  const values = {
    weekday: weekdayOrder.map((day) => ({ value: String(day), title: texts.weekday(day), names: texts.weekdayNames(day) })),
    kind: dayKinds.map((kind) => ({ value: kind, title: texts.kind(kind), names: texts.kindNames(kind) })),
  };
  return sheetColumns.map((key) => ({
    key,
    title: texts.column(key),
    type: fieldTypes[key],
    group: "calendar",
    required: key === "kind",
    names: texts.columnNames(key),
    ...((key === "weekday" || key === "kind") && { values: values[key] }),
  }));
}

const kindOf = (working: boolean): DayKind => (working ? "work" : "off");

/** Rows of the workbook: the seven weekdays, then the days in order. */
export function sheetRows({ weekdays, days }: CalendarState, texts: SheetTexts): Cell[][] {
  return [
    ...weekdayOrder.map((day): Cell[] => [texts.weekday(day), null, texts.kind(kindOf(weekdays.has(day))), null]),
    ...[...days]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([day, { working, name }]): Cell[] => [null, day, texts.kind(kindOf(working)), name]),
  ];
}

/** How many rows the workbook of a calendar has. */
export const countSheetRows = ({ days }: Pick<CalendarState, "days">): number => weekdayOrder.length + days.size;

/** What the rows read so far have said, so that a repetition is found. */
export type SeenRows = { rows: Map<string, number>; kept: number; unreadable: boolean };
export const noRows = (): SeenRows => ({ rows: new Map(), kept: 0, unreadable: false });

/** Checks a row against the calendar: a weekday is worked or not; a day without kind follows its weekday again. */
export function checkCalendarRow(row: ImportRow, state: CalendarState, seen: SeenRows, texts: Pick<SheetTexts, "kind">): CheckedRow {
  const { weekday = null, day = null, kind = null, name } = row.values as Partial<Record<SheetColumn, string | null>>;
  const problems: FieldProblem[] = [...row.problems];
  const unread = problems.some(({ path }) => path === "weekday" || path === "day");
  if (problems.some(({ path }) => path === "day")) seen.unreadable = true;
  if (!unread && weekday === null && day === null) problems.push({ path: "day", code: "VALUE_MISSING" });
  if (weekday !== null && day !== null) problems.push({ path: "day", code: "DAY_OR_WEEKDAY" });
  const key = day ?? (weekday === null ? null : `weekday ${weekday}`);
  const first = key === null ? undefined : seen.rows.get(key);
  if (first !== undefined) problems.push({ path: day === null ? "weekday" : "day", code: "REPEATED_IN_FILE", params: { row: first } });
  else if (key !== null) seen.rows.set(key, row.no);
  if (weekday !== null && kind === null && !problems.some(({ path }) => path === "kind"))
    problems.push({ path: "kind", code: "VALUE_MISSING" });
  if (name && name.length > calendarNameMax) problems.push({ path: "name", code: "VALUE_TOO_LONG", params: { max: calendarNameMax } });
  if (day !== null && kind !== null && first === undefined && ++seen.kept > calendarDaysMax)
    problems.push({ path: "day", code: "TOO_MANY", params: { max: calendarDaysMax } });
  if (problems.length > 0) return { no: row.no, outcome: "rejected", changes: [], problems };
  const before = day === null ? { working: state.weekdays.has(Number(weekday)), name: null } : state.days.get(day);
  const shown = (working: boolean | undefined): FieldValue => (working === undefined ? null : texts.kind(kindOf(working)));
  const next = kind === null ? undefined : { working: kind === "work", name: day === null ? null : nameAfter(name, before?.name ?? null) };
  const changes: CheckedRow["changes"] = [];
  if (before?.working !== next?.working) changes.push(["kind", shown(before?.working), shown(next?.working)]);
  if ((before?.name ?? null) !== (next?.name ?? null)) changes.push(["name", before?.name ?? null, next?.name ?? null]);
  const outcome = changes.length === 0 ? "unchanged" : before ? "changed" : "new";
  return { no: row.no, outcome, changes, problems };
}

// A file without names leaves them as they are.
const nameAfter = (given: string | null | undefined, before: string | null): string | null =>
  given === undefined ? before : given || null;

/** Days of the calendar the file has left out. None while a day of the file could not be read: it may be the one. */
export const leftOut = (state: CalendarState, seen: SeenRows): string[] =>
  seen.unreadable ? [] : [...state.days.keys()].filter((day) => !seen.rows.has(day)).sort();

/** The calendar after the rows, which have passed their check. */
export function withRows(state: CalendarState, rows: readonly ImportRow[]): CalendarState {
  const weekdays = new Set(state.weekdays);
  const days = new Map(state.days);
  for (const { values } of rows) {
    const { weekday = null, day = null, kind = null, name } = values as Partial<Record<SheetColumn, string | null>>;
    if (weekday !== null) {
      if (kind === "work") weekdays.add(Number(weekday));
      else weekdays.delete(Number(weekday));
    } else if (day !== null) {
      if (kind === null) days.delete(day);
      else days.set(day, { working: kind === "work", name: nameAfter(name, days.get(day)?.name ?? null) });
    }
  }
  return { weekdays, days };
}
