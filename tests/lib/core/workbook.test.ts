import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { crc32, deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as XLSX from "xlsx";
import { csvLine, looksLikeFormula } from "#lib/core/inert-text.ts";
import { keepReaderReady, openSheet } from "#lib/core/workbook.ts";
import { type Cell, cellText, dayOfSerial, isErrorCell, serialOf } from "#lib/core/workbook-cell.ts";
import { maxUnpackedBytes } from "#lib/core/workbook-limits.ts";
import type { ReadRequest } from "#lib/core/workbook-read.ts";
import { columnLetters, type WriteSheet, writeWorkbook } from "#lib/core/workbook-write.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "workbook-test-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function file(bytes: Uint8Array | string): string {
  const path = join(folder, `f${++files}`);
  writeFileSync(path, bytes);
  return path;
}

async function read(bytes: Uint8Array | string, request: ReadRequest = { type: "xlsx" }) {
  const sheet = await openSheet(file(bytes), request);
  const rows = [];
  for await (const { no, cells } of sheet.rows()) rows.push({ no, cells });
  await sheet.close();
  return { ...sheet, all: rows };
}

const refusal = (bytes: Uint8Array | string, request?: ReadRequest) =>
  read(bytes, request).then(
    () => "read",
    (error) => error.code,
  );

const write = (sheet: Partial<WriteSheet> & { rows: WriteSheet["rows"] }) =>
  buffer(writeWorkbook({ name: "Plan", columns: [{ title: "A" }, { title: "B" }, { title: "C" }], ...sheet }));

// A package with the given parts; `claim` is the unpacked size the directory states.
function zip(parts: { name: string; text: string; claim?: number; crc?: number }[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, text, claim, crc } of parts) {
    const packed = deflateRawSync(text);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(crc ?? crc32(text), 14);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(claim ?? Buffer.byteLength(text), 22);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    head.copy(entry, 6, 4, 30);
    entry.writeUInt32LE(offset, 42);
    local.push(head, Buffer.from(name), packed);
    central.push(entry, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(Buffer.concat(central).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...central, end]);
}

const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const sheetOf = (cells: string) => `<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`;
const packageOf = (cells: string, claim?: number) => packageWith({ text: sheetOf(cells), ...(claim !== undefined && { claim }) });
const packageWith = (sheet: { text: string; claim?: number; crc?: number }, others: { name: string; text: string }[] = [], settings = "") =>
  zip([
    { name: "[Content_Types].xml", text: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>' },
    {
      name: "_rels/.rels",
      text: `<Relationships xmlns="x"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: "xl/workbook.xml",
      text: `<workbook xmlns:r="${relations}">${settings}<sheets><sheet name="S &amp; T" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      text: `<Relationships xmlns="x"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/>${others
        .map(({ name }, index) => `<Relationship Id="o${index}" Type="${relations}/${name.slice(3, -4)}" Target="/${name}"/>`)
        .join("")}</Relationships>`,
    },
    ...others,
    { name: "xl/worksheets/sheet1.xml", ...sheet },
  ]);

describe("a workbook written and read again", () => {
  const values: Cell[] = [
    "text",
    "中文、日本語 🚧",
    " kept blanks ",
    "two\nlines",
    'a & b < c > "d"',
    "_x0041_ stays",
    "bell \u0007 stays",
    "=1+1",
    "+86 755",
    "-",
    "@home",
    "\t=1+1",
    "\r@x",
    "＝1+1",
    "＋1",
    "－1",
    "＠x",
    "2026-10-14",
    "000123",
    0.1 + 0.2,
    -12.5,
    10_003_026,
    true,
    false,
    { d: "2026-10-14" },
    { d: "2000-01-02" },
    { d: "2089-09-17" },
    { d: "2026-10-14T17:41:08" },
  ];

  it("keeps every value and its type", async () => {
    const { all } = await read(await write({ rows: values.map((value) => [value, "x", value]) }));
    expect(all[0]).toEqual({ no: 1, cells: ["A", "B", "C"] });
    expect(all.slice(1).map((row) => row.cells[0])).toEqual(values);
    expect(all.slice(1).map((row) => row.cells[2])).toEqual(values);
  });

  it("reads in another program with the same values, text that looks like a formula included", async () => {
    const book = XLSX.read(await write({ rows: values.map((value) => [value]) }), { dense: true, cellNF: true, cellStyles: true });
    const cells = (book.Sheets.Plan?.["!data"] ?? []).slice(1).map((row) => row[0] as XLSX.CellObject);
    for (const [at, value] of values.entries())
      if (typeof value === "string" && looksLikeFormula(value))
        expect([cells[at]?.t, cells[at]?.v, cells[at]?.f]).toEqual(["s", value, undefined]);
    expect(values.filter((value) => typeof value === "string" && looksLikeFormula(value))).toHaveLength(10);
    const day = values.findIndex((value) => typeof value === "object" && value !== null);
    expect(cells[day]).toMatchObject({ t: "n", v: serialOf("2026-10-14") });
    expect(XLSX.SSF.format(String(cells[day]?.z), cells[day]?.v)).toBe("2026-10-14");
  });

  it("keeps text that looks like a formula inert in the sheet itself: text with the mark that says so, and no formula anywhere", async () => {
    const looks = values.filter((value) => typeof value === "string" && looksLikeFormula(value));
    const book = XLSX.read(await write({ rows: looks.map((value) => [value]) }), { bookFiles: true });
    const { files } = book as { files?: Record<string, { content: Buffer }> };
    const xml = String(files?.["xl/worksheets/sheet1.xml"]?.content ?? "");
    expect(xml).not.toContain("<f");
    expect(xml.match(/<c r="A\d+" s="3" t="inlineStr">/g)).toHaveLength(looks.length);
    expect(String(files?.["xl/styles.xml"]?.content ?? "")).toContain('quotePrefix="1"');
  });

  it("carries what the file is in a hidden sheet and the keys of the columns in a hidden row, under a frozen and filtered head", async () => {
    const bytes = await write({
      columns: [
        { title: "DU ID", key: "code" },
        { title: "Plan end", key: "a7.planEnd", kind: "day" },
      ],
      rows: [
        ["GD-1", 9783],
        ["GD-2", 0],
        ["GD-3", "2026-10-19"],
      ],
      meta: { kind: "rolloutPlan", project: "P100", seq: 42 },
      lockedColumns: 1,
    });
    const sheet = await read(bytes);
    expect(sheet).toMatchObject({
      sheet: "Plan",
      sheets: [{ name: "Plan", hidden: false }],
      meta: { kind: "rolloutPlan", project: "P100", seq: "42" },
    });
    expect(sheet.all.map((row) => row.cells)).toEqual([
      ["code", "a7.planEnd"],
      ["DU ID", "Plan end"],
      ["GD-1", { d: "2026-10-14" }],
      ["GD-2"],
      ["GD-3", { d: "2026-10-19" }],
    ]);
    const book = XLSX.read(bytes, { bookFiles: true });
    expect(book.Workbook?.Sheets?.map((one) => one.Hidden)).toEqual([0, 1]);
    const xml = String((book as { files?: Record<string, { content: Buffer }> }).files?.["xl/worksheets/sheet1.xml"]?.content ?? "");
    expect(xml).toContain('<row r="1" hidden="1">');
    expect(xml).toContain('xSplit="1" ySplit="2" topLeftCell="B3"');
    expect(xml).toContain('<autoFilter ref="A2:B5"/>');
  });

  it("cuts a text at what a cell can hold, never inside a character", async () => {
    const { all } = await read(await write({ rows: [[`${"x".repeat(32_766)}🚧`], ["y".repeat(32_767)], ["z".repeat(32_768)]] }));
    expect(all.slice(1).map((row) => (row.cells[0] as string).length)).toEqual([32_766, 32_767, 32_767]);
  });

  it("gives the same bytes for the same rows", async () => {
    const rows = [["a", 1, { d: "2026-10-14" }]];
    expect((await write({ rows })).equals(await write({ rows }))).toBe(true);
  });
});

describe("a csv file", () => {
  it.each([
    ["utf-8", Buffer.from("\uFEFF编号,名称\nGD-1,南山\n")],
    [
      "gb18030",
      Buffer.from([0xb1, 0xe0, 0xba, 0xc5, 0x2c, 0xc3, 0xfb, 0xb3, 0xc6, 10, 0x47, 0x44, 0x2d, 0x31, 0x2c, 0xc4, 0xcf, 0xc9, 0xbd, 10]),
    ],
  ] as const)("is read in the encoding that was chosen: %s", async (encoding, bytes) => {
    const { all } = await read(bytes, { type: "csv", encoding });
    expect(all).toEqual([
      { no: 1, cells: ["编号", "名称"] },
      { no: 2, cells: ["GD-1", "南山"] },
    ]);
  });

  it("reads Windows-1252", async () => {
    const { all } = await read(Buffer.from([0x4d, 0xfc, 0x6e, 0x63, 0x68, 0x65, 0x6e, 0x3b, 0x80]), {
      type: "csv",
      encoding: "windows-1252",
      delimiter: ";",
    });
    expect(all).toEqual([{ no: 1, cells: ["München", "€"] }]);
  });

  it("keeps quoted separators, quotes and line ends, and numbers its rows as the file does", async () => {
    const { all } = await read('id,address\r\n1,"1 Main St, ""A""\r\nrear"\r\n\r\n,,\r\n4,x\r\n', { type: "csv" });
    expect(all).toEqual([
      { no: 1, cells: ["id", "address"] },
      { no: 2, cells: ["1", '1 Main St, "A"\r\nrear'] },
      { no: 5, cells: ["4", "x"] },
    ]);
  });

  it.each([
    ["bytes of another encoding", Buffer.from([0xb1, 0xe0, 10]), { type: "csv", encoding: "utf-8" }, "ENCODING_WRONG"],
    ["a quotation mark that is never closed", 'a,b\n1,"open\n2,x\n', { type: "csv" }, "CSV_QUOTES"],
    ["a workbook under the name of a csv", packageOf("<c><v>1</v></c>"), { type: "csv" }, "FILE_FORMAT"],
    ["binary data", Buffer.from([65, 44, 0, 10]), { type: "csv" }, "FILE_FORMAT"],
  ] as const)("refuses %s", async (_name, bytes, request, code) => {
    expect(await refusal(bytes, request)).toBe(code);
  });
});

describe("a line of csv that is written", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@x", "'@x"],
    ["\t=x", "'\t=x"],
    ["\r=x", "'\r=x"],
    ["＝1", "'＝1"],
    ['=HYPERLINK("http://x","y")', '\'=HYPERLINK("http://x","y")'],
    ["1 = 1", "1 = 1"],
    ['a, "b"\nc', 'a, "b"\nc'],
  ])("carries %j as text that is read again as %j", async (text, again) => {
    const { all } = await read(`${csvLine(["x", text, "y"])}\r\n`, { type: "csv", delimiter: "," });
    expect(all).toEqual([{ no: 1, cells: ["x", again, "y"] }]);
  });
});

describe("a file that is not what it says [OPS-16]", () => {
  const good = packageOf('<c r="A1" t="str"><v>x</v></c>');

  it("reads the untouched package and the name of its sheet", async () => {
    expect(await read(good)).toMatchObject({ sheet: "S & T", all: [{ no: 1, cells: ["x"] }] });
  });

  it.each([
    ["a csv under the name of a workbook", Buffer.from("a,b\n1,2\n"), "FILE_FORMAT"],
    ["an old binary workbook", Buffer.from("d0cf11e0a1b11ae100000000", "hex"), "FILE_OLD_FORMAT"],
    ["a package cut in the middle", good.subarray(0, good.length >> 1), "FILE_DAMAGED"],
    ["a zip that is no workbook", zip([{ name: "readme.txt", text: "hello" }]), "FILE_FORMAT"],
    ["a sheet whose bytes do not match their checksum", packageWith({ text: sheetOf('<c r="A1"><v>1</v></c>'), crc: 7 }), "FILE_DAMAGED"],
  ])("refuses %s in the process that reads it", async (_name, bytes, code) => {
    expect(await refusal(bytes)).toBe(code);
  });

  it("refuses a package whose parts add up to more than the limit, by its directory alone", async () => {
    expect(await refusal(packageOf("<c/>", maxUnpackedBytes))).toBe("FILE_BOMB");
  });

  it("takes formulas by the value stored with them, and refuses a file whose formulas have none", async () => {
    const { all } = await read(
      packageOf(
        '<c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>"a"&amp;"b"</f><v>ab</v></c><c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      ),
    );
    expect(all[0]?.cells).toEqual([2, "ab", "#DIV/0!"]);
    expect(isErrorCell(all[0]?.cells[2] as Cell)).toBe(true);
    expect(await refusal(packageOf('<c r="A1"><f>1+1</f></c>'))).toBe("FORMULA_NO_VALUE");
  });

  it("reads shared texts without their readings, sections of plain text, entities, escapes and cells without a reference", async () => {
    const texts = [
      "<si><t>plain</t></si>",
      "<si/>",
      '<si><r><rPr><b/></rPr><t xml:space="preserve">two </t></r><r><t>runs</t></r><rPh sb="0" eb="1"><t>reading</t></rPh></si>',
      "<si><t>a &amp; b &#x4E2D; _x0009_</t></si>",
    ];
    const { all } = await read(
      packageWith(
        {
          text: `<x:worksheet xmlns:x="m"><x:sheetData><x:row r="3"><x:c t="s"><x:v>0</x:v></x:c><x:c t='s'><x:v>1</x:v></x:c><x:c t="s"><x:v>2</x:v></x:c>
            <x:c r="F3" t="s"><x:v>3</x:v></x:c><x:c t="inlineStr"><x:is><x:t><![CDATA[1 < 2]]></x:t></x:is></x:c><x:c t="b"><x:v>1</x:v></x:c><x:c t="b"><x:v>0</x:v></x:c>
            <x:c><x:v>-1.5E-3</x:v></x:c><x:c r="L3" t="s"><x:v>9</x:v></x:c></x:row><x:row/><x:row><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
        },
        [{ name: "xl/sharedStrings.xml", text: `<sst>${texts.join("")}</sst>` }],
      ),
    );
    expect(all).toEqual([
      { no: 3, cells: ["plain", "", "two runs", null, null, "a & b 中 \t", "1 < 2", true, false, -0.0015] },
      { no: 5, cells: [7] },
    ]);
  });

  it.each([
    ["0", "2026-10-14"],
    ["1", "2030-10-15"],
  ])("reads serial numbers as days by the styles and the calendar of the workbook: date1904=%s", async (from1904, day) => {
    const styles = `<styleSheet><numFmts count="2"><numFmt numFmtId="164" formatCode="[Red]0.00 &quot;days&quot;"/><numFmt numFmtId="165" formatCode="d. mmm"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`;
    const cells = [0, 1, 2, 3].map((style) => `<c s="${style}"><v>46309</v></c>`).join("");
    const { all } = await read(
      packageWith({ text: sheetOf(cells) }, [{ name: "xl/styles.xml", text: styles }], `<workbookPr date1904="${from1904}"/>`),
    );
    expect(all[0]?.cells).toEqual([46_309, { d: day }, 46_309, { d: day }]);
  });

  it("reads a workbook of another program, dates and several sheets included", async () => {
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([["hidden"]]), "Lists");
    XLSX.utils.book_append_sheet(
      book,
      XLSX.utils.aoa_to_sheet([
        ["id", "day"],
        ["a", { t: "n", v: serialOf("2026-10-14"), z: "dd/mm/yyyy" }],
      ]),
      "站点",
    );
    book.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 0 }] };
    const bytes = XLSX.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer;
    const first = await read(bytes);
    expect(first.sheet).toBe("站点");
    expect(first.all[1]?.cells).toEqual(["a", { d: "2026-10-14" }]);
    expect((await read(bytes, { type: "xlsx", sheet: "Lists" })).all[0]?.cells).toEqual(["hidden"]);
  });
});

describe("cells", () => {
  it.each([
    [10_003_026, "10003026"],
    [0.1 + 0.2, "0.3"],
    [1e-7, "0.0000001"],
    [-73.922879, "-73.922879"],
    [123_456_789_012_345, "123456789012345"],
    [true, "TRUE"],
    [null, ""],
    [{ d: "2026-10-14" }, "2026-10-14"],
  ] as [Cell, string][])("%o reads as %s", (cell, text) => expect(cellText(cell)).toBe(text));

  it.each([
    ["2000-01-01", 36_526],
    ["2026-10-14", 46_309],
  ])("%s is day %d of a spreadsheet", (iso, serial) => {
    expect(serialOf(iso)).toBe(serial);
    expect(dayOfSerial(serial)).toBe(iso);
  });

  it.each([
    [0, "A"],
    [25, "Z"],
    [26, "AA"],
    [701, "ZZ"],
    [702, "AAA"],
  ])("column %d is %s", (index, letters) => expect(columnLetters(index)).toBe(letters));
});

describe("reading on", () => {
  const lines = Array.from({ length: 20_000 }, (_, row) => `DU-${row},${"x".repeat(40)}`).join("\n");

  it("gives the rows of a file again and again, and counts them at its end", async () => {
    const sheet = await openSheet(file(lines), { type: "csv" });
    for (let time = 0; time < 2; time++) {
      let rows = 0;
      for await (const row of sheet.rows()) expect(row.no).toBe(++rows);
      expect(rows).toBe(20_000);
    }
    expect(await sheet.counts()).toEqual({ rows: 20_000, columns: 2 });
    await sheet.close();
  });

  it("gives the rows before the place at which a file turns out to be one that is not read, and then says so", async () => {
    const sheet = await openSheet(file(`${lines}\n${"y".repeat(40_000)},z\n`), { type: "csv" });
    const seen: number[] = [];
    await expect(async () => {
      for await (const row of sheet.rows()) seen.push(row.no);
    }).rejects.toMatchObject({ code: "CELL_TOO_LONG" });
    expect(seen[0]).toBe(1);
    await expect(sheet.counts()).rejects.toMatchObject({ code: "CELL_TOO_LONG" });
    expect(sheet.countsByNow()).toBeNull();
    await sheet.close();
  });

  it("ends the reader of a file that is closed before its end", async () => {
    const sheet = await openSheet(file(Array.from({ length: 20 }, () => lines).join("\n")), { type: "csv" });
    for await (const row of sheet.rows()) if (row.no === 3) break;
    await sheet.close();
    await expect(sheet.counts()).rejects.toThrow();
  });
});

describe("a reader that is kept ready", () => {
  const textOf = (pid: string, what: string) => {
    try {
      return readFileSync(`/proc/${pid}/${what}`, "utf8");
    } catch {
      return "";
    }
  };
  const readers = () =>
    readdirSync("/proc").filter(
      (pid) => textOf(pid, "cmdline").includes("workbook-child.ts") && textOf(pid, "status").includes(`PPid:\t${process.pid}\n`),
    );

  it("reads one file and ends with it", async () => {
    keepReaderReady();
    keepReaderReady();
    const [ready, ...more] = readers();
    expect(more).toEqual([]);
    const sheet = await openSheet(file("a,b\n1,2\n"), { type: "csv" });
    // It may have ended by now, but no other was started.
    expect(readers().filter((pid) => pid !== ready)).toEqual([]);
    expect(await sheet.counts()).toEqual({ rows: 2, columns: 2 });
    await sheet.close();
    expect(readers()).toEqual([]);
    expect((await read("c\n3\n", { type: "csv" })).all.map(({ cells }) => cells)).toEqual([["c"], ["3"]]);
  });

  it("is followed by another when it has ended before there was a file", async () => {
    keepReaderReady();
    const [killed] = readers();
    process.kill(Number(killed), "SIGKILL");
    await vi.waitFor(() => {
      keepReaderReady();
      expect(readers().filter((pid) => pid !== killed)).toHaveLength(1);
    }, 10_000);
    expect((await read("d\n4\n", { type: "csv" })).all.map(({ cells }) => cells)).toEqual([["d"], ["4"]]);
  });

  it("ends a file whose caller leaves", async () => {
    const control = new AbortController();
    const sheet = await openSheet(file("a\n1\n".repeat(100_000)), { type: "csv" }, control.signal);
    control.abort(new Error("leaving"));
    await expect(sheet.counts()).rejects.toThrow("leaving");
    await sheet.close();
  });
});

describe("size", () => {
  it("leaves the temporary folder as it was", async () => {
    const sheet = await openSheet(file("a,b\n1,2\n"), { type: "csv" });
    for await (const row of sheet.rows()) expect(row.cells.length).toBe(2);
    await sheet.close();
    await expect(async () => {
      for await (const row of sheet.rows()) expect(row).toBeUndefined();
    }).rejects.toThrow();
    expect(readFileSync(file("x"), "utf8")).toBe("x");
  });
});
