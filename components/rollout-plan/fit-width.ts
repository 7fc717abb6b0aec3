import type { GridController } from "#components/grid/grid-controller.ts";
import type { GridColumn } from "#components/grid/grid-model.ts";
import type { PlanRow } from "./plan-tile.ts";

/** Padding of a cell, and room for a glyph. */
const paddingPx = 18;
const glyphPx = 17;
const rowsMeasured = 2_000;

/** Width that shows the title and every loaded value of a column in full. */
export function fittingWidth(grid: GridController<PlanRow>, column: GridColumn): number {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return column.width;
  const style = getComputedStyle(document.body);
  context.font = `500 12px ${style.fontFamily}`;
  const measure = (text: string) => context.measureText(text).width;
  const glyph = column.kind === "status" || column.kind === "bar" || column.kind === "date" ? glyphPx : 0;
  let width = measure(column.short ?? column.title) + glyphPx;
  let measured = 0;
  for (let row = 0; row < grid.source.total && measured < rowsMeasured; row++) {
    if (grid.source.row(row) === undefined) continue;
    measured++;
    width = Math.max(width, measure(grid.textAt(row, column)) + glyph);
  }
  return Math.ceil(width) + paddingPx;
}
