import type { Params } from "#lib/core/error.ts";
import { type Cell, cellText, isBlank, isErrorCell, type SheetRow } from "#lib/core/workbook-cell.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { markOf, type Revision, rowMark } from "#lib/imports/kind/logic.ts";
import { isChoice } from "#lib/rollout-plan/columns/logic.ts";
import { cellChars, type KeyMode } from "../limits.ts";
import { type Choice, type TabForm, tabValue } from "../logic.ts";
import type { RowChange } from "../rows/logic.ts";
import { sheetNameChars } from "./limits.ts";

/** An attribute as the workbook has it. */
export type SheetAttribute = TabForm & {
  key: string;
  level: "DU" | "TAB";
  mode: "RO" | "RW";
  choices: readonly Choice[];
};
/** A column with the head it was written with. */
export type SheetColumn = { key: string; title: string };

// Signs no name of a sheet has.
const notInNames = /[[\]:*?/\\]/g;

/** Name of the sheet of a tab; never that of a hidden one. */
export function sheetNameOf(tabName: string): string {
  const name = tabName
    .replace(notInNames, "")
    .replace(/^'+/, "")
    .slice(0, sheetNameChars)
    .replace(/[\uD800-\uDBFF]$/, "")
    .replace(/'+$/, "")
    .trim();
  return name === "" || /^_(meta|lists)$/i.test(name) ? "DU" : name;
}

/**
 * The columns of the workbook: the hidden mark of a row, the fixed columns, the attributes. Heads are told apart by their text alone, so an attribute
 * that is called like another column gets a suffix.
 */
export function sheetColumns(
  fixed: readonly string[],
  attributes: readonly { key: string; name: string }[],
  texts: { mark: string; suffix: string; fixed: (key: string) => string },
): SheetColumn[] {
  const columns = [{ key: rowMark, title: texts.mark }, ...fixed.map((key) => ({ key, title: texts.fixed(key) }))];
  const taken = new Set(columns.map(({ title }) => title.toLowerCase()));
  for (const { key, name } of attributes) {
    let title = name;
    while (taken.has(title.toLowerCase())) title += texts.suffix;
    taken.add(title.toLowerCase());
    columns.push({ key, title });
  }
  return columns;
}

/** The mark of a row: the row at its revision, or none, and its DU at its. */
export const lineMark = (row: Revision | null, du: Revision): string => markOf(row ?? { id: 0, rowVersion: 0 }, du);

/** What a mark says; null for a line somebody has added. */
export type Mark = { row: Revision | null; du: Revision };

/** Reads a mark. */
export function readMark(text: string): Mark | null {
  const found = /^(\d{1,15})@(\d{1,9})\/(\d{1,15})@(\d{1,9})$/.exec(text.trim());
  if (!found) return null;
  const [id = 0, rowVersion = 0, duId = 0, duVersion = 0] = found.slice(1).map(Number);
  return { row: id === 0 ? null : { id, rowVersion }, du: { id: duId, rowVersion: duVersion } };
}

// Spreadsheets know no days before.
const firstSheetDay = "1900-03-01";

/** A stored value as its cell holds it: choices in words, days as days. */
export function valueCell({ type, choices }: Pick<SheetAttribute, "type" | "choices">, stored: unknown): Cell {
  if (stored === null || stored === undefined) return null;
  if (isChoice(type)) return choices.find(({ id }) => String(id) === String(stored))?.value ?? null;
  if (
    (type === "DATE" || type === "DATETIME") &&
    typeof stored === "string" &&
    stored >= firstSheetDay &&
    !Number.isNaN(Date.parse(stored))
  )
    return { d: stored.endsWith("T00:00:00") ? stored.slice(0, 10) : stored };
  return typeof stored === "number" ? stored : String(stored);
}

type Value = { value: string | number | null } | { code: ErrorCode; params: Params };

/**
 * What a cell says in the form it is stored, or what is wrong with it. [DUT-08]
 * @param parent of a choice of the second level, the value it has to stand below: equal words stand below several
 */
export function cellValue(attribute: SheetAttribute, cell: Cell, parent?: unknown): Value {
  const text = cellText(cell).trim();
  const field = attribute.name;
  if (text === "" || [...text].length > cellChars) return tabValue(attribute, text);
  if (isChoice(attribute.type)) {
    const choice = attribute.choices.find(
      (one) =>
        !one.isRetired &&
        one.value.toLowerCase() === text.toLowerCase() &&
        (!attribute.parentKey || one.parent === undefined || String(one.parent) === String(parent ?? "")),
    );
    return choice ? tabValue(attribute, String(choice.id)) : { code: "NOT_A_CHOICE", params: { field } };
  }
  switch (attribute.type) {
    case "DATETIME":
      return tabValue(attribute, /^\S{10}$/.test(text) && typeof cell === "object" ? `${text}T00:00:00` : text.replace(" ", "T"));
    case "TIME":
      return tabValue(attribute, typeof cell === "object" ? timeOf(text) : text);
    case "DATE":
    case "NUMBER":
      return tabValue(attribute, text);
    default:
      if (isErrorCell(cell)) return { code: "CELL_ERROR", params: { field, value: text } };
      return text.isWellFormed() ? tabValue(attribute, text) : { code: "VALUE_FORMAT", params: { field, value: text.toWellFormed() } };
  }
}

// A time of day is a share of the day before all days, in either way of counting them.
const timeOf = (text: string): string => {
  const found = /^(?:1899-12-31|1904-01-01)(?:T(\d\d:\d\d):00)?$/.exec(text);
  return found ? (found[1] ?? "00:00") : text;
};

const plain = (cell: Cell): string => cellText(cell).trim().replace(/\r\n?/g, "\n");

/** A line of a workbook with its cells by the key of their column. */
export type Line = { no: number; mark: Mark | null; cells: ReadonlyMap<string, Cell> };
/** One thing that is wrong: with a cell, or without a column with the line, or without a line with the file. */
export type Fault = { no: number | null; key: string | null; code: ErrorCode; params: Params };

const cellOf = ({ cells }: Line, key: string): Cell => cells.get(key) ?? null;

/** The text of a fixed cell. */
export const fixedText = (line: Line, key: string): string => cellText(cellOf(line, key)).trim();

/** Whether a line says nothing else of its attributes than is stored. */
export const isUntouched = (attributes: readonly SheetAttribute[], stored: StoredValues, line: Line): boolean =>
  attributes.every(
    (attribute) =>
      attribute.mode !== "RW" || plain(cellOf(line, attribute.key)) === plain(valueCell(attribute, storedOf(attribute, stored))),
  );

/** What is stored of a line: values of the row, and those kept with its DU. */
export type StoredValues = { data: Record<string, unknown>; ext: Record<string, unknown> };
const storedOf = ({ level, key }: SheetAttribute, { data, ext }: StoredValues): unknown => (level === "DU" ? ext[key] : data[key]) ?? null;

/**
 * What of a line differs from what is stored, and everything that is wrong with it. Cells the person may not write are passed over, as are cells that say
 * what is stored, which may be what nobody could write any more. [DUT-08] [DUT-11] [DUT-16]
 */
export function lineChange(
  attributes: readonly SheetAttribute[],
  stored: StoredValues,
  line: Line,
): { change: Pick<RowChange, "data" | "ext">; faults: Fault[] } {
  const change: Pick<RowChange, "data" | "ext"> = { data: {}, ext: {} };
  const faults: Fault[] = [];
  for (const attribute of attributes) {
    if (attribute.mode !== "RW") continue;
    const { key, level, required } = attribute;
    const now = storedOf(attribute, stored);
    const cell = cellOf(line, key);
    const above = attribute.parentKey ? parentOf(attribute.parentKey, attributes, stored, line) : null;
    const isSaid = plain(cell) === plain(valueCell(attribute, now)) && !above?.isChanged;
    if (isSaid && !(required && isBlank(cell))) continue;
    const next = cellValue(attribute, cell, above?.value);
    if ("code" in next) faults.push({ no: line.no, key, ...next });
    else if (next.value !== now && (now === null || String(next.value) !== String(now)))
      change[level === "DU" ? "ext" : "data"][key] = [now, next.value];
  }
  return { change, faults };
}

/** What the line says of the attribute another one depends on: its cell where the person may write it, else what is stored. */
function parentOf(
  key: string,
  attributes: readonly SheetAttribute[],
  stored: StoredValues,
  line: Line,
): { value: unknown; isChanged: boolean } {
  const parent = attributes.find((attribute) => attribute.key === key);
  const now = (parent ? storedOf(parent, stored) : (stored.data[key] ?? stored.ext[key])) ?? null;
  const cell = cellOf(line, key);
  if (parent?.mode !== "RW" || plain(cell) === plain(valueCell(parent, now))) return { value: now, isChanged: false };
  const next = cellValue(parent, cell);
  return { value: "code" in next ? null : next.value, isChanged: true };
}

/** The row of the heads: the first that holds more than the keys of columns. */
function headOf(columns: readonly SheetColumn[], rows: readonly SheetRow[]): SheetRow | undefined {
  const keys = new Set(columns.map(({ key }) => key));
  return rows.find(({ cells }) => !cells.every((cell) => isBlank(cell) || keys.has(cellText(cell))));
}

/** A refused sheet to be written again as it was read, with what is wrong at its cells. */
export type MarkedSheet = {
  columns: { key: string; title: string; hidden: boolean }[];
  rows: Cell[][];
  notes: Map<number, Map<number, string>>;
};

// The keys and the heads stand above the lines of a written sheet.
const rowsAbove = 2;

/**
 * The sheet with its faults at their cells; a head that is missing is noted behind the others. Null where nothing can be pointed at.
 * @param faults with their texts in the reader's language
 */
export function markedSheet(
  columns: readonly SheetColumn[],
  rows: readonly SheetRow[],
  faults: readonly (Pick<Fault, "no" | "key"> & { text: string })[],
): MarkedSheet | null {
  const head = headOf(columns, rows);
  const placed = faults.filter(({ no, key }) => no !== null && key !== null);
  if (!head || placed.length === 0) return null;
  const titles = head.cells.map((cell) => cellText(cell).trim());
  const byTitle = new Map(columns.map(({ key, title }) => [title.trim(), key]));
  const below = rows.filter(({ no }) => no > head.no);
  const lines: Cell[][] = Array.from({ length: (below.at(-1)?.no ?? head.no) - head.no }, () => []);
  for (const { no, cells } of below) lines[no - head.no - 1] = Array.from(cells, (cell) => cell ?? null);
  const notes: MarkedSheet["notes"] = new Map();
  let behind = titles.length;
  for (const { no, key, text } of placed) {
    const title = columns.find((column) => column.key === key)?.title.trim() ?? key ?? "";
    const found = titles.indexOf(title);
    const row = (no as number) - head.no + rowsAbove;
    const cells = notes.get(row) ?? new Map<number, string>();
    const at = found < 0 ? behind++ : found;
    cells.set(at, cells.has(at) ? `${cells.get(at)}\n${text}` : text);
    notes.set(row, cells);
  }
  return {
    columns: titles.map((title) => ({ key: byTitle.get(title) ?? "", title, hidden: byTitle.get(title) === rowMark })),
    rows: lines,
    notes,
  };
}

/**
 * The lines of a sheet below its head, whose cells are found by the heads they were written with, wherever the columns stand now. [DUT-05] [DUT-07]
 * @param rows of the sheet, the keys in its hidden first row included
 */
export function readLines(columns: readonly SheetColumn[], rows: readonly SheetRow[]): { lines: Line[]; faults: Fault[] } {
  const head = headOf(columns, rows);
  const titles = (head?.cells ?? []).map((cell) => cellText(cell).trim());
  const count = (title: string) => titles.filter((one) => one === title).length;
  const wrong = [
    ...columns.map(({ title }) => title.trim()).filter((title) => count(title) !== 1),
    ...titles.filter((title) => title !== "" && !columns.some((column) => column.title.trim() === title)),
  ];
  // Cells without a head would be lost without a word.
  const headless = rows.some(({ no, cells }) => no > (head?.no ?? 0) && cells.some((cell, at) => !isBlank(cell) && !titles[at]));
  if (!head || wrong.length > 0 || headless) {
    const named = wrong.length > 0 ? [...new Set(wrong)].map((title) => title.toWellFormed()) : ["?"];
    return { lines: [], faults: named.map((key) => ({ no: head?.no ?? null, key, code: "COLUMNS_WRONG", params: { columns: key } })) };
  }
  const places = columns.map(({ key, title }) => [key, titles.indexOf(title.trim())] as const);
  const seen = new Set<number>();
  const lines = rows
    .filter(({ no }) => no > head.no)
    .map(({ no, cells }): Line => {
      const own = new Map(places.map(([key, at]) => [key, cells[at] ?? null]));
      const mark = readMark(cellText(own.get(rowMark) ?? null));
      // A line that was copied brings the mark of the other with it: it is a new one.
      const isCopy = mark?.row ? seen.has(mark.row.id) : false;
      if (mark?.row) seen.add(mark.row.id);
      return { no, mark: isCopy ? null : mark, cells: own };
    });
  return { lines, faults: [] };
}

/** Keys that are missing or stand in an earlier line already. [DUT-05] [DUT-06] */
export function listKeyFaults(keyMode: KeyMode, lines: readonly Line[]): Fault[] {
  const key = keyMode === "SN" ? "sn" : "code";
  const seen = new Set<string>();
  return lines.flatMap((line) => {
    const text = fixedText(line, key);
    const repeated = seen.has(text);
    seen.add(text);
    // A missing DU ID is told as such.
    return (text === "" && keyMode === "SN") || (text !== "" && repeated)
      ? [{ no: line.no, key, code: "SN_REPEATED" as const, params: {} }]
      : [];
  });
}
