import { type ColumnLayout, columnAt, headHeight, rowHeight } from "./column-layout.ts";
import type { CellAddress } from "./grid-model.ts";

/** Where a point of the screen falls on the grid; rows and columns outside are the nearest ones. */
export type Hit = { part: "head" | "summary" | "number" | "cell"; cell: CellAddress };

/** The cell at a point. */
export function hitTest(scroller: HTMLElement, layout: ColumnLayout, rows: number, clientX: number, clientY: number): Hit {
  const box = scroller.getBoundingClientRect();
  const x = clientX - box.left;
  const y = clientY - box.top;
  const inLocked = x < layout.lockedWidth;
  const contentX = inLocked ? Math.max(0, x) : x + scroller.scrollLeft;
  const row = Math.max(0, Math.min(rows - 1, Math.floor((y - headHeight + scroller.scrollTop) / rowHeight)));
  const part = y < headHeight ? "head" : y >= scroller.clientHeight - rowHeight ? "summary" : x < layout.numberWidth ? "number" : "cell";
  return { part, cell: { row, column: columnAt(layout, contentX) } };
}

/** Scrolls just as far as a cell needs to be seen between head, locked columns and summary row. */
export function revealCell(scroller: HTMLElement, layout: ColumnLayout, cell: CellAddress): void {
  const top = cell.row * rowHeight;
  const room = scroller.clientHeight - headHeight - rowHeight;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (top + rowHeight > scroller.scrollTop + room) scroller.scrollTop = top + rowHeight - room;
  const placed = layout.columns[cell.column];
  if (!placed || placed.locked) return;
  const left = placed.left - layout.lockedWidth;
  const width = scroller.clientWidth - layout.lockedWidth;
  if (left < scroller.scrollLeft) scroller.scrollLeft = left;
  else if (left + placed.width > scroller.scrollLeft + width) scroller.scrollLeft = left + placed.width - width;
}

/** Place of a cell in the scroller's own box, held inside it. */
export function cellBox(
  scroller: HTMLElement,
  layout: ColumnLayout,
  cell: CellAddress,
): { left: number; top: number; width: number; inside: boolean } {
  const placed = layout.columns[cell.column];
  const left = (placed?.left ?? 0) - (placed?.locked ? 0 : scroller.scrollLeft);
  const top = headHeight + cell.row * rowHeight - scroller.scrollTop;
  const width = placed?.width ?? 0;
  const inside =
    top >= headHeight - rowHeight / 2 &&
    top <= scroller.clientHeight - 1.5 * rowHeight &&
    left < scroller.clientWidth &&
    left + width > (placed?.locked ? 0 : layout.lockedWidth);
  return {
    left: Math.max(0, Math.min(left, scroller.clientWidth - 40)),
    top: Math.max(headHeight, Math.min(top, scroller.clientHeight - 2 * rowHeight)),
    width,
    inside,
  };
}
