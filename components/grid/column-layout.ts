import type { GridColumn, GridGroup, GridHead } from "./grid-model.ts";

/** Height of a row and of each of the two head rows; the summary row has it too. */
export const rowHeight = 28;
/** Height of the two head rows. */
export const headHeight = 2 * rowHeight;
/** Width of a folded group. */
export const barWidth = 108;
/** Columns that may stand locked at the left. */
export const lockedMax = 8;
/** Cells the document may hold at once. */
export const cellsMax = 1600;
/** Distance drawn beyond what is seen, on every side: a frame of quick scrolling, or the first one the other way, finds its cells drawn. */
const overscanMost = 448;
const usualWidth = 100;
const narrowest = 44;
const widest = 600;

/** What a person chose for the columns: widths, what is hidden, locked and folded. */
export type GridView = {
  widths: Readonly<Record<string, number>>;
  hidden: readonly string[];
  locked: readonly string[];
  folded: readonly string[];
};

/** A column in its place. `left` counts from the left end of the rows; locked columns stick there. */
export type PlacedColumn = {
  column: GridColumn;
  groupKey: string;
  index: number;
  left: number;
  width: number;
  locked: boolean;
  lastLocked: boolean;
  groupEnd: boolean;
};

/** The head over neighbouring columns of one group; the locked columns stand under one head together (`group` null). */
export type PlacedGroup = {
  group: GridGroup | null;
  first: number;
  last: number;
  left: number;
  width: number;
  locked: boolean;
  folded: boolean;
};

export type ColumnLayout = {
  columns: readonly PlacedColumn[];
  groups: readonly PlacedGroup[];
  indexOf: ReadonlyMap<string, number>;
  numberWidth: number;
  lockedCount: number;
  /** Row number and locked columns together. */
  lockedWidth: number;
  width: number;
};

/** Width of the column of row numbers: wide enough for the last one. */
export function numberColumnWidth(total: number): number {
  return total < 10_000 ? 38 : 46;
}

/** A width a column may have. */
export function columnWidth(column: GridColumn, wished: number | undefined): number {
  const width = Number.isFinite(wished) ? (wished as number) : column.width;
  return Math.round(Math.min(widest, Math.max(column.minWidth ?? narrowest, width)));
}

/** Column keys that are shown, in the order of the head: a folded group shows its bar alone. */
export function shownColumns(head: GridHead, view: GridView): { column: GridColumn; group: GridGroup }[] {
  const hidden = new Set(view.hidden);
  const folded = new Set(view.folded);
  const locked = new Set(view.locked);
  return head.groups.flatMap((group) => {
    const shown = group.columns.filter((column) => !hidden.has(column.key));
    if (!group.bar || !folded.has(group.key)) return shown.map((column) => ({ column, group }));
    const kept = shown.filter((column) => locked.has(column.key));
    return [...kept.map((column) => ({ column, group })), ...(shown.length > 0 ? [{ column: group.bar, group }] : [])];
  });
}

/**
 * Places columns: the locked ones first in the order they were locked, then the others.
 * @param shown columns in their order, locked ones first
 * @param lockedCount how many of them are locked
 */
export function layoutColumns(
  shown: readonly { column: GridColumn; group: GridGroup; width: number }[],
  lockedCount: number,
  numberWidth: number,
  folded: ReadonlySet<string> = new Set(),
): ColumnLayout {
  const columns: PlacedColumn[] = [];
  const groups: PlacedGroup[] = [];
  let left = numberWidth;
  shown.forEach(({ column, group, width }, index) => {
    const locked = index < lockedCount;
    const next = shown[index + 1];
    const headGroup = locked ? null : group;
    const lastLocked = locked && index === lockedCount - 1;
    columns.push({
      column,
      groupKey: group.key,
      index,
      left,
      width,
      locked,
      lastLocked,
      groupEnd: !locked && next?.group !== group,
    });
    const open = groups.at(-1);
    if (open && open.group === headGroup && open.locked === locked) {
      open.last = index;
      open.width += width;
    } else {
      groups.push({
        group: headGroup,
        first: index,
        last: index,
        left,
        width,
        locked,
        folded: headGroup !== null && column.kind === "bar" && folded.has(headGroup.key),
      });
    }
    left += width;
  });
  return {
    columns,
    groups,
    indexOf: new Map(columns.map(({ column }, index) => [column.key, index])),
    numberWidth,
    lockedCount,
    lockedWidth: columns[lockedCount]?.left ?? left,
    width: left,
  };
}

/** The layout of what a person sees: locked columns in the order they were locked, the others in that of the head. */
export function layoutView(head: GridHead, view: GridView, numberWidth: number): ColumnLayout {
  const shown = shownColumns(head, view).map((item) => ({ ...item, width: columnWidth(item.column, view.widths[item.column.key]) }));
  const orders = new Map(view.locked.map((key, order) => [key, order]));
  const order = ({ column }: { column: GridColumn }) => orders.get(column.key) ?? view.locked.length;
  const isLocked = (item: { column: GridColumn }) => orders.has(item.column.key);
  shown.sort((left, right) => order(left) - order(right));
  return layoutColumns(shown, shown.filter(isLocked).length, numberWidth, new Set(view.folded));
}

/** The unlocked column at a horizontal position of the content; the nearest one outside. */
export function columnAt(layout: ColumnLayout, x: number): number {
  let low = 0;
  let high = layout.columns.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((layout.columns[middle] as PlacedColumn).left <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Pixels drawn beyond what is seen on every side; fewer on large screens so that the document stays at about `cellsMax` cells. */
export function overscanFor(rowsSeen: number, columnsSeen: number): number {
  let pixels = overscanMost;
  const cells = () => (rowsSeen + (2 * pixels) / rowHeight) * (columnsSeen + (2 * pixels) / usualWidth);
  while (cells() > cellsMax && pixels > 2 * rowHeight) pixels -= rowHeight;
  return pixels;
}

/** The most unlocked columns that a strip of some width can touch: as many elements a row needs. */
export function columnsWithin(layout: ColumnLayout, width: number): number {
  const free = layout.columns.slice(layout.lockedCount);
  let most = 0;
  let first = 0;
  free.forEach(({ left }, last) => {
    const isApart = ({ left: own, width: wide }: PlacedColumn) => left - own - wide >= width;
    while (isApart(free[first] as PlacedColumn)) first++;
    most = Math.max(most, last - first + 1);
  });
  return most;
}

/** First and last unlocked column, counted from the first unlocked one, from so many pixels before one of them to as many behind another. */
export function columnsAround(layout: ColumnLayout, from: number, to: number, reach: number): [first: number, last: number] {
  const { columns, lockedCount } = layout;
  const at = (x: number) => Math.max(0, columnAt(layout, x) - lockedCount);
  const [first, last] = [from, to].map((index) => columns[lockedCount + index] as PlacedColumn);
  return [at(first!.left - reach), at(last!.left + last!.width + reach)];
}

/** The most columns `columnsAround` gives while unlocked ones are seen through a strip of some width: as many elements a row needs. */
export function columnsAroundMost(layout: ColumnLayout, width: number, reach: number): number {
  const free = layout.columns.slice(layout.lockedCount);
  let most = 0;
  let to = 0;
  // Each column is the first that is seen until the strip has left it behind; then most of those at the other end are.
  free.forEach(({ left, width: wide }, from) => {
    while (to + 1 < free.length && (free[to + 1] as PlacedColumn).left < left + wide + width) to++;
    const [first, last] = columnsAround(layout, from, to, reach);
    most = Math.max(most, last - first + 1);
  });
  return most;
}

/** Place of a block of cells in the content, counted from the first data row. */
export function placedRect(
  layout: ColumnLayout,
  range: { top: number; left: number; bottom: number; right: number },
): { left: number; top: number; width: number; height: number } {
  const first = layout.columns[range.left];
  const last = layout.columns[range.right];
  if (!first || !last) return { left: 0, top: 0, width: 0, height: 0 };
  return {
    left: first.left,
    top: range.top * rowHeight,
    width: last.left + last.width - first.left,
    height: (range.bottom - range.top + 1) * rowHeight,
  };
}
