import { type Cell, momentText, type SheetRow } from "#lib/core/workbook-cell.ts";
import { unescapeXml } from "#lib/core/workbook-frame.ts";
import { PartScan } from "#lib/core/workbook-scan.ts";

/** What the cells of a sheet refer to: the shared texts, and by number of a cell's style whether it shows a date. */
export type SheetContext = { texts: readonly string[]; dateStyles: readonly boolean[]; from1904: boolean };

const [letterB, letterC, letterE, letterI, letterR, letterS, letterT, letterV] = [0x62, 0x63, 0x65, 0x69, 0x72, 0x73, 0x74, 0x76] as const;
const [slash, mark, quote, apostrophe, equals, ampersand, zero, nine] = [0x2f, 0x21, 0x22, 0x27, 0x3d, 0x26, 0x30, 0x39] as const;

/** A scan that keeps the texts it is asked to keep; a text may come in several pieces. */
abstract class TextScan extends PartScan {
  protected keeping = false;
  #bytes: Buffer | null = null;
  #from = 0;
  #to = 0;

  protected override text(bytes: Buffer, from: number, to: number): void {
    if (!this.keeping || from === to) return;
    if (this.#bytes) {
      const whole = Buffer.concat([this.#bytes.subarray(this.#from, this.#to), bytes.subarray(from, to)]);
      [this.#bytes, this.#from, this.#to] = [whole, 0, whole.length];
    } else [this.#bytes, this.#from, this.#to] = [bytes, from, to];
  }

  /** Ends keeping; the text that was kept. */
  protected take(): string {
    const bytes = this.#bytes;
    this.keeping = false;
    this.#bytes = null;
    if (!bytes) return "";
    const text = bytes.toString("utf8", this.#from, this.#to);
    return bytes.subarray(this.#from, this.#to).includes(ampersand) ? unescapeXml(text) : text;
  }

  /** As `take`, for a whole number of few digits; NaN for everything else, which stays kept. */
  protected takeDigits(): number {
    const [bytes, from, to] = [this.#bytes, this.#from, this.#to];
    if (!bytes || to - from > 9) return Number.NaN;
    let value = 0;
    for (let at = from; at < to; at++) {
      const digit = bytes[at] as number;
      if (digit < zero || digit > nine) return Number.NaN;
      value = value * 10 + digit - zero;
    }
    this.keeping = false;
    this.#bytes = null;
    return value;
  }

  /** A section of plain text counts as text, without its frame. */
  protected section(bytes: Buffer, from: number, to: number): void {
    if (this.keeping && bytes.toString("latin1", from, from + 8) === "![CDATA[") this.text(bytes, from + 8, to - 2);
  }
}

/** The shared texts of a workbook, without the readings that stand beside them. */
export class TextsScan extends TextScan {
  readonly texts: string[] = [];
  #text = "";
  #reading = false;

  protected override element(bytes: Buffer, name: number, length: number, ends: boolean, at: number, to: number): void {
    super.element(bytes, name, length, ends, at, to);
    const first = bytes[name];
    if (first === mark) this.section(bytes, name, to);
    else if (first === letterT && length === 1) {
      if (ends) this.#text += decodeEscapes(this.take());
      else this.keeping = !this.#reading && bytes[to - 1] !== slash;
    } else if (first === letterS && length === 2 && bytes[name + 1] === letterI) {
      if (ends || bytes[to - 1] === slash) {
        this.texts.push(this.#text);
        this.#text = "";
      }
    } else if (first === letterR && length === 3 && isReading(bytes, name)) this.#reading = !ends;
  }
}

/** The rows of a sheet, given to `emit` as soon as each has ended, until it says false; the rest is looked through all the same. */
export class SheetScan extends TextScan {
  readonly #context: SheetContext;
  readonly #emit: (row: SheetRow) => boolean;
  readonly #days = new Map<number, Cell>();
  /** Whether the sheet refuses changes; known once it is read. */
  isProtected = false;
  #inData = false;
  #wanted = true;
  #cells: Cell[] | null = null;
  #column = -1;
  #inCell = false;
  #type = 0;
  #style = -1;
  #value: Cell = null;
  #inline: string | null = null;
  #inInline = false;
  #reading = false;

  constructor(context: SheetContext, emit: (row: SheetRow) => boolean) {
    super();
    this.#context = context;
    this.#emit = emit;
  }

  protected override element(bytes: Buffer, name: number, length: number, ends: boolean, at: number, to: number): void {
    super.element(bytes, name, length, ends, at, to);
    if (length === protectionTag.length && bytes.toString("latin1", name, name + length) === protectionTag)
      this.isProtected ||= /\ssheet\s*=\s*["'](1|true)["']/.test(bytes.toString("latin1", at, to));
    if (!this.#wanted) return;
    const first = bytes[name];
    if (first === mark) this.section(bytes, name, to);
    else if (length === 1) {
      if (first === letterV) {
        if (ends) this.#value = this.#takeValue();
        else this.keeping = this.#inCell && bytes[to - 1] !== slash;
      } else if (first === letterC) {
        if (!ends) this.#startCell(bytes, at, to);
        if (ends || bytes[to - 1] === slash) this.#endCell();
      } else if (first === letterT) {
        if (ends) this.#inline = (this.#inline ?? "") + decodeEscapes(this.take());
        else this.keeping = this.#inInline && !this.#reading && bytes[to - 1] !== slash;
      }
    } else if (length === 2 && first === letterI && bytes[name + 1] === letterS) this.#inInline = !ends && this.#inCell;
    else if (length === 3 && first === letterR) {
      if (isReading(bytes, name)) this.#reading = !ends;
      else if (bytes[name + 1] === 0x6f && this.#inData) this.#row(ends);
    } else if (length === 9 && bytes.toString("latin1", name, name + length) === "sheetData") this.#inData = !ends;
  }

  #row(ends: boolean): void {
    if (!ends) {
      this.#cells = [];
      this.#column = -1;
    } else if (this.#cells) {
      this.#wanted = this.#emit({ no: this.row, cells: this.#cells });
      this.#cells = null;
    }
  }

  #startCell(bytes: Buffer, from: number, to: number): void {
    if (!this.#cells) return;
    this.#inCell = true;
    this.#type = 0;
    this.#style = -1;
    this.#value = null;
    this.#inline = null;
    this.#column = this.column > 0 ? this.column - 1 : this.#column + 1;
    for (let at = from; at < to; at++) {
      if (bytes[at] !== equals) continue;
      const sign = bytes[at + 1];
      const end = sign === quote || sign === apostrophe ? bytes.indexOf(sign, at + 2) : -1;
      if (end < 0 || end > to) continue;
      // Attributes of one letter each; the reference has been read.
      if ((bytes[at - 2] as number) <= 0x20) {
        const letter = bytes[at - 1];
        if (letter === letterS) this.#style = Number(bytes.toString("latin1", at + 2, end));
        else if (letter === letterT) this.#type = bytes[at + 2] === letterS && end - at > 3 ? letterT : (bytes[at + 2] as number);
      }
      at = end;
    }
  }

  #endCell(): void {
    const cells = this.#cells;
    if (!this.#inCell || !cells) return;
    this.#inCell = false;
    const value = this.#type === letterI ? this.#inline : this.#value;
    while (cells.length < this.#column) cells.push(null);
    cells[this.#column] = value;
  }

  // The types: shared text (s), text of a formula (str, here t), truth, error, text in the cell (inlineStr); all else is a number.
  #takeValue(): Cell {
    const { texts, dateStyles, from1904 } = this.#context;
    const type = this.#type;
    if (type === letterT) return decodeEscapes(this.take());
    if (type === letterE) return this.take();
    let number = this.takeDigits();
    if (Number.isNaN(number)) {
      const text = this.take();
      if (type === letterB) return text.toLowerCase() === "true";
      if (text === "") return null;
      number = Number(text);
      if (Number.isNaN(number)) return type === letterS ? null : text;
    }
    if (type === letterS) return texts[number] ?? null;
    if (type === letterB) return number === 1;
    if (this.#style < 0 || !dateStyles[this.#style]) return number;
    let day = this.#days.get(number);
    if (day === undefined) {
      day = momentCell(number, from1904);
      // The same few days stand in most cells of a plan.
      if (this.#days.size < 50_000) this.#days.set(number, day);
    }
    return day;
  }
}

const protectionTag = "sheetProtection";

// The reading of a text in another script, <rPh>.
const isReading = (bytes: Buffer, name: number): boolean => bytes[name + 1] === 0x50 && bytes[name + 2] === 0x68;

// The years 1 to 9999; what lies outside shows as an error in the spreadsheet too.
const firstMoment = Date.parse("0001-01-01T00:00:00Z");
const lastMoment = Date.parse("9999-12-31T23:59:59.999Z");

const dayMs = 86_400_000;
const epoch1900 = Date.UTC(1899, 11, 31);
const epoch1904 = Date.UTC(1904, 0, 1);

/** The moment of a serial number. The format counts a 29th February 1900, which never was, as day 60. */
function momentCell(serial: number, from1904: boolean): Cell {
  const days = from1904 || serial < 60 ? serial : serial - 1;
  return momentOf((from1904 ? epoch1904 : epoch1900) + Math.round(days * dayMs));
}

/** A moment as a cell. */
export function momentOf(time: number): Cell {
  return time >= firstMoment && time <= lastMoment ? { d: momentText(new Date(time)) } : "#NUM!";
}

const decodeEscapes = (text: string): string =>
  (text.includes("_x") ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))) : text).replaceAll(
    "\u0000",
    "",
  );
