import { elementScroll, type Range, Virtualizer } from "@tanstack/react-virtual";
import {
  type ColumnLayout,
  columnAt,
  columnsAround,
  columnsAroundMost,
  columnsWithin,
  headHeight,
  overscanFor,
  type PlacedColumn,
  rowHeight,
} from "./column-layout.ts";
import { isQuick, restAfter } from "./quick-scroll.ts";

/** Where the scrolled area stands and how much of it is seen, in pixels. */
export type ScrollPort = { top: number; left: number; width: number; height: number };

/** A block of rows and unlocked columns. There is nothing in it where the last is smaller than the first. */
export type WindowBlock = { firstRow: number; lastRow: number; firstColumn: number; lastColumn: number };

/** Rows and unlocked columns that belong in the document. */
export type VirtualWindow = WindowBlock & {
  /** What of it has to be right in this frame: less than the whole while something moves and shortly after. */
  now: WindowBlock;
  /** Scrolled a moment ago. */
  moving: boolean;
  /** Scrolled so quickly that nobody sees fine lines. */
  quick: boolean;
  /** Nothing has moved for long enough for all of it to be drawn. */
  rested: boolean;
  /** What of it is seen. */
  seen: WindowBlock;
  port: ScrollPort;
  /** Elements that any window of this size needs. */
  rowSlots: number;
  columnSlots: number;
};

/** What is drawn before a page knows the size of its window: what a large screen shows. Width in pixels. */
export const firstDrawn = { rows: 36, width: 1_680 };

/** Heads are drawn in steps of so many columns, so that few frames of a scroll draw them anew, and stay until there are so many. */
const headStep = 8;
const headsMost = 320;

/** The ends of what is drawn: what is seen and as many more on both sides. */
export function drawnRange({ startIndex, endIndex, overscan, count }: Range): number[] {
  return count > 0 ? [Math.max(0, startIndex - overscan), Math.min(count - 1, endIndex + overscan)] : [];
}

/** Directions in which something is being scrolled. */
type Moving = { rows: boolean; columns: boolean };

/** As far as cells are kept ready beside what is seen while only the other direction moves, in pixels. */
const nearby = 64;
/** At rest more is drawn, so many more pixels of it in every frame. */
const growth = 112;

/**
 * How far beyond what is seen rows and columns are drawn, in pixels: as far as one draws ahead where something moves, elsewhere what rest has allowed so far.
 * What lies beside a moving grid would be drawn in every frame, and never be seen.
 */
export function drawnReach(moving: Moving, rested: number, ahead: number): { rows: number; columns: number } {
  return { rows: moving.rows ? ahead : rested, columns: moving.columns ? ahead : rested };
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
  private moving: Moving = { rows: false, columns: false };
  private quick = false;
  /** The next frame goes to a cell that is to be read. */
  private revealing = false;
  private rested = 0;
  /** As far as is drawn where something moves: what rest has allowed; a quick scroll leaves nothing of it, and it comes back step by step. */
  private ahead = 0;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private growing = 0;
  private heads = { from: 0, to: -1 };
  /** How many columns beyond what is drawn rest has allowed heads so far. */
  private headReach = 0;
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
      const { top, left } = this.port;
      const begins = !this.moving.rows && !this.moving.columns;
      this.move();
      this.moving = { rows: this.moving.rows || this.port.top !== top, columns: this.moving.columns || this.port.left !== left };
      const step = Math.max(Math.abs(this.port.top - top), Math.abs(this.port.left - left));
      this.quick = isQuick(step, begins && this.revealing);
      this.revealing = false;
      this.ahead = this.quick ? Math.min(nearby, this.overscan) : Math.min(this.overscan, this.ahead + growth);
      this.rest(this.quick && begins);
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
      clearTimeout(this.resting);
      cancelAnimationFrame(this.growing);
      this.element = null;
      this.rows = null;
      this.columns = null;
    };
  }

  /** Other columns or another number of rows; answers whether that was news. */
  setContent(layout: ColumnLayout, total: number): boolean {
    if (this.layout === layout && this.total === total) return false;
    if (this.layout.columns.length !== layout.columns.length) this.heads = { from: 0, to: -1 };
    this.layout = layout;
    this.total = total;
    this.measure();
    this.tell();
    return true;
  }

  /** Scrolls to a cell that is to be read. */
  reveal(scroll: (element: HTMLElement) => void): void {
    const { element } = this;
    if (!element) return;
    const { scrollTop, scrollLeft } = element;
    scroll(element);
    this.revealing = element.scrollTop !== scrollTop || element.scrollLeft !== scrollLeft;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** What has to be drawn now. */
  window(): VirtualWindow {
    const { port, overscan, moving } = this;
    const reach = drawnReach(moving, this.rested, Math.min(this.ahead, overscan));
    return {
      ...this.around(overscan, overscan),
      now: this.around(reach.rows, reach.columns),
      moving: moving.rows || moving.columns,
      quick: this.quick,
      rested: this.rested === overscan,
      seen: this.around(0, 0),
      port,
      rowSlots: Math.min(this.total, Math.ceil((port.height + 2 * overscan) / rowHeight) + 2),
      columnSlots: this.columnSlots,
    };
  }

  /** Whether a row has elements that somebody could be told of: what passes quickly has none. */
  draws(row: number): boolean {
    const { firstRow, lastRow, quick } = this.window();
    return !quick && row >= firstRow && row <= lastRow;
  }

  /** Columns whose heads have to be drawn, as one text that changes rarely: `from to`. Those once drawn stay while they adjoin. */
  headSpan = (): string => {
    const { firstColumn, lastColumn } = this.window();
    const from = Math.floor(Math.max(0, firstColumn - this.headReach) / headStep) * headStep;
    const to = Math.ceil(Math.min(this.layout.columns.length, lastColumn + 1 + this.headReach) / headStep) * headStep - 1;
    const { heads } = this;
    const both = { from: Math.min(from, heads.from), to: Math.max(to, heads.to) };
    const adjoin = from <= heads.to + 1 && heads.from <= to + 1;
    this.heads = adjoin && both.to - both.from < headsMost ? both : { from, to };
    return `${this.heads.from} ${this.heads.to}`;
  };

  /** As `headSpan`, before the area is followed. */
  firstHeadSpan = (): string => {
    this.heads = { from: 0, to: columnAt(this.layout, firstDrawn.width) };
    return `${this.heads.from} ${this.heads.to}`;
  };

  /** What lies so many pixels around what is seen. */
  private around(rowReach: number, columnReach: number): WindowBlock {
    const { layout, total } = this;
    const rows = this.rows?.axis.range;
    const columns = this.columns?.axis.range;
    const [firstRow = 0, lastRow = -1] = rows ? drawnRange({ ...rows, overscan: Math.ceil(rowReach / rowHeight), count: total }) : [];
    const hasFree = layout.columns.length > layout.lockedCount;
    // Columns differ in width: what is drawn of them is a distance, not a number.
    const [firstFree, lastFree] = columns && hasFree ? columnsAround(layout, columns.startIndex, columns.endIndex, columnReach) : [0, -1];
    return { firstRow, lastRow, firstColumn: layout.lockedCount + firstFree, lastColumn: layout.lockedCount + lastFree };
  }

  /** Draws what is near at once and the rest once nothing has moved for a while. @param isJump nothing but a first quick frame has moved */
  private rest(isJump = false): void {
    this.rested = Math.min(nearby, this.overscan);
    this.headReach = 0;
    clearTimeout(this.resting);
    cancelAnimationFrame(this.growing);
    this.resting = setTimeout(this.grow, restAfter(isJump));
  }

  private grow = (): void => {
    this.moving = { rows: false, columns: false };
    this.quick = false;
    if (this.rested < this.overscan) this.rested = Math.min(this.overscan, this.rested + growth);
    else this.headReach += headStep;
    this.ahead = this.rested;
    this.tell();
    if (this.rested < this.overscan || this.headsMissing()) this.growing = requestAnimationFrame(this.grow);
  };

  /** Whether heads are to be drawn that are not: at rest as many as there may be. */
  private headsMissing(): boolean {
    const { from, to } = this.heads;
    return to >= from && to - from + 2 * headStep < headsMost && (from > this.layout.lockedCount || to < this.layout.columns.length - 1);
  }

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
    this.columnSlots = columnsAroundMost(layout, Math.max(1, width - layout.lockedWidth), this.overscan);
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
    this.rest();
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
      overscan: 0,
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
    };
  }
}
