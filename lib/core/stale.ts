import { isDeepStrictEqual } from "node:util";
import { AppError, type Problem } from "./error.ts";
import type { Moved, Ordered } from "./reorder.ts";

/** A value that is to be written at a place of the input: what stands there now, and what did when it was read. */
export type Rewritten = { path: string; present: unknown; base: unknown; wanted: unknown };

/**
 * Refuses values whose places hold by now neither what was read nor what is to be written.
 * @param data what the refusal brings along
 * @throws STALE at each of them
 */
export function refuseStaleValues(values: readonly Rewritten[], data?: unknown): void {
  const stale = values.filter(({ present, base, wanted }) => !isDeepStrictEqual(present, base) && !isDeepStrictEqual(present, wanted));
  if (stale.length > 0)
    throw new AppError(
      "STALE",
      {},
      stale.map(({ path }): Problem => ({ path, code: "STALE" })),
      data,
    );
}

/**
 * Refuses sort numbers for rows of which one no longer has the number it was read with.
 * @param present the named rows as they are stored
 * @throws STALE with the present numbers
 */
export function refuseStaleNumbers(present: readonly Ordered[], items: readonly Moved[]): void {
  const stored = new Map(present.map(({ id, sortNo }) => [id, sortNo]));
  if (items.every(({ id, was }) => stored.get(id) === was)) return;
  const numbers = present.map(({ id, sortNo }): Ordered => ({ id, sortNo }));
  throw new AppError("STALE", {}, [], numbers);
}

/**
 * Refuses an order made upon another one than that of now: a row seen is gone or stands elsewhere, or one is put in order that was not seen.
 * What was added meanwhile and is not named makes nothing stale.
 * @param present ids of the rows in their order of now
 * @param before ids in the order they were seen in
 * @param after ids in the order wanted
 * @throws STALE with the present order
 */
export function refuseStaleOrder(present: readonly number[], before: readonly number[], after: readonly number[]): void {
  const named = new Set([...before, ...after]);
  const seen = present.filter((id) => named.has(id));
  if (seen.length === before.length && seen.every((id, at) => id === before[at])) return;
  throw new AppError("STALE", {}, [], present);
}
