import { type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { type ColumnLayout, columnAt, overscanFor, type PlacedColumn, rowHeight } from "./column-layout.ts";

/** Height of the two head rows. */
export const headHeight = 2 * rowHeight;

/** Rows and unlocked columns to draw, and those of them that are seen. */
export type VirtualWindow = {
  firstRow: number;
  lastRow: number;
  firstColumn: number;
  lastColumn: number;
  seenFrom: number;
  seenTo: number;
  height: number;
};

type Way = "forward" | "backward" | null;

/** Part of the overscan that stays behind the way one scrolls; the rest lies ahead, so that a quick scroll finds its rows drawn. */
const behindPart = 0.1;

/** Places to draw: those seen, and an overscan that leans the way one scrolls. At rest it is the same on both sides. */
export function leaningRange(range: Range, direction: "forward" | "backward" | null): number[] {
  const both = 2 * range.overscan;
  const behind = direction === null ? range.overscan : Math.ceil(both * behindPart);
  const [before, after] = direction === "backward" ? [both - behind, behind] : [behind, both - behind];
  const first = Math.max(0, range.startIndex - before);
  const last = Math.min(range.count - 1, range.endIndex + after);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

/** Which rows and columns of the scrolled area have to be in the document. */
export function useVirtualWindow(scroller: RefObject<HTMLDivElement | null>, layout: ColumnLayout, total: number): VirtualWindow {
  const [over, setOver] = useState({ rows: 10, columns: 4 });
  // The virtualizers know the way before they ask for the range, their hooks tell it only after the drawing.
  const rowsOf = useRef<{ scrollDirection: Way }>(null);
  const columnsOf = useRef<{ scrollDirection: Way }>(null);
  const free = layout.columns.length - layout.lockedCount;
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: over.rows,
    rangeExtractor: (range) => leaningRange(range, rowsOf.current?.scrollDirection ?? null),
    paddingStart: headHeight,
    paddingEnd: rowHeight,
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: free,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (layout.columns[layout.lockedCount + index] as PlacedColumn).width,
    overscan: over.columns,
    rangeExtractor: (range) => leaningRange(range, columnsOf.current?.scrollDirection ?? null),
    paddingStart: layout.lockedWidth,
  });
  rowsOf.current = rows;
  columnsOf.current = columns;
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are read again exactly when the layout is another one.
  useLayoutEffect(() => columns.measure(), [layout]);
  const rowItems = rows.getVirtualItems();
  const columnItems = columns.getVirtualItems();
  const seenFrom = rows.range?.startIndex ?? 0;
  const seenTo = rows.range?.endIndex ?? -1;
  const width = columns.scrollRect?.width ?? 0;
  const left = layout.lockedWidth + (columns.scrollOffset ?? 0);
  const seenColumns = free > 0 ? columnAt(layout, left + Math.max(0, width - layout.lockedWidth)) - columnAt(layout, left) + 1 : 0;
  const seenRows = seenTo - seenFrom + 1;
  const wanted = overscanFor(seenRows, seenColumns + layout.lockedCount + 1);
  useLayoutEffect(() => {
    if (seenRows > 0 && (wanted.rows !== over.rows || wanted.columns !== over.columns)) setOver(wanted);
  }, [wanted.rows, wanted.columns, over, seenRows, wanted]);
  return {
    firstRow: rowItems[0]?.index ?? 0,
    lastRow: rowItems.at(-1)?.index ?? -1,
    firstColumn: layout.lockedCount + (columnItems[0]?.index ?? 0),
    lastColumn: layout.lockedCount + (columnItems.at(-1)?.index ?? -1),
    seenFrom,
    seenTo,
    height: rows.scrollRect?.height ?? 0,
  };
}
