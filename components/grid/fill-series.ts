import { addDays, addMonths } from "#lib/core/clock.ts";
import { daysBetween } from "./date-input.ts";
import type { CellKind, CellValue } from "./grid-model.ts";

/** One cell a series is read from. */
export type SeriesCell = { kind: CellKind; value: CellValue };

/** Values at even steps: days, months or numbers. `first` stands at place 0. */
export type Series = { kind: "date" | "month" | "number"; first: string | number; step: number };

const counted = (kind: CellKind): kind is Series["kind"] => kind === "date" || kind === "month" || kind === "number";
/** Decimals a number of the plan may have; sums of steps are rounded to them. */
const decimals = 2;

function stepBetween(kind: Series["kind"], from: string | number, to: string | number): number {
  if (kind === "number") return Number((Number(to) - Number(from)).toFixed(decimals));
  if (kind === "date") return daysBetween(String(from), String(to));
  const months = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
  return months(String(to)) - months(String(from));
}

/** The series that two or more cells of one kind stand in, or undefined: a gap or an uneven step makes none. */
export function readSeries(cells: readonly SeriesCell[]): Series | undefined {
  const [first, second] = cells;
  if (!first || !second || !counted(first.kind) || first.value === null || second.value === null) return undefined;
  const { kind } = first;
  const plain = cells.map(({ value }) => value) as (string | number)[];
  if (cells.some((cell) => cell.kind !== kind || cell.value === null)) return undefined;
  const step = stepBetween(kind, plain[0] as string | number, plain[1] as string | number);
  const even = plain.every((value, at) => at === 0 || stepBetween(kind, plain[at - 1] as string | number, value) === step);
  return even ? { kind, first: plain[0] as string | number, step } : undefined;
}

/** A single day, month or number, counted on by one. */
export function countOn(cells: readonly SeriesCell[]): Series | null {
  const [only, ...others] = cells;
  if (!only || others.length > 0 || !counted(only.kind) || only.value === null) return null;
  return { kind: only.kind, first: only.value as string | number, step: 1 };
}

/** Value of a series at a place, before its first cell too. */
export function seriesValue({ kind, first, step }: Series, at: number): CellValue {
  if (kind === "number") return Number((Number(first) + step * at).toFixed(decimals));
  if (kind === "date") return addDays(String(first), step * at);
  return addMonths(`${first}-01`, step * at).slice(0, 7);
}
