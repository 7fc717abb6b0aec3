import { type Cell, cellText } from "#lib/core/workbook-cell.ts";
import type { DateFormat } from "./kind/limits.ts";
import {
  type CellConflict,
  type CheckedRow,
  type FieldProblem,
  type FieldValue,
  type ImportField,
  type ImportRow,
  matchKey,
  type Outcome,
  rawValue,
  readCell,
  type Side,
} from "./kind/logic.ts";
import { chunkRows, type ImportKindName, wholeCells } from "./limits.ts";

/** Which field each column of a file feeds; null is left out. */
export type Mapping = (string | null)[];

// The weakest match that counts: a head that ends or begins with the name of a field, with enough letters to mean it.
const weakLetters = 4;

/**
 * Suggests what the columns mean, best evidence first: what the person chose for the same head before, the name of a field in any language,
 * then a head that ends or begins with such a name. A field is given to one column only.
 * @param remembered field by head in match form
 * @param fallbacks where no column gives a field, the column of the other one moves to it: a list of sites names its DUs by the site
 */
export function suggestMapping(
  heads: readonly string[],
  fields: readonly ImportField[],
  remembered: Readonly<Record<string, string | null>> = {},
  fallbacks: readonly { field: string; from: string }[] = [],
): Mapping {
  const mapping: Mapping = heads.map(() => null);
  const decided = heads.map(() => false);
  const taken = new Set<string>();
  const known = new Set(fields.map((field) => field.key));
  const names = fields.map((field) => ({ key: field.key, names: [field.title, field.key, ...field.names].map(matchKey).filter(Boolean) }));
  const keys = heads.map(matchKey);
  const give = (column: number, field: string): void => {
    if (decided[column] || taken.has(field)) return;
    mapping[column] = field;
    decided[column] = true;
    taken.add(field);
  };
  for (const [column, key] of keys.entries()) {
    const before = remembered[key];
    if (before === null) decided[column] = true;
    else if (before !== undefined && known.has(before)) give(column, before);
  }
  for (const [column, key] of keys.entries()) {
    const found = names.find((field) => !taken.has(field.key) && field.names.includes(key));
    if (found) give(column, found.key);
  }
  for (const [column, key] of keys.entries()) {
    if (decided[column] || key === "") continue;
    const fits = names.filter(
      (field) => !taken.has(field.key) && field.names.some((name) => isLong(name) && (key.endsWith(name) || key.startsWith(name))),
    );
    if (fits.length === 1) give(column, (fits[0] as { key: string }).key);
  }
  for (const { field, from } of fallbacks) {
    const column = mapping.indexOf(from);
    if (!taken.has(field) && column >= 0) mapping[column] = field;
  }
  return mapping;
}

// A Chinese or Japanese name means as much with half the letters.
const isLong = (name: string): boolean => name.length >= (/[\u3040-\u9fff]/.test(name) ? weakLetters / 2 : weakLetters);

/** What is wrong with a mapping: fields given twice or unknown, required ones missing. */
export function mappingProblems(
  mapping: Mapping,
  fields: readonly ImportField[],
): { repeated: string[]; unknown: string[]; missing: string[] } {
  const given = mapping.filter((key) => key !== null);
  const known = new Set(fields.map((field) => field.key));
  return {
    repeated: [...new Set(given.filter((key, index) => given.indexOf(key) !== index))],
    unknown: [...new Set(given.filter((key) => !known.has(key)))],
    missing: fields.filter((field) => field.required && !given.includes(field.key)).map((field) => field.key),
  };
}

/** What is kept of a mapping for the next file: the field by head, null for a head that was left out on purpose. */
export function rememberMapping(heads: readonly string[], mapping: Mapping): Record<string, string | null> {
  const kept: Record<string, string | null> = {};
  for (const [column, head] of heads.entries()) if (matchKey(head) !== "") kept[matchKey(head)] = mapping[column] ?? null;
  return kept;
}

/** The first row of a file that holds more than one cell is its head; with hidden keys it is the one below them. */
export function headRow(rows: readonly { no: number; cells: readonly Cell[] }[], keyed: boolean): number {
  if (keyed) return 1;
  const found = rows.findIndex((row) => row.cells.filter((cell) => cell !== null && cell !== "").length > 1);
  return Math.max(found, 0);
}

/** The fields a column can feed. */
export const mappable = (fields: readonly ImportField[]): ImportField[] => fields.filter((field) => !field.shownOnly);

/** The columns of a file that feed a field. */
export type MappedColumn = { column: number; field: ImportField };

/** The mapped columns of a file, in its order. */
export function mappedColumns(mapping: Mapping, fields: readonly ImportField[]): MappedColumn[] {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  return mapping.flatMap((key, column) => {
    const field = key === null ? undefined : byKey.get(key);
    return field ? [{ column, field }] : [];
  });
}

/** Reads the mapped cells of a row. */
export function readRow(row: { no: number; cells: readonly Cell[] }, columns: readonly MappedColumn[], format: DateFormat): ImportRow {
  const values: Record<string, FieldValue> = {};
  const problems: FieldProblem[] = [];
  for (const { column, field } of columns) {
    if (field.raw) {
      values[field.key] = rawValue(row.cells[column] ?? null);
      continue;
    }
    const read = readCell(row.cells[column] ?? null, field, format);
    if (read.problem) problems.push({ path: field.key, ...read.problem });
    else values[field.key] = read.value;
  }
  return { no: row.no, values, problems };
}

/**
 * Reads the rows of a file one after the other, as `readRow` does. A row whose cells all hold is a copy of an object with all keys: one that gets a hundred
 * keys in turn is slow to make and to read.
 */
export function rowReader(columns: readonly MappedColumn[], format: DateFormat): (row: Parameters<typeof readRow>[0]) => ImportRow {
  const blank: Record<string, FieldValue> = JSON.parse(`{${columns.map(({ field }) => `${JSON.stringify(field.key)}:null`).join(",")}}`);
  return (row) => {
    const values = { ...blank };
    for (const { column, field } of columns) {
      const cell = row.cells[column] ?? null;
      if (field.raw) {
        values[field.key] = rawValue(cell);
        continue;
      }
      const read = readCell(cell, field, format);
      if (read.problem) return readRow(row, columns, format);
      values[field.key] = read.value;
    }
    return { no: row.no, values, problems: [] };
  };
}

/** What a check found, row by row. */
export type Summary = {
  rows: number;
  cells: number;
  counts: Record<Outcome, number>;
  changedCells: number;
  rejectedCells: number;
  /** Cells in conflict, and how many of their rows have other changes too. */
  conflictCells: number;
  mixedRows: number;
  reasons: { code: string; count: number }[];
  /** Changed cells by field, most first. */
  changed: { key: string; count: number }[];
  /** Refused cells by field, most first. */
  refused: { key: string; count: number }[];
  /** Cells in conflict by field, most first. */
  disputed: { key: string; count: number }[];
  needsReason: boolean;
  reopens: number;
};

/** Adds up the outcome of rows. */
export function makeTally(): { add: (rows: readonly CheckedRow[]) => void; summary: (cells: number) => Summary } {
  const counts: Record<Outcome, number> = { new: 0, changed: 0, unchanged: 0, conflict: 0, rejected: 0 };
  const reasons = new Map<string, number>();
  const changed = new Map<string, number>();
  const refused = new Map<string, number>();
  const disputed = new Map<string, number>();
  let [rows, changedCells, rejectedCells, conflictCells, mixedRows, reopens, needsReason] = [0, 0, 0, 0, 0, 0, false];
  const more = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  const sorted = (map: Map<string, number>) => [...map].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return {
    add: (checked) => {
      for (const row of checked) {
        rows++;
        counts[row.outcome]++;
        if (row.outcome === "rejected") {
          for (const { code, path } of row.problems) {
            more(reasons, code);
            if (path) more(refused, path);
          }
          rejectedCells += row.problems.length;
          continue;
        }
        for (let i = 0; i < row.changes.length; i++) more(changed, (row.changes[i] as CheckedRow["changes"][number])[0]);
        if (row.outcome !== "new") changedCells += row.changes.length;
        for (const { path } of row.conflicts ?? []) more(disputed, path);
        conflictCells += row.conflicts?.length ?? 0;
        if (row.outcome === "conflict" && row.changes.length > 0) mixedRows++;
        if (row.needsReason) needsReason = true;
        if (row.reopens) reopens++;
      }
    },
    summary: (cells) => ({
      rows,
      cells,
      counts,
      changedCells,
      rejectedCells,
      conflictCells,
      mixedRows,
      reasons: sorted(reasons).map(([code, count]) => ({ code, count })),
      changed: sorted(changed).map(([key, count]) => ({ key, count })),
      refused: sorted(refused).map(([key, count]) => ({ key, count })),
      disputed: sorted(disputed).map(([key, count]) => ({ key, count })),
      needsReason,
      reopens,
    }),
  };
}

/** Which value stands in the cells in conflict: one for all, and the cells where it is the other. */
export type Settlement = { side: Side; except: { row: number; path: string }[] };

/** What was decided about the conflicts of a row. */
export function settledCells(row: number, conflicts: readonly CellConflict[], settlement: Settlement): NonNullable<ImportRow["settled"]> {
  const other: Side = settlement.side === "mine" ? "theirs" : "mine";
  const apart = new Set(settlement.except.filter((cell) => cell.row === row).map((cell) => cell.path));
  return Object.fromEntries(conflicts.map(({ path, seen }) => [path, { side: apart.has(path) ? other : settlement.side, seen }]));
}

/** How many rows an application would write: new and changed ones, and of those in conflict the ones with other changes or with a cell of the file's. */
export function writableRows(summary: Pick<Summary, "counts" | "mixedRows">, settlement: Settlement, ownRows: number): number {
  const { counts, mixedRows } = summary;
  return counts.new + counts.changed + (settlement.side === "mine" ? counts.conflict : Math.min(counts.conflict, mixedRows + ownRows));
}

/**
 * Rows written in one transaction. All or none is one as long as it can be: then no first look at all rows is needed, and no killed worker leaves a part.
 * @param kind.chunkRows rows of a kind whose rows change many cells
 */
export function rowsOfTransaction(
  kind: { chunkRows?: number },
  mode: "all" | "valid",
  { changedCells, conflictCells }: Pick<Summary, "changedCells" | "conflictCells">,
): number {
  return mode === "all" && changedCells + conflictCells <= wholeCells ? chunkRows : (kind.chunkRows ?? chunkRows);
}

/** A value as it is shown. */
export function valueText(value: FieldValue): string {
  if (value === null) return "";
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "number" ? cellText(value) : String(value);
}

/** What the task of a check keeps: the figures, the columns shown, and how the file was read. */
export type PreviewResult = Summary & {
  kind: ImportKindName;
  heads: string[];
  mapping: Mapping;
  columns: { key: string; title: string; type: ImportField["type"]; column: number | null }[];
  labels: string[];
  /** What a file of this product says about itself and its columns; null for others. */
  origin: { meta: Record<string, string>; keys: (string | null)[] } | null;
  /** What the check rested on, for the kinds that ask. */
  basis: unknown;
  milliseconds: number;
  file: { name: string; size: number };
};
