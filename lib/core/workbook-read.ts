import { readFileSync, statSync } from "node:fs";
import { posix } from "node:path";
import { crc32, createInflateRaw } from "node:zlib";
import { streamXlsxRows } from "hucre/xlsx";
import type { CellObject, WorkBook } from "xlsx";
import { AppError } from "#lib/core/error.ts";
import { type Cell, isBlank, momentText, type SheetRow } from "#lib/core/workbook-cell.ts";
import { type Encoding, readCsvRows } from "#lib/core/workbook-csv.ts";
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
import { isOldContainer, isZip, packedBytes, readZipDirectory, readZipPart, type ZipPart } from "#lib/core/workbook-zip.ts";

export type FileType = "xlsx" | "csv";
export type ReadRequest = { type: FileType; sheet?: string; encoding?: Encoding; delimiter?: string; maxRows?: number };
export type SheetName = { name: string; hidden: boolean };
/** What a file says about itself before its rows. */
export type FileInfo = { sheets: SheetName[]; sheet: string; meta: Record<string, string> | null };

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
): Promise<FileInfo> {
  if (statSync(path).size > maxUploadBytes) throw new AppError("FILE_TOO_LARGE", { max: maxUploadBytes });
  const take = limited(request.maxRows, emit);
  if (request.type !== "csv") return readPackage(readFileSync(path), request, take, begin);
  const info: FileInfo = { sheets: [], sheet: "", meta: null };
  begin(info);
  readCsvRows(path, request.encoding ?? "utf-8", request.delimiter ?? "", take);
  return info;
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

async function readPackage(bytes: Buffer, request: ReadRequest, emit: Emit, begin: Begin): Promise<FileInfo> {
  if (isOldContainer(bytes)) throw new AppError("FILE_OLD_FORMAT");
  if (!isZip(bytes)) throw new AppError("FILE_FORMAT");
  const parts = readZipDirectory(bytes);
  const workbook = parts.find((part) => part.name === "xl/workbook.xml");
  if (!workbook || !parts.some((part) => part.name === "[Content_Types].xml")) throw new AppError("FILE_FORMAT");
  const frame = parts.filter((part) =>
    /^(\[Content_Types\]\.xml|_rels\/\.rels|xl\/(workbook|styles)\.xml|xl\/_rels\/workbook\.xml\.rels)$/.test(part.name),
  );
  for (const part of frame) await checkPart(bytes, part, maxFramePartBytes);
  const used = relationTargets(bytes, frame);
  for (const part of parts) {
    const texts = /^xl\/sharedStrings\.xml$/i.test(part.name);
    if (!frame.includes(part) && (texts || /^xl\/worksheets\/[^/]+$/.test(part.name) || used.has(part.name)))
      await checkPart(bytes, part, texts ? maxTextsBytes : maxUnpackedBytes);
  }
  const sheets = sheetNames(readZipPart(bytes, workbook).toString("utf8"));
  const open = sheets.filter((sheet) => sheet.name !== metaSheet);
  const sheet = request.sheet ?? (open.find((one) => !one.hidden) ?? open[0])?.name;
  if (sheet === undefined || !open.some((one) => one.name === sheet)) throw new AppError("SHEET_MISSING");
  let emitted = false;
  const once = (row: SheetRow): boolean => {
    emitted = true;
    return emit(row);
  };
  try {
    const info: FileInfo = { sheets: open, sheet, meta: sheets.length > open.length ? await readMeta(bytes) : null };
    begin(info);
    for await (const row of streamXlsxRows(bytes, { sheet })) if (!once({ no: row.index + 1, cells: row.values.map(fromStream) })) break;
    return info;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const size = parts.reduce((sum, part) => sum + part.unpacked, 0);
    if (emitted || bytes.length > maxSecondReaderBytes || size > maxSecondReaderUnpackedBytes) throw new AppError("FILE_DAMAGED");
    return readWhole(bytes, sheet, open, emit, begin);
  }
}

/** Parts the workbook says it is made of, wherever they lie: a sheet may have any name. */
function relationTargets(bytes: Buffer, frame: readonly ZipPart[]): Set<string> {
  const relations = frame.find((part) => part.name.endsWith("workbook.xml.rels"));
  const xml = relations ? readZipPart(bytes, relations).toString("utf8") : "";
  const targets = [...xml.matchAll(/<(?:\w+:)?Relationship\s([^>]*)>/g)]
    .map(([, attributes = ""]) => attributes)
    .filter((attributes) => /\/(worksheet|sharedStrings|styles)["']/.test(attributes))
    .map((attributes) => unescapeXml(/\bTarget\s*=\s*["']([^"']*)["']/.exec(attributes)?.[1] ?? ""));
  return new Set(targets.map((target) => posix.normalize(target.startsWith("/") ? target.slice(1) : `xl/${target}`)));
}

// Unpacks the part once without keeping it: size and checksum must be those of the directory, and the XML must be whole and harmless.
async function checkPart(bytes: Buffer, part: ZipPart, most: number): Promise<void> {
  if (part.unpacked > most) throw new AppError("FILE_BOMB", { max: most, ratio: maxPackRatio });
  const packed = packedBytes(bytes, part);
  if (part.method !== 0 && part.method !== 8) throw new AppError("FILE_DAMAGED");
  const scan = new PartScan();
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

function sheetNames(xml: string): SheetName[] {
  return [...xml.matchAll(/<(?:\w+:)?sheet\s([^>]*?)\/?>/g)].map(([, attributes = ""]) => ({
    name: unescapeXml(/\bname="([^"]*)"/.exec(attributes)?.[1] ?? ""),
    hidden: /\bstate="(hidden|veryHidden)"/.test(attributes),
  }));
}

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name) return named[name] ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
}

async function readMeta(bytes: Buffer): Promise<Record<string, string>> {
  const meta: Record<string, string> = Object.create(null);
  for await (const row of streamXlsxRows(bytes, { sheet: metaSheet, maxRows: 100 })) {
    const [key, value] = row.values;
    if (typeof key === "string" && value !== null && value !== undefined) meta[key] = String(value);
  }
  return meta;
}

// The same few days stand in most cells of a plan.
const moments = new Map<number, { d: string }>();

// The years 1 to 9999; what lies outside shows as an error in the spreadsheet too.
const firstMoment = Date.parse("0001-01-01T00:00:00Z");
const lastMoment = Date.parse("9999-12-31T23:59:59.999Z");

function momentCell(date: Date): Cell {
  const time = date.getTime();
  if (!(time >= firstMoment && time <= lastMoment)) return "#NUM!";
  let cell = moments.get(time);
  if (!cell) {
    cell = { d: momentText(date) };
    if (moments.size < 50_000) moments.set(time, cell);
  }
  return cell;
}

function fromStream(value: string | number | boolean | Date | null): Cell {
  if (value instanceof Date) return momentCell(value);
  return typeof value === "string" ? value.replaceAll("\u0000", "") : value;
}

// The second reader knows layouts the streaming one does not, at the price of holding the whole file.
async function readWhole(bytes: Buffer, sheet: string, sheets: SheetName[], emit: Emit, begin: Begin): Promise<FileInfo> {
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
  return info;
}

function fromSecond(cell: CellObject | undefined, isDate: (format: string) => boolean): Cell {
  if (!cell || cell.v === undefined || cell.t === "z") return null;
  if (cell.t === "n" && cell.z !== undefined && isDate(String(cell.z)))
    return momentCell(new Date((Math.floor(cell.v as number) - 25_569) * 86_400_000));
  if (cell.t === "e") return cell.w ?? "#VALUE!";
  if (cell.v instanceof Date) return momentCell(cell.v);
  return typeof cell.v === "string" ? cell.v.replaceAll("\u0000", "") : (cell.v as number | boolean);
}
