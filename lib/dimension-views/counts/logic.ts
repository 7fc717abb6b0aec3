import { isApplicable } from "#lib/rollout-plan/plan-rows/logic.ts";
import { type Measure, measures, type Order, type RowKind } from "./limits.ts";

/** DUs as they are counted: the values each has, and state and dates of the tab's activities, row-major over `width` activities. */
export type DuRead = {
  duIds: number[];
  /** Values of each DU, each once; none: the DU has no value. */
  values: (readonly string[])[];
  width: number;
  state: Int32Array;
  planEnd: Uint16Array;
  actualEnd: Uint16Array;
  baselineEnd: Uint16Array;
};

/** The values of a DU as it holds them: several of an enumeration, one, or none. */
export function valuesOf(raw: unknown): readonly string[] {
  if (Array.isArray(raw)) return [...new Set(raw.flatMap(valuesOf))];
  if (typeof raw === "string") return raw.trim() === "" ? [] : [raw];
  return typeof raw === "number" || typeof raw === "boolean" ? [String(raw)] : [];
}

/**
 * Takes single slots out of the text of a plan array.
 * @param places for every slot its place behind `offset`, plus one; 0 = not wanted
 * @param last highest slot wanted
 */
export function pickSlots(text: string | null, places: Uint8Array, last: number, target: Int32Array | Uint16Array, offset: number): void {
  if (text === null) return;
  let slot = 1;
  let value = 0;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code < 58) {
      value = value * 10 + code - 48;
      continue;
    }
    const place = places[slot] as number;
    if (place > 0) target[offset + place - 1] = value;
    if (++slot > last) return;
    value = 0;
  }
}

/** The day counting ends with, and the project's day: both as day numbers. */
export type CountFrame = { end: number; today: number };

/** Which of the measures hold for an activity of a DU; none where it does not apply. */
export function holds(measure: Measure, state: number, planEnd: number, actualEnd: number, { end, today }: CountFrame): boolean {
  if (!isApplicable(state)) return false;
  switch (measure) {
    case "applicable":
      return true;
    case "planned":
      return planEnd !== 0 && planEnd <= end;
    case "done":
      return actualEnd !== 0 && actualEnd <= end;
    case "delayed":
      return actualEnd === 0 && planEnd !== 0 && planEnd < today;
  }
}

/** A row of a view. */
export type RowKey = { kind: RowKind; value: string | null };

/** Figures of a view: the rows by the number of their DUs, then one for all together; four figures per activity in the order of `measures`. */
export type Counts = {
  keys: RowKey[];
  totals: Int32Array;
  figures: Int32Array;
  width: number;
  /** Values folded into one row. */
  folded: number;
  /** A DU has several values: the rows count it once each, all together once. */
  several: boolean;
};

/**
 * Counts DUs value by value. Values beyond the limit, those with fewest DUs, are one row; it counts a DU once, as the row of all does.
 * @param rowLimit values with rows of their own, those without any value among them
 */
export function countRows(read: DuRead, frame: CountFrame, rowLimit: number): Counts {
  const { width, values } = read;
  const counted = new Map<string | null, number>();
  let several = false;
  for (const own of values) {
    if (own.length === 0) counted.set(null, (counted.get(null) ?? 0) + 1);
    for (const value of own) counted.set(value, (counted.get(value) ?? 0) + 1);
    several ||= own.length > 1;
  }
  const order = [...counted].sort(([a, left], [b, right]) => right - left || ((a ?? "") < (b ?? "") ? -1 : 1)).map(([value]) => value);
  const shown = order.slice(0, rowLimit);
  const folded = order.length - shown.length;
  const keys: RowKey[] = shown.map((value) => ({ kind: value === null ? "empty" : "value", value }));
  if (folded > 0) keys.push({ kind: "others", value: null });
  const all = keys.push({ kind: "all", value: null }) - 1;
  const index = new Map(shown.map((value, at) => [value, at]));
  const totals = new Int32Array(keys.length);
  const figures = new Int32Array(keys.length * width * measures.length);
  const rows: number[] = [];
  values.forEach((own, du) => {
    rows.length = 0;
    rows.push(all);
    if (own.length === 0) rows.push(index.get(null) ?? all - 1);
    for (const value of own) {
      const row = index.get(value) ?? all - 1;
      if (!rows.includes(row)) rows.push(row);
    }
    for (const row of rows) totals[row]!++;
    for (let place = 0; place < width; place++) {
      const at = du * width + place;
      const state = read.state[at] as number;
      if (!isApplicable(state)) continue;
      const planEnd = read.planEnd[at] as number;
      const actualEnd = read.actualEnd[at] as number;
      measures.forEach((measure, which) => {
        if (!holds(measure, state, planEnd, actualEnd, frame)) return;
        for (const row of rows) figures[(row * width + place) * measures.length + which]!++;
      });
    }
  });
  return { keys, totals, figures, width, folded, several };
}

/** Whether a DU stands in a row. @param shown values with rows of their own */
export function inRow(own: readonly string[], { kind, value }: RowKey, shown: ReadonlySet<string | null>): boolean {
  switch (kind) {
    case "all":
      return true;
    case "empty":
      return own.length === 0;
    case "value":
      return value !== null && own.includes(value);
    case "others":
      return own.length === 0 ? !shown.has(null) : own.some((given) => !shown.has(given));
  }
}

/** Figures of an activity in one row. Amounts are null for those from whom they are hidden, the rate where nothing applies. */
export type Figures = {
  applicable: number | null;
  planned: number | null;
  done: number | null;
  delayed: number | null;
  /** Percent done, one decimal. */
  rate: number | null;
};
export type ViewRow = RowKey & { title: string | null; total: number | null; figures: Figures[] };

/** Done of applicable in percent, one decimal, half up; null where nothing applies. */
export function rateOf(done: number, applicable: number): number | null {
  // In whole numbers: a quotient cut off in binary would lose some of the halves.
  return applicable === 0 ? null : Math.floor((2000 * done + applicable) / (2 * applicable)) / 10;
}

/** A counted row with its figures. @param hidden amounts are left out */
export function viewRow(counts: Counts, row: number, title: string | null, hidden: boolean): ViewRow {
  const { width } = counts;
  const figures = Array.from({ length: width }, (_, place): Figures => {
    const at = (row * width + place) * measures.length;
    const [applicable, planned, done, delayed] = counts.figures.subarray(at, at + measures.length) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const rate = rateOf(done, applicable);
    return hidden ? { applicable: null, planned: null, done: null, delayed: null, rate } : { applicable, planned, done, delayed, rate };
  });
  return { ...(counts.keys[row] as RowKey), title, total: hidden ? null : (counts.totals[row] as number), figures };
}

const titles = new Intl.Collator("und", { numeric: true, sensitivity: "base" });

/** Which rows are asked for, in which order. */
export type Arrangement = {
  search?: string | undefined;
  sort?: { by: Order; activity?: number | undefined; dir: "asc" | "desc" } | undefined;
};

/**
 * Places of the value rows as asked: found by their title, in order; those without a value and the folded ones stand at the end when ordered by value.
 * @param titleOf title of a value
 */
export function arrangeRows(counts: Counts, { search, sort }: Arrangement, titleOf: (value: string) => string): number[] {
  const wanted = search?.trim().toLowerCase() ?? "";
  const title = (row: number) => {
    const value = counts.keys[row]?.value ?? null;
    return value === null ? null : titleOf(value);
  };
  const rows = counts.keys
    .map((_, row) => row)
    .slice(0, -1)
    .filter((row) => wanted === "" || (title(row)?.toLowerCase().includes(wanted) ?? false));
  const { by, activity = 0, dir } = sort ?? { by: "value", dir: "asc" };
  const sign = dir === "desc" ? -1 : 1;
  const figure = (row: number, measure: Measure) =>
    counts.figures[(row * counts.width + activity) * measures.length + measures.indexOf(measure)] as number;
  const byTitle = (left: number, right: number, direction: number) => {
    const [a, b] = [title(left), title(right)];
    if (a === null || b === null) return a === b ? left - right : a === null ? 1 : -1;
    return direction * titles.compare(a, b);
  };
  const number = (row: number): number => {
    if (by === "rate") return rateOf(figure(row, "done"), figure(row, "applicable")) ?? -1;
    return by === "done" || by === "delayed" ? figure(row, by) : (counts.totals[row] as number);
  };
  return rows.sort((left, right) =>
    by === "value" ? byTitle(left, right, sign) : sign * (number(left) - number(right)) || byTitle(left, right, 1),
  );
}
