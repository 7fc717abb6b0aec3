import "server-only";
import { createTranslator } from "use-intl/core";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { recordFile, storeBytes } from "#lib/core/storage.ts";
import type { Outcome } from "#lib/core/task.ts";
import { workbookMime } from "#lib/core/workbook-limits.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { startListExport } from "#lib/tasks/list-export/commands.ts";
import { getVersion } from "../snapshots/queries.ts";
import { comparisonSheet, type VersionSheet, versionSheet } from "./queries.ts";
import type { ExportVersion } from "./schema.ts";

type Words = (key: string) => string;

/**
 * Starts the export of a version or of a comparison. Its size is counted before it is queued, as that of an export of DUs.
 * @throws NO_PERMISSION, NOT_FOUND, NO_DATA, EXPORT_LIMIT, EXPORT_CELLS, EXPORT_UNFINISHED
 */
export async function startVersionExport(ctx: Ctx, input: ExportVersion): Promise<{ taskId: string }> {
  if (!ctx.can("version.view")) throw new AppError("NO_PERMISSION", { right: "version.view" });
  const sheet = await readSheet(ctx, input);
  return startListExport(ctx, {
    kind: "planVersions.export",
    title: sheet.title,
    params: input,
    total: sheet.total,
    columns: sheet.columns.length,
    limit: "export.du",
  });
}

/** Writes the workbook of a version or comparison: one row per DU. Safe to run twice. */
export async function runVersionExport(job: JobCtx, params: ExportVersion): Promise<Outcome> {
  if (!job.can("version.view")) throw new AppError("NO_PERMISSION", { right: "version.view" });
  const sheet = await readSheet(job, params);
  let written = 0;
  async function* rows() {
    for await (const row of sheet.rows()) {
      written++;
      if (written % 100 === 0) job.progress(written, sheet.total);
      yield row;
    }
  }
  const stored = await storeBytes(
    writeWorkbook({ name: sheet.title.slice(0, 31), columns: sheet.columns, rows: rows(), lockedColumns: 2 }),
    workbookMime,
  );
  const name = `${job.project.number} ${sheet.title} ${job.today}.xlsx`;
  const resultFileId = await job.chunk(async (ctx, tally) => {
    tally.done = written;
    ctx.audit(`file ${stored.id}`, null, { dus: written, columns: sheet.columns.length }, "export_downloaded");
    return recordFile(ctx, { ...stored, name, mime: workbookMime });
  });
  return { total: written, resultFileId, result: { dus: written, columns: sheet.columns.length } };
}

async function readSheet(ctx: Ctx, input: ExportVersion): Promise<VersionSheet> {
  const t = createTranslator({ locale: ctx.locale, messages: loadMessages(ctx.locale), onError: () => {} }) as unknown as Words;
  const words = {
    du: t("common.du"),
    name: t("common.name"),
    days: t("plan-versions.compare.days"),
    old: t("plan-versions.compare.old"),
    now: t("plan-versions.compare.new"),
    field: (name: string) => t(`common.${name}`),
  };
  if (input.id !== undefined) return versionSheet(ctx, await getVersion(ctx, input.id), words);
  return comparisonSheet(ctx, input, t("plan-versions.current"), words);
}
