import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Problem } from "#lib/planning-engine/model/logic.ts";
import { REUSE } from "./limits.ts";

/** First day on which each lot can be used; `direct` = without turnaround, `NO_DAY` for what is no reuse lot. */
export type LotDays = { day: Int32Array; direct: Int32Array };

/**
 * Whole units that a dismantled quantity yields, one floor at the end: what is not damaged, can be used again and is not held back. Hundredths in and out,
 * rates in ten-thousandths.
 */
export function reusable(dismantled: number, rates: { damage: number; reuse: number; buffer: number }): number {
  const whole = 10_000n;
  const share = (whole - BigInt(rates.damage)) * BigInt(rates.reuse) * (whole - BigInt(rates.buffer));
  return Number((BigInt(dismantled) * share) / (100n * whole ** 3n)) * 100;
}

/** First day on which a lot can be used whose donor's last disassembly ends before `end`: so many working days later. `NO_DAY` beyond the calendar. */
export function dayOfReuse({ dus, calendars }: Problem, donor: number, end: number, turnaround: number): number {
  if (end === NO_DAY || turnaround === 0) return end;
  const { days } = calendars[dus.calendar[donor]!]!;
  const last = days[workNumber(days, end) - 1 + turnaround];
  return last === undefined ? NO_DAY : last + 1;
}

/** First working day of a DU on or after a day, `NO_DAY` behind its calendar. */
export function firstWorkingDay({ dus, calendars }: Problem, du: number, day: number): number {
  const { days } = calendars[dus.calendar[du]!]!;
  return days[workNumber(days, day)] ?? NO_DAY;
}

function workNumber(days: Int32Array, day: number): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]! < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Days of all lots. @param dismantled the day after the last disassembly of a DU, `NO_DAY` when it has none with dates */
export function lotDays(problem: Problem, dismantled: (du: number) => number): LotDays {
  const { lots } = problem;
  const day = lots.day.slice();
  const direct = new Int32Array(day.length).fill(NO_DAY);
  for (let lot = 0; lot < day.length; lot++) {
    if (lots.source[lot] !== REUSE) continue;
    direct[lot] = dismantled(lots.donor[lot]!);
    day[lot] = dayOfReuse(problem, lots.donor[lot]!, direct[lot]!, lots.turnaround[lot]!);
  }
  return { day, direct };
}

/** Whether a lot lies where a DU may take from: in its region, or in a central warehouse. */
export function servesRegion({ lots, dus }: Problem, du: number, lot: number): boolean {
  return lots.region[lot]! < 0 || lots.region[lot] === dus.region[du];
}

/** Whether a lot is kept for a DU by direct moving. */
export function servesDirectly({ lots, dus }: Problem, du: number, lot: number): boolean {
  const donor = lots.donor[lot]!;
  return donor >= 0 && dus.directFrom[du]! >= 0 && dus.site[donor] === dus.directFrom[du];
}

/** Lots of every item: `list[at[item] .. at[item + 1]]`, in ascending order. */
export function lotsByItem({ lots, items }: Problem): { at: Int32Array; list: Int32Array } {
  const at = new Int32Array(items + 1);
  for (const item of lots.item) at[item + 1]!++;
  for (let item = 0; item < items; item++) at[item + 1]! += at[item]!;
  const next = at.slice();
  const list = new Int32Array(lots.item.length);
  for (let lot = 0; lot < list.length; lot++) list[next[lots.item[lot]!]!++] = lot;
  return { at, list };
}
