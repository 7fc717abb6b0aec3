import { copyText } from "#components/ui/copy-text.ts";
import { readCell } from "./cell-input.ts";
import { type CellRange, fillOrigin, pasteTarget, rangeCells, rangeHeight, rangeWidth } from "./cell-range.ts";
import { formatTable, parseTable } from "./clipboard-table.ts";
import type { EditChange } from "./edit-store.ts";
import { countOn, readSeries, type Series, type SeriesCell, seriesValue } from "./fill-series.ts";
import type { AnyGrid } from "./grid-controller.ts";
import { type CellValue, type GridColumn, isEmptyValue } from "./grid-model.ts";

/** Cells one action may change; a save takes as many. */
export const actionCellsMax = 20_000;
/** Cells one copy may take. */
const copyCellsMax = 200_000;

type Wanted = { value: CellValue; typed?: string } | null;

/** Runs once all rows of a block are loaded: at once when they are, so that a key shows its effect in the same frame. */
function withRows(grid: AnyGrid, range: CellRange, work: () => void): void {
  for (let row = range.top; row <= range.bottom; row++) {
    if (grid.source.row(row) !== undefined) continue;
    grid.source.ensureRange(range.top, range.bottom).then((loaded) => (loaded ? work() : grid.notify({ kind: "notLoaded" })));
    return;
  }
  work();
}

/** Values one action gives to the cells of a row, by column. */
type Fresh = Map<string, CellValue>;

/** Changes every cell of a block that may be changed, as one step; tells how many could not. */
function changeBlock(grid: AnyGrid, range: CellRange, wanted: (row: number, column: number, fresh: Fresh) => Wanted): void {
  if (grid.readOnly) return;
  if (rangeCells(range) > actionCellsMax) {
    grid.notify({ kind: "tooMany", max: actionCellsMax });
    return;
  }
  withRows(grid, range, () => {
    const changes: EditChange[] = [];
    let skipped = 0;
    for (let row = range.top; row <= range.bottom; row++) {
      const data = grid.source.row(row);
      const rowKey = grid.source.rowKey(row);
      if (data === undefined || rowKey === undefined) continue;
      const fresh: Fresh = new Map();
      for (let at = range.left; at <= range.right; at++) {
        const column = grid.columnAt(at) as GridColumn;
        const given = wanted(row, at, fresh);
        if (!given) continue;
        fresh.set(column.key, given.value);
        const base = grid.source.value(data, column);
        const lock = grid.source.locked(data, column);
        if (!lock) changes.push({ rowKey, columnKey: column.key, base, ...given });
        else if (!isSame(grid, row, column, given)) skipped++;
      }
    }
    if (skipped > 0 && changes.length === 0 && rangeCells(range) === 1) grid.beginEdit("keep");
    else if (skipped > 0) grid.notify({ kind: "skipped", count: skipped });
    grid.edits.change(changes);
  });
}

/** A locked cell that would keep its value was not skipped. */
function isSame(grid: AnyGrid, row: number, column: GridColumn, given: { value: CellValue; typed?: string }): boolean {
  return (
    given.typed === undefined &&
    (isEmptyValue(given.value) ? isEmptyValue(grid.valueAt(row, column)) : grid.valueAt(row, column) === given.value)
  );
}

/** Delete: empties the selected cells. */
export function clearCells(grid: AnyGrid): void {
  changeBlock(grid, grid.range, () => ({ value: null }));
}

/** Value of a cell as another cell would take it: as it is between columns of one kind, else read again from its text. */
function carried(grid: AnyGrid, from: { row: number; column: number }, to: GridColumn): Wanted {
  const column = grid.columnAt(from.column) as GridColumn;
  const edit = grid.editAt(from.row, column);
  if (edit?.typed === undefined && column.kind === to.kind && column.choices === to.choices)
    return { value: grid.valueAt(from.row, column) };
  return read(grid, grid.textAt(from.row, column), to);
}

function read(grid: AnyGrid, text: string, column: GridColumn, above?: CellValue): Wanted {
  const reading = readCell(text, column, grid.source, above);
  return reading.ok ? { value: reading.value } : { value: null, typed: reading.typed };
}

/** Ctrl+D: the first row of the selection into the rows below; on one row the row above. */
export function fillDown(grid: AnyGrid): void {
  const { range } = grid;
  const from = range.top === range.bottom ? range.top - 1 : range.top;
  if (from < 0) return;
  const target = range.top === range.bottom ? range : { ...range, top: range.top + 1 };
  withRows(grid, { ...range, top: from }, () =>
    changeBlock(grid, target, (_row, column) => carried(grid, { row: from, column }, grid.columnAt(column) as GridColumn)),
  );
}

/** Ctrl+R: the first column of the selection into the columns at its right; on one column the column before. */
export function fillRight(grid: AnyGrid): void {
  const { range } = grid;
  const from = range.left === range.right ? range.left - 1 : range.left;
  if (from < 0) return;
  const target = range.left === range.right ? range : { ...range, left: range.left + 1 };
  changeBlock(grid, target, (row, column) => carried(grid, { row, column: from }, grid.columnAt(column) as GridColumn));
}

/**
 * Fill handle: goes on with a block over a larger one. Days and numbers that stand at even steps are counted on, everything else is repeated.
 * @param options flip: the other way round, so that even steps are repeated and a single day or number is counted on by one
 */
export function fillBlock(grid: AnyGrid, from: CellRange, to: CellRange, options: { flip?: boolean } = {}): void {
  withRows(grid, from, () => {
    const down = rangeWidth(from) === rangeWidth(to);
    const series = new Map<number, Series | null>();
    const seriesOf = (line: number): Series | null => {
      const known = series.get(line);
      if (known !== undefined) return known;
      const cells = lineCells(grid, from, down, line);
      const found = readSeries(cells) ?? null;
      const made = options.flip ? (found ? null : countOn(cells)) : found;
      series.set(line, made);
      return made;
    };
    changeBlock(grid, to, (row, column) => {
      const origin = fillOrigin(from, row, column);
      if (origin.row === row && origin.column === column) return null;
      const found = seriesOf(down ? column : row);
      const target = grid.columnAt(column) as GridColumn;
      if (!found || found.kind !== target.kind) return carried(grid, origin, target);
      return { value: seriesValue(found, down ? row - from.top : column - from.left) };
    });
  });
  grid.range = to;
  grid.changed();
}

/** Goes on, down the selection, with the first cells of every column: those up to the first empty one. */
export function fillSeries(grid: AnyGrid): void {
  const { range } = grid;
  withRows(grid, range, () => {
    const lines = new Map<number, { series: Series | null; start: number }>();
    for (let column = range.left; column <= range.right; column++) {
      const cells = lineCells(grid, range, true, column);
      const empty = cells.findIndex(({ value }) => isEmptyValue(value));
      const given = empty < 0 ? cells.slice(0, Math.min(2, cells.length)) : cells.slice(0, empty);
      lines.set(column, { series: readSeries(given) ?? countOn(given), start: given.length });
    }
    changeBlock(grid, range, (row, column) => {
      const line = lines.get(column);
      const at = row - range.top;
      return line?.series && at >= line.start ? { value: seriesValue(line.series, at) } : null;
    });
  });
}

/** Values of one column (or row) of a block in order, each with the kind of its column. */
function lineCells(grid: AnyGrid, from: CellRange, down: boolean, line: number): SeriesCell[] {
  return Array.from({ length: down ? rangeHeight(from) : rangeWidth(from) }, (_, at) => {
    const column = grid.columnAt(down ? line : from.left + at) as GridColumn;
    const row = down ? from.top + at : line;
    return { kind: column.kind, value: grid.editAt(row, column)?.typed === undefined ? grid.valueAt(row, column) : null };
  });
}

/** Ctrl+Enter: what was typed in the active cell, in every selected cell. */
export function fillSelection(grid: AnyGrid): void {
  const { active, range } = grid;
  changeBlock(grid, range, (row, column) =>
    row === active.row && column === active.column ? null : carried(grid, active, grid.columnAt(column) as GridColumn),
  );
}

/** Ctrl+X: copies the selection and empties it. */
export function cutCells(grid: AnyGrid, put: (text: string) => void): void {
  copyCells(grid, { put });
  clearCells(grid);
}

/** Ctrl+V: a block of text on the selection. Text that a column cannot read stays in its cell, refused. */
export function pasteText(grid: AnyGrid, text: string): void {
  const table = parseTable(text);
  const height = table.length;
  const width = Math.max(0, ...table.map((row) => row.length));
  if (height === 0 || width === 0) return;
  const missing = grid.range.top + height - grid.extent.rows;
  if (missing > 0 && !grid.readOnly && height * width <= actionCellsMax) grid.source.addRows?.(missing);
  const target = pasteTarget(grid.range, height, width, grid.extent);
  changeBlock(grid, target, (row, at, fresh) => {
    const cell = table[(row - target.top) % height]?.[(at - target.left) % width];
    if (cell === undefined) return null;
    const column = grid.columnAt(at) as GridColumn;
    const { parentKey } = column;
    return read(grid, cell, column, parentKey !== undefined && fresh.has(parentKey) ? fresh.get(parentKey) : grid.aboveAt(row, column));
  });
  grid.copied = null;
  grid.range = target;
  grid.changed();
}

/** The selection as tab-separated text; null when some of its rows are not loaded. */
export function rangeText(grid: AnyGrid, range: CellRange, headers: boolean): string | null {
  const rows: string[][] = [];
  if (headers) rows.push(columnsOf(grid, range).map((column) => column.title));
  for (let row = range.top; row <= range.bottom; row++) {
    if (grid.source.row(row) === undefined) return null;
    rows.push(columnsOf(grid, range).map((column) => grid.textAt(row, column)));
  }
  return formatTable(rows);
}

function columnsOf(grid: AnyGrid, range: CellRange): GridColumn[] {
  return grid.layout.columns.slice(range.left, range.right + 1).map((placed) => placed.column);
}

/**
 * Copies the selection. Rows that are not loaded are fetched first.
 * @param put writes to the clipboard at once, in the copy event; without it, or when rows had to be fetched, the asynchronous clipboard is used
 */
export function copyCells(grid: AnyGrid, options: { headers?: boolean; put?: (text: string) => void } = {}): void {
  const { range } = grid;
  if (rangeHeight(range) * rangeWidth(range) > copyCellsMax) {
    grid.notify({ kind: "tooMany", max: copyCellsMax });
    return;
  }
  const text = rangeText(grid, range, options.headers ?? false);
  grid.copied = range;
  grid.changed();
  if (text !== null && options.put) {
    options.put(text);
    return;
  }
  withRows(grid, range, () => {
    const loaded = rangeText(grid, range, options.headers ?? false) ?? "";
    // Where the browser does not let a page write later, the rows are there for a second try.
    copyText(loaded).then((isCopied) => {
      if (!isCopied) grid.notify({ kind: "copyAgain" });
    });
  });
}
