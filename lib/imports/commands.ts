import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { enqueueTask } from "#lib/core/task.ts";
import { writeTemplate } from "#lib/core/workbook-template.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";
import { importKinds, templateGroups } from "./limits.ts";
import { mappable, writableRows } from "./logic.ts";
import { getImportFile, getPreview } from "./queries.ts";
import { loadKind } from "./registry/commands.ts";
import { importText } from "./rejects/commands.ts";
import type { ApplyImport, ImportTemplate, PreviewParams } from "./schema.ts";

/** Starts the check of an uploaded file; the task keeps the outcome of every row. */
export async function startPreview(ctx: Ctx, params: PreviewParams): Promise<{ taskId: string }> {
  const file = await getImportFile(ctx, params.fileId);
  const ending = file.name.split(".").at(-1)?.toLowerCase() ?? "";
  if (!(importKinds[params.kind].endings as readonly string[]).includes(ending)) throw new AppError("FILE_FORMAT");
  const kind = await loadKind(params.kind);
  const options = kind.options.safeParse(params.options);
  if (!options.success) throw new AppError("INVALID_INPUT", { field: "options" }, zodProblems(options.error, params.options));
  const taskId = await enqueueTask(ctx, {
    kind: "imports.preview",
    direction: "import",
    title: file.name,
    params,
    inputFileId: params.fileId,
  });
  return { taskId };
}

/** Starts the application of a checked file. A file is applied once; who wants more checks it again. */
export async function startApply(
  ctx: Ctx,
  { taskId: previewId, mode, rows, reason, conflicts }: z.output<typeof ApplyImport>,
): Promise<{ taskId: string }> {
  const preview = await getPreview(ctx, previewId);
  const { counts, needsReason } = preview.result;
  if (mode === "all" && counts.rejected > 0) throw new AppError("IMPORT_REJECTED", { count: counts.rejected });
  // A row of which the file's value is asked for in one cell counts; the write finds out which rows remain.
  const writable = writableRows(preview.result, conflicts, new Set(conflicts.except.map((cell) => cell.row)).size);
  if (writable === 0) throw new AppError("NOTHING_MODIFIED");
  if (needsReason && !reason) throw new AppError("REASON_REQUIRED");
  const [applied] = await ctx.sql<{ status: string }[]>`
    select status from task where project_id = ${ctx.project.id} and kind = 'imports.apply' and params ->> 'previewId' = ${previewId}
      and (status in ('queued', 'running') or done_count > 0) limit 1`;
  if (applied) throw new AppError("WRONG_STATUS", { status: applied.status });
  const total = rows?.length ?? writable + counts.rejected;
  const taskId = await enqueueTask(ctx, {
    kind: "imports.apply",
    direction: "import",
    title: preview.title,
    params: { previewId, mode, conflicts, ...(rows && { rows }), ...(reason && { reason }) },
    inputFileId: preview.inputFileId,
    dedupeKey: `apply:${previewId}`,
    total,
  });
  return { taskId };
}

/** An empty workbook with the columns of a kind and lists to choose from, as base64. */
export async function makeTemplate(ctx: Ctx, { kind: name }: z.output<typeof ImportTemplate>): Promise<{ name: string; base64: string }> {
  const kind = await loadKind(name);
  if (importKinds[name].needsMeta) throw new AppError("WRONG_FILE");
  const fields = mappable(await kind.fields(ctx)).filter((field) => (templateGroups as readonly string[]).includes(field.group));
  const title = importText(ctx.locale, `kinds.${name}`);
  const bytes = await writeTemplate({
    name: title,
    meta: { project: ctx.project.number, kind: name, version: "1" },
    columns: fields.map((field) => ({
      key: field.key,
      title: field.title,
      required: field.required ?? false,
      ...(field.values && { list: field.values.map((value) => value.title ?? value.value) }),
    })),
  });
  return { name: `${title}.xlsx`, base64: Buffer.from(bytes).toString("base64") };
}
