import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { recordFile, storeBytes } from "#lib/core/storage.ts";
import type { Outcome } from "#lib/core/task.ts";
import { workbookMime } from "#lib/core/workbook-limits.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { getQuery, listReachable } from "#lib/rollout-plan/filters/queries.ts";
import { readPlanSeq } from "#lib/rollout-plan/plan-rows/queries.ts";
import { startListExport } from "#lib/tasks/list-export/commands.ts";
import { exportKind, exportVersion, markKey } from "./limits.ts";
import type { ExportColumn } from "./logic.ts";
import { exportRows, readExportFrame } from "./queries.ts";
import type { ExportParams, ExportPlan } from "./schema.ts";

const exportTitle = (ctx: Pick<Ctx, "locale">): string => (loadMessages(ctx.locale).dus as { exportTitle: string }).exportTitle;

/**
 * Starts an export of the plan. Its size is counted before it is queued.
 * @throws AppError NO_DATA, EXPORT_LIMIT, EXPORT_CELLS, EXPORT_UNFINISHED, QUERY_EXPIRED
 */
export async function startPlanExport(ctx: Ctx, input: z.output<typeof ExportPlan>): Promise<{ taskId: string }> {
  const asked = input.queryId === undefined ? (input.duIds ?? []) : (await getQuery(ctx, input.queryId)).duIds;
  const duIds = await listReachable(ctx, asked);
  if (duIds.length === 0) throw new AppError("NO_DATA");
  const asShown = await readExportFrame(ctx, input.columns);
  if (asShown.columns.length === 0) throw new AppError("NO_SELECTION", { object: "column" });
  // A row has to say which DU it is, to people too.
  const { columns } = asShown.columns.some(isCode) ? asShown : await readExportFrame(ctx, ["code", ...input.columns]);
  const params: ExportParams = { duIds, columns: columns.map((column) => column.key), lockedColumns: input.lockedColumns };
  return startListExport(ctx, {
    kind: "rolloutPlan.export",
    title: exportTitle(ctx),
    params,
    total: duIds.length,
    columns: columns.length,
    limit: "export.du",
    counted: asked.length,
  });
}

const isCode = (column: ExportColumn): boolean => column.kind === "field" && column.field === "code";

/** Writes the workbook of an export: typed dates, frozen and filtered head, hidden keys, and what the file is. Safe to run twice. */
export async function runPlanExport(job: JobCtx, params: ExportParams): Promise<Outcome> {
  const frame = await readExportFrame(job, params.columns);
  if (frame.columns.length === 0) throw new AppError("NO_DATA");
  const total = params.duIds.length;
  // Read before the rows: a change made meanwhile counts as made after the export.
  const seq = await readPlanSeq(job);
  let written = 0;
  async function* rows() {
    for await (const row of exportRows(job, frame, params.duIds, (done) => job.progress(done, total))) {
      written++;
      yield row;
    }
  }
  const title = exportTitle(job);
  const stream = writeWorkbook({
    name: title,
    columns: [...frame.head, { key: markKey, title: markKey, hidden: true }],
    rows: rows(),
    lockedColumns: Math.min(params.lockedColumns, frame.columns.length),
    meta: { project: job.project.number, kind: exportKind, version: exportVersion, seq },
  });
  const stored = await storeBytes(stream, workbookMime);
  const name = `${job.project.number} ${title} ${job.today}.xlsx`;
  const resultFileId = await job.chunk(async (ctx, tally) => {
    tally.done = written;
    ctx.audit(`file ${stored.id}`, null, { dus: written, columns: frame.columns.length, seq }, "export_downloaded");
    return recordFile(ctx, { ...stored, name, mime: workbookMime });
  });
  return { total: written, resultFileId, result: { dus: written, columns: frame.columns.length, seq } };
}
