import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import type { JobCtx } from "#lib/core/job.ts";
import type { Outcome } from "#lib/core/task.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { type ImportField, markOf, rowMark } from "#lib/imports/kind/logic.ts";
import { duImportFields, siteImportFields } from "#lib/rollout-plan/du-import/logic.ts";
import { fieldTexts } from "#lib/rollout-plan/du-import/queries.ts";
import { startListExport, storeListExport } from "#lib/tasks/list-export/commands.ts";
import { duSheetVersion, lockedColumns } from "./limits.ts";
import { exportCell, exportedFields } from "./logic.ts";
import { countDus, countSites, type MasterRow, sheetTitle, sheetWords, streamDus, streamSites } from "./queries.ts";
import type { ExportDus, ExportSites, MasterExportParams } from "./schema.ts";

// Plan dates have a workbook of their own.
const duFieldsOf = (ctx: Pick<Ctx, "locale">): ImportField[] => exportedFields(duImportFields([], fieldTexts(ctx)));
const siteFieldsOf = (ctx: Pick<Ctx, "locale">): ImportField[] => siteImportFields(fieldTexts(ctx));

/**
 * Starts an export of the DUs the conditions keep, with the fields of their sites.
 * @throws NO_DATA, EXPORT_LIMIT, EXPORT_UNFINISHED
 */
export async function startDuExport(ctx: Ctx, { filters }: z.output<typeof ExportDus>): Promise<{ taskId: string }> {
  const total = await countDus(ctx, filters);
  return startListExport(ctx, {
    kind: "rolloutPlan.duExport",
    title: sheetTitle(ctx, "dus"),
    params: { filters, total },
    total,
    columns: duFieldsOf(ctx).length,
    limit: "export.du",
  });
}

/**
 * Starts an export of the sites the conditions keep.
 * @throws NO_DATA, EXPORT_LIMIT, EXPORT_UNFINISHED
 */
export async function startSiteExport(ctx: Ctx, { filters }: z.output<typeof ExportSites>): Promise<{ taskId: string }> {
  const total = await countSites(ctx, filters);
  return startListExport(ctx, {
    kind: "rolloutPlan.siteExport",
    title: sheetTitle(ctx, "sites"),
    params: { filters, total },
    total,
    columns: siteFieldsOf(ctx).length,
  });
}

/** Writes the workbook of DUs in the form their import takes back. */
export function runDuExport(job: JobCtx, params: MasterExportParams): Promise<Outcome> {
  return store(job, "dus", duFieldsOf(job), streamDus(job, params.filters), params.total);
}

/** Writes the workbook of sites in the form their import takes back. */
export function runSiteExport(job: JobCtx, params: MasterExportParams): Promise<Outcome> {
  return store(job, "sites", siteFieldsOf(job), streamSites(job, params.filters), params.total);
}

function rowMarkOf(row: MasterRow): string {
  const own = { id: Number(row.id), rowVersion: Number(row.rowVersion) };
  return row.siteRowVersion === undefined ? markOf(own) : markOf(own, { id: Number(row.siteId), rowVersion: Number(row.siteRowVersion) });
}

function store(
  job: JobCtx,
  kind: "dus" | "sites",
  fields: readonly ImportField[],
  found: AsyncIterable<MasterRow>,
  total: number,
): Promise<Outcome> {
  const words = sheetWords(job);
  async function* rows(): AsyncGenerator<Cell[]> {
    for await (const row of found)
      yield fields.map((field) => (field.key === rowMark ? rowMarkOf(row) : exportCell(field, row[field.key], words)));
  }
  return storeListExport(job, {
    title: sheetTitle(job, kind),
    columns: fields.map(({ key, title, type }) => ({ key, title, kind: type === "number" ? "number" : "text", hidden: key === rowMark })),
    rows: rows(),
    total,
    lockedColumns,
    meta: { kind, version: duSheetVersion },
  });
}
