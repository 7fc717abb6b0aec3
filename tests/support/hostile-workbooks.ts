import * as XLSX from "xlsx";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { maxPackageParts, maxSheetColumns, maxSheetRows } from "#lib/core/workbook-limits.ts";
import type { ReadRequest } from "#lib/core/workbook-read.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { type PackagePart, packedRepeats, zipBytes } from "./zip-bytes.ts";

/** A hostile file: how it is refused, or what is read of it, row by row, because it does no harm. */
export type HostileFile = {
  kind: string;
  make: () => Buffer;
  request?: Partial<ReadRequest>;
} & ({ refused: ErrorCode } | { rows: Cell[][] | number; meta?: Record<string, string> });

const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const types = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>';
const relation = (id: string, type: string, target: string, more = "") =>
  `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"${more}/>`;
const relationsXml = (inner: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`;
const workbookXml = (inner = '<sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets>', before = "") =>
  `${before}<workbook xmlns:r="${relations}">${inner}</workbook>`;
const sheetXml = (rows: string, before = "", after = "") => `${before}<worksheet><sheetData>${rows}</sheetData>${after}</worksheet>`;
const row = (cells: string, no = 1) => `<row r="${no}">${cells}</row>`;
const text = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;
const good = sheetXml(row(text("A1", "x")));

type Given = {
  sheet?: string | Partial<PackagePart>;
  book?: string;
  rels?: string;
  more?: PackagePart[];
  without?: string;
  end?: Parameters<typeof zipBytes>[1];
};

/** A workbook of one sheet, with parts put in the place of the usual ones. */
function book({ sheet = good, book = workbookXml(), rels = "", more = [], without, end }: Given = {}): Buffer {
  const parts: PackagePart[] = [
    { name: "[Content_Types].xml", text: types },
    { name: "_rels/.rels", text: relationsXml(relation("rId1", "officeDocument", "xl/workbook.xml")) },
    { name: "xl/workbook.xml", text: book },
    { name: "xl/_rels/workbook.xml.rels", text: relationsXml(rels || relation("rId1", "worksheet", "worksheets/sheet1.xml")) },
    { name: "xl/worksheets/sheet1.xml", ...(typeof sheet === "string" ? { text: sheet } : sheet) },
    ...more,
  ];
  return zipBytes(
    parts.filter((part) => part.name !== without),
    end,
  );
}

const bomb = (begin: string, unit: string, times: number, end: string): Partial<PackagePart> => {
  const { packed, size, crc } = packedRepeats(begin, unit, times, end);
  return { packed, size, crc };
};

const sharedRels = relation("rId1", "worksheet", "worksheets/sheet1.xml") + relation("rId2", "sharedStrings", "sharedStrings.xml");
const entityBomb = `<!DOCTYPE w [<!ENTITY a "lol">${"bcdefghij"
  .split("")
  .map((name, at) => `<!ENTITY ${name} "${`&${"abcdefghij"[at]};`.repeat(10)}">`)
  .join("")}]>`;
const oldContainer = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(1528, 1)]);
const untouched = book();
const sheetJs = (bookType: XLSX.BookType) => {
  const made = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(made, XLSX.utils.aoa_to_sheet([["id"], ["a"]]), "S");
  return Buffer.from(XLSX.write(made, { type: "buffer", bookType }));
};
const csv: Partial<ReadRequest> = { type: "csv" };

/** Every kind of hostile file the reader is measured against. */
export const hostileFiles: readonly HostileFile[] = [
  // Too much once unpacked
  {
    kind: "a sheet of 900 MB of blanks",
    make: () => book({ sheet: bomb("<worksheet><sheetData>", " ", 900_000_000, "</sheetData></worksheet>") }),
    refused: "FILE_BOMB",
  },
  {
    kind: "a sheet of 60 MB of one repeated cell",
    make: () => book({ sheet: bomb("<worksheet><sheetData>", "<row><c/></row>", 4_000_000, "</sheetData></worksheet>") }),
    refused: "FILE_BOMB",
  },
  {
    kind: "shared texts of 300 MB",
    make: () =>
      book({ rels: sharedRels, more: [{ name: "xl/sharedStrings.xml", ...bomb("<sst>", "<si><t>x</t></si>", 18_000_000, "</sst>") }] }),
    refused: "FILE_BOMB",
  },
  {
    kind: "parts that only together unpack to too much",
    make: () => book({ more: Array.from({ length: 40 }, (_, at) => ({ name: `xl/media/${at}.png`, text: "x", size: 31_000_000 })) }),
    refused: "FILE_BOMB",
  },
  { kind: "a part that claims 4 GB", make: () => book({ sheet: { text: good, size: 0xffffffff } }), refused: "FILE_BOMB" },
  {
    kind: "a package within a package within a package",
    make: () => book({ more: [{ name: "xl/embeddings/a.xlsx", text: book({ more: [{ name: "b.xlsx", text: book() }] }) }] }),
    rows: [["x"]],
  },
  {
    kind: "styles of 40 MB",
    make: () =>
      book({
        more: [{ name: "xl/styles.xml", ...bomb("<styleSheet>", `<xf a="${"0123456789abcdef".repeat(16)}"/>`, 160_000, "</styleSheet>") }],
      }),
    refused: "FILE_BOMB",
  },
  {
    kind: "eleven thousand parts",
    make: () => book({ more: Array.from({ length: maxPackageParts }, (_, at) => ({ name: `xl/p${at}.xml`, text: "<a/>" })) }),
    refused: "FILE_PARTS",
  },
  { kind: "65,535 parts by its own account", make: () => book({ end: { count: 0xffff } }), refused: "FILE_PARTS" },
  // A directory that lies
  {
    kind: "a sheet larger than its directory says",
    make: () => book({ sheet: { text: sheetXml(row(text("A1", "x".repeat(30_000)))), size: 1000 } }),
    refused: "FILE_DAMAGED",
  },
  { kind: "a sheet smaller than its directory says", make: () => book({ sheet: { text: good, size: 5000 } }), refused: "FILE_DAMAGED" },
  {
    kind: "packed sizes beyond the end of the file",
    make: () => book({ sheet: { text: good, packedSize: 50_000 } }),
    refused: "FILE_DAMAGED",
  },
  { kind: "a wrong checksum", make: () => book({ sheet: { text: good, crc: 7 } }), refused: "FILE_DAMAGED" },
  {
    kind: "parts that share their bytes",
    make: () =>
      book({
        more: [{ name: "xl/worksheets/sheet2.xml", localName: "xl/worksheets/sheet1.xml", text: good, over: "xl/worksheets/sheet1.xml" }],
      }),
    refused: "FILE_UNSAFE",
  },
  {
    kind: "the same part twice",
    make: () => book({ more: [{ name: "xl/worksheets/sheet1.xml", text: sheetXml(row(text("A1", "other"))) }] }),
    refused: "FILE_UNSAFE",
  },
  {
    kind: "the same part in other letters",
    make: () => book({ more: [{ name: "XL/Worksheets/Sheet1.xml", text: good }] }),
    refused: "FILE_UNSAFE",
  },
  {
    kind: "another name before the bytes than in the directory",
    make: () => book({ sheet: { text: good, localName: "xl/worksheets/sheet9.xml" } }),
    refused: "FILE_DAMAGED",
  },
  { kind: "a directory of 64-bit sizes that is not there", make: () => book({ end: { offset: 0xffffffff } }), refused: "FILE_DAMAGED" },
  { kind: "a directory that begins in the middle of a part", make: () => book({ end: { offset: 40 } }), refused: "FILE_DAMAGED" },
  { kind: "an unknown way of packing", make: () => book({ sheet: { text: good, method: 14 } }), refused: "FILE_DAMAGED" },
  { kind: "a part marked as encrypted", make: () => book({ sheet: { text: good, flags: 0x0801 } }), refused: "FILE_ENCRYPTED" },
  {
    kind: "names that lead out of the package",
    make: () => book({ more: [{ name: "../../etc/cron.d/x", text: "x" }] }),
    refused: "FILE_UNSAFE",
  },
  { kind: "names from the root", make: () => book({ more: [{ name: "/etc/passwd", text: "x" }] }), refused: "FILE_UNSAFE" },
  { kind: "names with backslashes", make: () => book({ more: [{ name: "xl\\..\\..\\x", text: "x" }] }), refused: "FILE_UNSAFE" },
  { kind: "names with control characters", make: () => book({ more: [{ name: "xl/a\u0000.xml", text: "x" }] }), refused: "FILE_UNSAFE" },
  {
    kind: "bytes that are no packed data",
    make: () => book({ sheet: { packed: Buffer.alloc(200, 0xff), size: 500 } }),
    refused: "FILE_DAMAGED",
  },
  // Cut off
  ...[0.05, 0.5, 0.9].map(
    (part) =>
      ({
        kind: `the first ${part * 100} % of a workbook`,
        make: () => untouched.subarray(0, Math.floor(untouched.length * part)),
        refused: "FILE_DAMAGED",
      }) as HostileFile,
  ),
  { kind: "a workbook without its last byte", make: () => untouched.subarray(0, -1), refused: "FILE_DAMAGED" },
  { kind: "a sheet that ends in the middle", make: () => book({ sheet: good.slice(0, -15) }), refused: "FILE_DAMAGED" },
  { kind: "nothing", make: () => Buffer.alloc(0), refused: "FILE_FORMAT" },
  { kind: "four bytes of a package", make: () => Buffer.from("PK\u0003\u0004"), refused: "FILE_FORMAT" },
  // Something is missing or points elsewhere
  { kind: "no workbook.xml", make: () => book({ without: "xl/workbook.xml" }), refused: "FILE_FORMAT" },
  { kind: "no content types", make: () => book({ without: "[Content_Types].xml" }), refused: "FILE_FORMAT" },
  { kind: "a zip of something else", make: () => zipBytes([{ name: "readme.txt", text: "hello" }]), refused: "FILE_FORMAT" },
  { kind: "a workbook without sheets", make: () => book({ book: workbookXml("<sheets/>") }), refused: "SHEET_MISSING" },
  { kind: "a sheet that was not asked for", make: () => book(), request: { sheet: "Other" }, refused: "SHEET_MISSING" },
  { kind: "a sheet whose part is missing", make: () => book({ without: "xl/worksheets/sheet1.xml" }), refused: "FILE_DAMAGED" },
  {
    kind: "a sheet that points out of the package",
    make: () => book({ rels: relation("rId1", "worksheet", "../../../etc/passwd") }),
    refused: "FILE_DAMAGED",
  },
  {
    kind: "a sheet on the network",
    make: () => book({ rels: relation("rId1", "worksheet", "http://127.0.0.1:9/x.xml", ' TargetMode="External"') }),
    refused: "FILE_DAMAGED",
  },
  {
    kind: "a harmful sheet under an unusual name",
    make: () =>
      book({ rels: relation("rId1", "worksheet", "media/a.bin"), more: [{ name: "xl/media/a.bin", text: sheetXml("", entityBomb) }] }),
    refused: "FILE_UNSAFE",
  },
  // XML that turns against its reader
  {
    kind: "entities that grow without end",
    make: () => book({ sheet: sheetXml(row(text("A1", "&j;")), entityBomb) }),
    refused: "FILE_UNSAFE",
  },
  {
    kind: "an entity that names a file",
    make: () => book({ sheet: sheetXml(row(text("A1", "&f;")), '<!DOCTYPE w [<!ENTITY f SYSTEM "file:///etc/passwd">]>') }),
    refused: "FILE_UNSAFE",
  },
  {
    kind: "a document type from the network",
    make: () => book({ book: workbookXml(undefined, '<!DOCTYPE workbook SYSTEM "http://127.0.0.1:9/x.dtd">') }),
    refused: "FILE_UNSAFE",
  },
  {
    kind: "entities in the shared texts",
    make: () => book({ rels: sharedRels, more: [{ name: "xl/sharedStrings.xml", text: `${entityBomb}<sst><si><t>&j;</t></si></sst>` }] }),
    refused: "FILE_UNSAFE",
  },
  {
    kind: "an element of a megabyte",
    make: () => book({ sheet: sheetXml(`<row ${'a="1" '.repeat(170_000)}></row>`) }),
    refused: "FILE_UNSAFE",
  },
  { kind: "elements that never end", make: () => book({ book: `${workbookXml("<sheet ".repeat(100_000))}` }), refused: "FILE_UNSAFE" },
  {
    kind: "a hundred thousand elements in one another",
    make: () => book({ sheet: sheetXml(`${"<x>".repeat(100_000)}${"</x>".repeat(100_000)}${row(text("A1", "x"))}`) }),
    rows: [["x"]],
  },
  {
    kind: "a character beyond all characters",
    make: () => book({ book: workbookXml('<sheets><sheet name="S&#x7fffffff;" sheetId="1" r:id="rId1"/></sheets>') }),
    rows: [["x"]],
  },
  // Sheets beyond measure
  {
    kind: "a million columns in a row",
    make: () => book({ sheet: sheetXml(row(`${"<c><v>1</v></c>".repeat(1_000_000)}`)) }),
    refused: "SHEET_COLUMNS",
  },
  { kind: "a cell far to the right", make: () => book({ sheet: sheetXml(row('<c r="ZZZZZZ1"><v>1</v></c>')) }), refused: "SHEET_COLUMNS" },
  {
    kind: "one column more than an import takes",
    make: () => book({ sheet: sheetXml(row("<c><v>1</v></c>".repeat(maxSheetColumns + 1))) }),
    refused: "SHEET_COLUMNS",
  },
  {
    kind: "as many columns as an import takes",
    make: () => book({ sheet: sheetXml(row("<c><v>1</v></c>".repeat(maxSheetColumns))) }),
    rows: 1,
  },
  {
    kind: "a million rows of nothing",
    make: () => book({ sheet: sheetXml(Array.from({ length: 1_000_000 }, (_, at) => `<row r="${at + 1}"/>`).join("")) }),
    rows: 0,
  },
  {
    kind: "rows that are numbered beyond the end of a sheet",
    make: () => book({ sheet: sheetXml(row("<c><v>1</v></c>", 99_999_999_999)) }),
    refused: "SHEET_ROWS",
  },
  {
    kind: "one row more than an import takes",
    make: () =>
      book({
        sheet: sheetXml(Array.from({ length: maxSheetRows + 1 }, (_, at) => `<row r="${at + 1}"><c><v>${at}</v></c></row>`).join("")),
      }),
    refused: "SHEET_ROWS",
  },
  {
    kind: "as many rows as an import takes",
    make: () =>
      book({ sheet: sheetXml(Array.from({ length: maxSheetRows }, (_, at) => `<row r="${at + 1}"><c><v>${at}</v></c></row>`).join("")) }),
    rows: maxSheetRows,
  },
  {
    kind: "a size that is not true",
    make: () =>
      book({
        sheet: sheetXml(row(text("A1", "x")), '<?xml version="1.0"?>').replace(
          "<sheetData>",
          '<dimension ref="A1:XFD1048576"/><sheetData>',
        ),
      }),
    rows: [["x"]],
  },
  {
    kind: "two hundred thousand merged cells",
    make: () =>
      book({ sheet: sheetXml(row(text("A1", "x")), "", `<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(200_000)}</mergeCells>`) }),
    rows: [["x"]],
  },
  {
    kind: "a text of 10 MB in a cell",
    make: () => book({ sheet: sheetXml(row(text("A1", "x".repeat(10_000_000)))) }),
    refused: "CELL_TOO_LONG",
  },
  {
    kind: "a text of 10 MB in pieces",
    make: () => book({ sheet: sheetXml(row(`<c r="A1" t="inlineStr"><is>${`<r><t>${"x".repeat(30_000)}</t></r>`.repeat(333)}</is></c>`)) }),
    refused: "CELL_TOO_LONG",
  },
  {
    kind: "a shared text of 10 MB",
    make: () =>
      book({
        rels: sharedRels,
        sheet: sheetXml(row('<c r="A1" t="s"><v>0</v></c>')),
        more: [{ name: "xl/sharedStrings.xml", text: `<sst><si><t>${"x".repeat(10_000_000)}</t></si></sst>` }],
      }),
    refused: "CELL_TOO_LONG",
  },
  {
    kind: "one character more than a cell holds",
    make: () => book({ sheet: sheetXml(row(text("A1", "x".repeat(32_768)))) }),
    refused: "CELL_TOO_LONG",
  },
  {
    kind: "as many characters as a cell holds",
    make: () => book({ sheet: sheetXml(row(text("A1", "x".repeat(32_767)))) }),
    rows: [["x".repeat(32_767)]],
  },
  {
    kind: "a shared text that does not exist",
    make: () =>
      book({
        rels: sharedRels,
        sheet: sheetXml(row(`<c r="A1" t="s"><v>9999999</v></c>${text("B1", "x")}`)),
        more: [{ name: "xl/sharedStrings.xml", text: "<sst><si><t>x</t></si></sst>" }],
      }),
    rows: 1,
  },
  // Content that would act elsewhere
  { kind: "formulas without results", make: () => book({ sheet: sheetXml(row('<c r="A1"><f>1+1</f></c>')) }), refused: "FORMULA_NO_VALUE" },
  { kind: "formulas with results", make: () => book({ sheet: sheetXml(row('<c r="A1"><f>1+1</f><v>2</v></c>')) }), rows: [[2]] },
  {
    kind: "array formulas over a whole sheet",
    make: () => book({ sheet: sheetXml(row('<c r="A1"><f t="array" ref="A1:XFD1048576">ROW()</f><v>1</v></c>')) }),
    rows: [[1]],
  },
  {
    kind: "a formula that starts a program",
    make: () => book({ sheet: sheetXml(row(`<c r="A1" t="str"><f>cmd|' /C calc'!A0</f><v>x</v></c>`)) }),
    rows: [["x"]],
  },
  {
    kind: "a formula that asks the network",
    make: () => book({ sheet: sheetXml(row('<c r="A1" t="str"><f>WEBSERVICE("http://127.0.0.1:9/")</f><v>x</v></c>')) }),
    rows: [["x"]],
  },
  {
    kind: "links to other workbooks",
    make: () =>
      book({
        sheet: sheetXml(row("<c r=\"A1\"><f>'[1]S'!A1</f><v>7</v></c>")),
        more: [
          { name: "xl/externalLinks/externalLink1.xml", text: '<externalLink><externalBook r:id="rId1"/></externalLink>' },
          {
            name: "xl/externalLinks/_rels/externalLink1.xml.rels",
            text: relationsXml(relation("rId1", "externalLinkPath", "file://10.0.0.1/share/x.xlsx", ' TargetMode="External"')),
          },
        ],
      }),
    rows: [[7]],
  },
  { kind: "macros", make: () => book({ more: [{ name: "xl/vbaProject.bin", text: oldContainer }] }), rows: [["x"]] },
  {
    kind: "embedded objects and controls",
    make: () =>
      book({
        more: [
          { name: "xl/embeddings/oleObject1.bin", text: oldContainer },
          { name: "xl/activeX/activeX1.bin", text: oldContainer },
        ],
      }),
    rows: [["x"]],
  },
  {
    kind: "text that looks like a formula",
    make: () => book({ sheet: sheetXml(row(text("A1", "=1+1") + text("B1", "@SUM(1)"))) }),
    rows: [["=1+1", "@SUM(1)"]],
  },
  // Not what the name says
  { kind: "an old workbook under the new ending", make: () => sheetJs("biff8"), refused: "FILE_OLD_FORMAT" },
  { kind: "a workbook with a password", make: () => oldContainer, refused: "FILE_OLD_FORMAT" },
  { kind: "a binary workbook under the ending of the XML one", make: () => sheetJs("xlsb"), refused: "FILE_FORMAT" },
  { kind: "an open document spreadsheet", make: () => sheetJs("ods"), refused: "FILE_FORMAT" },
  { kind: "csv under the ending of a workbook", make: () => Buffer.from("a,b\n1,2\n"), refused: "FILE_FORMAT" },
  { kind: "a web page", make: () => Buffer.from("<html><table><tr><td>x</td></tr></table></html>"), refused: "FILE_FORMAT" },
  { kind: "XML of 2003", make: () => sheetJs("xlml"), refused: "FILE_FORMAT" },
  { kind: "a PDF", make: () => Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj\n"), refused: "FILE_FORMAT" },
  { kind: "a picture", make: () => Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(200)]), refused: "FILE_FORMAT" },
  // Values at the edge
  {
    kind: "names of the language's own objects",
    make: () =>
      book({
        sheet: sheetXml(row(text("A1", "__proto__") + text("B1", "constructor") + text("C1", "toString") + text("D1", "hasOwnProperty"))),
      }),
    rows: [["__proto__", "constructor", "toString", "hasOwnProperty"]],
  },
  {
    kind: "such names in the hidden sheet",
    make: () =>
      book({
        book: workbookXml(
          '<sheets><sheet name="S" sheetId="1" r:id="rId1"/><sheet name="_meta" sheetId="2" state="hidden" r:id="rId2"/></sheets>',
        ),
        rels: relation("rId1", "worksheet", "worksheets/sheet1.xml") + relation("rId2", "worksheet", "worksheets/sheet2.xml"),
        more: [
          {
            name: "xl/worksheets/sheet2.xml",
            text: sheetXml(row(text("A1", "__proto__") + text("B1", "x")) + row(text("A2", "kind") + text("B2", "dus"), 2)),
          },
        ],
      }),
    rows: [["x"]],
    meta: { ["__proto__"]: "x", kind: "dus" },
  },
  {
    kind: "numbers at the end of the scale",
    make: () => book({ sheet: sheetXml(row('<c r="A1"><v>1e308</v></c><c r="B1"><v>-1e308</v></c><c r="C1"><v>5e-324</v></c>')) }),
    rows: [[1e308, -1e308, 5e-324]],
  },
  {
    kind: "numbers beyond the end of the scale",
    make: () => book({ sheet: sheetXml(row(`<c r="A1"><v>1e309</v></c>${text("B1", "x")}`)) }),
    rows: 1,
  },
  {
    kind: "days before the beginning and after the end of time",
    make: () => book({ ...dated(["-5", "2958465", "2958466", "99999999999"]) }),
    rows: [[{ d: "1899-12-26" }, { d: "9999-12-31" }, "#NUM!", "#NUM!"]],
  },
  {
    kind: "days counted from 1904",
    make: () =>
      book({
        ...dated(["44848"]),
        book: workbookXml('<workbookPr date1904="1"/><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets>'),
      }),
    rows: [[{ d: "2026-10-15" }]],
  },
  {
    kind: "two sheets of one name",
    make: () =>
      book({ book: workbookXml('<sheets><sheet name="S" sheetId="1" r:id="rId1"/><sheet name="S" sheetId="2" r:id="rId1"/></sheets>') }),
    rows: [["x"]],
  },
  { kind: "control characters", make: () => book({ sheet: sheetXml(row(text("A1", "a\u0001\u0008b_x0000_c"))) }), rows: 1 },
  // Comma-separated text
  { kind: "csv: zero bytes", make: () => Buffer.from("a,b\n1,\u0000\n"), request: csv, refused: "FILE_FORMAT" },
  {
    kind: "csv: zero bytes far inside",
    make: () => Buffer.concat([Buffer.from(`${"a".repeat(50)},b\n`.repeat(50_000)), Buffer.from([65, 0, 10])]),
    request: csv,
    refused: "FILE_FORMAT",
  },
  { kind: "csv: one line of 100 MB", make: () => Buffer.alloc(104_857_600, "x"), request: csv, refused: "CELL_TOO_LONG" },
  { kind: "csv: a million columns", make: () => Buffer.from("1,".repeat(1_000_000)), request: csv, refused: "SHEET_COLUMNS" },
  {
    kind: "csv: a million quotation marks",
    make: () => Buffer.from(`a,"${'""'.repeat(500_000)}"\n`),
    request: csv,
    refused: "CELL_TOO_LONG",
  },
  { kind: "csv: a million opened quotations", make: () => Buffer.from('"a'.repeat(1_000_000)), request: csv, refused: "CSV_QUOTES" },
  {
    kind: "csv: a quotation that never ends",
    make: () => Buffer.from(`a,b\n"x\n${"1,2\n".repeat(2_000)}`),
    request: csv,
    refused: "CSV_QUOTES",
  },
  {
    kind: "csv: a quotation over the whole file",
    make: () => Buffer.from(`a,b\n"x\n${"1,2\n".repeat(1_000_000)}`),
    request: csv,
    refused: "CELL_TOO_LONG",
  },
  {
    kind: "csv: one row more than an import takes",
    make: () => Buffer.from("1,2\n".repeat(maxSheetRows + 1)),
    request: csv,
    refused: "SHEET_ROWS",
  },
  { kind: "csv: five million empty lines", make: () => Buffer.alloc(5_000_000, "\n"), request: csv, rows: 0 },
  { kind: "csv: two bytes a letter", make: () => Buffer.from("\uFEFFa,b\n1,2\n", "utf16le"), request: csv, refused: "ENCODING_WRONG" },
  {
    kind: "csv: bytes that are no UTF-8",
    make: () => Buffer.from([0x61, 0x2c, 0xc3, 0x28, 0x0a, 0xff, 0x0a]),
    request: csv,
    refused: "ENCODING_WRONG",
  },
  { kind: "csv: a letter cut at the end", make: () => Buffer.from("a,b\n1,中").subarray(0, -1), request: csv, refused: "ENCODING_WRONG" },
  { kind: "csv: two marks of the byte order", make: () => Buffer.from("\uFEFF\uFEFFa,b\n"), request: csv, rows: [["\uFEFFa", "b"]] },
  {
    kind: "csv: line ends of all systems",
    make: () => Buffer.from("a,1\r\nb,2\nc,3\rd,4"),
    request: csv,
    rows: [
      ["a", "1"],
      ["b", "2"],
      ["c", "3"],
      ["d", "4"],
    ],
  },
  { kind: "csv: a workbook under its ending", make: () => untouched, request: csv, refused: "FILE_FORMAT" },
  { kind: "csv: a PDF under its ending", make: () => Buffer.from("%PDF-1.7\n1 0 obj"), request: csv, refused: "FILE_FORMAT" },
  { kind: "csv: formulas", make: () => Buffer.from("=1+1,@SUM(1)\n"), request: csv, rows: [["=1+1", "@SUM(1)"]] },
  {
    kind: "csv: names of the language's own objects",
    make: () => Buffer.from("__proto__,constructor\n1,2\n"),
    request: csv,
    rows: [
      ["__proto__", "constructor"],
      ["1", "2"],
    ],
  },
];

/** A sheet of day cells with the given serial numbers. */
function dated(serials: string[]): Given {
  return {
    rels: relation("rId1", "worksheet", "worksheets/sheet1.xml") + relation("rId2", "styles", "styles.xml"),
    sheet: sheetXml(row(serials.map((serial, at) => `<c r="${"ABCD"[at]}1" s="1"><v>${serial}</v></c>`).join(""))),
    more: [
      {
        name: "xl/styles.xml",
        text: '<styleSheet><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>',
      },
    ],
  };
}
