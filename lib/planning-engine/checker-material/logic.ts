import { LATE, NO_SUPPLY, NONE, NONE_LEFT, REUSE, WRONG_REGION } from "../checker-facts/limits.ts";
import {
  consumingJob,
  daysOf,
  downTo,
  type Facts,
  type Findings,
  flowOf,
  isFact,
  latestNumbers,
  readyNumber,
  upTo,
} from "../checker-facts/logic.ts";
import type { Problem } from "../model/logic.ts";

/** What a plan takes from every lot, and what each demand gets. Demands are counted by their entry in `problem.demand`. */
export type Supply = {
  /** Day on which a lot can be used, as the plan has its donor. */
  day: Float64Array;
  /** The same without turnaround, for direct moving. */
  directDay: Float64Array;
  left: Float64Array;
  covered: Float64Array;
  /** Last day on which something of a demand became available, -1 when nothing is pegged. */
  lastDay: Float64Array;
  lotsOf: (item: number) => Int32Array;
};

/** Day after the last disassembly of a donor, and after so many more working days of its calendar; `NONE` while that is beyond all days. */
function reuseDay({ problem, plan }: Facts, donor: number, turnaround: number): number {
  const from = problem.dus.firstJob[donor]!;
  let end = Number.NEGATIVE_INFINITY;
  flowOf(problem, donor).disassembly.forEach((is, position) => {
    if (is) end = Math.max(end, plan.end[from + position]!);
  });
  if (end === Number.NEGATIVE_INFINITY || end === NONE) return NONE;
  if (turnaround === 0) return end;
  const days = daysOf(problem, donor);
  const day = days[downTo(days, end - 1) + turnaround];
  return day === undefined ? NONE : day + 1;
}

/** Whether a DU may take from a lot by region: its own, a central one; from the site it moves directly from, by direct moving only. */
function mayUse({ dus, lots }: Problem, du: number, lot: number): boolean {
  return lots.region[lot] === -1 || lots.region[lot] === dus.region[du];
}

/** Whether the lot is kept for this DU by direct moving. */
export function mayMoveDirectly({ dus, lots }: Problem, du: number, lot: number): boolean {
  const donor = lots.donor[lot]!;
  return lots.source[lot] === REUSE && donor >= 0 && dus.directFrom[du]! >= 0 && dus.site[donor] === dus.directFrom[du];
}

/** C9, C10 and C11: every row of the pegging by itself, lots by their sums, substitution by whole lots. Gives what is left and what is covered. */
export function checkPegging(facts: Facts, findings: Findings): Supply {
  const { problem, plan } = facts;
  const { lots, demand, substitutes, dus } = problem;
  const rows = plan.allocations;
  const supply = readSupply(facts);
  // Substitution: what a demand takes by a group, part by part, and what it covers by it.
  const byGroup = new Map<string, { du: number; group: number; covers: number; taken: Map<number, number> }>();
  rows.du.forEach((du, row) => {
    const lot = rows.lot[row]!;
    const quantity = rows.quantity[row]!;
    const covers = rows.covers[row]!;
    const group = rows.group[row]!;
    const direct = rows.direct[row] === 1;
    const item = rows.designItem[row]!;
    const job = du >= 0 && du < dus.id.length ? consumingJob(facts, du) : -1;
    const entry = job < 0 ? -1 : demandOf(demand, du, item);
    const position = job < 0 ? -1 : job - dus.firstJob[du]!;
    if (entry < 0 || !(lot >= 0 && lot < lots.item.length)) {
      findings.add("C8", "nothing-demanded", du, position, item, -1);
      return;
    }
    const start = plan.start[job]!;
    const reuse = lots.source[lot] === REUSE;
    const available = direct ? supply.directDay[lot]! : supply.day[lot]!;
    if (!Number.isInteger(quantity) || quantity <= 0) findings.add("C9", "quantity", du, position, quantity, 1);
    if (direct ? !mayMoveDirectly(problem, du, lot) : !mayUse(problem, du, lot))
      findings.add("C9", direct ? "direct-moving" : "region", du, position, lots.region[lot]!, dus.region[du]!);
    if (available > start) findings.add(reuse ? "C10" : "C9", "not-yet-available", du, position, start, available);
    if (rows.available[row] !== available)
      findings.add(reuse ? "C10" : "C9", "available-day", du, position, rows.available[row]!, available);
    if (rows.need[row] !== start) findings.add("C9", "need-day", du, position, rows.need[row]!, start);
    supply.left[lot]! -= quantity;
    supply.covered[entry]! += covers;
    supply.lastDay[entry] = Math.max(supply.lastDay[entry]!, available);
    if (group === -1) {
      if (lots.item[lot] !== item) findings.add("C11", "item", du, position, lots.item[lot]!, item);
      if (covers !== quantity) findings.add("C11", "covers", du, position, covers, quantity);
      return;
    }
    if (!(group >= substitutes.at[item]! && group < substitutes.at[item + 1]!)) {
      findings.add("C11", "group", du, position, group, substitutes.at[item] ?? -1);
      return;
    }
    const key = `${entry}/${group}`;
    const sum = byGroup.get(key) ?? { du, group, covers: 0, taken: new Map<number, number>() };
    byGroup.set(key, sum);
    sum.covers += covers;
    const taken = lots.item[lot]!;
    sum.taken.set(taken, (sum.taken.get(taken) ?? 0) + quantity);
  });
  for (const { du, group, covers, taken } of byGroup.values()) {
    const each = substitutes.covers[group]!;
    const whole = Math.ceil(covers / each);
    const parts = partsOf(substitutes, group);
    if (covers <= 0) findings.add("C11", "covers", du, -1, covers, each);
    for (const [item, quantity] of parts)
      if (taken.get(item) !== whole * quantity) findings.add("C11", "ratio", du, -1, taken.get(item) ?? 0, whole * quantity);
    for (const item of taken.keys()) if (!parts.has(item)) findings.add("C11", "part", du, -1, item, -1);
  }
  supply.left.forEach((left, lot) => {
    if (left < 0)
      findings.add(
        lots.source[lot] === REUSE ? "C10" : "C9",
        "lot-overdrawn",
        lots.donor[lot]!,
        -1,
        lots.quantity[lot]! - left,
        lots.quantity[lot]!,
      );
  });
  return supply;
}

/** Days and quantities of all lots before anything is taken. */
function readSupply(facts: Facts): Supply {
  const { lots, demand, items } = facts.problem;
  const count = lots.item.length;
  const day = new Float64Array(count);
  const directDay = new Float64Array(count).fill(NONE);
  const at = new Int32Array(items + 1);
  for (let lot = 0; lot < count; lot++) {
    at[lots.item[lot]! + 1]!++;
    const reuse = lots.source[lot] === REUSE;
    day[lot] = reuse ? reuseDay(facts, lots.donor[lot]!, lots.turnaround[lot]!) : lots.day[lot]!;
    if (reuse) directDay[lot] = reuseDay(facts, lots.donor[lot]!, 0);
  }
  for (let item = 0; item < items; item++) at[item + 1]! += at[item]!;
  const next = at.slice();
  const sorted = new Int32Array(count);
  for (let lot = 0; lot < count; lot++) sorted[next[lots.item[lot]!]!++] = lot;
  return {
    day,
    directDay,
    left: lots.quantity.slice(),
    covered: new Float64Array(demand.item.length),
    lastDay: new Float64Array(demand.item.length).fill(-1),
    lotsOf: (item) => sorted.subarray(at[item]!, at[item + 1]!),
  };
}

/** Entry of the demand of a DU for an item, -1 without. */
function demandOf({ at, item }: Problem["demand"], du: number, wanted: number): number {
  for (let entry = at[du]!; entry < at[du + 1]!; entry++) if (item[entry] === wanted) return entry;
  return -1;
}

/** What one substitution lot of a group takes of each item. */
export function partsOf({ partAt, partItem, partQuantity }: Problem["substitutes"], group: number): Map<number, number> {
  const parts = new Map<number, number>();
  for (let part = partAt[group]!; part < partAt[group + 1]!; part++)
    parts.set(partItem[part]!, (parts.get(partItem[part]!) ?? 0) + partQuantity[part]!);
  return parts;
}

/** C8: what is pegged and what is missing make up the demand, and nothing is missing while something usable lies unused. */
export function checkDemand(facts: Facts, supply: Supply, findings: Findings): void {
  const { problem, plan, kept } = facts;
  const { demand, dus } = problem;
  // Within L, the latest start by the horizon, nothing usable may lie unused; what keeps its date and what is planned backward looks no further than S.
  const latest = latestNumbers(facts, false);
  const short = new Float64Array(demand.item.length);
  plan.gaps.du.forEach((du, row) => {
    const entry = du >= 0 && du < dus.id.length ? demandOf(demand, du, plan.gaps.item[row]!) : -1;
    if (entry >= 0) short[entry]! += plan.gaps.short[row]!;
  });
  for (let du = 0; du < dus.id.length; du++) {
    const job = consumingJob(facts, du);
    if (job < 0) continue;
    const position = job - dus.firstJob[du]!;
    for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++) {
      const sum = supply.covered[entry]! + short[entry]!;
      if (sum !== demand.quantity[entry]) findings.add("C8", "sum", du, position, sum, demand.quantity[entry]!);
      if (short[entry]! <= 0) continue;
      const start = plan.start[job]!;
      const until = kept[job]! >= 0 || problem.direction === "reverse" ? start : (daysOf(problem, du)[latest[job]!] ?? -1);
      const isReuse = (lot: number) => problem.lots.source[lot] === REUSE;
      const ofCluster = (lot: number) => isReuse(lot) && dus.cluster[du]! >= 0 && dus.cluster[problem.lots.donor[lot]!] === dus.cluster[du];
      const byStart = (lot: number) => !ofCluster(lot) && usableBy(facts, supply, du, lot, start);
      const dated = (lot: number) => !isReuse(lot) && usableBy(facts, supply, du, lot, until);
      const own = unusedOf(supply, demand.item[entry]!, (lot) => byStart(lot) || dated(lot));
      if (own > 0) findings.add("C8", "unused-units", du, position, own, 0);
      for (let group = problem.substitutes.at[demand.item[entry]!]!; group < problem.substitutes.at[demand.item[entry]! + 1]!; group++) {
        const parts = [...partsOf(problem.substitutes, group)];
        // A whole lot is all there by S, or all of it comes dated by L: what comes of a dismantling by S is no reason to wait for a delivery behind it.
        const whole = [byStart, dated].some((usable) => parts.every(([item, quantity]) => unusedOf(supply, item, usable) >= quantity));
        if (parts.length > 0 && whole) findings.add("C8", "unused-substitutes", du, position, group, -1);
      }
    }
  }
}

/** Whether a DU could take from a lot on a day. */
function usableBy({ problem }: Facts, { day, directDay }: Supply, du: number, lot: number, by: number): boolean {
  return (mayUse(problem, du, lot) && day[lot]! <= by) || (mayMoveDirectly(problem, du, lot) && directDay[lot]! <= by);
}

function unusedOf(supply: Supply, item: number, usable: (lot: number) => boolean): number {
  let units = 0;
  for (const lot of supply.lotsOf(item)) if (supply.left[lot]! > 0 && usable(lot)) units += supply.left[lot]!;
  return units;
}

/** Units of a demand that unused lots could cover, own ones first, then substitutes group by group. */
function coverable({ substitutes }: Problem, supply: Supply, item: number, open: number, usable: (lot: number) => boolean): number {
  let covered = Math.min(open, unusedOf(supply, item, usable));
  for (let group = substitutes.at[item]!; group < substitutes.at[item + 1]! && covered < open; group++) {
    let whole = Math.ceil((open - covered) / substitutes.covers[group]!);
    for (const [part, quantity] of partsOf(substitutes, group))
      whole = Math.min(whole, Math.floor(unusedOf(supply, part, usable) / quantity));
    covered = Math.min(open, covered + whole * substitutes.covers[group]!);
  }
  return covered;
}

/** C14, the list of what is missing or late: every row recomputed, and none left out. */
export function checkGapRows(facts: Facts, supply: Supply, findings: Findings): void {
  const { problem, plan, kept } = facts;
  const { demand, dus, substitutes } = problem;
  const rows = plan.gaps;
  const seen = new Uint8Array(demand.item.length);
  rows.du.forEach((du, row) => {
    const item = rows.item[row]!;
    const job = du >= 0 && du < dus.id.length ? consumingJob(facts, du) : -1;
    const entry = job < 0 ? -1 : demandOf(demand, du, item);
    const position = job < 0 ? -1 : job - dus.firstJob[du]!;
    if (entry < 0 || seen[entry]) {
      findings.add("C14", "gap-row", du, position, item, -1);
      return;
    }
    seen[entry] = 1;
    const same = (fault: string, found: number, expected: number) => {
      if (found !== expected) findings.add("C14", fault, du, position, found, expected);
    };
    same("gap-required", rows.required[row]!, demand.quantity[entry]!);
    same("gap-covered", rows.covered[row]!, supply.covered[entry]!);
    const start = plan.start[job]!;
    const short = rows.short[row]!;
    if (short < 0 || !Number.isInteger(short)) findings.add("C14", "gap-short", du, position, short, 0);
    if (short <= 0) {
      same("gap-reason", rows.reason[row]!, LATE);
      const ready = daysOf(problem, du)[readyNumber(facts, job)] ?? NONE;
      same("gap-need", rows.needDay[row]!, ready);
      same("gap-cover", rows.coverDay[row]!, supply.lastDay[entry]!);
      if (!waited(facts, supply, job, entry)) findings.add("C14", "late-without-wait", du, position, supply.lastDay[entry]!, ready);
      return;
    }
    same("gap-need", rows.needDay[row]!, start);
    const mayCoverLater = kept[job]! >= 0 || problem.direction === "reverse";
    same("gap-cover", rows.coverDay[row]!, mayCoverLater ? coverDay(facts, supply, du, item, short, start) : NONE);
    const anyLot =
      supply.lotsOf(item).length > 0 ||
      range(substitutes.at[item]!, substitutes.at[item + 1]!).some((group) =>
        [...partsOf(substitutes, group).keys()].some((part) => supply.lotsOf(part).length > 0),
      );
    const elsewhere = (lot: number) => !mayUse(problem, du, lot) && !mayMoveDirectly(problem, du, lot);
    const reason = !anyLot ? NO_SUPPLY : coverable(problem, supply, item, short, elsewhere) >= short ? WRONG_REGION : NONE_LEFT;
    same("gap-reason", rows.reason[row]!, reason);
  });
  for (let du = 0; du < dus.id.length; du++) {
    const job = consumingJob(facts, du);
    if (job < 0) continue;
    for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++)
      if (!seen[entry] && waited(facts, supply, job, entry))
        findings.add("C14", "late-row-missing", du, job - dus.firstJob[du]!, demand.item[entry]!, supply.lastDay[entry]!);
  }
}

/** Whether a free material job began later than its predecessors let it because an item was not there. */
function waited(facts: Facts, supply: Supply, job: number, entry: number): boolean {
  const { problem, du, kept } = facts;
  if (kept[job]! >= 0 || isFact(facts, job) || problem.direction === "reverse") return false;
  const ready = daysOf(problem, du[job]!)[readyNumber(facts, job)] ?? NONE;
  return supply.lastDay[entry]! > ready;
}

/** First day after the start on which unused supply a DU may use would cover what is missing; `NONE` without. */
function coverDay(facts: Facts, supply: Supply, du: number, item: number, short: number, start: number): number {
  const { problem } = facts;
  const { substitutes } = problem;
  const lots = [
    item,
    ...range(substitutes.at[item]!, substitutes.at[item + 1]!).flatMap((group) => [...partsOf(substitutes, group).keys()]),
  ]
    .flatMap((one) => [...supply.lotsOf(one)])
    .filter((lot) => supply.left[lot]! > 0);
  const days = [...new Set(lots.flatMap((lot) => [supply.day[lot]!, supply.directDay[lot]!]))]
    .filter((day) => day > start && day < NONE)
    .sort((one, other) => one - other);
  return days.find((day) => coverable(problem, supply, item, short, (lot) => usableBy(facts, supply, du, lot, day)) >= short) ?? NONE;
}

/** Numbers from one to before another. */
function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, step) => from + step);
}

/** Working-day number on which the last of what a DU takes is there; -1 when it takes nothing. */
export function materialNumber({ problem }: Facts, supply: Supply, du: number): number {
  let day = -1;
  for (let entry = problem.demand.at[du]!; entry < problem.demand.at[du + 1]!; entry++) day = Math.max(day, supply.lastDay[entry]!);
  return day < 0 ? -1 : upTo(daysOf(problem, du), day);
}

/**
 * Whole units a dismantled quantity yields: what is not damaged, can be used again and is not held back. Hundredths in and out, rates in ten-thousandths.
 * One floor at the end, in whole numbers of any size.
 */
export function reusableHundredths(dismantled: number, rates: { damage: number; reuse: number; buffer: number }): number {
  const one = 10_000n;
  const product = BigInt(dismantled) * (one - BigInt(rates.damage)) * BigInt(rates.reuse) * (one - BigInt(rates.buffer));
  return Number(product / (100n * one * one * one)) * 100;
}
