import { AppError } from "#lib/core/error.ts";
import {
  maxCellText,
  maxSheetColumns,
  maxSheetRows,
  maxTagBytes,
  maxTextBytes,
  sheetEndColumn,
  sheetEndRow,
} from "#lib/core/workbook-limits.ts";

const [open, close, slash, mark, question, colon, quote, equals] = [0x3c, 0x3e, 0x2f, 0x21, 0x3f, 0x3a, 0x22, 0x3d] as const;
const [letterC, letterF, letterR, letterV, letterD, letterE] = [0x63, 0x66, 0x72, 0x76, 0x44, 0x45] as const;

/**
 * Looks through the XML of a part while it is unpacked, element by element and keeping nothing but an unfinished one: what no parser should be given
 * is refused here, before one sees it.
 * @throws AppError FILE_UNSAFE for document types, entities and endless elements, CELL_TOO_LONG, SHEET_ROWS, SHEET_COLUMNS, FORMULA_NO_VALUE
 */
export class PartScan {
  #rest: Buffer = Buffer.alloc(0);
  #text = 0;
  /** Number of the row, and of the column its cell names, counted from 1; 0 where it names none. */
  protected row = 0;
  protected column = 0;
  #cells = 0;
  #formula = false;
  #value = false;

  feed(chunk: Buffer): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = Buffer.alloc(0);
    for (let at = 0; at < bytes.length; ) {
      const from = bytes.indexOf(open, at);
      this.#text += (from < 0 ? bytes.length : from) - at;
      if (this.#text > maxTextBytes) throw new AppError("CELL_TOO_LONG", { row: this.row, max: maxCellText });
      this.text(bytes, at, from < 0 ? bytes.length : from);
      if (from < 0) return;
      const to = bytes.indexOf(close, from);
      if ((to < 0 ? bytes.length : to) - from > maxTagBytes) throw new AppError("FILE_UNSAFE");
      if (to < 0) {
        this.#rest = Buffer.from(bytes.subarray(from));
        return;
      }
      this.#text = 0;
      this.#element(bytes, from + 1, to);
      at = to + 1;
    }
  }

  /** Hears of every piece of text between two elements. */
  protected text(_bytes: Buffer, _from: number, _to: number): void {}

  #element(bytes: Buffer, from: number, to: number): void {
    const first = bytes[from];
    if (first === question) return;
    if (first === mark) {
      // Comments and plain text sections do no harm; a document type can define entities that grow without end or name files.
      if (bytes[from + 1] === letterD || bytes[from + 1] === letterE) throw new AppError("FILE_UNSAFE");
      this.element(bytes, from, 0, false, to, to);
      return;
    }
    const ends = first === slash;
    let name = ends ? from + 1 : from;
    let at = name;
    for (; at < to; at++) {
      const byte = bytes[at] as number;
      if (byte === colon) name = at + 1;
      else if (byte === slash || byte <= 0x20) break;
    }
    this.element(bytes, name, at - name, ends, at, to);
  }

  /**
   * Hears of every element.
   * @param name where its name begins, without a prefix
   * @param ends whether it is a closing one
   * @param at where its attributes begin, which end at `to`
   */
  protected element(bytes: Buffer, name: number, length: number, ends: boolean, at: number, to: number): void {
    if (length === 1) this.#short(bytes[name] as number, ends, bytes, at, to);
    else if (length === 2) this.#value ||= bytes[name] === 0x69 && bytes[name + 1] === 0x73;
    else if (length === 3 && !ends && bytes[name] === letterR && bytes[name + 1] === 0x6f && bytes[name + 2] === 0x77)
      this.#startRow(bytes, at, to);
  }

  #short(letter: number, ends: boolean, bytes: Buffer, at: number, to: number): void {
    if (letter === letterC) {
      if (ends) {
        if (this.#formula && !this.#value) throw new AppError("FORMULA_NO_VALUE");
        return;
      }
      this.#formula = false;
      this.#value = false;
      this.column = columnOf(bytes, at, to);
      if (++this.#cells > sheetEndColumn || this.column > sheetEndColumn) throw new AppError("SHEET_COLUMNS", { max: maxSheetColumns });
    } else if (letter === letterF) this.#formula = true;
    else if (letter === letterV) this.#value = true;
  }

  #startRow(bytes: Buffer, at: number, to: number): void {
    this.#cells = 0;
    const start = referenceIn(bytes, at, to);
    const given = start < 0 ? this.row + 1 : Number.parseInt(bytes.toString("latin1", start, Math.min(to, start + 12)), 10);
    this.row = Number.isSafeInteger(given) ? given : sheetEndRow + 1;
    if (this.row < 1 || this.row > sheetEndRow) throw new AppError("SHEET_ROWS", { max: maxSheetRows });
  }
}

/** Where the value of the attribute `r` begins, or -1. */
function referenceIn(bytes: Buffer, from: number, to: number): number {
  for (let at = from; at + 3 < to; at++)
    if ((bytes[at] as number) <= 0x20 && bytes[at + 1] === letterR && bytes[at + 2] === equals && bytes[at + 3] === quote) return at + 4;
  return -1;
}

/** Column of a cell by its reference, counted from 1; 0 where it names none. */
function columnOf(bytes: Buffer, from: number, to: number): number {
  let column = 0;
  const start = referenceIn(bytes, from, to);
  for (let at = start; start >= 0 && at < to; at++) {
    const letter = (bytes[at] as number) & 0xdf;
    if (letter < 0x41 || letter > 0x5a) break;
    column = column * 26 + letter - 0x40;
    if (column > sheetEndColumn) break;
  }
  return column;
}
