import { sortMax } from "#lib/attributes/limits.ts";

/** An attribute and its place in the order. */
export type Placed = { id: number; sortNo: number };

/**
 * The order after an attribute was moved to where another one stands: below it when it came from above, else above it.
 * Places that are taken stay; equal ones are told apart.
 * @returns the attributes whose place changes
 */
export function movedPlaces(rows: readonly Placed[], id: number, targetId: number): Placed[] {
  const from = rows.findIndex((row) => row.id === id);
  const to = rows.findIndex((row) => row.id === targetId);
  if (from < 0 || to < 0 || from === to) return [];
  const order = rows.toSpliced(from, 1).toSpliced(to, 0, rows[from] as Placed);
  let last = 0;
  const places = rows.map(({ sortNo }) => {
    last = Math.max(last + 1, sortNo);
    return last;
  });
  const before = new Map(rows.map((row) => [row.id, row.sortNo]));
  return order
    .map((row, at) => ({ id: row.id, sortNo: last > sortMax ? at + 1 : (places[at] as number) }))
    .filter((row) => row.sortNo !== before.get(row.id));
}
