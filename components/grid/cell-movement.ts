import type { Extent } from "./cell-range.ts";
import type { CellAddress } from "./grid-model.ts";

export type Direction = "up" | "down" | "left" | "right";

const steps: Record<Direction, CellAddress> = {
  up: { row: -1, column: 0 },
  down: { row: 1, column: 0 },
  left: { row: 0, column: -1 },
  right: { row: 0, column: 1 },
};

/** One step, staying inside the grid. */
export function step(from: CellAddress, direction: Direction, extent: Extent, count = 1): CellAddress {
  const { row, column } = steps[direction];
  return {
    row: Math.max(0, Math.min(extent.rows - 1, from.row + row * count)),
    column: Math.max(0, Math.min(extent.columns - 1, from.column + column * count)),
  };
}

/**
 * Ctrl with an arrow: to the last filled cell of a run of filled ones, else to the next filled one, else to the end of the grid.
 * @param filled whether a cell holds a value; null where that is not known (rows not loaded), which ends the search at the grid's edge
 */
export function edge(from: CellAddress, direction: Direction, extent: Extent, filled: (cell: CellAddress) => boolean | null): CellAddress {
  const { row, column } = steps[direction];
  const next = (cell: CellAddress): CellAddress | null => {
    const to = { row: cell.row + row, column: cell.column + column };
    return to.row < 0 || to.column < 0 || to.row >= extent.rows || to.column >= extent.columns ? null : to;
  };
  const last = step(from, direction, extent, Math.max(extent.rows, extent.columns));
  const first = next(from);
  if (!first) return from;
  const firstFilled = filled(first);
  if (firstFilled === null) return last;
  const run = filled(from) === true && firstFilled;
  let here = first;
  for (;;) {
    if (!run && filled(here)) return here;
    const to = next(here);
    if (!to) return here;
    const there = filled(to);
    if (there === null) return last;
    if (run && !there) return here;
    here = to;
  }
}

/**
 * Tab: the next cell in reading order that may be entered, in the next row after the last column; the same cell when there is none within a few rows.
 * @param enterable false for hatched cells
 */
export function tab(from: CellAddress, backwards: boolean, extent: Extent, enterable: (cell: CellAddress) => boolean): CellAddress {
  const by = backwards ? -1 : 1;
  let { row, column } = from;
  for (let tried = 0; tried < extent.columns * 3; tried++) {
    column += by;
    if (column < 0 || column >= extent.columns) {
      row += by;
      column = backwards ? extent.columns - 1 : 0;
    }
    if (row < 0 || row >= extent.rows) return from;
    if (enterable({ row, column })) return { row, column };
  }
  return from;
}
