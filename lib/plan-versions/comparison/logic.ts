import { isApplicable, readArrayText } from "#lib/rollout-plan/plan-rows/logic.ts";
import { noWorkingDay, tableFirst, type WorkingDays } from "#lib/scheduling/calendar/logic.ts";
import { type ChangeKind, histogramDays } from "./limits.ts";

/** Dates and presence of one DU on one side, by field and slot; index 0 is unused. A date of what does not apply is empty. */
export type SideDates = { fields: Uint16Array[]; state: Int32Array; owner: Int32Array };

/** Room for one DU; filled again for each. */
export function newSide(fields: number, width: number): SideDates {
  return {
    fields: Array.from({ length: fields }, () => new Uint16Array(width)),
    state: new Int32Array(width),
    owner: new Int32Array(width),
  };
}

/** Texts of the arrays of one DU as the database gives them; a missing one is empty. */
export type SideTexts = { fields: (string | null)[]; state: string | null; owner: string | null };

/** Reads the arrays of one DU. */
export function fillSide(side: SideDates, texts: SideTexts, width: number): void {
  side.fields.forEach((column, at) => {
    column.fill(0);
    readArrayText(texts.fields[at] ?? null, column, 0, width);
  });
  side.state.fill(0);
  readArrayText(texts.state, side.state, 0, width);
  side.owner.fill(0);
  readArrayText(texts.owner, side.owner, 0, width);
}

/** Working days between two days by the numbers of a calendar, each counted down; null where the calendar has none near. */
export function shiftOf(calendar: WorkingDays, from: number, to: number): number | null {
  const first = calendar.numbers[2 * (from - tableFirst) + 1] ?? noWorkingDay;
  const last = calendar.numbers[2 * (to - tableFirst) + 1] ?? noWorkingDay;
  return first === noWorkingDay || last === noWorkingDay ? null : last - first;
}

/** One date that is not the same on both sides: day numbers, 0 where it is not there. */
export type DateChange = { slot: number; field: number; old: number; now: number; days: number | null; kind: ChangeKind };

/** Calls `found` for every date of a DU that differs, in the order of the slots given. */
export function compareRow(
  left: SideDates,
  right: SideDates,
  slots: readonly number[],
  calendar: WorkingDays,
  found: (change: DateChange) => void,
): void {
  for (const slot of slots) {
    const before = isApplicable(left.state[slot] ?? 0);
    const after = isApplicable(right.state[slot] ?? 0);
    if (!before && !after) continue;
    for (let field = 0; field < left.fields.length; field++) {
      const old = before ? (left.fields[field]![slot] ?? 0) : 0;
      const now = after ? (right.fields[field]![slot] ?? 0) : 0;
      if (old === now) continue;
      if (old === 0 || now === 0) {
        found({ slot, field, old, now, days: null, kind: old === 0 ? "added" : "removed" });
        continue;
      }
      const days = shiftOf(calendar, old, now);
      found({ slot, field, old, now, days, kind: days === null || days === 0 ? "same" : days > 0 ? "later" : "earlier" });
    }
  }
}

/** A bar of the histogram: shifts from one number of working days to another; open at an end without a number. */
export type ShiftBar = { from: number | null; to: number | null; count: number };

export type CompareSummary = {
  changed: number;
  earlier: number;
  later: number;
  added: number;
  removed: number;
  /** Of all dates that are set on both sides and differ; the lower of the two middle ones. */
  medianDays: number | null;
  /** DUs with any difference. */
  dus: number;
  histogram: ShiftBar[];
};

/** Counts differences as they come. */
export class ShiftCounter {
  dus = 0;
  private readonly kinds: Record<ChangeKind, number> = { later: 0, earlier: 0, same: 0, added: 0, removed: 0 };
  private readonly shifts = new Map<number, number>();

  add({ kind, days }: Pick<DateChange, "kind" | "days">): void {
    this.kinds[kind]++;
    if (days !== null) this.shifts.set(days, (this.shifts.get(days) ?? 0) + 1);
  }

  summary(): CompareSummary {
    const { later, earlier, same, added, removed } = this.kinds;
    const sorted = [...this.shifts].sort(([a], [b]) => a - b);
    return {
      changed: later + earlier + same,
      earlier,
      later,
      added,
      removed,
      medianDays: medianOf(sorted),
      dus: this.dus,
      histogram: barsOf(sorted),
    };
  }
}

/** The middle of counted values in ascending order. */
function medianOf(counted: readonly [value: number, count: number][]): number | null {
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  let before = 0;
  for (const [value, count] of counted) {
    before += count;
    if (before >= Math.ceil(total / 2)) return value;
  }
  return null;
}

/** Single working days up to five, then wider and wider, the last ones open. */
const edges = [-histogramDays, -10, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 10, histogramDays] as const;

function barsOf(counted: readonly [value: number, count: number][]): ShiftBar[] {
  const bars: ShiftBar[] = [{ from: null, to: edges[0] - 1, count: 0 }];
  edges.forEach((edge, at) => {
    const next = edges[at + 1];
    if (edge < -5) bars.push({ from: edge, to: (next as number) - 1, count: 0 });
    else if (edge > 5) bars.push({ from: (edges[at - 1] as number) + 1, to: edge, count: 0 });
    else bars.push({ from: edge, to: edge, count: 0 });
  });
  bars.push({ from: histogramDays + 1, to: null, count: 0 });
  for (const [value, count] of counted) {
    const bar = bars.find(({ from, to }) => (from === null || value >= from) && (to === null || value <= to));
    if (bar) bar.count += count;
  }
  return bars;
}
