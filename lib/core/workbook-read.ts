import { readFileSync, statSync } from "node:fs";
import { crc32, createInflateRaw } from "node:zlib";
import type { CellObject, WorkBook } from "xlsx";
import { AppError } from "#lib/core/error.ts";
import { type Cell, cellText, isBlank, type SheetRow } from "#lib/core/workbook-cell.ts";
import { type Encoding, readCsvRows } from "#lib/core/workbook-csv.ts";
import { countsFrom1904, dateStyles, type SheetName, sheetNames, sheetTarget, workbookRelations } from "#lib/core/workbook-frame.ts";
import {
  maxCellText,
  maxFramePartBytes,
  maxPackRatio,
  maxSecondReaderBytes,
  maxSecondReaderUnpackedBytes,
  maxSheetColumns,
  maxSheetRows,
  maxTextsBytes,
  maxUnpackedBytes,
  maxUploadBytes,
  metaSheet,
} from "#lib/core/workbook-limits.ts";
import { PartScan } from "#lib/core/workbook-scan.ts";
import { momentOf, SheetScan, TextsScan } from "#lib/core/workbook-sheet.ts";
import { isOldContainer, isZip, packedBytes, readZipDirectory, readZipPart, type ZipPart } from "#lib/core/workbook-zip.ts";

export type FileType = "xlsx" | "csv";
export type ReadRequest = { type: FileType; sheet?: string; encoding?: Encoding; delimiter?: string; maxRows?: number };
/** What a file says about itself before its rows. */
export type FileInfo = { sheets: SheetName[]; sheet: string; meta: Record<string, string> | null };
/** What is known of a file once its rows are read. */
export type ReadFile = FileInfo & { isProtected: boolean };

/**
 * Reads a file row by row. Formulas count as the value stored with them, and a file with formulas that have none is refused; macros, links to other
 * files and everything else beside the cells are not looked at.
 * @param emit gets every row that is not blank; false ends the reading
 * @param begin hears what the file says about itself before its first row
 * @throws AppError with a code of its own for each way in which a file is not one to read: the FILE_ and SHEET_ codes, CELL_TOO_LONG, ENCODING_WRONG,
 * CSV_QUOTES, FORMULA_NO_VALUE
 */
export async function readFileRows(
  path: string,
  request: ReadRequest,
  emit: (row: SheetRow) => boolean,
  begin: (info: FileInfo) => void = () => {},
): Promise<ReadFile> {
  if (statSync(path).size > maxUploadBytes) throw new AppError("FILE_TOO_LARGE", { max: maxUploadBytes });
  const take = limited(request.maxRows, emit);
  if (request.type !== "csv") return readPackage(readFileSync(path), request, take, begin);
  const info: FileInfo = { sheets: [], sheet: "", meta: null };
  begin(info);
  readCsvRows(path, request.encoding ?? "utf-8", request.delimiter ?? "", take);
  return { ...info, isProtected: false };
}

function limited(maxRows: number | undefined, emit: (row: SheetRow) => boolean): (row: SheetRow) => boolean {
  let rows = 0;
  return (row) => {
    let last = row.cells.length;
    while (last > 0 && isBlank(row.cells[last - 1] as Cell)) last--;
    if (last === 0) return true;
    if (++rows > maxSheetRows) throw new AppError("SHEET_ROWS", { max: maxSheetRows });
    if (last > maxSheetColumns) throw new AppError("SHEET_COLUMNS", { max: maxSheetColumns });
    row.cells.length = last;
    for (const cell of row.cells)
      if (typeof cell === "string" && cell.length > maxCellText) throw new AppError("CELL_TOO_LONG", { row: row.no, max: maxCellText });
    return emit(row) && rows !== maxRows;
  };
}

type Emit = (row: SheetRow) => boolean;
type Begin = (info: FileInfo) => void;

async function readPackage(bytes: Buffer, request: ReadRequest, emit: Emit, begin: Begin): Promise<ReadFile> {
  if (isOldContainer(bytes)) throw new AppError("FILE_OLD_FORMAT");
  if (!isZip(bytes)) throw new AppError("FILE_FORMAT");
  const parts = readZipDirectory(bytes);
  const workbook = parts.find((part) => part.name === "xl/workbook.xml");
  if (!workbook || !parts.some((part) => part.name === "[Content_Types].xml")) throw new AppError("FILE_FORMAT");
  const frame = parts.filter((part) =>
    /^(\[Content_Types\]\.xml|_rels\/\.rels|xl\/(workbook|styles)\.xml|xl\/_rels\/workbook\.xml\.rels)$/.test(part.name),
  );
  for (const part of frame) await readPart(bytes, part, maxFramePartBytes, new PartScan());
  const textOf = (part: ZipPart | undefined) => (part ? readZipPart(bytes, part).toString("utf8") : "");
  const xml = textOf(workbook);
  const relations = workbookRelations(textOf(frame.find((part) => part.name.endsWith("workbook.xml.rels"))));
  const sheets = sheetNames(xml);
  const open = sheets.filter((sheet) => sheet.name !== metaSheet);
  const sheet = request.sheet ?? (open.find((one) => !one.hidden) ?? open[0])?.name;
  if (sheet === undefined || !open.some((one) => one.name === sheet)) throw new AppError("SHEET_MISSING");
  const partOf = (name: string) => parts.find((part) => part.name === sheetTarget(xml, relations, name));
  const [wanted, described] = [partOf(sheet), partOf(metaSheet)];
  const referred = (kind: string) => relations.filter(({ type }) => type.endsWith(`/${kind}`)).map(({ target }) => target);
  const [textTargets, styleTargets, sheetTargets] = ["sharedStrings", "styles", "worksheet"].map(referred) as [
    string[],
    string[],
    string[],
  ];
  const texts = new TextsScan();
  // All others are looked through first; the sheet itself is while it is read.
  for (const part of parts) {
    const shared = textTargets.includes(part.name);
    const named = shared || styleTargets.includes(part.name) || sheetTargets.includes(part.name);
    if (frame.includes(part) || part === wanted || part === described) continue;
    const limit = shared || /^xl\/sharedStrings\.xml$/i.test(part.name) ? maxTextsBytes : maxUnpackedBytes;
    if (named || limit === maxTextsBytes || /^xl\/worksheets\/[^/]+$/.test(part.name))
      await readPart(bytes, part, limit, shared ? texts : new PartScan());
  }
  const context = {
    texts: texts.texts,
    dateStyles: dateStyles(textOf(parts.find((part) => styleTargets.includes(part.name)))),
    from1904: countsFrom1904(xml),
  };
  const meta: Record<string, string> = Object.create(null);
  const keep = ({ cells: [key, value] }: SheetRow): boolean => {
    if (typeof key === "string" && value !== null && value !== undefined) meta[key] = cellText(value);
    return true;
  };
  if (described) await readPart(bytes, described, maxUnpackedBytes, new SheetScan(context, keep));
  if (!wanted) {
    const size = parts.reduce((sum, part) => sum + part.unpacked, 0);
    if (bytes.length > maxSecondReaderBytes || size > maxSecondReaderUnpackedBytes) throw new AppError("FILE_DAMAGED");
    return readWhole(bytes, sheet, open, emit, begin);
  }
  const info: FileInfo = { sheets: open, sheet, meta: sheets.length > open.length ? meta : null };
  begin(info);
  const scan = new SheetScan(context, emit);
  await readPart(bytes, wanted, maxUnpackedBytes, scan);
  return { ...info, isProtected: scan.isProtected };
}

// Unpacks the part once without keeping it: size and checksum must be those of the directory, and the XML must be whole and harmless.
async function readPart(bytes: Buffer, part: ZipPart, most: number, scan: PartScan): Promise<void> {
  if (part.unpacked > most) throw new AppError("FILE_BOMB", { max: most, ratio: maxPackRatio });
  const packed = packedBytes(bytes, part);
  if (part.method !== 0 && part.method !== 8) throw new AppError("FILE_DAMAGED");
  let size = 0;
  let sum = 0;
  let tail: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of part.method === 0 ? [packed] : unpacked(packed)) {
      size += chunk.length;
      sum = crc32(chunk, sum);
      if (size > part.unpacked) throw new AppError("FILE_DAMAGED");
      scan.feed(chunk);
      tail = Buffer.concat([tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("FILE_DAMAGED");
  }
  if (size !== part.unpacked || sum !== part.crc) throw new AppError("FILE_DAMAGED");
  const end = tail.toString("latin1").trimEnd();
  const whole = /^xl\/(worksheets\/|sharedStrings)/i.test(part.name)
    ? /<\/(\w+:)?(worksheet|chartsheet|dialogsheet|macrosheet|sst)>$/.test(end) || /<(\w+:)?sst[^>]*\/>$/.test(end)
    : end.endsWith(">");
  if (part.name.endsWith(".xml") && !whole) throw new AppError("FILE_DAMAGED");
}

// A closing tag fits in.
const tailBytes = 400;

function unpacked(packed: Buffer): AsyncIterable<Buffer> {
  const inflate = createInflateRaw({ chunkSize: 262_144 });
  inflate.end(packed);
  return inflate;
}

// The second reader knows layouts the streaming one does not, at the price of holding the whole file.
async function readWhole(bytes: Buffer, sheet: string, sheets: SheetName[], emit: Emit, begin: Begin): Promise<ReadFile> {
  // Most files never need it, and loading it takes longer than reading a small one.
  const XLSX = await import("xlsx");
  let book: WorkBook;
  try {
    book = XLSX.read(bytes, { dense: true, cellNF: true, cellHTML: false, sheets: [sheet, metaSheet] });
  } catch {
    throw new AppError("FILE_DAMAGED");
  }
  const found = Object.hasOwn(book.Sheets, sheet) ? book.Sheets[sheet] : undefined;
  if (!found) throw new AppError("FILE_DAMAGED");
  const pairs = ((book.Sheets[metaSheet]?.["!data"] ?? []) as CellObject[][]).map((row) => [String(row[0]?.v), String(row[1]?.v)]);
  const info: FileInfo = { sheets, sheet, meta: pairs.length ? Object.fromEntries(pairs) : null };
  begin(info);
  const data = (found["!data"] ?? []) as (CellObject | undefined)[][];
  for (const [index, row] of data.entries())
    if (row && !emit({ no: index + 1, cells: Array.from(row, (cell) => fromSecond(cell, XLSX.SSF.is_date)) })) break;
  return { ...info, isProtected: found["!protect"] !== undefined };
}

function fromSecond(cell: CellObject | undefined, isDate: (format: string) => boolean): Cell {
  if (!cell || cell.v === undefined || cell.t === "z") return null;
  if (cell.t === "n" && cell.z !== undefined && isDate(String(cell.z)))
    return momentOf((Math.floor(cell.v as number) - 25_569) * 86_400_000);
  if (cell.t === "e") return cell.w ?? "#VALUE!";
  if (cell.v instanceof Date) return momentOf(cell.v.getTime());
  return typeof cell.v === "string" ? cell.v.replaceAll("\u0000", "") : (cell.v as number | boolean);
}
