import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { recordFile, storeBytes } from "#lib/core/storage.ts";
import type { Outcome } from "#lib/core/task.ts";
import { workbookMime } from "#lib/core/workbook-limits.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import type { CheckedRow, ImportKind, ImportRow, ImportRun, WriteFrame } from "#lib/imports/kind/logic.ts";
import { saveCalendar } from "#lib/scheduling/calendar/commands.ts";
import { calendarDaysMax } from "#lib/scheduling/calendar/limits.ts";
import { listCalendarRegions, requireRegion } from "#lib/scheduling/calendar/queries.ts";
import { startListExport } from "#lib/tasks/list-export/commands.ts";
import { calendarSheetVersion, sheetColumns } from "./limits.ts";
import { calendarFields, checkCalendarRow, countSheetRows, leftOut, noRows, type SeenRows, sheetRows, withRows } from "./logic.ts";
import { readCalendarState, sheetTexts, sheetTitle } from "./queries.ts";
import { CalendarImportOptions, type ExportCalendar } from "./schema.ts";

/**
 * Starts an export of a calendar.
 * @throws NOT_FOUND for a region that is not there, EXPORT_LIMIT, EXPORT_UNFINISHED
 */
export async function startCalendarExport(ctx: Ctx, { regionId = null }: ExportCalendar): Promise<{ taskId: string }> {
  if (regionId) await requireRegion(ctx, regionId);
  const { state } = await readCalendarState(ctx, regionId);
  return startListExport(ctx, {
    kind: "scheduling.calendarExport",
    title: sheetTitle(ctx),
    params: { regionId } satisfies ExportCalendar,
    total: countSheetRows(state),
    columns: sheetColumns.length,
  });
}

/** Writes the workbook of a calendar: its weekdays, then the days that differ from them. Safe to run twice. */
export async function runCalendarExport(job: JobCtx, { regionId = null }: ExportCalendar): Promise<Outcome> {
  const texts = sheetTexts(job);
  const { state } = await readCalendarState(job, regionId);
  const region = regionId === null ? null : await requireRegion(job, regionId);
  const rows = sheetRows(state, texts);
  const title = sheetTitle(job);
  const stream = writeWorkbook({
    name: title,
    columns: sheetColumns.map((key) => ({ key, title: texts.column(key), kind: key === "day" ? "day" : "text" })),
    rows,
    meta: { project: job.project.number, kind: "calendar", version: calendarSheetVersion },
  });
  const stored = await storeBytes(stream, workbookMime);
  const name = [job.project.number, title, region?.name, job.today].filter(Boolean).join(" ");
  const resultFileId = await job.chunk(async (ctx, tally) => {
    tally.done = rows.length;
    ctx.audit(`file ${stored.id}`, null, { calendar: regionId, rows: rows.length }, "export_downloaded");
    return recordFile(ctx, { ...stored, name: `${name.replace(/[\\/:*?"<>|]/g, "_")}.xlsx`, mime: workbookMime });
  });
  return { total: rows.length, resultFileId, result: { rows: rows.length } };
}

/** The import of a work calendar. Days the file leaves out are removed, unless the others are to be kept. */
export const calendarImport: ImportKind = {
  options: CalendarImportOptions,
  fields: async (ctx) => calendarFields(sheetTexts(ctx)),
  choices: async (ctx) => {
    const { calendar } = loadMessages(ctx.locale).scheduling as unknown as { calendar: { project: string } };
    const regions = await listCalendarRegions(ctx);
    return [
      {
        key: "regionId",
        type: "choice",
        choices: [{ value: 0, label: calendar.project }, ...regions.map(({ id, name }) => ({ value: id, label: name }))],
      },
      { key: "keepOthers", type: "flag" },
    ];
  },
  fallbacks: [],
  labels: ["weekday", "day"],
  open: (options: CalendarImportOptions): ImportRun => {
    const seen = noRows();
    const regionId = options.regionId || null;
    return {
      check: (ctx, rows) => checkRows(ctx, rows, regionId, seen),
      rest: async (ctx) => {
        if (options.keepOthers) return [];
        const { state } = await readCalendarState(ctx, regionId);
        return leftOut(state, seen).map((day) => ({ day: { d: day } }));
      },
      write: (ctx, rows, frame) => writeRows(ctx, rows, regionId, frame),
    };
  },
};

async function checkRows(ctx: Ctx, rows: readonly ImportRow[], regionId: number | null, seen: SeenRows): Promise<CheckedRow[]> {
  const { state } = await readCalendarState(ctx, regionId);
  const texts = sheetTexts(ctx);
  return rows.map((row) => checkCalendarRow(row, state, seen, texts));
}

async function writeRows(
  ctx: Ctx,
  rows: readonly ImportRow[],
  regionId: number | null,
  frame: WriteFrame,
): Promise<{ written: CheckedRow[]; rejected: CheckedRow[] }> {
  const checked = await checkRows(ctx, rows, regionId, noRows());
  const rejected = checked.filter(({ outcome }) => outcome === "rejected");
  const written = checked.filter(({ outcome }) => outcome === "new" || outcome === "changed");
  if (written.length === 0 || (frame.whole && rejected.length > 0)) return { written: [], rejected };
  const { state, settings } = await readCalendarState(ctx, regionId);
  const accepted = new Set(written.map(({ no }) => no));
  const next = withRows(
    state,
    rows.filter(({ no }) => accepted.has(no)),
  );
  if (next.days.size > calendarDaysMax) throw new AppError("TOO_MANY", { max: calendarDaysMax });
  await saveCalendar(ctx, {
    regionId,
    weekdays: [...next.weekdays].sort(),
    days: [...next.days].map(([day, { working, name }]) => ({ day, working, name })),
    rowVersion: settings.rowVersion,
  });
  return { written, rejected };
}
