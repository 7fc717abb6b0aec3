/** A lane of rows under one head. */
export type Lane = { name: string; rows: number };
/** Lines of lanes, one of them folded or not: where each lane begins among the lines and among the rows. */
export type LaneLines = {
  lanes: readonly Lane[];
  folded: ReadonlySet<string>;
  lineAt: readonly number[];
  rowAt: readonly number[];
  total: number;
};

/** Places lanes under one another: a line for the head of each, then one for each row unless it is folded. */
export function laneLines(lanes: readonly Lane[], folded: ReadonlySet<string>): LaneLines {
  const lineAt: number[] = [];
  const rowAt: number[] = [];
  let [line, row] = [0, 0];
  for (const lane of lanes) {
    lineAt.push(line);
    rowAt.push(row);
    line += 1 + (folded.has(lane.name) ? 0 : lane.rows);
    row += lane.rows;
  }
  return { lanes, folded, lineAt, rowAt, total: line };
}

/** What stands on a line: the head of a lane (`row` null), or a row of it by its number in all rows. */
export function lineOf(lines: LaneLines, line: number): { lane: number; row: number | null } | null {
  if (line < 0 || line >= lines.total) return null;
  let [from, to] = [0, lines.lanes.length - 1];
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if ((lines.lineAt[middle] as number) <= line) from = middle;
    else to = middle - 1;
  }
  const inside = line - (lines.lineAt[from] as number);
  return { lane: from, row: inside === 0 ? null : (lines.rowAt[from] as number) + inside - 1 };
}

/** The tiles of rows that some lines need, by number. */
export function tilesOf(lines: LaneLines, from: number, to: number, tileRows: number): number[] {
  const tiles = new Set<number>();
  for (let line = from; line <= to; line++) {
    const row = lineOf(lines, line)?.row;
    if (typeof row === "number") tiles.add(Math.floor(row / tileRows));
  }
  return [...tiles].sort((a, b) => a - b);
}

/** The bar from which the next one to the left or right is looked for: the nearest to a day. */
export function nearestBar(bars: readonly { startDay: number; endDay: number }[], day: number): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  bars.forEach(({ startDay, endDay }, at) => {
    const away = day < startDay ? startDay - day : day > endDay ? day - endDay : 0;
    if (away < least) [best, least] = [at, away];
  });
  return best;
}
