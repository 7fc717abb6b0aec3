import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import type { Outcome as TaskOutcome } from "#lib/core/task.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { type CellConflict, type CheckedRow, type ImportField, type ImportKind, type ImportRow, RowsRefused } from "../kind/logic.ts";
import { mappedColumns, rowReader, rowsOfTransaction, settledCells } from "../logic.ts";
import { checkFile, takeRun } from "../preview/commands.ts";
import { getPreview, type Preview } from "../queries.ts";
import { loadKind } from "../registry/commands.ts";
import { storeRejects } from "../rejects/commands.ts";
import type { ApplyParams } from "../schema.ts";

/** How often a transaction is repeated without the rows its last step refused. */
const repeats = 3;

type Applying = { job: JobCtx; kind: ImportKind; fields: ImportField[]; preview: Preview; params: ApplyParams };
type Range = { from: number; to: number };
const wholeFile: Range = { from: 0, to: Number.MAX_SAFE_INTEGER };

/**
 * Writes the accepted rows of a checked file, each exactly once: up to 10,000 in one transaction, more in chunks by their place in the file.
 * A worker killed in the middle leaves nothing half-written; the task begins again behind the last chunk that was committed.
 */
export async function runApply(job: JobCtx, params: ApplyParams): Promise<TaskOutcome> {
  const preview = await getPreview(job, params.previewId);
  const kind = await loadKind(preview.params.kind);
  await restoreRows(job, kind, preview);
  const applying: Applying = { job, kind, preview, params, fields: await kind.fields(job) };
  const { counts } = preview.result;
  const total = params.rows?.length ?? counts.new + counts.changed + counts.conflict;
  const size = rowsOfTransaction(kind, params.mode, preview.result);
  const ranges = await chunkRanges(job, kind, preview, total, size);
  // Behind the last chunk that was committed; an attempt that refused the whole file has counted its rows, and none is written any more.
  const begin = params.mode === "all" && job.task.failedCount > 0 ? ranges.length : job.task.chunksDone;
  try {
    // One transaction refuses all by itself; several are looked through before the first is written.
    if (params.mode === "all" && ranges.length > 1 && begin === 0) await demandAll(applying, ranges);
    for (const [index, range] of ranges.entries()) {
      if (index < begin) continue;
      await applyRange(applying, range, { first: index === 0, done: index * size, total });
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "IMPORT_REJECTED") throw error;
    await job.chunk(async (_ctx, tally) => {
      tally.failed = total + counts.rejected;
    });
  }
  const { doneCount, failedCount } = job.task;
  if (doneCount > 0) await kind.applied?.(job);
  const errorFileId = failedCount > 0 ? await storeRejects(job, preview.id, preview.result, applying.fields, kind.hidden) : null;
  const undo = doneCount > 0 ? ((await kind.findUndo?.(job, job.task.originKey)) ?? null) : null;
  return {
    total: doneCount + failedCount,
    errorFileId,
    result: {
      kind: preview.params.kind,
      previewId: preview.id,
      written: doneCount,
      rejected: failedCount,
      // What was accepted and neither written nor refused kept its present values.
      unchanged: params.rows ? counts.unchanged : counts.unchanged + Math.max(0, total + counts.rejected - doneCount - failedCount),
      undo,
    },
    message: {
      key: doneCount === 0 && failedCount > 0 ? "imports.message.refused" : "imports.message.applied",
      args: { written: doneCount, rejected: failedCount },
    },
  };
}

async function demandAll(applying: Applying, ranges: readonly Range[]): Promise<void> {
  const { job, kind, preview } = applying;
  const run = kind.open(kind.options.parse(preview.params.options) as never, preview.params.dateFormat);
  const rejected: CheckedRow[] = [];
  for (const range of ranges)
    rejected.push(...(await run.check(job, await acceptedRows(applying, range))).filter((row) => row.outcome === "rejected"));
  if (rejected.length === 0) return;
  await markRejected(job, preview.id, rejected);
  throw new AppError("IMPORT_REJECTED", { count: rejected.length });
}

// A database that was killed comes back without the rows of its checks: the file is read again.
async function restoreRows(job: JobCtx, kind: ImportKind, preview: Preview): Promise<void> {
  const [kept] = await job.sql<{ rows: number }[]>`select count(*)::int as rows from import_row where task_id = ${preview.id}`;
  if (kept?.rows === preview.result.rows) return;
  const params = { ...preview.params, mapping: preview.result.mapping };
  const { result } = await checkFile(job, kind, params, preview.id, () => {});
  if (result.rows !== preview.result.rows) throw new AppError("IMPORT_EXPIRED");
}

async function chunkRanges(job: JobCtx, kind: ImportKind, preview: Preview, total: number, size: number): Promise<Range[]> {
  if (total <= size || kind.together !== undefined) return [wholeFile];
  const [last] = await job.sql<{ no: number }[]>`select max(row_no) as no from import_row where task_id = ${preview.id}`;
  const count = Math.ceil(((last?.no ?? 0) + 1) / size);
  return Array.from({ length: count }, (_, index) => ({ from: index * size, to: (index + 1) * size - 1 }));
}

async function applyRange(applying: Applying, range: Range, place: { first: boolean; done: number; total: number }): Promise<void> {
  const { job, kind, preview, params } = applying;
  const left = params.rows || range !== wholeFile ? null : takeRun(preview.id);
  const rows = left?.rows ?? (await acceptedRows(applying, range));
  const run = left?.run ?? kind.open(kind.options.parse(preview.params.options) as never, preview.params.dateFormat);
  const refused: CheckedRow[] = [];
  for (let repeat = 1; ; repeat++) {
    const out = new Set(refused.map((row) => row.no));
    try {
      await job.chunk(async (ctx, tally) => {
        const { written, rejected } = await run.write(
          ctx,
          rows.filter((row) => !out.has(row.no)),
          {
            taskId: job.task.id,
            originKey: job.task.originKey,
            reason: params.reason || null,
            whole: params.mode === "all",
            basis: preview.result.basis ?? null,
            step: async (share) => {
              job.signal.throwIfAborted();
              job.progress(place.done + Math.floor(rows.length * share), place.total);
              await pause(1);
            },
          },
        );
        const all = [...rejected, ...refused];
        if (params.mode === "all" && all.length > 0) throw new Refused(all);
        await markRejected(ctx, preview.id, all);
        tally.done += written.length;
        tally.failed += all.length + (place.first && !params.rows ? preview.result.counts.rejected : 0);
        if (written.length === 0) ctx.audit(`task ${job.task.id}`, null, { written: 0, rejected: all.length });
      });
      return;
    } catch (error) {
      if (error instanceof Refused) {
        await markRejected(job, preview.id, error.rows);
        throw new AppError("IMPORT_REJECTED", { count: error.rows.length });
      }
      if (!(error instanceof RowsRefused) || repeat === repeats) throw error;
      refused.push(...error.rows);
    }
  }
}

/** Rolls the transaction of a chunk back when all rows or none are to be written. */
class Refused extends Error {
  readonly rows: CheckedRow[];

  constructor(rows: CheckedRow[]) {
    super("rows rejected");
    this.rows = rows;
  }
}

async function acceptedRows({ job, kind, fields, preview, params }: Applying, range: Range): Promise<ImportRow[]> {
  const { sql } = job;
  const readRow = rowReader(mappedColumns(preview.result.mapping, fields), preview.params.dateFormat);
  const outcomes = kind.together === undefined ? ["new", "changed", "conflict"] : ["new", "changed", "conflict", "unchanged"];
  const picked = params.rows ? sql`and (row_no = any(${params.rows}::int[]) or outcome = 'unchanged')` : sql``;
  const rows = await sql<{ no: number; cells: Cell[]; conflicts: CellConflict[] | null }[]>`
    select row_no as no, "values" as cells, conflicts from import_row
    where task_id = ${preview.id} and outcome = any(${outcomes}::text[]) and row_no between ${range.from} and ${Math.min(range.to, 2_147_483_647)} ${picked} order by row_no`;
  return rows.map(({ conflicts, ...row }) => {
    const read = readRow(row);
    return conflicts ? { ...read, settled: settledCells(row.no, conflicts, params.conflicts) } : read;
  });
}

async function markRejected(ctx: Pick<Ctx, "sql">, previewId: string, rows: readonly CheckedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await ctx.sql`
    update import_row r set outcome = 'rejected', problems = n.problems
    from jsonb_to_recordset(${ctx.sql.json(rows.map(({ no, problems }) => ({ no, problems })) as never)}) as n(no int, problems jsonb)
    where r.task_id = ${previewId} and r.row_no = n.no`;
}
