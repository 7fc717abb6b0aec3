import type { CellAddress } from "./grid-model.ts";

/** A block of cells by position, all four sides included. */
export type CellRange = { top: number; left: number; bottom: number; right: number };

/** Number of rows and columns a block may stand in. */
export type Extent = { rows: number; columns: number };

/** The block between two corners. */
export function rangeBetween(a: CellAddress, b: CellAddress): CellRange {
  return {
    top: Math.min(a.row, b.row),
    left: Math.min(a.column, b.column),
    bottom: Math.max(a.row, b.row),
    right: Math.max(a.column, b.column),
  };
}

/** The block of one cell. */
export function rangeOf(cell: CellAddress): CellRange {
  return rangeBetween(cell, cell);
}

export function rangeHeight(range: CellRange): number {
  return range.bottom - range.top + 1;
}

export function rangeWidth(range: CellRange): number {
  return range.right - range.left + 1;
}

/** Number of cells of a block. */
export function rangeCells(range: CellRange): number {
  return rangeHeight(range) * rangeWidth(range);
}

export function inRange(range: CellRange, row: number, column: number): boolean {
  return row >= range.top && row <= range.bottom && column >= range.left && column <= range.right;
}

/** What two blocks share, or null. */
export function intersect(a: CellRange, b: CellRange): CellRange | null {
  const shared = {
    top: Math.max(a.top, b.top),
    left: Math.max(a.left, b.left),
    bottom: Math.min(a.bottom, b.bottom),
    right: Math.min(a.right, b.right),
  };
  return shared.top <= shared.bottom && shared.left <= shared.right ? shared : null;
}

/** The nearest cell inside the grid. */
export function clampCell(cell: CellAddress, extent: Extent): CellAddress {
  return {
    row: Math.max(0, Math.min(cell.row, extent.rows - 1)),
    column: Math.max(0, Math.min(cell.column, extent.columns - 1)),
  };
}

/**
 * Where a copied block of `height` x `width` goes when pasted on a selection: a selection that holds it a whole number of times is filled with it,
 * otherwise it stands once at the selection's first cell. The result may reach over the last row or column; what does is cut off.
 */
export function pasteTarget(selection: CellRange, height: number, width: number, extent: Extent): CellRange {
  const fits = rangeHeight(selection) % height === 0 && rangeWidth(selection) % width === 0;
  const rows = fits ? rangeHeight(selection) : height;
  const columns = fits ? rangeWidth(selection) : width;
  return {
    top: selection.top,
    left: selection.left,
    bottom: Math.min(selection.top + rows, extent.rows) - 1,
    right: Math.min(selection.left + columns, extent.columns) - 1,
  };
}

/**
 * The block a fill handle covers when it is dragged from `from` to a cell: it grows in the direction that lies farther outside, never in both.
 * Equal to `from` while the cell is inside.
 */
export function fillTarget(from: CellRange, to: CellAddress): CellRange {
  const down = Math.max(to.row - from.bottom, from.top - to.row, 0);
  const right = Math.max(to.column - from.right, from.left - to.column, 0);
  if (down === 0 && right === 0) return from;
  return down >= right
    ? { ...from, top: Math.min(from.top, to.row), bottom: Math.max(from.bottom, to.row) }
    : { ...from, left: Math.min(from.left, to.column), right: Math.max(from.right, to.column) };
}

/** The cell of `from` whose value a cell of the filled block takes: the pattern repeats in both directions, backwards too. */
export function fillOrigin(from: CellRange, row: number, column: number): CellAddress {
  const wrap = (at: number, start: number, size: number) => start + ((((at - start) % size) + size) % size);
  return { row: wrap(row, from.top, rangeHeight(from)), column: wrap(column, from.left, rangeWidth(from)) };
}
