import { AppError } from "./error.ts";

/**
 * Refuses a save that would leave everything as it is: nothing is written, so what others have open stays fresh. [OPS-21]
 * @param before what is stored; nothing is refused where there is nothing yet
 * @param after what would be stored: only what it names is compared
 * @throws NOTHING_MODIFIED
 */
export function refuseUnchanged(before: object | null | undefined, after: object): void {
  if (!before) return;
  const stored = before as Record<string, unknown>;
  if (Object.entries(after).every(([key, value]) => isSame(stored[key], value))) throw new AppError("NOTHING_MODIFIED");
}

/** Whether two values are stored alike: what is left out is empty, a moment is its text, and the order of an object's keys says nothing. */
function isSame(one: unknown, other: unknown): boolean {
  const [a, b] = [stored(one), stored(other)];
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) => isSame(left[key], right[key]));
}

const stored = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : (value ?? null));
