import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { getFile, recordFile, type StoredFile, storeBytes } from "#lib/core/storage.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import { errorText } from "#lib/core/texts.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { workbookMime } from "#lib/core/workbook-limits.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { rowMark } from "#lib/imports/kind/logic.ts";
import { fileDays } from "#lib/tasks/limits.ts";
import { startListExport, storeListExport } from "#lib/tasks/list-export/commands.ts";
import { type FixedColumn, snChars } from "../limits.ts";
import { getTab, readTabColumns, type TabAttribute } from "../queries.ts";
import { listSnProblems, type Stored, type StoredDu, type Work, writeDuValues, writeTabRows } from "../rows/commands.ts";
import { isUnchanged, type RowChange } from "../rows/logic.ts";
import { errorsShown, importEndings, importFileBytes, lockedColumns, tabSheetKind, tabSheetVersion } from "./limits.ts";
import {
  type Fault,
  fixedText,
  isUntouched,
  type Line,
  lineChange,
  lineMark,
  listKeyFaults,
  markedSheet,
  readLines,
  sheetNameOf,
  valueCell,
} from "./logic.ts";
import {
  type Basis,
  columnHash,
  countRows,
  headKey,
  type ReadBook,
  readBasis,
  readBook,
  type SheetTabRow,
  sheetTexts,
  streamRows,
  titledColumns,
} from "./queries.ts";
import type { ExportTab, ImportTabs, TabExportParams, TabImportParams } from "./schema.ts";

/**
 * Starts an export of the rows of a tab the conditions keep; an empty one too, to be filled in.
 * @throws NOT_FOUND, EXPORT_LIMIT for too many DUs, EXPORT_CELLS, EXPORT_UNFINISHED while the person's export of the same tab runs
 */
export async function startTabExport(ctx: Ctx, { tabId, filters }: ExportTab): Promise<{ taskId: string }> {
  const tab = await getTab(ctx, tabId);
  const [{ rows: total, dus }, columns] = await Promise.all([countRows(ctx, tab, filters), readTabColumns(ctx, tab)]);
  return startListExport(ctx, {
    kind: "duTabs.export",
    title: tab.name,
    params: { tabId, filters, total } satisfies TabExportParams,
    total,
    columns: titledColumns(ctx, columns).length,
    limit: "export.du",
    counted: dus,
    dedupeKey: String(tabId),
  });
}

/** Writes the workbook of a tab and makes it the one the person's import takes back. Safe to run twice. [DUT-03] */
export async function runTabExport(job: JobCtx, { tabId, filters, total }: TabExportParams): Promise<Outcome> {
  const tab = await getTab(job, tabId);
  const columns = await readTabColumns(job, tab);
  const heads = titledColumns(job, columns);
  const name = sheetNameOf(tab.name);
  async function* rows(): AsyncGenerator<Cell[]> {
    for await (const row of streamRows(job, tab, filters)) yield sheetCells(row, columns.fixed, columns.attributes);
  }
  return storeListExport(job, {
    title: name,
    columns: heads.map(({ key, title }) => {
      const attribute = columns.attributes.find((one) => one.key === key);
      const locked = attribute ? attribute.mode === "RO" : key !== "sn";
      return {
        key,
        title,
        hidden: key === rowMark,
        locked,
        list: [...new Set(attribute?.choices.flatMap(({ value, isRetired }) => (isRetired ? [] : [value])) ?? [])],
      };
    }),
    rows: rows(),
    total,
    lockedColumns,
    meta: {
      kind: tabSheetKind,
      version: tabSheetVersion,
      tab: tab.id,
      token: job.task.id,
      sheet: name,
      ...Object.fromEntries(heads.map(({ key, title }, at) => [headKey(at), JSON.stringify([key, title])])),
    },
    keep: async ({ sql, project, user, now }, written) => {
      await sql`
        insert into du_tab_export (id, project_id, tab_id, user_id, exported_at, column_hash, row_count)
        values (${job.task.id}, ${project.id}, ${tab.id}, ${user.id}, ${now}, ${columnHash(columns)}, ${written})
        on conflict (tab_id, user_id) do update
        set id = excluded.id, exported_at = excluded.exported_at, column_hash = excluded.column_hash, row_count = excluded.row_count`;
    },
  });
}

function sheetCells(row: SheetTabRow, fixed: readonly FixedColumn[], attributes: readonly TabAttribute[]): Cell[] {
  const own = row.id === null ? null : { id: row.id, rowVersion: row.rowVersion as number };
  return [
    lineMark(own, { id: row.duId, rowVersion: row.duVersion }),
    ...fixed.map((key) => row[key]),
    ...attributes.map((attribute) => valueCell(attribute, (attribute.level === "DU" ? row.ext : row.data)?.[attribute.key])),
  ];
}

/**
 * Starts the import of uploaded workbooks.
 * @throws FILE_FORMAT, FILE_TOO_LARGE, FILE_EXPIRED, NOT_FOUND for files of somebody else [DUT-14]
 */
export async function startTabImport(ctx: Ctx, { fileIds }: ImportTabs): Promise<{ taskId: string }> {
  const { sql, project, user, now } = ctx;
  const files: StoredFile[] = [];
  for (const id of fileIds) {
    const file = await getFile(ctx, id);
    if (file.createdBy !== user.id) throw new AppError("NOT_FOUND", { object: id });
    const ending = file.name.split(".").at(-1)?.toLowerCase() ?? "";
    if (!(importEndings as readonly string[]).includes(ending)) throw new AppError("FILE_FORMAT");
    if (file.size > importFileBytes) throw new AppError("FILE_TOO_LARGE", { max: importFileBytes });
    files.push(file);
  }
  const taskId = await enqueueTask(ctx, {
    kind: "duTabs.import",
    direction: "import",
    title: files.map(({ name }) => name).join(", "),
    params: { fileIds } satisfies TabImportParams,
    inputFileId: fileIds[0] as string,
  });
  // The task holds the first file only; the others wait as long as its results do.
  const until = new Date(now.getTime() + fileDays * 86_400_000);
  await sql`update file_object set expires_at = ${until} where id = any(${fileIds.slice(1)}::uuid[]) and project_id = ${project.id}`;
  return { taskId };
}

/** One error of an import as people read it. [DUT-15] */
export type SheetError = { file: string; sheet: string | null; row: number | null; column: string | null; code: ErrorCode; msg: string };
/** What became of one file; a written one changed so many rows, of a refused one there may be a copy whose wrong cells are marked. */
export type FileResult = { fileId: string; name: string; isWritten: boolean; lines: number; changed: number; markedFileId: string | null };
/** What an import leaves with its task. */
export type ImportResult = { files: FileResult[]; errors: SheetError[]; errorCount: number };

/** What is wrong with a file; ends its transaction. */
class Refused extends Error {
  readonly faults: readonly Fault[];
  readonly sheet: string | null;
  readonly heads: Basis["heads"];

  constructor(faults: readonly Fault[], sheet: string | null = null, heads: Basis["heads"] = []) {
    super("refused");
    this.faults = faults;
    this.sheet = sheet;
    this.heads = heads;
  }
}

/**
 * Imports workbooks one after the other: of each everything or nothing. An attempt that follows one that was killed passes over what that one has written.
 */
export async function runTabImport(job: JobCtx, { fileIds }: TabImportParams): Promise<Outcome> {
  const [before] = await job.sql<{ kept: Pick<ImportResult, "files"> | null }[]>`select kept from task where id = ${job.task.id}`;
  const written = new Map((before?.kept?.files ?? []).map((file) => [file.fileId, file]));
  const files: FileResult[] = [];
  const errors: SheetError[] = [];
  let failed = 0;
  for (const [at, fileId] of fileIds.entries()) {
    const done = written.get(fileId);
    if (done) files.push(done);
    else {
      const { name } = await getFile(job, fileId);
      const { result, refused, book } = await importFile(job, fileId, name);
      const markedFileId = refused && book ? await storeMarked(job, name, book, refused) : null;
      files.push({ ...result, markedFileId });
      if (refused) {
        errors.push(...refused.faults.map((fault) => errorOf(job, name, refused, fault)));
        failed += Math.max(1, new Set(refused.faults.flatMap(({ no }) => no ?? [])).size);
      }
    }
    job.progress(at + 1, fileIds.length);
  }
  const result: ImportResult = { files, errors: errors.slice(0, errorsShown), errorCount: errors.length };
  const total = files.reduce((sum, { lines }) => sum + lines, 0);
  if (errors.length === 0) return { total, result };
  const errorFileId = await storeErrors(job, errors, failed);
  const refusedFiles = files.filter(({ isWritten }) => !isWritten).length;
  return { total, result, errorFileId, message: { key: "du-tabs.sheet.refused", args: { errors: errors.length, refused: refusedFiles } } };
}

type Imported = { result: FileResult; refused: Refused | null; book: ReadBook | null };

async function importFile(job: JobCtx, fileId: string, name: string): Promise<Imported> {
  let lines = 0;
  let read: ReadBook | null = null;
  try {
    const book = await readBook(job, fileId);
    read = book;
    const result = await job.chunk(async (ctx, tally): Promise<FileResult> => {
      const { basis, found } = await checkBook(ctx, book);
      lines = found.length;
      const changed = await writeLines(ctx, basis, sheetNameOfBook(book), found);
      tally.done = changed;
      ctx.audit(`du_tab rows ${basis.tab.id}`, null, { file: name, imported: changed }, "imported");
      const kept: FileResult = { fileId, name, isWritten: true, lines, changed, markedFileId: null };
      await ctx.sql`
        update task set kept = jsonb_build_object('files', coalesce(kept -> 'files', '[]') || ${ctx.sql.json([kept])}) where id = ${job.task.id}`;
      return kept;
    });
    return { result, refused: null, book: null };
  } catch (error) {
    const refused = error instanceof AppError && !job.signal.aborted ? new Refused([fileFault(error.code, error.params)]) : error;
    if (!(refused instanceof Refused)) throw error;
    return { result: { fileId, name, isWritten: false, lines, changed: 0, markedFileId: null }, refused, book: read };
  }
}

const fileFault = (code: ErrorCode, params: Fault["params"] = {}): Fault => ({
  no: null,
  key: null,
  code: code === "SHEET_MISSING" ? "WRONG_FILE" : code,
  params,
});
const sheetNameOfBook = ({ meta }: ReadBook): string => meta.sheet ?? "";

/**
 * What is asked of a workbook before its lines: that it is the newest export, its sheet is there and open, its columns are those it was written with, and
 * the tab may be written. [DUT-03] [DUT-04] [DUT-07] [DUT-12]
 * @throws Refused
 */
async function checkBook(ctx: Ctx, book: ReadBook): Promise<{ basis: Basis; found: Line[] }> {
  const basis = await readBasis(ctx, book.meta).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== "EXPORT_FIRST") throw error;
    const { project } = book.meta;
    const isForeign = project !== undefined && project !== ctx.project.number;
    throw new Refused([fileFault(error.code), ...(isForeign ? [fileFault("WRONG_PROJECT")] : [])]);
  });
  const { tab, heads } = basis;
  const sheet = sheetNameOfBook(book);
  if (!book.isWritable) throw new Refused([fileFault("WRONG_FILE")], sheet, heads);
  const { lines, faults } = readLines(heads, book.rows);
  if (faults.length > 0) throw new Refused(faults, sheet, heads);
  if (tab.mode !== "RW") throw new Refused([fileFault("NO_TAB_WRITE", { tab: tab.name })], sheet, heads);
  return { basis, found: lines };
}

type LockedDu = StoredDu & { code: string; mayWrite: boolean };

/** The DUs of the lines that the caller sees, locked in id order, by code. */
async function lockLineDus({ sql, scope }: Ctx, lines: readonly Line[]): Promise<Map<string, LockedDu>> {
  const codes = [...new Set(lines.map((line) => fixedText(line, "code")))];
  const found = await sql<LockedDu[]>`
    select du.id, du.code, du.row_version as version, du.ext, (${scope.where("duTab.edit")}) as "mayWrite" from du
    where ${scope.where("duTab.view")} and du.code = any(${codes}::text[]) order by du.id for no key update of du`;
  return new Map(found.map((du) => [du.code, du]));
}

/** The rows the lines were made of, locked in id order. */
async function lockLineRows({ sql }: Ctx, tabId: number, lines: readonly Line[]): Promise<Map<number, Stored>> {
  const ids = lines.flatMap(({ mark }) => mark?.row?.id ?? []);
  const found = await sql<Stored[]>`
    select id, du_id as "duId", sn, data, row_version as "rowVersion" from du_tab_row
    where tab_id = ${tabId} and deleted_at is null and id = any(${ids}::bigint[]) order by id for update`;
  return new Map(found.map((row) => [row.id, row]));
}

/**
 * Writes what the lines change, all or nothing.
 * @returns how many rows changed
 * @throws Refused with everything that is wrong
 */
async function writeLines(ctx: Ctx, { tab, columns, heads }: Basis, sheet: string, lines: readonly Line[]): Promise<number> {
  const { attributes } = columns;
  const key = tab.keyMode === "SN" ? "sn" : "code";
  const dus = await lockLineDus(ctx, lines);
  const stored = await lockLineRows(ctx, tab.id, lines);
  const faults: Fault[] = listKeyFaults(tab.keyMode, lines);
  const told = new Set(faults.map(({ no }) => no));
  const works: Work[] = [];
  for (const [index, line] of lines.entries()) {
    const { no, mark } = line;
    const fault = (at: string, code: ErrorCode, params: Fault["params"] = {}) => faults.push({ no, key: at, code, params });
    const du = dus.get(fixedText(line, "code"));
    const before = mark?.row ? (stored.get(mark.row.id) ?? null) : null;
    const values = { data: before?.data ?? {}, ext: du?.ext ?? {} };
    // A DU without a row stands in the workbook to be filled in; nobody has.
    if (tab.keyMode === "DU" && du && !before && !mark?.row && isUntouched(attributes, values, line)) continue;
    if (!du || (before && before.duId !== du.id)) fault("code", "DU_ID_INVALID");
    if (mark?.row && before?.rowVersion !== mark.row.rowVersion) {
      fault(key, "ROW_CHANGED_SINCE");
      continue;
    }
    if (du && !du.mayWrite) {
      // Of somebody else's DU nothing is written: what its rows say is passed over, and it gets no new ones.
      if (!before) fault("code", "DU_ID_INVALID");
      continue;
    }
    const { change, faults: wrong } = lineChange(attributes, values, line);
    faults.push(...wrong);
    if (!du) continue;
    const isDuChanged = mark?.du.id === du.id && mark.du.rowVersion !== du.version;
    if (isDuChanged && Object.keys(change.ext).length > 0) fault(key, "ROW_CHANGED_SINCE");
    works.push({
      given: { index, id: before?.id, duId: du.id },
      before,
      change: { ...change, sn: snChange(tab.keyMode, before, line, fault) },
    });
  }
  for (const { path, code } of await listSnProblems(ctx, tab, works)) {
    const line = lines[Number(path.split(".")[1])] as Line;
    if (told.has(line.no)) continue;
    const isMade = tab.keyMode === "DU" && line.mark !== null;
    faults.push({ no: line.no, key, code: isMade ? "ROW_CHANGED_SINCE" : code === "VALUE_MISSING" ? "SN_REPEATED" : code, params: {} });
  }
  const refuse = () =>
    new Refused(
      faults.sort((one, other) => (one.no ?? 0) - (other.no ?? 0)),
      sheet,
      heads,
    );
  if (faults.length > 0) throw refuse();
  const changed = works.filter(({ change }) => !isUnchanged(change));
  if (changed.length === 0) throw new Refused([fileFault("IMPORT_UNCHANGED")], sheet, heads);
  const refusals = await writeDuValues(ctx, changed, new Map([...dus.values()].map((du) => [du.id, du])), "import");
  for (const { given } of changed) {
    const refusal = refusals.get(given.duId);
    if (refusal) faults.push({ no: lines[given.index]?.no ?? null, key, ...refusal });
  }
  if (faults.length > 0) throw refuse();
  await writeTabRows(ctx, tab, changed, "IMPORT");
  return changed.length;
}

function snChange(
  keyMode: "SN" | "DU",
  before: Stored | null,
  line: Line,
  fault: (key: string, code: ErrorCode, params?: Fault["params"]) => void,
): RowChange["sn"] {
  if (keyMode === "DU") return null;
  const sn = fixedText(line, "sn");
  if ([...sn].length > snChars) fault("sn", "VALUE_TOO_LONG", { field: "SN", max: snChars });
  if (!sn.isWellFormed()) fault("sn", "VALUE_FORMAT", { field: "SN", value: sn.toWellFormed() });
  return sn === (before?.sn ?? null) ? null : [before?.sn ?? null, sn];
}

function errorOf(job: JobCtx, file: string, { sheet, heads }: Refused, { no, key, code, params }: Fault): SheetError {
  const column = heads.find((head) => head.key === key)?.title ?? key;
  return { file, sheet, row: no, column, code, msg: errorText(job.locale, code, params) };
}

/** A refused workbook once more, its wrong cells red with the reason as their comment; put right it can be imported as it is. */
async function storeMarked(job: JobCtx, file: string, { meta, rows }: ReadBook, { heads, sheet, faults }: Refused): Promise<string | null> {
  const texts = faults.map(({ no, key, code, params }) => ({ no, key, text: errorText(job.locale, code, params) }));
  const marked = sheet === null ? null : markedSheet(heads, rows, texts);
  if (!marked || sheet === null) return null;
  const stored = await storeBytes(writeWorkbook({ name: sheet, ...marked, lockedColumns, meta }), workbookMime);
  const name = `${file.replace(/\.xls[xm]$/i, "")} ${sheetTexts(job).rejects}.xlsx`;
  const expiresAt = new Date(job.now.getTime() + fileDays * 86_400_000);
  return job.chunk((ctx) => recordFile(ctx, { ...stored, name, mime: workbookMime, expiresAt }));
}

/** Every error in a workbook of its own; counts the rows that failed with it. */
async function storeErrors(job: JobCtx, errors: readonly SheetError[], failed: number): Promise<string> {
  const texts = sheetTexts(job);
  const { file, sheet, row, column, reason } = texts.columns;
  const stream = writeWorkbook({
    name: texts.rejects,
    columns: [
      { title: file, width: 32 },
      { title: sheet },
      { title: row, kind: "number" },
      { title: column },
      { title: reason, marked: true, width: 60 },
    ],
    rows: errors.map((error) => [error.file, error.sheet, error.row, error.column, error.msg]),
  });
  const stored = await storeBytes(stream, workbookMime);
  return job.chunk(async (ctx, tally) => {
    tally.failed = failed - job.task.failedCount;
    ctx.audit("du_tab rows", null, { refused: failed, errors: errors.length }, "imported");
    return recordFile(ctx, { ...stored, name: `${job.project.number} ${texts.rejects} ${job.today}.xlsx`, mime: workbookMime });
  });
}
