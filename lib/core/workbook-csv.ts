import { closeSync, openSync, readSync } from "node:fs";
import Papa from "papaparse";
import { AppError } from "#lib/core/error.ts";
import type { SheetRow } from "#lib/core/workbook-cell.ts";
import { maxCellText, maxSheetColumns, sheetEndColumn } from "#lib/core/workbook-limits.ts";

export type Encoding = "utf-8" | "gb18030" | "windows-1252";

const chunkBytes = 1_048_576;
const sampleChars = 65_536;
const delimiters = [",", ";", "\t", "|"];
const [quote, lineFeed, lineReturn, blank] = [0x22, 0x0a, 0x0d, 0x20] as const;

/**
 * Reads a csv file row by row, a part of it at a time. Line ends of all systems count, quoted ones belong to their cell.
 * @param delimiter found out when empty
 * @param emit gets every row; false ends the reading
 * @throws AppError FILE_FORMAT for what is no text, ENCODING_WRONG, CSV_QUOTES, CELL_TOO_LONG, SHEET_COLUMNS
 */
export function readCsvRows(path: string, encoding: Encoding, delimiter: string, emit: (row: SheetRow) => boolean): void {
  const file = openSync(path, "r");
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    const buffer = Buffer.alloc(chunkBytes);
    let rows: CsvRows | undefined;
    for (let first = true; ; first = false) {
      const length = readSync(file, buffer);
      const bytes = buffer.subarray(0, length);
      if (first) refuseOther(bytes);
      else if (bytes.includes(0)) throw new AppError("FILE_FORMAT");
      const text = decode(decoder, bytes, length > 0);
      rows ??= new CsvRows(delimiter || guess(text), emit);
      if (!rows.take(text)) return;
      if (length > 0) continue;
      rows.end();
      return;
    }
  } finally {
    closeSync(file);
  }
}

// A text of two bytes a letter is not what was chosen; a workbook or another binary file is no text at all.
function refuseOther(bytes: Buffer): void {
  const begin = bytes.toString("latin1", 0, 4);
  if (begin.startsWith("\u00ff\u00fe") || begin.startsWith("\u00fe\u00ff")) throw new AppError("ENCODING_WRONG");
  if (begin === "PK\u0003\u0004" || begin === "%PDF" || bytes.includes(0)) throw new AppError("FILE_FORMAT");
}

function decode(decoder: TextDecoder, bytes: Buffer, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new AppError("ENCODING_WRONG");
  }
}

function guess(text: string): string {
  const { meta } = Papa.parse(text.slice(0, sampleChars), { preview: 10, delimitersToGuess: delimiters });
  return meta.delimiter || ",";
}

/** Takes the rows out of text that arrives in parts. */
class CsvRows {
  readonly #delimiter: number;
  readonly #emit: (row: SheetRow) => boolean;
  #no = 1;
  #cells: string[] = [];
  #cell = "";
  // In a plain cell, within quotation marks, or behind the closing one.
  #state: "plain" | "quoted" | "closed" = "plain";
  #afterReturn = false;
  #going = true;

  constructor(delimiter: string, emit: (row: SheetRow) => boolean) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#emit = emit;
  }

  /** False once the reading has ended. */
  take(text: string): boolean {
    let from = 0;
    for (let at = 0; at < text.length && this.#going; at++) {
      const letter = text.charCodeAt(at);
      if (this.#afterReturn) {
        this.#afterReturn = false;
        if (letter === lineFeed) {
          from = at + 1;
          continue;
        }
      }
      if (this.#state === "quoted") {
        if (letter !== quote) continue;
        this.#add(text.slice(from, at));
        from = at + 1;
        this.#state = "closed";
      } else if (letter === quote && this.#state === "closed" && from === at) {
        // A doubled mark stands for one; it opens the quotation again.
        this.#add('"');
        from = at + 1;
        this.#state = "quoted";
      } else if (letter === quote && this.#cell === "" && from === at) {
        from = at + 1;
        this.#state = "quoted";
      } else if (letter === this.#delimiter || letter === lineFeed || letter === lineReturn) {
        this.#endCell(text.slice(from, at));
        from = at + 1;
        if (letter !== this.#delimiter) this.#endRow();
        this.#afterReturn = letter === lineReturn;
      } else if (this.#state === "closed" && letter !== blank) throw new AppError("CSV_QUOTES", { row: this.#no });
    }
    if (this.#going) this.#add(text.slice(from));
    return this.#going;
  }

  end(): void {
    if (this.#state === "quoted") throw new AppError("CSV_QUOTES", { row: this.#no });
    if (this.#cell === "" && this.#cells.length === 0 && this.#state === "plain") return;
    this.#endCell("");
    this.#endRow();
  }

  #add(text: string): void {
    if (this.#state === "closed" && text.trim() === "") return;
    this.#cell += text;
    if (this.#cell.length > maxCellText) throw new AppError("CELL_TOO_LONG", { row: this.#no, max: maxCellText });
  }

  #endCell(text: string): void {
    this.#add(text);
    this.#cells.push(this.#cell);
    this.#cell = "";
    this.#state = "plain";
    if (this.#cells.length > sheetEndColumn) throw new AppError("SHEET_COLUMNS", { max: maxSheetColumns });
  }

  #endRow(): void {
    this.#going = this.#emit({ no: this.#no++, cells: this.#cells });
    this.#cells = [];
  }
}
