import { escapeHtml } from "#lib/core/escape-html.ts";
import { type BodyLook, rowClass } from "./body-painter.ts";
import { cellClass, cellImage, type Styles } from "./cell-painter.ts";
import { columnAt, type PlacedColumn, rowHeight } from "./column-layout.ts";
import { firstDrawn } from "./scroll-window.ts";

/**
 * The first rows as HTML, as `BodyPainter` draws them in its place afterwards: they are seen before the page has its program. Until then nothing of them can be
 * used, and they say so.
 * @param rows how many rows are known; without any the text is empty
 */
export function firstBody(frame: BodyLook, rows: number, styles: Styles): string {
  const { layout } = frame;
  const shown = Math.min(rows, firstDrawn.rows);
  if (shown === 0 || layout.columns.length === 0) return "";
  const locked = layout.columns.slice(0, layout.lockedCount);
  const free = layout.columns.slice(layout.lockedCount, columnAt(layout, firstDrawn.width) + 1);
  const row = (index: number, width: number, inner: string) =>
    `<div role="row" aria-rowindex="${index + frame.headRows + 1}" class="${rowClass(styles, frame.rowMarks(index))}" style="top:${index * rowHeight}px;width:${width}px">${inner}</div>`;
  const cells = (index: number, columns: readonly PlacedColumn[]) =>
    columns.map((placed) => cellHtml(frame, index, placed, styles)).join("");
  const number = (index: number) =>
    `<div role="rowheader" aria-colindex="1" class="${styles.number}" style="width:${layout.numberWidth}px">${index + 1}</div>`;
  const indexes = Array.from({ length: shown }, (_, index) => index);
  const lockedRows = indexes.map((index) => row(index, layout.lockedWidth, number(index) + cells(index, locked)));
  const freeRows = indexes.map((index) => row(index, layout.width, cells(index, free)));
  return `<div inert><div class="${styles.lockedBox}">${lockedRows.join("")}</div>${freeRows.join("")}</div>`;
}

function cellHtml(frame: BodyLook, row: number, placed: PlacedColumn, styles: Styles): string {
  const look = frame.look(row, placed);
  const images = (["lead", "mark"] as const).flatMap((place) => {
    const glyph = look[place];
    return glyph === null ? [] : [`;${cellImage(place, glyph).join(":")}`];
  });
  const style = `margin-left:${placed.left}px;width:${placed.width}px${images.join("")}`;
  const className = cellClass(styles, placed, look, frame.marks(row, placed.index));
  return `<div role="gridcell" aria-colindex="${placed.index + 2}" class="${className}" style="${style}">${escapeHtml(look.text)}</div>`;
}
