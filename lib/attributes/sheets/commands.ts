import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { getFile, recordFile, storeBytes, withLocalFile } from "#lib/core/storage.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import { errorText } from "#lib/core/texts.ts";
import { openSheet } from "#lib/core/workbook.ts";
import { type Cell, cellText, isBlank } from "#lib/core/workbook-cell.ts";
import { maxUploadBytes, workbookMime } from "#lib/core/workbook-limits.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";
import { startPreview } from "#lib/imports/commands.ts";
import { startPlanExport } from "#lib/rollout-plan/plan-export/commands.ts";
import { listLibraryActivities } from "#lib/rollout-plan/plan-rows/queries.ts";
import { saveAttribute } from "../commands.ts";
import { SaveAttribute } from "../schema.ts";
import { type DefinitionColumn, definitionColumns, definitionKind, definitionSheetVersion, sheetEndings } from "./limits.ts";
import { type DefinitionRow, definitionCells, inputOfRow, isChanged } from "./logic.ts";
import { checksumOf, readBasis, type SheetBasis, sheetTexts } from "./queries.ts";
import type { ExportSheet, ImportParams, ImportSheet } from "./schema.ts";

/** Starts an export of the definitions, or of the values of every DU the caller reaches. @throws NO_DATA, EXPORT_LIMIT, EXPORT_UNFINISHED */
export async function startSheetExport(ctx: Ctx, { kind }: ExportSheet): Promise<{ taskId: string }> {
  const { attributes } = await readBasis(ctx);
  if (attributes.length === 0) throw new AppError("NO_DATA");
  if (kind === "DEFINITION")
    return {
      taskId: await enqueueTask(ctx, {
        kind: "attributes.export",
        direction: "export",
        title: sheetTexts(ctx).title,
        params: {},
        total: attributes.length,
      }),
    };
  const [dus, library] = await Promise.all([
    ctx.sql<{ id: number }[]>`select du.id from du where ${ctx.scope.where("rollout.view")} order by du.code collate natural_order, du.id`,
    listLibraryActivities(ctx),
  ]);
  // Values of tabs may be many for a DU: they have workbooks of their own.
  const columns = attributes.flatMap(({ id, level }) => {
    if (level === "TAB") return [];
    return level === "DU" ? [`a${id}`] : library.map((activity) => `${activity.id}:a${id}`);
  });
  if (columns.length === 0) throw new AppError("NO_DATA");
  return startPlanExport(ctx, { duIds: dus.map(({ id }) => id), columns: ["code", "name", ...columns], lockedColumns: 2 });
}

const metaOf = (number: string, { nodeCount, ids, checksum }: SheetBasis) => ({
  project: number,
  kind: definitionKind,
  version: definitionSheetVersion,
  node_count: nodeCount,
  rows: ids.join(","),
  checksum,
});

/** Writes the workbook of definitions: a row an attribute, with what it is made of on the hidden sheet. Safe to run twice. */
export async function runSheetExport(job: JobCtx): Promise<Outcome> {
  const texts = sheetTexts(job);
  const basis = await readBasis(job);
  const stream = writeWorkbook({
    name: texts.title,
    columns: definitionColumns.map((key) => ({
      key,
      title: texts.columns[key],
      hidden: key === "id",
      kind: key === "sortNo" ? "number" : "text",
    })),
    rows: basis.attributes.map(definitionCells),
    lockedColumns: 2,
    meta: metaOf(job.project.number, basis),
  });
  const stored = await storeBytes(stream, workbookMime);
  const name = `${job.project.number} ${texts.title} ${job.today}.xlsx`;
  const resultFileId = await job.chunk(async (ctx, tally) => {
    tally.done = basis.attributes.length;
    ctx.audit(`file ${stored.id}`, null, { attributes: basis.attributes.length }, "export_downloaded");
    return recordFile(ctx, { ...stored, name, mime: workbookMime });
  });
  return { total: basis.attributes.length, resultFileId };
}

/**
 * Starts the import of one workbook: of definitions as a task, of values as the check of an exported plan, which is applied like any other import.
 * @throws FILE_FORMAT, FILE_TOO_LARGE, NOT_FOUND
 */
export async function startSheetImport(ctx: Ctx, { kind, fileId }: ImportSheet): Promise<{ taskId: string }> {
  const file = await getFile(ctx, fileId);
  if (file.createdBy !== ctx.user.id) throw new AppError("NOT_FOUND", { object: fileId });
  const ending = file.name.split(".").at(-1)?.toLowerCase() ?? "";
  if (!(sheetEndings as readonly string[]).includes(ending)) throw new AppError("FILE_FORMAT");
  if (file.size > maxUploadBytes) throw new AppError("FILE_TOO_LARGE", { max: maxUploadBytes });
  if (kind === "VALUES")
    return startPreview(ctx, { fileId, kind: "plan", encoding: "utf-8", delimiter: "", dateFormat: "ymd", options: {} });
  const taskId = await enqueueTask(ctx, {
    kind: "attributes.import",
    direction: "import",
    title: file.name,
    params: { fileId } satisfies ImportParams,
    inputFileId: fileId,
  });
  return { taskId };
}

/** One refused row and why. */
type Failure = { no: number; reason: string };

/**
 * Imports definitions: all of them or none. What is refused is listed in a workbook of its own, the original with the reasons.
 * @throws WRONG_PROJECT, TEMPLATE_MISMATCH where the workbook was made of something else than the project is now
 */
export async function runSheetImport(job: JobCtx, { fileId }: ImportParams): Promise<Outcome> {
  const { rows, heads } = await readSheet(job, fileId);
  const failures: Failure[] = [];
  const written = await job
    .chunk(async (ctx, tally) => {
      const { attributes } = await readBasis(ctx);
      const byId = new Map(attributes.map((attribute) => [attribute.id, attribute]));
      const changed = rows.filter((row) => isChanged(byId.get(row.id as number)!, row, definitionColumns));
      for (const [at, row] of changed.entries()) {
        const reason = await writeRow(ctx, inputOfRow(byId.get(row.id as number)!, row));
        if (reason !== null) failures.push({ no: row.no, reason });
        job.progress(at + 1, changed.length);
      }
      if (failures.length > 0) throw new Refused();
      tally.done = changed.length;
      ctx.audit("attributes", null, { imported: changed.map(({ id }) => id) }, "imported");
      return changed.length;
    })
    .catch((error: unknown) => {
      if (error instanceof Refused) return null;
      throw error;
    });
  if (written !== null) return { total: rows.length };
  const errorFileId = await storeFailures(job, fileId, rows, heads, failures);
  await job.chunk(async (ctx, tally) => {
    tally.failed = failures.length - job.task.failedCount;
    ctx.audit("attributes", null, { refused: failures.map(({ no }) => no) }, "imported");
  });
  return { total: rows.length, errorFileId, message: { key: "attributes.sheet.refused", args: { count: failures.length } } };
}

/** Ends the transaction of an import that had refused rows. */
class Refused extends Error {}

/** Writes one row; what is wrong with it is told and nothing of it stays. */
async function writeRow(ctx: Ctx, input: Record<string, unknown>): Promise<string | null> {
  const parsed = SaveAttribute.safeParse(input);
  if (!parsed.success) {
    const [problem] = zodProblems(parsed.error, input);
    return problem
      ? errorText(ctx.locale, problem.code, { field: problem.path, ...problem.params })
      : errorText(ctx.locale, "INVALID_INPUT", { field: "" });
  }
  await ctx.sql`savepoint definition`;
  try {
    await saveAttribute(ctx, parsed.data);
    await ctx.sql`release savepoint definition`;
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await ctx.sql`rollback to savepoint definition`;
    // An attribute that is as the row says already.
    if (error.code === "NOTHING_MODIFIED") return null;
    const [problem] = error.problems;
    return problem
      ? errorText(ctx.locale, problem.code, { field: problem.path, ...problem.params })
      : errorText(ctx.locale, error.code, error.params);
  }
}

async function readSheet(job: JobCtx, fileId: string): Promise<{ rows: DefinitionRow[]; heads: (DefinitionColumn | null)[] }> {
  return withLocalFile(job, fileId, async (path) => {
    const sheet = await openSheet(path, { type: "xlsx" }, job.signal);
    try {
      const texts = sheetTexts(job);
      const mismatch = (what: string) => new AppError("TEMPLATE_MISMATCH", { what: texts.mismatch[what] ?? what });
      const { meta } = sheet;
      if (!meta || meta.kind !== definitionKind || meta.version !== String(definitionSheetVersion)) throw mismatch("template");
      if (meta.project !== job.project.number) throw new AppError("WRONG_PROJECT");
      const basis = await readBasis(job);
      if (Number(meta.node_count) !== basis.nodeCount) throw mismatch("nodes");
      const claimed = (meta.rows ?? "").split(",").filter(Boolean).map(Number);
      if (meta.checksum !== checksumOf(job.project.number, Number(meta.node_count), claimed)) throw mismatch("rows");
      const heads: (DefinitionColumn | null)[] = [];
      const rows: DefinitionRow[] = [];
      for await (const { no, cells } of sheet.rows()) {
        if (heads.length === 0) heads.push(...cells.map((cell) => definitionColumns.find((key) => key === cellText(cell)) ?? null));
        // The second row is the head that people read.
        else if (no > 2 && !cells.every(isBlank)) rows.push(rowOf(no, cells, heads));
      }
      const known = new Set(basis.ids);
      const named = rows.map(({ id }) => id);
      const foreign = rows.some(({ id }) => id === null || !known.has(id)) || new Set(named).size !== named.length;
      if (foreign || claimed.some((id) => !named.includes(id) || !known.has(id))) throw mismatch("rows");
      return { rows, heads };
    } finally {
      await sheet.close();
    }
  });
}

function rowOf(no: number, cells: readonly Cell[], heads: readonly (DefinitionColumn | null)[]): DefinitionRow {
  const found: DefinitionRow = { no, id: null, cells: {} };
  heads.forEach((column, at) => {
    const cell = cells[at] ?? null;
    if (column === "id") found.id = /^\d{1,15}$/.test(cellText(cell)) ? Number(cellText(cell)) : null;
    else if (column) found.cells[column] = cell;
  });
  return found;
}

/** The original with a first column that says what is wrong with a row. */
async function storeFailures(
  job: JobCtx,
  fileId: string,
  rows: readonly DefinitionRow[],
  heads: readonly (DefinitionColumn | null)[],
  failures: readonly Failure[],
): Promise<string> {
  const texts = sheetTexts(job);
  const reasons = new Map(failures.map(({ no, reason }) => [no, reason]));
  const columns = heads.filter((column) => column !== null);
  const stream = writeWorkbook({
    name: texts.title,
    columns: [
      { title: texts.reason, marked: true, width: 48 },
      ...columns.map((key) => ({ title: texts.columns[key], hidden: key === "id" })),
    ],
    rows: rows.map((row) => [
      reasons.get(row.no) ?? null,
      ...columns.map((column) => (column === "id" ? row.id : (row.cells[column] ?? null))),
    ]),
    lockedColumns: 1,
  });
  const [stored, file] = await Promise.all([storeBytes(stream, workbookMime), getFile(job, fileId)]);
  const name = `${file.name.replace(/\.[^.]+$/, "")} ${texts.failures}.xlsx`;
  return job.chunk((ctx) => recordFile(ctx, { ...stored, name, mime: workbookMime }));
}
