import { sortByCounting } from "#lib/planning-engine/counting-sort/logic.ts";
import { REUSE } from "#lib/planning-engine/lots/limits.ts";
import { firstWorkingDay, type LotDays, lotsByItem, servesDirectly, servesRegion } from "#lib/planning-engine/lots/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Allocations, Problem } from "#lib/planning-engine/model/logic.ts";

/** What a DU takes of a lot, in hundredths: for the item itself (`group` -1) or as a part of a substitution, whose cover stands with its first take. */
export type Take = { du: number; item: number; lot: number; quantity: number; covers: number; group: number; direct: boolean };

/** When each DU takes its material. One entry per DU; `NO_DAY` as start for those that take nothing. */
export type Needs = {
  /** First day of the material job, the day its predecessors allow, and the last one on which it could begin (S itself for kept jobs and in reverse). */
  start: Int32Array;
  ready: Int32Array;
  latest: Int32Array;
  /** 1 = the job keeps its dates. */
  kept: Uint8Array;
};

/**
 * Pegs once more when the dates stand: whoever starts first chooses first, of what moves directly, then of reuse, stock by priority of the warehouse, and
 * deliveries by day. Kept for an item only if all get what they had, nobody's start is left without the material that held it, and no short DU could have
 * taken what is left over.
 */
export function pegByRank(problem: Problem, takes: Take[], days: LotDays, needs: Needs, shortOf: Map<number, number[]>): Take[] {
  const { lots, items } = problem;
  const own: Take[][] = Array.from({ length: items }, () => []);
  for (const take of inTurn(problem, takes, needs)) own[lots.item[take.lot]!]!.push(take);
  const byItem = lotsByItem(problem);
  const left = lots.quantity.slice();
  return own.flatMap((before, item) => {
    if (before.length === 0) return before;
    const ordered = byRank(problem, byItem.list.subarray(byItem.at[item]!, byItem.at[item + 1]!), days);
    const after = pegItem(problem, before, ordered, days, needs, left);
    return after && isAsGood(problem, before, after, ordered, days, needs, shortOf.get(item) ?? []) ? after : before;
  });
}

/** Takes in the order in which their DUs choose, by start and rank. */
function inTurn({ dus }: Problem, takes: Take[], { start }: Needs): Take[] {
  const all = Int32Array.from(start.keys());
  const first = start.reduce((least, day) => Math.min(least, day), 0);
  // Nobody without a start takes anything.
  const last = start.reduce((most, day) => (day === NO_DAY ? most : Math.max(most, day)), 0);
  const days = start.map((day) => Math.min(day, last) - first);
  const turn = new Int32Array(all.length);
  sortByCounting(sortByCounting(all, dus.rank, all.length).list, days, last - first + 1).list.forEach((du, place) => {
    turn[du] = place;
  });
  const turns = Int32Array.from(takes, ({ du }) => turn[du]!);
  return Array.from(sortByCounting(Int32Array.from(takes.keys()), turns, all.length).list, (at) => takes[at]!);
}

/** The rows of a plan. */
export function allocationsOf(takes: Take[], days: LotDays, needs: Needs): Allocations {
  const sorted = [...takes].sort((a, b) => a.du - b.du || a.item - b.item || a.group - b.group || b.covers - a.covers || a.lot - b.lot);
  return {
    du: Int32Array.from(sorted, ({ du }) => du),
    designItem: Int32Array.from(sorted, ({ item }) => item),
    lot: Int32Array.from(sorted, ({ lot }) => lot),
    quantity: Float64Array.from(sorted, ({ quantity }) => quantity),
    covers: Float64Array.from(sorted, ({ covers }) => covers),
    group: Int32Array.from(sorted, ({ group }) => group),
    direct: Uint8Array.from(sorted, ({ direct }) => (direct ? 1 : 0)),
    available: Int32Array.from(sorted, (take) => availableOn(take, days)),
    need: Int32Array.from(sorted, ({ du }) => needs.start[du]!),
  };
}

/** Day on which what was taken could be used. */
export function availableOn({ lot, direct }: Take, { day, direct: without }: LotDays): number {
  return direct ? without[lot]! : day[lot]!;
}

/** Lots in the order in which they are pegged. */
function byRank({ lots }: Problem, list: Int32Array, { day }: LotDays): Int32Array {
  const rank = (lot: number) => (lots.source[lot] === REUSE ? -1 : lots.source[lot]!);
  return list
    .slice()
    .sort((a, b) => rank(a) - rank(b) || (lots.source[a] === 0 ? 0 : day[a]! - day[b]!) || lots.priority[a]! - lots.priority[b]! || a - b);
}

/** Pegs one item. What moved directly stays so. @param before in the order in which the DUs choose @returns null when somebody does not get all */
function pegItem(problem: Problem, before: Take[], lots: Int32Array, days: LotDays, needs: Needs, left: Float64Array): Take[] | null {
  const { start } = needs;
  const { dus, teams } = problem;
  const after = before.filter(({ direct }) => direct);
  for (const { lot, quantity } of after) left[lot]! -= quantity;
  // Lots of each region, and how many of the first ones are used up.
  const ofRegion: ({ list: Int32Array; used: number } | null)[] = new Array(teams.regions).fill(null);
  for (const { du, item, group, quantity: wanted, covers: covered } of draws(before)) {
    let quantity = wanted;
    let covers = covered;
    const take = (lot: number, direct: boolean) => {
      const units = Math.min(quantity, left[lot]!);
      const own = group < 0 ? units : covers;
      after.push({ du, item, lot, quantity: units, covers: own, group, direct });
      left[lot]! -= units;
      quantity -= units;
      covers -= own;
    };
    if (dus.directFrom[du]! >= 0)
      for (const lot of lots)
        if (quantity > 0 && left[lot]! > 0 && days.direct[lot]! <= start[du]! && servesDirectly(problem, du, lot)) take(lot, true);
    const region = dus.region[du]!;
    ofRegion[region] ??= { list: lots.filter((lot) => servesRegion(problem, du, lot)), used: 0 };
    const own = ofRegion[region];
    while (own.used < own.list.length && left[own.list[own.used]!]! <= 0) own.used++;
    for (let place = own.used; place < own.list.length && quantity > 0; place++) {
      const lot = own.list[place]!;
      if (left[lot]! > 0 && days.day[lot]! <= start[du]!) take(lot, false);
    }
    if (quantity > 0) return null;
  }
  return after;
}

/** What each DU takes otherwise than directly, in one for each purpose: its own item, or a part of a substitution. */
function draws(takes: Take[]): Take[] {
  const sums: Take[] = [];
  let first = 0;
  for (const take of takes) {
    if (take.direct) continue;
    if (sums[first]?.du !== take.du) first = sums.length;
    let at = first;
    while (at < sums.length && (sums[at]!.item - take.item || sums[at]!.group - take.group) < 0) at++;
    const known = sums[at];
    if (known && known.item === take.item && known.group === take.group) {
      known.quantity += take.quantity;
      known.covers += take.covers;
    } else sums.splice(at, 0, { ...take });
  }
  return sums;
}

function isAsGood(
  problem: Problem,
  before: Take[],
  after: Take[],
  lots: Int32Array,
  days: LotDays,
  needs: Needs,
  short: number[],
): boolean {
  // DUs whose start is just the day on which something of this item is there.
  const held = (takes: Take[]) =>
    new Set(
      takes
        .filter((take) => {
          const available = availableOn(take, days);
          if (needs.kept[take.du] === 1 || available <= needs.ready[take.du]!) return false;
          return firstWorkingDay(problem, take.du, available) === needs.start[take.du];
        })
        .map(({ du }) => du),
    );
  const now = held(after);
  for (const du of held(before)) if (!now.has(du)) return false;
  if (short.length === 0) return true;
  const taken = new Map<number, number>();
  for (const { lot, quantity } of before) taken.set(lot, (taken.get(lot) ?? 0) + quantity);
  for (const { lot, quantity } of after) taken.set(lot, (taken.get(lot) ?? 0) - quantity);
  return short.every((du) => {
    let more = 0;
    for (const lot of lots) {
      const by = problem.lots.source[lot] === REUSE ? needs.start[du]! : needs.latest[du]!;
      const usable = servesRegion(problem, du, lot) ? days.day[lot]! <= by : servesDirectly(problem, du, lot) && days.direct[lot]! <= by;
      if (usable) more += taken.get(lot) ?? 0;
    }
    return more <= 0;
  });
}
