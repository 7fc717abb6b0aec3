import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { recordFile, storeBytes } from "#lib/core/storage.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import { maxExportCells, workbookMime } from "#lib/core/workbook-limits.ts";
import { type WriteColumn, type WriteSheet, writeWorkbook } from "#lib/core/workbook-write.ts";
import type { ImportKindName } from "#lib/imports/limits.ts";
import type { LimitKey } from "#lib/settings/limits.ts";
import { readLimit } from "#lib/settings/queries.ts";

/**
 * Starts the export of a list once its size is known to be one that may be exported.
 * @param list.total rows the export would have
 * @param list.limit the limit its rows count against; that of lists when absent
 * @param list.counted what counts against the limit where it is not the rows; with it a list may be empty
 * @param list.dedupeKey tells apart what a person may export beside each other; without it he has one open export of the kind
 * @throws NO_DATA, EXPORT_LIMIT, EXPORT_CELLS, EXPORT_UNFINISHED
 */
export async function startListExport(
  ctx: Ctx,
  list: {
    kind: string;
    title: string;
    params: unknown;
    total: number;
    columns: number;
    limit?: LimitKey;
    counted?: number;
    dedupeKey?: string;
  },
): Promise<{ taskId: string }> {
  const max = await readLimit(ctx, list.limit ?? "export.rows");
  const count = list.counted ?? list.total;
  if (list.total === 0 && list.counted === undefined) throw new AppError("NO_DATA");
  if (count > max) throw new AppError("EXPORT_LIMIT", { count, max });
  const cells = list.total * list.columns;
  if (cells > maxExportCells) throw new AppError("EXPORT_CELLS", { count: cells, max: maxExportCells });
  const { kind, title, params, total, dedupeKey } = list;
  return { taskId: await enqueueTask(ctx, { kind, direction: "export", title, params, total, ...(dedupeKey && { dedupeKey }) }) };
}

/** A list as a workbook; with `meta` it says what it is and can be imported again. */
export type ListSheet = {
  title: string;
  columns: WriteColumn[];
  rows: WriteSheet["rows"];
  total: number;
  lockedColumns?: number;
  meta?: { kind: ImportKindName | "duTab"; version: number } & Record<string, string | number>;
  /** What else is kept of the export, in the transaction that keeps its file. */
  keep?: (ctx: Ctx, rows: number) => Promise<void>;
};

/** Writes the rows of a list as the workbook of its task. Safe to run twice. */
export async function storeListExport(job: JobCtx, sheet: ListSheet): Promise<Outcome> {
  let written = 0;
  async function* counted() {
    for await (const row of sheet.rows) {
      job.signal.throwIfAborted();
      written++;
      job.progress(written, sheet.total);
      yield row;
    }
  }
  const { title, columns, meta, lockedColumns = 0 } = sheet;
  const stream = writeWorkbook({
    name: title,
    columns,
    rows: counted(),
    lockedColumns,
    ...(meta && { meta: { project: job.project.number, ...meta } }),
  });
  const stored = await storeBytes(stream, workbookMime);
  const name = `${job.project.number} ${title} ${job.today}.xlsx`;
  const resultFileId = await job.chunk(async (ctx, tally) => {
    tally.done = written;
    ctx.audit(`file ${stored.id}`, null, { kind: job.task.kind, rows: written }, "export_downloaded");
    await sheet.keep?.(ctx, written);
    return recordFile(ctx, { ...stored, name, mime: workbookMime });
  });
  return { total: written, resultFileId };
}
