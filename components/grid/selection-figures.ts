import { rangeCells, rangeHeight, rangeWidth } from "./cell-range.ts";
import type { AnyGrid } from "./grid-controller.ts";
import type { GridColumn } from "./grid-model.ts";

/** Cells above which only the size of a selection is told. */
const countedMax = 20_000;

export type SelectionFigures = { rows: number; columns: number; earliest: string | null; latest: string | null; sum: number | null };

/** Size of the selection, earliest and latest of its days, sum of its numbers, as far as its rows are loaded. */
export function selectionFigures(grid: AnyGrid): SelectionFigures {
  const { range } = grid;
  const figures: SelectionFigures = { rows: rangeHeight(range), columns: rangeWidth(range), earliest: null, latest: null, sum: null };
  if (rangeCells(range) > countedMax) return figures;
  for (let at = range.left; at <= range.right; at++) {
    const column = grid.columnAt(at) as GridColumn | undefined;
    if (!column || (column.kind !== "date" && column.kind !== "number")) continue;
    for (let row = range.top; row <= range.bottom; row++) {
      if (grid.source.row(row) === undefined) continue;
      const value = grid.valueAt(row, column);
      if (typeof value === "string") {
        if (figures.earliest === null || value < figures.earliest) figures.earliest = value;
        if (figures.latest === null || value > figures.latest) figures.latest = value;
      } else if (typeof value === "number") figures.sum = (figures.sum ?? 0) + value;
    }
  }
  return figures;
}
