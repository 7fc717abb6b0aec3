import { type LotDays, lotsByItem, servesDirectly, servesRegion } from "#lib/planning-engine/lots/logic.ts";
import { gapReasons, NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Gaps, Problem } from "#lib/planning-engine/model/logic.ts";
import { availableOn, type Needs, type Take } from "#lib/planning-engine/pegging/logic.ts";

type Row = {
  du: number;
  item: number;
  required: number;
  covered: number;
  short: number;
  needDay: number;
  coverDay: number;
  reason: (typeof gapReasons)[number];
};

/** DUs that do not get all they need, by every item that could have helped them: their own and the parts of what replaces it. */
export function shortDus({ demand, substitutes }: Problem, takes: Take[], needs: Needs): Map<number, number[]> {
  const covered = new Float64Array(demand.item.length);
  for (const { du, item, covers } of takes) covered[demand.item.indexOf(item, demand.at[du]!)]! += covers;
  const short = new Map<number, number[]>();
  needs.start.forEach((start, du) => {
    if (start === NO_DAY) return;
    for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++) {
      if (covered[entry]! >= demand.quantity[entry]!) continue;
      const item = demand.item[entry]!;
      const parts = substitutes.partItem.subarray(
        substitutes.partAt[substitutes.at[item]!]!,
        substitutes.partAt[substitutes.at[item + 1]!]!,
      );
      for (const helping of new Set([item, ...parts])) {
        const own = short.get(helping);
        if (own) own.push(du);
        else short.set(helping, [du]);
      }
    }
  });
  return short;
}

/** What DUs miss, and what they had to wait for, with the reason and the day on which unused supply would cover it. */
export function gapsOf(problem: Problem, takes: Take[], days: LotDays, needs: Needs): Gaps {
  const { demand, lots } = problem;
  const covered = new Float64Array(demand.item.length);
  const lastDay = new Int32Array(demand.item.length).fill(-1);
  const left = lots.quantity.slice();
  for (const take of takes) {
    const entry = demand.item.indexOf(take.item, demand.at[take.du]!);
    covered[entry]! += take.covers;
    lastDay[entry] = Math.max(lastDay[entry]!, availableOn(take, days));
    left[take.lot]! -= take.quantity;
  }
  const unused = unusedSupply(problem, left);
  const rows: Row[] = [];
  needs.start.forEach((start, du) => {
    if (start === NO_DAY) return;
    const keeps = needs.kept[du] === 1 || problem.direction === "reverse";
    for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++) {
      const item = demand.item[entry]!;
      const required = demand.quantity[entry]!;
      const row = { du, item, required, covered: covered[entry]! };
      const short = required - covered[entry]!;
      if (short > 0) {
        const elsewhere = (lot: number) => !servesRegion(problem, du, lot) && !servesDirectly(problem, du, lot);
        const reason = !unused.isKnown(item) ? "noSupply" : unused.coverable(item, short, elsewhere) >= short ? "wrongRegion" : "noneLeft";
        // What a free job could have waited for is no longer unused.
        const coverDay = keeps ? unused.coverDay(du, item, short, start, days) : NO_DAY;
        rows.push({ ...row, short, needDay: start, coverDay, reason });
      } else if (!keeps && lastDay[entry]! > needs.ready[du]!)
        rows.push({ ...row, short: 0, needDay: needs.ready[du]!, coverDay: lastDay[entry]!, reason: "late" });
    }
  });
  return {
    du: Int32Array.from(rows, (row) => row.du),
    item: Int32Array.from(rows, (row) => row.item),
    required: Float64Array.from(rows, (row) => row.required),
    covered: Float64Array.from(rows, (row) => row.covered),
    short: Float64Array.from(rows, (row) => row.short),
    needDay: Int32Array.from(rows, (row) => row.needDay),
    coverDay: Int32Array.from(rows, (row) => row.coverDay),
    reason: Uint8Array.from(rows, (row) => gapReasons.indexOf(row.reason)),
  };
}

/** What could be done with lots that nobody has taken. */
function unusedSupply(problem: Problem, left: Float64Array) {
  const { substitutes } = problem;
  const byItem = lotsByItem(problem);
  const lotsOf = (item: number) => byItem.list.subarray(byItem.at[item]!, byItem.at[item + 1]!);
  const groupsOf = (item: number) =>
    Array.from({ length: substitutes.at[item + 1]! - substitutes.at[item]! }, (_, place) => {
      const group = substitutes.at[item]! + place;
      const [from, to] = [substitutes.partAt[group]!, substitutes.partAt[group + 1]!];
      return {
        covers: substitutes.covers[group]!,
        parts: Array.from({ length: to - from }, (_, part) => ({
          item: substitutes.partItem[from + part]!,
          quantity: substitutes.partQuantity[from + part]!,
        })),
      };
    });
  const units = (item: number, usable: (lot: number) => boolean) =>
    lotsOf(item).reduce((sum, lot) => sum + (left[lot]! > 0 && usable(lot) ? left[lot]! : 0), 0);
  const coverable = (item: number, open: number, usable: (lot: number) => boolean) => {
    let covered = Math.min(open, units(item, usable));
    for (const { covers, parts } of groupsOf(item)) {
      if (covered >= open) break;
      const whole = parts.reduce(
        (least, part) => Math.min(least, Math.floor(units(part.item, usable) / part.quantity)),
        Math.ceil((open - covered) / covers),
      );
      covered = Math.min(open, covered + whole * covers);
    }
    return covered;
  };
  const itemsFor = (item: number) => [item, ...groupsOf(item).flatMap(({ parts }) => parts.map((part) => part.item))];
  return {
    coverable,
    /** Whether there is any lot of an item or of what replaces it. */
    isKnown: (item: number) => itemsFor(item).some((one) => lotsOf(one).length > 0),
    /** First day after `start` on which unused lots a DU may use would cover what it misses, else `NO_DAY`. */
    coverDay: (du: number, item: number, short: number, start: number, days: LotDays) => {
      const usableBy = (lot: number, by: number) =>
        (servesRegion(problem, du, lot) && days.day[lot]! <= by) || (servesDirectly(problem, du, lot) && days.direct[lot]! <= by);
      const candidates = itemsFor(item)
        .flatMap((one) => [...lotsOf(one)])
        .filter((lot) => left[lot]! > 0)
        .flatMap((lot) => [days.day[lot]!, days.direct[lot]!])
        .filter((day) => day > start && day < NO_DAY)
        .sort((one, other) => one - other);
      return candidates.find((day) => coverable(item, short, (lot) => usableBy(lot, day)) >= short) ?? NO_DAY;
    },
  };
}
