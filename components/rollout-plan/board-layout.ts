/** Width of the lane heads, height of the head, of a card with its gap, and what a lane has around its cards, in pixels. */
export const laneHead = 180;
export const boardHead = 48;
export const cardStep = 30;
const lanePadding = 20;
/** Cards a cell shows at most; the others are counted. */
export const cellCardsMax = 8;
const cellCardsMin = 2;
/** Width of a column. */
const columnWidths = { day: 132, week: 204 } as const;

/** Where lanes and columns lie. */
export type BoardLayout = {
  columns: readonly { from: number; to: number }[];
  columnWidth: number;
  /** Cards a cell of each lane has room for. */
  rooms: readonly number[];
  tops: readonly number[];
  height: number;
  width: number;
};

/** Lanes as high as their fullest cell, within bounds; `fullest` is null where numbers are hidden. */
export function boardLayout(
  unit: keyof typeof columnWidths,
  columns: readonly { from: number; to: number }[],
  fullest: readonly (number | null)[],
): BoardLayout {
  const columnWidth = columnWidths[unit];
  const rooms = fullest.map((count) => Math.min(cellCardsMax, Math.max(cellCardsMin, count ?? cellCardsMax)));
  const tops: number[] = [];
  let top = 0;
  for (const room of rooms) {
    tops.push(top);
    top += room * cardStep + lanePadding;
  }
  return { columns, columnWidth, rooms, tops, height: top, width: columns.length * columnWidth };
}

/** Height of a lane. */
export function laneHeight(layout: BoardLayout, lane: number): number {
  return (layout.rooms[lane] ?? 0) * cardStep + lanePadding;
}

/** The lane at a height, the last one below all of them. */
export function laneAt({ tops }: BoardLayout, y: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] as number) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The column at a place. */
export function columnAt({ columns, columnWidth }: BoardLayout, x: number): number {
  return Math.min(columns.length - 1, Math.max(0, Math.floor(x / columnWidth)));
}

/** How many of a cell's cards are drawn: all where they fit, else one less than fits, and a line that counts the others. */
export function shownCards(count: number, room: number): number {
  return count <= room ? count : room - 1;
}
