import { type RefObject, useEffect } from "react";
import { fillBlock } from "./block-edits.ts";
import { isOnGlyph } from "./cell-painter.ts";
import { fillTarget, inRange } from "./cell-range.ts";
import { headHeight } from "./column-layout.ts";
import type { AnyGrid } from "./grid-controller.ts";
import { hitTest } from "./grid-geometry.ts";
import type { CellAddress } from "./grid-model.ts";

const hoverDelayMs = 250;
const scrollStepMs = 40;

/** Scrolls while a drag is held outside the cells. */
function scrollTowards(scroller: HTMLElement, lockedWidth: number, x: number, y: number): void {
  const box = scroller.getBoundingClientRect();
  const by = (under: number, over: number) => (under > 0 ? -Math.min(84, 14 + under) : over > 0 ? Math.min(84, 14 + over) : 0);
  scroller.scrollTop += by(box.top + headHeight - y, y - (box.top + scroller.clientHeight - 28));
  scroller.scrollLeft += by(box.left + lockedWidth - x, x - (box.left + scroller.clientWidth));
}

/** Follows a held pointer until it is let go. */
function drag(
  grid: AnyGrid,
  scroller: HTMLElement,
  start: PointerEvent,
  onCell: (cell: CellAddress) => void,
  onEnd: (event: PointerEvent) => void,
): void {
  let point = { x: start.clientX, y: start.clientY };
  let moved = false;
  const follow = () => onCell(hitTest(scroller, grid.layout, grid.source.total, point.x, point.y).cell);
  const timer = setInterval(() => {
    if (!moved) return;
    scrollTowards(scroller, grid.layout.lockedWidth, point.x, point.y);
    follow();
  }, scrollStepMs);
  const move = (event: PointerEvent) => {
    point = { x: event.clientX, y: event.clientY };
    moved ||= Math.hypot(point.x - start.clientX, point.y - start.clientY) > 3;
    if (moved) follow();
  };
  const end = (event: PointerEvent) => {
    clearInterval(timer);
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    onEnd(event);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

/** Drags the fill handle: shows the block it would cover and fills it when let go; Ctrl at the end counts on instead of repeating, or the other way round. */
export function startFill(grid: AnyGrid, scroller: HTMLElement, event: PointerEvent): void {
  const from = grid.range;
  drag(
    grid,
    scroller,
    event,
    (cell) => {
      grid.filling = fillTarget(from, cell);
      grid.changed();
    },
    (event) => {
      const to = grid.filling;
      grid.filling = null;
      grid.changed();
      if (to && to !== from && event.type === "pointerup") fillBlock(grid, from, to, { flip: event.ctrlKey || event.metaKey });
    },
  );
}

/** Mouse and touch on the body of the grid, all heard on one element. */
export function useGridPointer(
  grid: AnyGrid,
  scroller: RefObject<HTMLDivElement | null>,
  body: RefObject<HTMLDivElement | null>,
  finishEdit: () => void,
  onCellMenu: ((cell: CellAddress, point: { x: number; y: number }) => void) | undefined,
): void {
  useEffect(() => {
    const area = body.current;
    const box = scroller.current;
    if (!area || !box) return;
    const hit = (event: MouseEvent) => hitTest(box, grid.layout, grid.source.total, event.clientX, event.clientY);
    let hover: ReturnType<typeof setTimeout> | undefined;
    const setHovered = (cell: CellAddress | null) => {
      if (cell?.row === grid.hovered?.row && cell?.column === grid.hovered?.column) return;
      grid.hovered = cell;
      grid.changed();
    };
    const down = (event: PointerEvent) => {
      if (event.pointerType !== "mouse" || event.button === 1 || grid.source.total === 0) return;
      finishEdit();
      setHovered(null);
      const { part, cell } = hit(event);
      if (part === "number") {
        if (event.button === 0) chooseRow(cell.row, event.shiftKey);
        return;
      }
      if (event.button === 2) {
        if (!inRange(grid.range, cell.row, cell.column)) grid.place(cell, false, false);
        return;
      }
      grid.place(cell, event.shiftKey, false);
      drag(
        grid,
        box,
        event,
        (to) => grid.place(to, true, false),
        () => {},
      );
    };
    const chooseRow = (row: number, extend: boolean) => {
      if (extend) grid.rows.extendTo(row, (index) => grid.source.rowKey(index));
      else grid.toggleRow(row);
    };
    // The focus stays in the grid's field whatever is pressed.
    const keepFocus = (event: MouseEvent) => {
      event.preventDefault();
      grid.viewport?.focus();
    };
    const tapped = (event: MouseEvent) => {
      if (grid.source.total === 0) return;
      const { part, cell } = hit(event);
      if ((event as PointerEvent).pointerType === "mouse") {
        // The icon of a lock is what opens it.
        if (part === "cell" && event.target instanceof HTMLElement && isOnGlyph(event.target, event.offsetX)) grid.openLocked(cell);
        return;
      }
      finishEdit();
      if (part === "number") chooseRow(cell.row, false);
      else if (part === "cell") grid.place(cell, false, false);
    };
    const twice = (event: MouseEvent) => {
      if (hit(event).part === "cell" && grid.source.total > 0) grid.beginEdit("keep");
    };
    const menu = (event: MouseEvent) => {
      if (!onCellMenu || grid.source.total === 0) return;
      event.preventDefault();
      const { part, cell } = hit(event);
      if (part === "cell") onCellMenu(cell, { x: event.clientX, y: event.clientY });
    };
    const over = (event: PointerEvent) => {
      if (event.pointerType !== "mouse" || event.buttons !== 0) return;
      clearTimeout(hover);
      const { part, cell } = hit(event);
      if (grid.hovered && (part !== "cell" || grid.hovered.row !== cell.row || grid.hovered.column !== cell.column)) setHovered(null);
      if (part === "cell" && grid.source.total > 0) hover = setTimeout(() => setHovered(cell), hoverDelayMs);
    };
    // A text that is cut off is told whole by the browser's own hint.
    const tellCut = ({ target }: PointerEvent) => {
      const cell = target instanceof Element ? target.closest<HTMLElement>("[role=gridcell]") : null;
      if (cell) cell.title = cell.scrollWidth > cell.clientWidth ? (cell.textContent ?? "") : "";
    };
    const out = () => {
      clearTimeout(hover);
      setHovered(null);
    };
    area.addEventListener("pointerdown", down);
    area.addEventListener("mousedown", keepFocus);
    area.addEventListener("click", tapped);
    area.addEventListener("dblclick", twice);
    area.addEventListener("contextmenu", menu);
    area.addEventListener("pointermove", over);
    area.addEventListener("pointerover", tellCut);
    area.addEventListener("pointerleave", out);
    return () => {
      clearTimeout(hover);
      area.removeEventListener("pointerdown", down);
      area.removeEventListener("mousedown", keepFocus);
      area.removeEventListener("click", tapped);
      area.removeEventListener("dblclick", twice);
      area.removeEventListener("contextmenu", menu);
      area.removeEventListener("pointermove", over);
      area.removeEventListener("pointerover", tellCut);
      area.removeEventListener("pointerleave", out);
    };
  }, [grid, scroller, body, finishEdit, onCellMenu]);
}
