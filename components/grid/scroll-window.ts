import { elementScroll, type Range, Virtualizer } from "@tanstack/react-virtual";
import { type ColumnLayout, columnAt, columnsWithin, headHeight, overscanFor, type PlacedColumn, rowHeight } from "./column-layout.ts";

/** Where the scrolled area stands and how much of it is seen, in pixels. */
export type ScrollPort = { top: number; left: number; width: number; height: number };

/** Rows and unlocked columns to draw, and the rows of them that are seen. Nothing is drawn where the last is smaller than the first. */
export type VirtualWindow = {
  firstRow: number;
  lastRow: number;
  firstColumn: number;
  lastColumn: number;
  seenFrom: number;
  seenTo: number;
  /** Elements that any window of this size needs. */
  rowSlots: number;
  columnSlots: number;
};

/** Heads are drawn in steps of so many columns, so that few frames of a scroll draw them anew. */
const headStep = 8;

/** The ends of what is drawn: what is seen and as many more on both sides. */
export function drawnRange({ startIndex, endIndex, overscan, count }: Range): number[] {
  return count > 0 ? [Math.max(0, startIndex - overscan), Math.min(count - 1, endIndex + overscan)] : [];
}

type Axis = Virtualizer<HTMLElement, Element>;
type Feed = { axis: Axis; rect: (rect: { width: number; height: number }) => void; offset: (offset: number) => void };

/**
 * Which rows and columns of the scrolled area have to be in the document. Lives outside React: where it stands is read once in a frame,
 * before anything is written, and whoever draws cells is told in the same frame.
 */
export class ScrollWindow {
  port: ScrollPort = { top: 0, left: 0, width: 0, height: 0 };
  private layout: ColumnLayout;
  private total: number;
  private overscan = 0;
  private columnSlots = 0;
  private element: HTMLElement | null = null;
  private rows: Feed | null = null;
  private columns: Feed | null = null;
  private listeners = new Set<() => void>();

  constructor(layout: ColumnLayout, total: number) {
    this.layout = layout;
    this.total = total;
  }

  /** Follows an element from now on; answers how to end that. */
  attach(element: HTMLElement): () => void {
    this.element = element;
    this.rows = { axis: new Virtualizer(this.rowOptions()), rect: () => {}, offset: () => {} };
    this.columns = { axis: new Virtualizer(this.columnOptions()), rect: () => {}, offset: () => {} };
    this.measure();
    const moved = () => {
      this.move();
      this.tell();
    };
    const resized = new ResizeObserver(() => {
      if (element.clientWidth === this.port.width && element.clientHeight === this.port.height) return;
      this.measure();
      this.tell();
    });
    element.addEventListener("scroll", moved, { passive: true });
    resized.observe(element);
    return () => {
      element.removeEventListener("scroll", moved);
      resized.disconnect();
      this.element = null;
      this.rows = null;
      this.columns = null;
    };
  }

  /** Other columns or another number of rows; answers whether that was news. */
  setContent(layout: ColumnLayout, total: number): boolean {
    if (this.layout === layout && this.total === total) return false;
    this.layout = layout;
    this.total = total;
    this.measure();
    this.tell();
    return true;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** What has to be drawn now. */
  window(): VirtualWindow {
    const { layout, port, overscan } = this;
    const [firstRow = 0, lastRow = -1] = this.rows?.axis.getVirtualIndexes() ?? [];
    const [firstFree = 0, lastFree = -1] = this.columns?.axis.getVirtualIndexes() ?? [];
    const seen = this.rows?.axis.range;
    return {
      firstRow,
      lastRow,
      firstColumn: layout.lockedCount + firstFree,
      lastColumn: layout.lockedCount + lastFree,
      seenFrom: seen?.startIndex ?? 0,
      seenTo: seen?.endIndex ?? -1,
      rowSlots: Math.min(this.total, Math.ceil((port.height + 2 * overscan) / rowHeight) + 2),
      columnSlots: this.columnSlots,
    };
  }

  /** Columns whose heads have to be drawn, as one text that changes rarely: `from to`. */
  headSpan = (): string => {
    const { firstColumn, lastColumn } = this.window();
    return `${Math.floor(firstColumn / headStep) * headStep} ${Math.ceil((lastColumn + 1) / headStep) * headStep - 1}`;
  };

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  /** Reads where the area stands. */
  private move(): void {
    const { element, port } = this;
    if (!element) return;
    const { scrollTop, scrollLeft } = element;
    this.port = { ...port, top: scrollTop, left: scrollLeft };
    this.rows?.offset(scrollTop);
    this.columns?.offset(scrollLeft);
  }

  /** Reads how much is seen, and works out anew what follows from that and from the columns. */
  private measure(): void {
    const { element, layout } = this;
    if (!element || !this.rows || !this.columns) return;
    const { clientWidth: width, clientHeight: height } = element;
    this.port = { ...this.port, width, height };
    this.overscan = overscanFor(Math.ceil(height / rowHeight), layout.lockedCount + 1 + columnsWithin(layout, width - layout.lockedWidth));
    this.columnSlots = columnsWithin(layout, width - layout.lockedWidth + 2 * this.overscan);
    for (const [feed, options] of [
      [this.rows, this.rowOptions()],
      [this.columns, this.columnOptions()],
    ] as const) {
      feed.axis.setOptions(options);
      feed.axis._willUpdate();
      feed.axis.measure();
      // What heads and locked columns cover is not seen.
      feed.rect({ width: Math.max(1, width - layout.lockedWidth), height: Math.max(1, height - headHeight) });
    }
    this.move();
  }

  /** What both axes share: places and sizes are read here, once for both, and not by each of them. */
  private shared(feed: () => Feed | null) {
    return {
      getScrollElement: () => this.element,
      scrollToFn: elementScroll,
      onChange: () => {},
      observeElementRect: (_axis: Axis, give: Feed["rect"]) => {
        const own = feed();
        if (own) own.rect = give;
      },
      observeElementOffset: (_axis: Axis, give: (offset: number, isScrolling: boolean) => void) => {
        const own = feed();
        if (own) own.offset = (offset) => give(offset, false);
      },
    };
  }

  private rowOptions() {
    return {
      ...this.shared(() => this.rows),
      count: this.total,
      estimateSize: () => rowHeight,
      overscan: Math.ceil(this.overscan / rowHeight),
      rangeExtractor: drawnRange,
    };
  }

  private columnOptions() {
    const { layout } = this;
    const free = (index: number) => layout.columns[layout.lockedCount + index] as PlacedColumn;
    return {
      ...this.shared(() => this.columns),
      horizontal: true,
      count: layout.columns.length - layout.lockedCount,
      estimateSize: (index: number) => free(index).width,
      overscan: 0,
      // Columns differ in width: the overscan is a distance, not a number of them.
      rangeExtractor: ({ startIndex, endIndex, count }: Range) => {
        if (count === 0) return [];
        const at = (x: number) => Math.max(0, columnAt(layout, x) - layout.lockedCount);
        return [at(free(startIndex).left - this.overscan), at(free(endIndex).left + free(endIndex).width + this.overscan)];
      },
    };
  }
}
