import { sortMax } from "#lib/attributes/limits.ts";
import type { Moved, Ordered } from "#lib/core/reorder.ts";

/** Rows in the order in which a person sees them: those that are shown have the numbers they are shown with. */
export function asSeen<Row extends Ordered>(stored: readonly Row[], shown: readonly Ordered[]): Row[] {
  const numbers = new Map(shown.map(({ id, sortNo }) => [id, sortNo]));
  return stored.map((row) => ({ ...row, sortNo: numbers.get(row.id) ?? row.sortNo })).sort((a, b) => a.sortNo - b.sortNo || a.id - b.id);
}

/**
 * The order after an attribute was moved to where another one stands: below it when it came from above, else above it.
 * Places that are taken stay; equal ones are told apart.
 * @returns the attributes whose place changes
 */
export function movedPlaces(rows: readonly Ordered[], id: number, targetId: number): Moved[] {
  const from = rows.findIndex((row) => row.id === id);
  const to = rows.findIndex((row) => row.id === targetId);
  if (from < 0 || to < 0 || from === to) return [];
  const order = rows.toSpliced(from, 1).toSpliced(to, 0, rows[from] as Ordered);
  let last = 0;
  const places = rows.map(({ sortNo }) => {
    last = Math.max(last + 1, sortNo);
    return last;
  });
  return order
    .map((row, at): Moved => ({ id: row.id, sortNo: last > sortMax ? at + 1 : (places[at] as number), was: row.sortNo }))
    .filter(({ sortNo, was }) => sortNo !== was);
}
