import type { Lock, Status } from "#components/ui/glyph-paths.ts";

/** What a column holds: decides how typed text is read, how the cell is drawn and which editor opens. */
export type CellKind = "text" | "date" | "month" | "number" | "choice" | "people" | "flag" | "status" | "bar";

/** A cell's value: a day as yyyy-MM-dd, a month as yyyy-MM, people as a list of user ids, null for empty. */
export type CellValue = string | number | boolean | null | readonly number[];

/** One column of the grid. `short` replaces a title that is too long for the head. */
export type GridColumn = {
  key: string;
  title: string;
  short?: string;
  kind: CellKind;
  width: number;
  minWidth?: number;
  align?: "end";
  editable?: boolean;
  sortable?: boolean;
  filterable?: boolean;
  choices?: readonly { value: string; label: string; parent?: string }[];
  /** The column whose value in the same row says which choices are offered. */
  parentKey?: string;
  /** Quiet text: values that only accompany others. */
  quiet?: boolean;
  /** Texts of this kind may have line breaks. */
  multiline?: boolean;
};

/** Columns under one head. A foldable group can be shown as its bar column alone. */
export type GridGroup = {
  key: string;
  title: string;
  columns: readonly GridColumn[];
  bar?: GridColumn;
};

export type GridHead = { groups: readonly GridGroup[] };

/** Why a value may not be: the cause, and what to do about it. */
export type Refusal = { code: string; cause: string; remedy?: string };

/** How a date differs from the one it is compared with. */
export type CellShift = { kind: "later" | "earlier" | "same" | "added" | "removed"; text: string };

/**
 * Something to know about a cell that may be edited all the same: a padlock where it waits for others, a badge where a warning matches, a painted cell where
 * a site waits, or waits too long.
 */
export type CellNote = { mark: "waits" | "warning" | "waitsLong" | "exceeds"; text: string };

/** What the data says about a cell, apart from unsaved edits. */
export type CellState = {
  lock?: Lock;
  status?: Status;
  /** Status colour on a date (bar) rather than on the word of the status. */
  bar?: boolean;
  /** Not part of this row: hatched, never editable, skipped by Tab. */
  outside?: boolean;
  /** The date is compared with another one: what follows its text, or stands for it where it is gone. */
  shift?: CellShift;
  note?: CellNote;
  /** Word for screen readers where the text alone does not say it (status of a bar, reason of a lock). */
  spoken?: string;
};

/** What an unsaved edit adds to a cell. */
export type CellEdit = {
  rowKey: string;
  columnKey: string;
  /** The value the editor read: the revision of the cell. */
  base: CellValue;
  mine: CellValue;
  /** Text that could not be read as a value of the column; the cell is refused and keeps it. */
  typed?: string;
  /** When it was typed, epoch milliseconds. */
  at: number;
  refusal?: Refusal;
  warning?: Refusal;
  conflict?: { theirs: CellValue; by: string; at: string };
};

export type CellAddress = { row: number; column: number };

/** Places of rows that have just arrived. */
export type Arrived = { from: number; to: number };

/** Where the grid reads its rows. Rows are addressed by position, edits by keys, so that a new order does not move an edit. */
export type GridSource<Row = unknown> = {
  /** Known number of rows, or at least that many while `open`. */
  readonly total: number;
  /** The number is not told; the scroll area grows until a short tile ends it. */
  readonly open: boolean;
  row: (index: number) => Row | undefined;
  /** Identity of a row that may not be loaded; undefined when it is not known yet. */
  rowKey: (index: number) => string | undefined;
  /** Position of a row, when it is loaded or listed. */
  indexOf: (rowKey: string) => number | undefined;
  /** Asks for the rows that are on screen; the source prefetches and cancels by itself. */
  requestRange: (from: number, to: number) => void;
  /** Resolves when all rows of the range are loaded. */
  ensureRange: (from: number, to: number) => Promise<boolean>;
  /** Value as saved. */
  value: (row: Row, column: GridColumn) => CellValue;
  /** Text of a value, as shown and as copied. */
  text: (value: CellValue, column: GridColumn, row: Row | undefined) => string;
  cellState: (row: Row, column: GridColumn) => CellState;
  /** Why this cell cannot be edited at all, or null. */
  locked: (row: Row, column: GridColumn) => Refusal | null;
  /** Reads typed or pasted text of a column kind that only the source understands (people, choices); undefined when unreadable. */
  read?: (text: string, column: GridColumn) => CellValue | undefined;
  /** Adds empty rows at the end, where rows are made by typing; pasted rows find room there. */
  addRows?: (count: number) => unknown;
  /** Ranges whose rows could not be loaded. */
  failures: () => readonly { from: number; to: number }[];
  retry: (from: number) => void;
  /** Called whenever rows, total or failures changed; with their places when all that happened is that rows arrived. */
  subscribe: (listener: (arrived?: Arrived) => void) => () => void;
};

/** Whether two values are the same value. */
export function sameValue(a: CellValue, b: CellValue): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => item === b[index]);
  return false;
}

/** Whether a value counts as empty. */
export function isEmptyValue(value: CellValue): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}
