import { once } from "node:events";
import { Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";
import { looksLikeFormula } from "#lib/core/inert-text.ts";
import { type Cell, serialOf } from "#lib/core/workbook-cell.ts";
import { maxCellText, metaSheet } from "#lib/core/workbook-limits.ts";

/** A column of a written sheet. Cells of a `day` column are ISO days or day numbers (days since 2000-01-01, 0 = empty). */
export type WriteColumn = {
  title: string;
  key?: string;
  kind?: "text" | "day" | "number";
  width?: number;
  marked?: boolean;
  hidden?: boolean;
  /** Values to choose from; what is typed beside them is refused. */
  list?: readonly string[];
  /** The written cells refuse what is typed. */
  locked?: boolean;
};

export type WriteSheet = {
  name: string;
  columns: WriteColumn[];
  rows: Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>;
  /** Columns that stay in sight when scrolling sideways. */
  lockedColumns?: number;
  /** What the hidden sheet `_meta` says; with it the keys of the columns stand in a hidden first row. */
  meta?: Record<string, string | number>;
  /** What is wrong with cells, by number of the row and place of the column: they are red and carry it as a comment. */
  notes?: CellNotes;
};

/** Comments of cells by number of the row, 1 the first, and place of the column, 0 the first. */
export type CellNotes = ReadonlyMap<number, ReadonlyMap<number, string>>;

// Places of the cell formats in `stylesXml`.
const style = {
  plain: 0,
  head: 1,
  day: 2,
  inert: 3,
  moment: 4,
  key: 5,
  marked: 6,
  wrong: 7,
  wrongDay: 8,
  wrongMoment: 9,
  wrongText: 10,
} as const;
// Serial number of 2000-01-01.
const epochSerial = 36_526;
const chunkChars = 65_536;

/**
 * A workbook as a stream of bytes, written while rows are pulled: memory does not grow with their number. The head is frozen and filtered,
 * days are typed dates, and text that a spreadsheet program could take for a formula (= + - @) is marked as text.
 */
export function writeWorkbook(sheet: WriteSheet): Readable {
  return Readable.from(packageBytes(sheet), { objectMode: false });
}

async function* packageBytes(sheet: WriteSheet): AsyncGenerator<Buffer> {
  const zip = zipWriter();
  const lists = listsOf(sheet.columns);
  const numbers = [1, ...(sheet.meta ? [2] : []), ...(lists.length > 0 ? [3] : [])];
  const notes = sheet.notes?.size ? sheet.notes : null;
  yield* zip.part("[Content_Types].xml", [contentTypesXml(numbers, notes !== null)]);
  yield* zip.part("_rels/.rels", [rootRelsXml]);
  yield* zip.part("xl/workbook.xml", [workbookXml(sheet.name, numbers)]);
  yield* zip.part("xl/_rels/workbook.xml.rels", [workbookRelsXml(numbers)]);
  yield* zip.part("xl/styles.xml", [stylesXml]);
  if (sheet.meta) yield* zip.part("xl/worksheets/sheet2.xml", [metaXml(sheet.meta)]);
  if (lists.length > 0) yield* zip.part("xl/worksheets/sheet3.xml", [listsXml(lists)]);
  yield* zip.part("xl/worksheets/sheet1.xml", sheetXml(sheet));
  if (notes) {
    yield* zip.part("xl/worksheets/_rels/sheet1.xml.rels", [notesRelsXml]);
    yield* zip.part("xl/comments1.xml", commentsXml(notes));
    yield* zip.part("xl/drawings/vmlDrawing1.vml", notesVml(notes));
  }
  yield zip.directory();
}

async function* sheetXml(sheet: WriteSheet): AsyncGenerator<string> {
  const { columns, notes } = sheet;
  const letters = columns.map((_, index) => columnLetters(index));
  const headRows = sheet.meta ? 2 : 1;
  let text = `${sheetStart(columns, headRows, sheet.lockedColumns ?? 0)}<sheetData>`;
  let rowNo = 0;
  if (sheet.meta)
    text += rowXml(
      ++rowNo,
      letters,
      columns,
      columns.map((column) => column.key ?? ""),
      style.key,
      ' hidden="1"',
    );
  text += rowXml(
    ++rowNo,
    letters,
    columns,
    columns.map((column) => column.title),
    style.head,
    "",
    notes?.get(rowNo),
  );
  for await (const cells of sheet.rows) {
    text += rowXml(++rowNo, letters, columns, cells, undefined, "", notes?.get(rowNo));
    if (text.length > chunkChars) {
      yield text;
      text = "";
    }
  }
  const last = `${letters.at(-1) ?? "A"}${Math.max(rowNo, headRows)}`;
  yield `${text}</sheetData><autoFilter ref="A${headRows}:${last}"/>${validationsXml(columns, headRows + 1, rowNo)}${notes?.size ? '<legacyDrawing r:id="rId2"/>' : ""}</worksheet>`;
}

const listSheet = "_lists";
// Rows below the written ones that take values of a list too.
const addedRows = 10_000;

const listsOf = (columns: readonly WriteColumn[]): (readonly string[])[] => columns.flatMap(({ list }) => (list?.length ? [list] : []));

function listsXml(lists: readonly (readonly string[])[]): string {
  const columns: WriteColumn[] = lists.map(() => ({ title: "" }));
  const letters = lists.map((_, index) => columnLetters(index));
  const height = Math.max(...lists.map((list) => list.length));
  const rows = Array.from({ length: height }, (_, row) =>
    rowXml(
      row + 1,
      letters,
      columns,
      lists.map((list) => list[row] ?? null),
    ),
  );
  return `${declaration}<worksheet xmlns="${main}"><sheetData>${rows.join("")}</sheetData></worksheet>`;
}

/** What the cells of columns with a list, and of locked ones, take. */
function validationsXml(columns: readonly WriteColumn[], first: number, last: number): string {
  let lists = 0;
  const rules = columns.flatMap(({ list, locked }, index) => {
    const letters = columnLetters(index);
    const at = list?.length ? columnLetters(lists++) : null;
    if (locked)
      return last < first
        ? []
        : [
            `<dataValidation type="custom" showErrorMessage="1" sqref="${letters}${first}:${letters}${last}"><formula1>FALSE</formula1></dataValidation>`,
          ];
    if (at === null || !list) return [];
    const range = `${listSheet}!$${at}$1:$${at}$${list.length}`;
    return [
      `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${letters}${first}:${letters}${Math.max(last, first) + addedRows}"><formula1>${range}</formula1></dataValidation>`,
    ];
  });
  return rules.length > 0 ? `<dataValidations count="${rules.length}">${rules.join("")}</dataValidations>` : "";
}

function sheetStart(columns: WriteColumn[], headRows: number, locked: number): string {
  const corner = `${columnLetters(locked)}${headRows + 1}`;
  const pane = `<pane${locked ? ` xSplit="${locked}"` : ""} ySplit="${headRows}" topLeftCell="${corner}" activePane="${locked ? "bottomRight" : "bottomLeft"}" state="frozen"/>`;
  const widths = columns.map(
    (column, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${column.width ?? defaultWidth(column)}" customWidth="1"${column.hidden ? ' hidden="1"' : ""}/>`,
  );
  return `${declaration}<worksheet xmlns="${main}" xmlns:r="${relations}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>${widths.length ? `<cols>${widths.join("")}</cols>` : ""}`;
}

const defaultWidth = (column: WriteColumn): number => Math.min(40, Math.max(column.kind === "day" ? 12 : 10, [...column.title].length + 4));

function rowXml(
  no: number,
  letters: string[],
  columns: WriteColumn[],
  cells: readonly Cell[],
  forced?: number,
  attributes = "",
  wrong?: ReadonlyMap<number, string>,
): string {
  let xml = `<row r="${no}"${attributes}>`;
  const length = wrong ? Math.max(cells.length, ...wrong.keys().map((at) => at + 1)) : cells.length;
  for (let at = 0; at < length; at++) {
    const cell = cells[at] ?? null;
    const column = columns[at];
    const ref = `<c r="${letters[at] ?? columnLetters(at)}${no}"`;
    if (wrong?.has(at)) xml += wrongXml(ref, cell);
    else if (cell === null || cell === "") continue;
    else if (typeof cell === "string") xml += textXml(ref, cell, forced ?? (column?.marked ? style.marked : undefined), column);
    else if (typeof cell === "number") {
      if (column?.kind === "day") xml += cell === 0 ? "" : `${ref} s="${style.day}"><v>${cell + epochSerial}</v></c>`;
      else if (Number.isFinite(cell)) xml += `${ref}><v>${cell}</v></c>`;
    } else if (typeof cell === "boolean") xml += `${ref} t="b"><v>${cell ? 1 : 0}</v></c>`;
    else xml += `${ref} s="${cell.d.length === 10 ? style.day : style.moment}"><v>${serialOf(cell.d)}</v></c>`;
  }
  return `${xml}</row>`;
}

function wrongXml(ref: string, cell: Cell): string {
  if (cell === null || cell === "") return `${ref} s="${style.wrong}"/>`;
  if (typeof cell === "number") return `${ref} s="${style.wrong}"><v>${cell}</v></c>`;
  if (typeof cell === "boolean") return `${ref} s="${style.wrong}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === "string") return textXml(ref, cell, style.wrongText, undefined);
  return `${ref} s="${cell.d.length === 10 ? style.wrongDay : style.wrongMoment}"><v>${serialOf(cell.d)}</v></c>`;
}

const isoDay = /^\d{4}-\d{2}-\d{2}$/;

function textXml(ref: string, cell: string, forced: number | undefined, column: WriteColumn | undefined): string {
  if (forced === undefined && column?.kind === "day" && isoDay.test(cell)) return `${ref} s="${style.day}"><v>${serialOf(cell)}</v></c>`;
  const used = forced ?? (looksLikeFormula(cell) ? style.inert : style.plain);
  return `${ref}${used ? ` s="${used}"` : ""} t="inlineStr"><is><t xml:space="preserve">${xmlText(cell.length > maxCellText ? cut(cell) : cell)}</t></is></c>`;
}

// Never between the two halves of a character.
const cut = (text: string): string => text.slice(0, /[\uD800-\uDBFF]/.test(text[maxCellText - 1] ?? "") ? maxCellText - 1 : maxCellText);

const special: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters XML cannot hold are the point here
const unsafe = /[&<>"\u0000-\u0008\u000B-\u000D\u000E-\u001F\uFFFE\uFFFF]|_x[0-9A-Fa-f]{4}_/g;

// Characters XML cannot hold travel as _xHHHH_, and a text that looks like one is protected the same way.
function xmlText(text: string): string {
  return text.replace(unsafe, (found) => {
    if (found.length > 1) return `_x005F${found}`;
    return special[found] ?? (found >= "\uFFFE" ? "" : `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`);
  });
}

/** Letters of a column, 0 = A. */
export function columnLetters(index: number): string {
  let letters = "";
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packageRelations = "http://schemas.openxmlformats.org/package/2006/relationships";
const contentTypes = "application/vnd.openxmlformats-officedocument.spreadsheetml";

function metaXml(meta: Record<string, string | number>): string {
  const columns: WriteColumn[] = [{ title: "key" }, { title: "value" }];
  const rows = Object.entries(meta).map(([key, value], index) => rowXml(index + 1, ["A", "B"], columns, [key, value]));
  return `${declaration}<worksheet xmlns="${main}"><sheetData>${rows.join("")}</sheetData></worksheet>`;
}

const placesOf = (notes: CellNotes): [row: number, column: number, text: string][] =>
  [...notes].flatMap(([row, cells]) => [...cells].map(([column, text]): [number, number, string] => [row, column, text]));

function* commentsXml(notes: CellNotes): Generator<string> {
  yield `${declaration}<comments xmlns="${main}"><authors><author/></authors><commentList>`;
  for (const [row, column, text] of placesOf(notes))
    yield `<comment ref="${columnLetters(column)}${row}" authorId="0"><text><t xml:space="preserve">${xmlText(text)}</t></text></comment>`;
  yield "</commentList></comments>";
}

// Spreadsheet programs show a comment only where an old drawing says how large its box is.
function* notesVml(notes: CellNotes): Generator<string> {
  yield '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"/>';
  let no = 1024;
  for (const [row, column] of placesOf(notes))
    yield `<v:shape id="_x0000_s${++no}" type="#_x0000_t202" style="position:absolute;width:240px;height:72px;visibility:hidden" fillcolor="#ffffe1"><x:ClientData ObjectType="Note"><x:Anchor>${column + 1},12,${row},4,${column + 4},12,${row + 4},4</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row - 1}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`;
  yield "</xml>";
}

function contentTypesXml(sheets: readonly number[], hasNotes: boolean): string {
  const overrides = sheets
    .map((no) => `<Override PartName="/xl/worksheets/sheet${no}.xml" ContentType="${contentTypes}.worksheet+xml"/>`)
    .join("");
  return `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${hasNotes ? '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>' : ""}<Override PartName="/xl/workbook.xml" ContentType="${contentTypes}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentTypes}.styles+xml"/>${overrides}${hasNotes ? `<Override PartName="/xl/comments1.xml" ContentType="${contentTypes}.comments+xml"/>` : ""}</Types>`;
}

const rootRelsXml = `${declaration}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

function workbookXml(name: string, numbers: readonly number[]): string {
  const title = xmlText(name.replace(/[\\/?*[\]:]/g, " ").slice(0, 31));
  const hidden = [metaSheet, listSheet].map((sheet, at) =>
    numbers.includes(at + 2) ? `<sheet name="${sheet}" sheetId="${at + 2}" state="hidden" r:id="rId${at + 2}"/>` : "",
  );
  return `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="${title}" sheetId="1" r:id="rId1"/>${hidden.join("")}</sheets></workbook>`;
}

function workbookRelsXml(numbers: readonly number[]): string {
  const sheets = numbers.map((no) => `<Relationship Id="rId${no}" Type="${relations}/worksheet" Target="worksheets/sheet${no}.xml"/>`);
  return `${declaration}<Relationships xmlns="${packageRelations}">${sheets.join("")}<Relationship Id="rId9" Type="${relations}/styles" Target="styles.xml"/></Relationships>`;
}

const notesRelsXml = `${declaration}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/comments" Target="../comments1.xml"/><Relationship Id="rId2" Type="${relations}/vmlDrawing" Target="../drawings/vmlDrawing1.vml"/></Relationships>`;

const fonts =
  '<fonts count="4"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><color rgb="FFFFFFFF"/><name val="Calibri"/></font>' +
  '<font><sz val="9"/><color rgb="FF858E9A"/><name val="Calibri"/></font><font><sz val="11"/><color rgb="FFA0101F"/><name val="Calibri"/></font></fonts>';
const fills =
  '<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  '<fill><patternFill patternType="solid"><fgColor rgb="FF1566C4"/></patternFill></fill><fill><patternFill patternType="solid"><fgColor rgb="FFFFC7CE"/></patternFill></fill></fills>';
const formats = [
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  '<xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0" applyFont="1" applyFill="1" applyNumberFormat="1"/>',
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/>',
  '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
  '<xf numFmtId="49" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1" applyNumberFormat="1"/>',
  '<xf numFmtId="49" fontId="3" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyFont="1" applyNumberFormat="1"/>',
  ...[0, 164, 165].map(
    (format) => `<xf numFmtId="${format}" fontId="3" fillId="3" borderId="0" xfId="0" applyFont="1" applyFill="1" applyNumberFormat="1"/>`,
  ),
  '<xf numFmtId="49" fontId="3" fillId="3" borderId="0" xfId="0" quotePrefix="1" applyFont="1" applyFill="1" applyNumberFormat="1"/>',
];
const stylesXml =
  `${declaration}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>` +
  `${fonts}${fills}<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
  `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${formats.length}">${formats.join("")}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

type Written = { name: string; crc: number; packed: number; size: number; offset: number };

// Sizes are unknown when a part begins, so they follow it (data descriptors), and the directory at the end repeats them.
function zipWriter() {
  const written: Written[] = [];
  let offset = 0;
  const count = (bytes: Buffer): Buffer => {
    offset += bytes.length;
    return bytes;
  };
  async function* part(name: string, chunks: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Buffer> {
    const entry: Written = { name, crc: 0, packed: 0, size: 0, offset };
    yield count(localHeader(name));
    const deflate = createDeflateRaw({ level: 4, chunkSize: 65_536 });
    const fed = (async () => {
      for await (const text of chunks) {
        const bytes = Buffer.from(text);
        entry.crc = crc32(bytes, entry.crc);
        entry.size += bytes.length;
        if (!deflate.write(bytes)) await once(deflate, "drain");
      }
      deflate.end();
    })();
    fed.catch((error) => deflate.destroy(error));
    for await (const bytes of deflate) {
      entry.packed += (bytes as Buffer).length;
      yield count(bytes as Buffer);
    }
    await fed;
    yield count(descriptor(entry));
    written.push(entry);
  }
  const directory = (): Buffer => {
    const entries = written.map(directoryEntry);
    const size = entries.reduce((sum, entry) => sum + entry.length, 0);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(written.length, 8);
    end.writeUInt16LE(written.length, 10);
    end.writeUInt32LE(size, 12);
    end.writeUInt32LE(offset, 16);
    return Buffer.concat([...entries, end]);
  };
  return { part, directory };
}

// Version 2.0, data descriptor and UTF-8 names, deflate, 1980-01-01: the same rows give the same bytes.
const zipFlags = (buffer: Buffer, at: number): void => {
  buffer.writeUInt16LE(20, at);
  buffer.writeUInt16LE(0x0808, at + 2);
  buffer.writeUInt16LE(8, at + 4);
  buffer.writeUInt16LE(0, at + 6);
  buffer.writeUInt16LE(0x21, at + 8);
};

function localHeader(name: string): Buffer {
  const header = Buffer.alloc(30 + name.length);
  header.writeUInt32LE(0x04034b50, 0);
  zipFlags(header, 4);
  header.writeUInt16LE(name.length, 26);
  header.write(name, 30, "latin1");
  return header;
}

function descriptor(entry: Written): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(entry.crc, 4);
  bytes.writeUInt32LE(entry.packed, 8);
  bytes.writeUInt32LE(entry.size, 12);
  return bytes;
}

function directoryEntry(entry: Written): Buffer {
  const bytes = Buffer.alloc(46 + entry.name.length);
  bytes.writeUInt32LE(0x02014b50, 0);
  bytes.writeUInt16LE(20, 4);
  zipFlags(bytes, 6);
  bytes.writeUInt32LE(entry.crc, 16);
  bytes.writeUInt32LE(entry.packed, 20);
  bytes.writeUInt32LE(entry.size, 24);
  bytes.writeUInt16LE(entry.name.length, 28);
  bytes.writeUInt32LE(entry.offset, 42);
  bytes.write(entry.name, 46, "latin1");
  return bytes;
}
