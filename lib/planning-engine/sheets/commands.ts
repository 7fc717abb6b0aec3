import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { checkRules } from "#lib/core/rule.ts";
import { getFile, recordFile, storeBytes, withLocalFile } from "#lib/core/storage.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import { errorText } from "#lib/core/texts.ts";
import { openSheet } from "#lib/core/workbook.ts";
import { type Cell, cellText, isBlank } from "#lib/core/workbook-cell.ts";
import { maxUploadBytes, workbookMime } from "#lib/core/workbook-limits.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";
import { startListExport } from "#lib/tasks/list-export/commands.ts";
import { SaveEngineActivities } from "../activities/schema.ts";
import type { InputBlock, UploadState } from "../input-check/limits.ts";
import { saveRows } from "../inputs/commands.ts";
import { inputRowsMax } from "../inputs/limits.ts";
import type { BlockName, GivenRow } from "../inputs/logic.ts";
import {
  SaveDuMaterials,
  SaveEngineDus,
  SaveInventory,
  SaveItemSubstitutes,
  SaveReuseMaterials,
  SaveSkillResources,
} from "../inputs/schema.ts";
import { saveEngineSetting } from "../versions/commands.ts";
import { demandVersion, lockVersions } from "../versions/queries.ts";
import { editRules } from "../versions/rules.ts";
import { SaveEngineSetting } from "../versions/schema.ts";
import { inputSheetEnding, inputSheetKind, inputSheetVersion } from "./limits.ts";
import { cellsOfRow, columnsOfSheet, keyOfRow, namedFields, rowsOfBlock, type SheetColumn, valuesOfCells } from "./logic.ts";
import { countInputRows, inputSheetTexts, readInputRows, readNamed } from "./queries.ts";
import type { ExportInput, ImportInput } from "./schema.ts";

/**
 * Starts the export of an input of a version; one without rows is a template to fill. Of an input that is kept by DU the DUs count against the limit of DU exports.
 * @throws NOT_FOUND, EXPORT_LIMIT, EXPORT_CELLS, EXPORT_UNFINISHED
 */
export async function startInputExport(ctx: Ctx, input: ExportInput): Promise<{ taskId: string }> {
  const { versionId, block } = input;
  await demandVersion(ctx, versionId);
  const { rows, dus } = await countInputRows(ctx, versionId, block);
  return startListExport(ctx, {
    kind: "planningEngine.export",
    title: inputSheetTexts(ctx, block).title,
    params: input,
    total: rows,
    columns: columnsOfSheet(block).length,
    limit: dus === null ? "export.rows" : "export.du",
    counted: dus ?? rows,
    dedupeKey: `${versionId}:${block}`,
  });
}

/** Columns as they are written, with the texts of a person. */
const writeColumns = (columns: readonly SheetColumn[], title: (column: SheetColumn) => string) =>
  columns.map((column) => ({
    key: column.key,
    title: title(column),
    ...(column.hidden && { hidden: true }),
    ...(column.list && { list: column.list }),
    ...(column.type === "date" ? { kind: "day" as const } : column.type === "number" ? { kind: "number" as const } : {}),
  }));

const metaOf = (project: string, block: InputBlock) => ({ project, kind: inputSheetKind, block, version: inputSheetVersion });

/** Writes the workbook of an input. Safe to run twice. */
export async function runInputExport(job: JobCtx, { versionId, block }: ExportInput): Promise<Outcome> {
  const columns = columnsOfSheet(block);
  const texts = inputSheetTexts(job, block);
  const rows = await readInputRows(job, versionId, block);
  const stream = writeWorkbook({
    name: texts.title,
    columns: writeColumns(columns, texts.column),
    rows: rows.map((row) => cellsOfRow(columns, row)),
    meta: metaOf(job.project.number, block),
  });
  const stored = await storeBytes(stream, workbookMime);
  const name = `${job.project.number} ${texts.title} ${job.today}.xlsx`;
  const resultFileId = await job.chunk(async (ctx, tally) => {
    tally.done = rows.length;
    ctx.audit(`file ${stored.id}`, null, { versionId, block, rows: rows.length }, "export_downloaded");
    return recordFile(ctx, { ...stored, name, mime: workbookMime });
  });
  return { total: rows.length, resultFileId };
}

/** Starts the import of one workbook into an input. [ENG-20] [ENG-37] @throws FILE_FORMAT, FILE_TOO_LARGE, NOT_FOUND, VERSION_LOCKED */
export async function startInputImport(ctx: Ctx, { versionId, block, fileId }: ImportInput): Promise<{ taskId: string }> {
  const [version] = await lockVersions(ctx, [versionId]);
  checkRules(editRules, version!);
  const file = await getFile(ctx, fileId);
  if (file.createdBy !== ctx.user.id) throw new AppError("NOT_FOUND", { object: fileId });
  if (file.name.split(".").at(-1)?.toLowerCase() !== inputSheetEnding) throw new AppError("FILE_FORMAT");
  if (file.size > maxUploadBytes) throw new AppError("FILE_TOO_LARGE", { max: maxUploadBytes });
  const params: ImportInput = { versionId, block, fileId };
  const task = { kind: "planningEngine.import", direction: "import" as const, title: file.name, params, inputFileId: fileId };
  const taskId = await enqueueTask(ctx, task);
  await noteUpload(ctx, { versionId, block }, "uploading", taskId);
  return { taskId };
}

async function noteUpload(
  { sql, project, now }: Ctx,
  { versionId, block }: ExportInput,
  status: UploadState,
  taskId: string,
): Promise<void> {
  await sql`
    insert into engine_input_state (version_id, block, project_id, upload_status, last_task_id, updated_at)
    select ${versionId}, ${block}, ${project.id}, ${status}, ${taskId}, ${now} from engine_plan_version where id = ${versionId}
    on conflict (version_id, block) do update set upload_status = excluded.upload_status, last_task_id = excluded.last_task_id, updated_at = excluded.updated_at`;
}

type Line = { no: number; cells: Record<string, Cell> };
/** Problems by line of the file; without line they are of the file as a whole. */
type Failure = { line: number | null; problem: Problem };

/** Ends the transaction of an import that is refused. */
class Refused extends Error {
  readonly failures: Failure[];

  constructor(failures: Failure[]) {
    super("rows refused");
    this.failures = failures;
  }
}

/**
 * Takes a workbook of an input back: all of it or nothing. What is refused is listed in a workbook of its own, the rows with the reasons.
 * @throws WRONG_PROJECT, TEMPLATE_MISMATCH, NOT_FOUND, VERSION_LOCKED and those of reading a workbook
 */
export async function runInputImport(job: JobCtx, input: ImportInput): Promise<Outcome> {
  // An attempt that was killed at its end has written it, whole.
  if (job.task.doneCount > 0) return { total: job.task.doneCount };
  const { versionId, block, fileId } = input;
  const columns = columnsOfSheet(block);
  const texts = inputSheetTexts(job, block);
  const lines = await readLines(job, fileId, block);
  const failures = await job
    .chunk(async (ctx, tally) => {
      const written = await writeLines(ctx, versionId, block, columns, lines);
      tally.done = lines.length;
      await noteUpload(ctx, input, "completed", job.task.id);
      ctx.audit(`engine_input_state ${versionId} ${block}`, null, { imported: lines.length, written }, "imported");
      return null;
    })
    .catch((error: unknown) => {
      if (error instanceof Refused) return error.failures;
      throw error;
    });
  if (failures === null) return { total: lines.length };
  const reasons = new Map<number, string[]>();
  for (const { line, problem } of failures) {
    const own = reasons.get(line ?? 0) ?? [];
    const column = columns.find(({ key }) => key === fieldOf(problem.path));
    own.push(
      errorText(job.locale, problem.code, { ...problem.params, field: column ? texts.column(column) : (problem.params?.field ?? "") }),
    );
    reasons.set(line ?? 0, own);
  }
  const stream = writeWorkbook({
    name: texts.title,
    columns: [{ key: "reason", title: texts.reason, marked: true, width: 48 }, ...writeColumns(columns, texts.column)],
    rows: lines.map(({ cells }, line) => [
      reasons.get(line)?.join("\n") ?? null,
      ...columns.map(({ key }) => writable(cells[key] ?? null)),
    ]),
    lockedColumns: 1,
    meta: metaOf(job.project.number, block),
  });
  const [stored, file] = await Promise.all([storeBytes(stream, workbookMime), getFile(job, fileId)]);
  const name = `${file.name.replace(/\.[^.]+$/, "")} ${texts.failures}.xlsx`;
  const errorFileId = await job.chunk(async (ctx, tally) => {
    tally.failed = reasons.size - job.task.failedCount;
    await noteUpload(ctx, input, "failed", job.task.id);
    ctx.audit(`engine_input_state ${versionId} ${block}`, null, { refused: reasons.size }, "imported");
    return recordFile(ctx, { ...stored, name, mime: workbookMime });
  });
  return { total: lines.length, errorFileId, message: { key: "engine-inputs.sheet.refused", args: { count: reasons.size } } };
}

const writable = (cell: Cell): Cell => (cell !== null && typeof cell === "object" ? cell.d : cell);

/** The field a problem is about, in the words of the workbook. */
function fieldOf(path: string): string {
  const field = path.split(".")[2] ?? path.split(".")[0] ?? "";
  return namedFields[field] ?? field;
}

async function readLines(job: JobCtx, fileId: string, block: InputBlock): Promise<Line[]> {
  return withLocalFile(job, fileId, async (path) => {
    const sheet = await openSheet(path, { type: "xlsx" }, job.signal);
    try {
      const { mismatch } = inputSheetTexts(job, block);
      const { meta } = sheet;
      if (!meta || meta.project !== job.project.number) throw new AppError("WRONG_PROJECT");
      if (meta.kind !== inputSheetKind || meta.version !== String(inputSheetVersion))
        throw new AppError("TEMPLATE_MISMATCH", { what: mismatch.template });
      if (meta.block !== block) throw new AppError("TEMPLATE_MISMATCH", { what: mismatch.block });
      let keys: string[] = [];
      const lines: Line[] = [];
      for await (const { no, cells } of sheet.rows()) {
        if (no === 1) keys = cells.map(cellText);
        // The second row is the head that people read.
        else if (no > 2 && !cells.every(isBlank))
          lines.push({ no, cells: Object.fromEntries(keys.map((key, at) => [key, cells[at] ?? null])) });
      }
      return lines;
    } finally {
      await sheet.close();
    }
  });
}

const schemas = {
  du: SaveEngineDus,
  activity: SaveEngineActivities,
  skillResource: SaveSkillResources,
  duMaterial: SaveDuMaterials,
  inventory: SaveInventory,
  itemSubstitute: SaveItemSubstitutes,
  reuseMaterial: SaveReuseMaterials,
} as const;

/** Writes what lines of a workbook say. @returns rows written @throws Refused */
async function writeLines(
  ctx: Ctx,
  versionId: number,
  block: InputBlock,
  columns: readonly SheetColumn[],
  lines: readonly Line[],
): Promise<number> {
  const given = lines.map(({ cells }) => valuesOfCells(columns, cells));
  const stored = await readInputRows(ctx, versionId, block);
  return block === "setting"
    ? writeSetting(ctx, versionId, given, stored[0]?.rowVersion ?? 0)
    : writeBlock(ctx, versionId, rowsOfBlock[block], given, stored);
}

async function writeSetting(ctx: Ctx, versionId: number, given: readonly Record<string, unknown>[], rowVersion: number): Promise<number> {
  const [values, more] = given;
  if (!values) return 0;
  if (more) throw new Refused([{ line: 1, problem: { path: "", code: "ENGINE_ROW_REPEAT" } }]);
  const { id: _id, rowVersion: read, ...fields } = values;
  // An empty cell is what the settings begin with.
  const input = {
    versionId,
    rowVersion: read ?? rowVersion,
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
  };
  const parsed = SaveEngineSetting.safeParse(input);
  if (!parsed.success) throw new Refused(zodProblems(parsed.error, input).map((problem) => ({ line: 0, problem })));
  return tell(() => saveEngineSetting(ctx, parsed.data).then(() => 1));
}

async function writeBlock(
  ctx: Ctx,
  versionId: number,
  name: BlockName,
  given: readonly Record<string, unknown>[],
  stored: readonly ({ id: number; rowVersion: number } & Record<string, unknown>)[],
): Promise<number> {
  const failures: Failure[] = [];
  const rows = await resolve(ctx, given, failures);
  const byId = new Map(stored.map((row) => [row.id, row]));
  const byKey = new Map(stored.map((row) => [keyOfRow(name, row), row]));
  const seen = new Set<string>();
  const known = rows.map(({ id, rowVersion, ...row }, line) => {
    const key = keyOfRow(name, row);
    if (key !== null && seen.has(key)) failures.push({ line, problem: { path: "", code: "ENGINE_ROW_REPEAT" } });
    if (key !== null) seen.add(key);
    const own = byId.get(Number(id));
    if (own) return { ...row, id: own.id, rowVersion: typeof rowVersion === "number" ? rowVersion : own.rowVersion };
    // A row of another version, or one that was typed: known by what it says.
    const same = key === null ? undefined : byKey.get(key);
    return same ? { ...row, id: same.id, rowVersion: same.rowVersion } : row;
  });
  const parsed: GivenRow[] = [];
  for (let from = 0; from < known.length; from += inputRowsMax) {
    const input = { versionId, rows: known.slice(from, from + inputRowsMax) };
    const result = (schemas[name as keyof typeof schemas] as typeof SaveReuseMaterials).safeParse(input);
    if (result.success) parsed.push(...(result.data.rows as GivenRow[]));
    else
      for (const problem of zodProblems(result.error, input))
        failures.push({ line: from + Number(problem.path.split(".")[1] ?? 0), problem });
  }
  if (failures.length > 0) throw new Refused(failures);
  if (parsed.length === 0) return 0;
  return tell(() => saveRows(ctx, name, { versionId, rows: parsed }).then(({ ids }) => ids.length));
}

/** Puts ids in place of codes and names; unknown ones are refused. */
async function resolve(ctx: Ctx, given: readonly Record<string, unknown>[], failures: Failure[]): Promise<Record<string, unknown>[]> {
  const rows = given.map((row) => ({ ...row }));
  for (const [field, name] of Object.entries(namedFields)) {
    const named = rows.flatMap((row) => (typeof row[name] === "string" ? [row[name]] : []));
    if (named.length === 0 && !rows.some((row) => name in row)) continue;
    const ids = await readNamed(ctx, field === "duId" ? "du" : "engine_warehouse", named);
    rows.forEach((row, line) => {
      if (!(name in row)) return;
      const value = row[name] as string | null;
      const id = value === null ? undefined : ids.get(value);
      delete row[name];
      // A row without any is refused by its schema.
      if (id !== undefined) row[field] = id;
      else if (value !== null) {
        row[field] = 1;
        failures.push({ line, problem: { path: `rows.${line}.${field}`, code: "NOT_FOUND", params: { object: value } } });
      }
    });
  }
  return rows;
}

/** Runs a save as part of an import: nothing new is no refusal, and what is refused is told by line. */
async function tell(save: () => Promise<number>): Promise<number> {
  try {
    return await save();
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "VERSION_LOCKED") throw error;
    if (error.code === "NOTHING_MODIFIED") return 0;
    const problems: Problem[] = error.problems.length > 0 ? error.problems : [{ path: "", code: error.code, params: error.params }];
    throw new Refused(
      problems.map((problem) => {
        const line = /^rows\.(\d+)\./.exec(problem.path)?.[1];
        return { line: line === undefined ? 0 : Number(line), problem };
      }),
    );
  }
}
