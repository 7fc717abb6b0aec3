/** A row of a list that people put into an order: the smaller number comes first, of equal ones the smaller id. */
export type Ordered = { id: number; sortNo: number };
/** A row with the number it gets; `was` is the one it was read with. */
export type Moved = Ordered & { was: number };

/**
 * What changes when a row is moved to another place among those shown: the rows share the numbers they have, and equal ones are parted where their ids would
 * undo the move.
 */
export function reorder(rows: readonly Ordered[], from: number, to: number): Moved[] {
  const moved = rows[from];
  if (!moved || to < 0 || to >= rows.length || from === to) return [];
  const numbers = rows.map(({ sortNo }) => sortNo).sort((a, b) => a - b);
  let last: Ordered | undefined;
  const placed = rows
    .toSpliced(from, 1)
    .toSpliced(to, 0, moved)
    .map(({ id }, at): Ordered => {
      const least = last === undefined ? 1 : last.sortNo + (id < last.id ? 1 : 0);
      last = { id, sortNo: Math.max(numbers[at] as number, least) };
      return last;
    });
  const before = new Map(rows.map(({ id, sortNo }) => [id, sortNo]));
  return placed.map((row): Moved => ({ ...row, was: before.get(row.id) as number })).filter(({ sortNo, was }) => sortNo !== was);
}
