import type { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Params } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { type Cell, cellText, dayOfSerial, isBlank, isErrorCell } from "#lib/core/workbook-cell.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { type DateFormat, firstDate, lastDate } from "./limits.ts";

/** What a field holds, and so how a cell is read for it. */
export type FieldType = "text" | "number" | "day" | "month" | "flag" | "choice" | "accounts";

/** The value of a cell in the form the form of the object uses; days and months are ISO, accounts a list. */
export type FieldValue = string | number | boolean | string[] | null;

/** A field a column can be mapped to. */
export type ImportField = {
  key: string;
  title: string;
  type: FieldType;
  /** Fields are shown in groups: the object's own, its site's, one per activity. */
  group: string;
  required?: boolean;
  /** Further names a head of the file may carry, in any language. */
  names: readonly string[];
  /** Values of a choice with the words that mean them; the title is what a template offers. */
  values?: readonly { value: string; title?: string; names: readonly string[] }[];
  /** The kind reads the cell itself: days arrive as ISO texts, all else as it stands in the file. */
  raw?: boolean;
  /** No column feeds it: the check says something there that a person should see before applying. */
  shownOnly?: boolean;
};

/** Why a cell is refused. */
export type CellProblem = { code: ErrorCode; params?: Params };

/** A refused cell, or a refused row where the path is empty. */
export type FieldProblem = CellProblem & { path: string };

/** Which value of a cell in conflict is to stand: that of the file, or the present one. */
export const sides = ["mine", "theirs"] as const;
export type Side = (typeof sides)[number];

/**
 * A row of the file, read for the fields its columns are mapped to.
 * `settled`: cells of which the person has seen a conflict, what was decided, and the present value it was decided against.
 */
export type ImportRow = {
  no: number;
  values: Readonly<Record<string, FieldValue>>;
  problems: readonly FieldProblem[];
  settled?: Readonly<Record<string, { side: Side; seen: string }>>;
};

export const outcomes = ["new", "changed", "unchanged", "conflict", "rejected"] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * A cell that was changed in the file and, meanwhile, in the project. Values are as a person reads them.
 * `seen` stands for the present value, so that a decision does not hold for a later one.
 */
export type CellConflict = {
  path: string;
  base: FieldValue;
  mine: FieldValue;
  theirs: FieldValue;
  by: string | null;
  at: string | null;
  seen: string;
};

/** What would become of a row. Values are as a person reads them: names, accounts, ISO days. */
export type CheckedRow = {
  no: number;
  outcome: Outcome;
  changes: [field: string, old: FieldValue, next: FieldValue][];
  problems: FieldProblem[];
  conflicts?: CellConflict[];
  /** A change that needs the reason an import asks for once. */
  needsReason?: boolean;
  /** A released plan that would count as changed. */
  reopens?: boolean;
};
export type ReadCell = { value: FieldValue; problem?: undefined } | { value?: undefined; problem: CellProblem };

/** What a write belongs to: the task, the origin of its plan batches, the reason given once for the file. */
export type WriteFrame = {
  taskId: string;
  originKey: string;
  reason: string | null;
  /** Nothing is written when a row is rejected. */
  whole: boolean;
  /** What the check rested on, as its run gave it. */
  basis: unknown;
  /** Tells how far the write has come, from 0 to 1, and lets what was sent to the database get there; throws when it is to stop. */
  step: (share: number) => Promise<void>;
};

/** One run through a file. Rows come in the order of the file; what earlier rows said is remembered. */
export type ImportRun = {
  /** Told of the rows that are checked next, so that what they refer to is read while those above them are checked. */
  look?: (ctx: Ctx, rows: readonly ImportRow[]) => void;
  check: (ctx: Ctx, rows: readonly ImportRow[]) => Promise<CheckedRow[]>;
  /** Cells by field of the rows the file stands for by leaving them out; they are checked and written behind its own. */
  rest?: (ctx: Ctx) => Promise<Readonly<Record<string, Cell>>[]>;
  /** What the check of the whole file rested on, so that a write can tell what nobody has seen. */
  basis?: () => unknown;
  /** Checks the rows again under locks and writes those that hold, in the caller's transaction. */
  write: (ctx: Ctx, rows: readonly ImportRow[], frame: WriteFrame) => Promise<{ written: CheckedRow[]; rejected: CheckedRow[] }>;
};

/** Rows that the last step of a write refused although their check had passed: the caller repeats the transaction without them. */
export class RowsRefused extends Error {
  readonly rows: CheckedRow[];

  constructor(rows: CheckedRow[]) {
    super("rows refused by the write");
    this.rows = rows;
  }
}

/** Something a person may ask of an import: a choice, a yes or no, or what empty cells mean. */
export type ImportOption = { key: string; type: "choice" | "flag" | "blanks"; choices?: { value: number; label: string }[] };

/** What an area has to give so that its objects can be imported. */
export type ImportKind = {
  /** What a person may ask of the import besides the mapping. */
  options: z.ZodType;
  fields: (ctx: Ctx) => Promise<ImportField[]>;
  /** The options as a form shows them. */
  choices: (ctx: Ctx) => Promise<ImportOption[]>;
  /**
   * Refuses a file of this product that cannot be read back.
   * @param meta what its hidden sheet says
   * @param keys keys of its columns
   * @throws AppError
   */
  accept?: (ctx: Ctx, meta: Readonly<Record<string, string>>, keys: readonly (string | null)[]) => Promise<void>;
  /** Where no column feeds `field`, the column of `from` moves to it. */
  fallbacks: readonly { field: string; from: string }[];
  /** Fields whose values name a row in the preview. */
  labels: readonly string[];
  /** Rows written in one transaction, where they are fewer than usual. */
  chunkRows?: number;
  /**
   * Rows depend on one another: all of a file are checked and written together, and the write gets unchanged ones too. No file may hold more,
   * and never more than are written in one transaction.
   */
  together?: number;
  /** The field in which a row says that its object goes; rows the file stands for by leaving them out get it even where no column feeds it. */
  leaving?: string;
  /** The run of a check may write as well, once: it knows by then how it has judged the rows. */
  keepsRuns?: true;
  /** Key of a column that is hidden in a workbook of rejected rows as it was in the file. */
  hidden?: string;
  open: (options: never, format: DateFormat) => ImportRun;
  /** What follows once rows were written. A worker killed in the middle of it does it again. */
  applied?: (job: JobCtx) => Promise<void>;
  /** The batch of the plan that takes the whole application back, when one was written. */
  findUndo?: (ctx: Ctx, originKey: string) => Promise<number | null>;
};

/** Key of the hidden column by which an exported row says what it is and at which revision it was read. */
export const rowMark = "rowMark";
/** The field of that column: no head of another file is taken for it, and nobody maps it. */
export const rowMarkField: ImportField = { key: rowMark, title: "", type: "text", group: "mark", names: [] };

/** Something with its revision. */
export type Revision = { id: number; rowVersion: number };

/** The mark of a row that was made of these things. */
export const markOf = (...things: readonly Revision[]): string => things.map(({ id, rowVersion }) => `${id}@${rowVersion}`).join("/");

/** Whether a mark names the thing at another revision: somebody has changed it since. */
export function isChangedSince(mark: FieldValue | undefined, thing: Revision, place = 0): boolean {
  const parts = /^(\d{1,15})@(\d{1,9})$/.exec(
    String(mark ?? "")
      .trim()
      .split("/")[place] ?? "",
  );
  return parts !== null && Number(parts[1]) === thing.id && Number(parts[2]) !== thing.rowVersion;
}

/** A cell for a field that its kind reads itself. */
export function rawValue(cell: Cell): FieldValue {
  return cell !== null && typeof cell === "object" ? cell.d : cell;
}

/** Reads one cell for a field: the same text always gives the same value, whatever program wrote it. */
export function readCell(cell: Cell, field: Pick<ImportField, "type" | "values">, format: DateFormat): ReadCell {
  if (isBlank(cell)) return { value: null };
  if (isErrorCell(cell)) return { problem: { code: "CELL_ERROR" } };
  switch (field.type) {
    case "text":
      return { value: cellText(cell).trim() };
    case "number":
      return readNumber(cell);
    case "day":
      return readDay(cell, format);
    case "month":
      return readMonth(cell);
    case "flag":
      return readFlag(cell);
    case "choice":
      return readChoice(cellText(cell), field.values ?? []);
    case "accounts":
      return { value: readAccounts(cellText(cell)) };
  }
}

// Accounts stand alone or in brackets behind a name.
function readAccounts(text: string): string[] {
  const parts = text.split(/[,;，；、\n]+/).flatMap((part) => /[(（]([^()（）\s]+)[)）]\s*$/.exec(part)?.[1] ?? part.split(/\s+/));
  return [...new Set(parts.filter(Boolean))];
}

function readNumber(cell: Cell): ReadCell {
  if (typeof cell === "number") return { value: cell };
  const text = cellText(cell).normalize("NFKC").trim();
  const plain = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(",", "") : text;
  return /^[+-]?\d+(\.\d+)?$/.test(plain) ? { value: Number(plain) } : { problem: { code: "NUMBER_FORMAT" } };
}

function readDay(cell: Cell, format: DateFormat): ReadCell {
  const iso = dayOf(cell, format);
  if (iso === null) return { problem: { code: "DATE_FORMAT", params: { value: cellText(cell) } } };
  return iso < firstDate || iso > lastDate
    ? { problem: { code: "DATE_OUT_OF_RANGE", params: { min: firstDate, max: lastDate } } }
    : { value: iso };
}

// The highest serial number of a spreadsheet is 9999-12-31.
const lastSerial = 2_958_465;

/** ISO day of a cell; null for what is no day. */
export function dayOf(cell: Cell, format: DateFormat): string | null {
  if (typeof cell === "number") return cell >= 1 && cell <= lastSerial ? dayOfSerial(cell) : null;
  if (cell !== null && typeof cell === "object") return cell.d.slice(0, 10);
  return typeof cell === "string" ? parseDay(cell, format) : null;
}

/**
 * ISO day of a written one. A text that begins with the year means the same everywhere; the others are read in the order that was asked for.
 * @returns null for what is no day of the calendar
 */
export function parseDay(text: string, format: DateFormat): string | null {
  if (text.length === 10 && text[4] === "-" && isDay(text)) return text;
  const clean = text.normalize("NFKC").trim();
  const year =
    /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$/.exec(clean) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(clean);
  if (year) return isoOf(year[1], year[2], year[3]);
  const other = /^(\d{1,2})\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*(\d{4})(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?$/.exec(clean);
  if (!other || format === "ymd") return null;
  return format === "dmy" ? isoOf(other[3], other[2], other[1]) : isoOf(other[3], other[1], other[2]);
}

function isoOf(year = "", month = "", day = ""): string | null {
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDay(iso) ? iso : null;
}

// A plan repeats its days a thousandfold: each is looked at once.
const knownDays = new Map<string, boolean>();
const knownDaysMax = 50_000;

function isDay(iso: string): boolean {
  let is = knownDays.get(iso);
  if (is === undefined) {
    is = isIsoDay(iso);
    if (knownDays.size >= knownDaysMax) knownDays.clear();
    knownDays.set(iso, is);
  }
  return is;
}

/**
 * Which order of day and month the samples of a column allow: certain when one of them can only be read one way.
 * Texts that begin with the year say nothing about it.
 */
export function dateOrderOf(samples: readonly Cell[]): { format: DateFormat; certain: boolean } | null {
  let seen = false;
  for (const sample of samples) {
    if (typeof sample !== "string") continue;
    const parts = /^\s*(\d{1,2})\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*\d{4}/.exec(sample.normalize("NFKC"));
    if (!parts) continue;
    seen = true;
    if (Number(parts[1]) > 12) return { format: "dmy", certain: true };
    if (Number(parts[2]) > 12) return { format: "mdy", certain: true };
  }
  return seen ? { format: "dmy", certain: false } : null;
}

function readMonth(cell: Cell): ReadCell {
  if (cell !== null && typeof cell === "object") return { value: cell.d.slice(0, 7) };
  const text = cellText(cell).trim();
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? { value: text } : { problem: { code: "MONTH_FORMAT" } };
}

const yes = new Set(["true", "yes", "y", "1", "是", "对", "有", "はい", "有り", "○"]);
const no = new Set(["false", "no", "n", "0", "否", "无", "いいえ", "無し", "×"]);

function readFlag(cell: Cell): ReadCell {
  if (typeof cell === "boolean") return { value: cell };
  const word = matchKey(cellText(cell));
  if (yes.has(word)) return { value: true };
  return no.has(word) ? { value: false } : { problem: { code: "VALUE_UNKNOWN", params: { value: word } } };
}

function readChoice(text: string, values: readonly { value: string; names: readonly string[] }[]): ReadCell {
  const key = matchKey(text);
  const found = values.find((one) => matchKey(one.value) === key || one.names.some((name) => matchKey(name) === key));
  return found ? { value: found.value } : { problem: { code: "VALUE_UNKNOWN", params: { value: text.trim() } } };
}

/** A name as it is compared: width, case, blanks and separators do not count. */
export const matchKey = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_\-·./:：・()（）[\]【】]+/g, "");

/** A name of something as it is compared: width, case and the number of blanks do not count. */
export const nameKey = (text: string): string => text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
