import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as XLSX from "xlsx";
import { AppError } from "#lib/core/error.ts";
import { maxCellText, maxSheetColumns } from "#lib/core/workbook-limits.ts";
import { type ReadRequest, readFileRows } from "#lib/core/workbook-read.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { readZipDirectory, readZipPart } from "#lib/core/workbook-zip.ts";
import { errors } from "#lib/errors.ts";
import { zipBytes } from "../../support/zip-bytes.ts";

/** Longest a broken file may take; a whole one of this size takes some milliseconds. */
const patienceMs = 2_000;
const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A repeatable source of numbers below `top`. */
function dice(seed: number): (top: number) => number {
  let state = seed;
  return (top) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * top);
  };
}

const whole: Buffer[] = [];
beforeAll(async () => {
  const cells = (row: number) => [`DU-${row}`, `站点 ${row} "x" <y> & z`, row / 3, "2026-11-21", null, "=1+1"];
  whole.push(
    await buffer(
      writeWorkbook({
        name: "DU",
        columns: ["DU ID", "DU name", "Length", "Day", "Empty", "Text"].map((title) => ({ title })),
        rows: Array.from({ length: 40 }, (_, row) => cells(row)),
      }),
    ),
  );
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(Array.from({ length: 40 }, (_, row) => cells(row))), "One");
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([["other"]]), "Two");
  whole.push(XLSX.write(book, { type: "buffer", bookType: "xlsx", bookSST: true, compression: true }));
});

/** Reads bytes as a file. Whatever they are: rows within the limits, or a refusal with a declared code; soon, and nothing else. */
async function expectReadOrRefused(bytes: Uint8Array, request: ReadRequest, what: string): Promise<"read" | "refused"> {
  const path = join(folder, "file");
  writeFileSync(path, bytes);
  const before = Object.keys(Object.prototype).length;
  const start = performance.now();
  let widest = 0;
  let longest = 0;
  const outcome = await readFileRows(path, request, ({ cells }) => {
    widest = Math.max(widest, cells.length);
    for (const cell of cells) {
      if (typeof cell === "string") longest = Math.max(longest, cell.length);
      else if (cell !== null && !["number", "boolean"].includes(typeof cell) && !(cell instanceof Date))
        throw new Error(`a cell of type ${typeof cell}`);
    }
    return true;
  }).then(
    () => "read" as const,
    (error: unknown) => error,
  );
  expect(performance.now() - start, what).toBeLessThan(patienceMs);
  expect(Object.keys(Object.prototype), what).toHaveLength(before);
  if (outcome !== "read") {
    if (!(outcome instanceof AppError)) throw new Error(`${what}: ${(outcome as Error)?.stack}`);
    expect(errors[outcome.code], what).toBeLessThan(500);
    return "refused";
  }
  expect(widest, what).toBeLessThanOrEqual(maxSheetColumns);
  expect(longest, what).toBeLessThanOrEqual(maxCellText);
  return "read";
}

const odd = [
  "",
  "0",
  "-1",
  "1e999",
  "NaN",
  "XFD1048577",
  "A0",
  "__proto__",
  "constructor",
  "\u0000",
  "\uD800",
  "9".repeat(400),
  "&#x110000;",
  "&lol;",
  "<",
  "]]>",
  "../../x",
  "rId999",
];

/** Breaks the text of a part in one of the ways in which XML breaks. */
function broken(text: string, roll: (top: number) => number): string {
  const tags = [...text.matchAll(/<[^>]*>/g)];
  const tag = tags[roll(tags.length)];
  const other = tags[roll(tags.length)];
  if (!tag || !other) return text.slice(0, roll(text.length + 1));
  const cut = (from: number, to: number, put: string) => text.slice(0, from) + put + text.slice(to);
  const end = tag.index + tag[0].length;
  const odds = odd[roll(odd.length)] as string;
  switch (roll(7)) {
    case 0:
      return cut(tag.index, end, "");
    case 1:
      return cut(tag.index, end, tag[0].repeat(1 + roll(50)));
    case 2:
      return cut(tag.index, end, other[0]);
    case 3:
      return cut(tag.index, end, tag[0].replace(/"[^"]*"/, `"${odds}"`));
    case 4:
      return cut(end, end, odds);
    case 5:
      return text.slice(0, roll(text.length));
    default: {
      const [from, to] = [tag.index, other.index].sort((a, b) => a - b) as [number, number];
      return cut(to, to, text.slice(from, to));
    }
  }
}

describe("files broken at random", () => {
  it("whose bytes are flipped, cut, doubled or moved are read or refused by name, at once", { timeout: 120_000 }, async () => {
    const roll = dice(20261121);
    const seen = { read: 0, refused: 0 };
    for (let round = 0; round < 600; round++) {
      let bytes = Buffer.from(whole[round % whole.length] as Buffer);
      for (let times = 0; times <= roll(6); times++) {
        const at = roll(bytes.length);
        const size = 1 + roll(64);
        const way = roll(4);
        if (way === 0) bytes[at] = roll(256);
        else if (way === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]);
        else if (way === 2) bytes = Buffer.concat([bytes.subarray(0, at + size), bytes.subarray(at)]);
        else bytes.copy(bytes, at, roll(bytes.length), roll(bytes.length) + size);
      }
      seen[await expectReadOrRefused(bytes, { type: "xlsx" }, `bytes, round ${round}`)]++;
    }
    expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(10);
  });

  it("whose parts are broken inside a whole package are read or refused by name, at once", { timeout: 120_000 }, async () => {
    const roll = dice(42);
    const seen = { read: 0, refused: 0 };
    for (let round = 0; round < 600; round++) {
      const bytes = whole[round % whole.length] as Buffer;
      const parts = readZipDirectory(bytes).map((part) => ({ name: part.name, text: readZipPart(bytes, part).toString("utf8") }));
      for (let times = 0; times <= roll(3); times++) {
        const part = parts[roll(parts.length)] as (typeof parts)[number];
        if (roll(10) === 0) part.name = parts[roll(parts.length)]?.name ?? "x";
        else part.text = broken(part.text, roll);
      }
      seen[await expectReadOrRefused(zipBytes(parts), { type: "xlsx" }, `parts, round ${round}`)]++;
    }
    expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(10);
  });

  it("of text in any encoding and with any separator are read or refused by name, at once", { timeout: 120_000 }, async () => {
    const roll = dice(7);
    const seen = { read: 0, refused: 0 };
    const pieces = [
      '"',
      '""',
      ",",
      ";",
      "\t",
      "\n",
      "\r\n",
      "\r",
      "\0",
      "\uFEFF",
      "站点",
      "x".repeat(200),
      "=cmd|' /C calc'!A1",
      "1,5",
      " ",
    ];
    for (let round = 0; round < 400; round++) {
      const text = Array.from({ length: roll(1 + roll(40)) }, () => pieces[roll(pieces.length)]).join("");
      const bytes = Buffer.from(text, roll(3) === 0 ? "utf16le" : "utf8");
      if (roll(3) === 0 && bytes.length > 0) bytes[roll(bytes.length)] = 128 + roll(128);
      const encoding = (["utf-8", "gb18030", "windows-1252"] as const)[roll(3)] as NonNullable<ReadRequest["encoding"]>;
      const delimiter = [",", ";", "\t", ""][roll(4)] as string;
      seen[await expectReadOrRefused(bytes, { type: "csv", encoding, delimiter }, `text, round ${round}`)]++;
    }
    expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(10);
  });
});
