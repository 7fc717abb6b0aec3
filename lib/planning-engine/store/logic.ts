import type { Component } from "#lib/planning-engine/components/logic.ts";
import { LONGEST_CHAIN, REUSE } from "#lib/planning-engine/lots/limits.ts";
import { dayOfReuse, servesDirectly } from "#lib/planning-engine/lots/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Problem } from "#lib/planning-engine/model/logic.ts";
import { firstWorkAt, type Ready } from "#lib/planning-engine/normalise/logic.ts";
import type { Workspace } from "#lib/planning-engine/sgs/logic.ts";

/**
 * Material of components whose DUs may use reuse lots, substitutes or what moves directly, during a pass. Other components do without.
 * Lists are cut by `…At`: entries `at[x] .. at[x + 1]`.
 */
export type Store = {
  /** Lots that come from each DU, and those kept for it by direct moving. */
  givenAt: Int32Array;
  given: Int32Array;
  keptForAt: Int32Array;
  keptFor: Int32Array;
  /** Of each lot: DUs it is kept for, first by rank, with their demand for its item; and the lots of its site and item. */
  claimAt: Int32Array;
  claimDu: Int32Array;
  claimEntry: Int32Array;
  peersAt: Int32Array;
  peers: Int32Array;
  /** Reuse lots of each item. */
  reuseAt: Int32Array;
  reuse: Int32Array;
  /** 1 = the entry of the flows is a disassembly or leads to one. */
  leads: Uint8Array;
  disassembly: Uint8Array;
  /** Reuse lots that have their day, by item and region in order of the day; `count` of each row are filled. */
  arrivedAt: Int32Array;
  arrived: Int32Array;
  count: Int32Array;
  /** Days of all lots; `NO_DAY` for reuse lots whose donor is not dismantled yet. */
  day: Int32Array;
  direct: Int32Array;
  /** What is not covered yet, by entry of the demand; substituted units of each DU. */
  open: Float64Array;
  substituted: Float64Array;
  /** Of each DU: 1 = its material job is placed, 1 = in the chain of donors at work, 1 = its donors have been looked for as such; first day of the material job. */
  placed: Uint8Array;
  busy: Uint8Array;
  asked: Uint8Array;
  chain: number;
  need: Int32Array;
  /** 1 = the job is placed in this pass. */
  done: Uint8Array;
  /** How the pass at work places a job, and the list of that one job. */
  place: (job: number) => boolean;
  one: Int32Array;
  /** DUs that are placed and miss something. */
  waiting: Int32Array;
  waitingCount: number;
  /** The first day on which the DU at work is covered as far as it will be. */
  coveredBy: number;
  /** What a trial takes, row by row, and what it leaves open by entry of the demand; what would be open on the last day. */
  row: { lot: Int32Array; quantity: Float64Array; covers: Float64Array; entry: Int32Array; group: Int32Array; direct: Uint8Array };
  rows: number;
  left: Float64Array;
  target: Float64Array;
  days: Int32Array;
  /** What may have to be put back. */
  saved: { open: Float64Array; substituted: Float64Array; placed: Uint8Array; gap: Uint8Array; waiting: number };
  /** What kept jobs leave. */
  kept: {
    open: Float64Array;
    substituted: Float64Array;
    placed: Uint8Array;
    day: Int32Array;
    direct: Int32Array;
    arrived: Int32Array;
    count: Int32Array;
    waiting: number[];
  };
};

/** Makes the store of a problem; null when nothing of it is asked for. */
export function newStore(ready: Ready): Store | null {
  const { problem, flows, jobs } = ready;
  const { lots, dus, substitutes, demand, items, teams, kept } = problem;
  const reuseLots = [...lots.source.keys()].filter((lot) => lots.source[lot] === REUSE);
  if (reuseLots.length === 0 && substitutes.covers.length === 0) return null;
  const count = dus.id.length;
  const entries = demand.item.length;
  const given = listsOf(count, reuseLots, (lot) => lots.donor[lot]!);
  const reuse = listsOf(items, reuseLots, (lot) => lots.item[lot]!);
  const arrivedAt = new Int32Array(items * teams.regions + 1);
  for (let row = 0; row < items * teams.regions; row++) {
    const region = row % teams.regions;
    const item = (row - region) / teams.regions;
    const own = reuse.list.subarray(reuse.at[item]!, reuse.at[item + 1]!);
    arrivedAt[row + 1] =
      arrivedAt[row]! + own.reduce((sum, lot) => sum + (lots.region[lot]! < 0 || lots.region[lot] === region ? 1 : 0), 0);
  }
  const size = Math.max(16, 4 * lots.item.length);
  const store: Store = {
    givenAt: given.at,
    given: given.list,
    ...claims(problem, reuseLots),
    reuseAt: reuse.at,
    reuse: reuse.list,
    ...disassembly(ready),
    arrivedAt,
    arrived: new Int32Array(arrivedAt.at(-1)!),
    count: new Int32Array(items * teams.regions),
    day: lots.day.slice(),
    direct: new Int32Array(lots.item.length).fill(NO_DAY),
    open: demand.quantity.slice(),
    substituted: new Float64Array(count),
    placed: new Uint8Array(count),
    busy: new Uint8Array(count),
    asked: new Uint8Array(count),
    chain: 0,
    need: new Int32Array(count).fill(NO_DAY),
    done: new Uint8Array(jobs),
    place: () => false,
    one: new Int32Array(1),
    saved: {
      open: new Float64Array(entries),
      substituted: new Float64Array(count),
      placed: new Uint8Array(count),
      gap: new Uint8Array(count),
      waiting: 0,
    },
    waiting: new Int32Array(count),
    waitingCount: 0,
    coveredBy: 0,
    row: {
      lot: new Int32Array(size),
      quantity: new Float64Array(size),
      covers: new Float64Array(size),
      entry: new Int32Array(size),
      group: new Int32Array(size),
      direct: new Uint8Array(size),
    },
    rows: 0,
    left: new Float64Array(entries),
    target: new Float64Array(entries),
    days: new Int32Array(2 * lots.item.length),
    kept: {
      open: new Float64Array(0),
      substituted: new Float64Array(0),
      placed: new Uint8Array(0),
      day: new Int32Array(0),
      direct: new Int32Array(0),
      arrived: new Int32Array(0),
      count: new Int32Array(0),
      waiting: [],
    },
  };
  // Who has taken its material, or has no job to take it with, claims nothing.
  for (let du = 0; du < count; du++) if (flows.material[dus.flow[du]!]! < 0) close(store, problem, du);
  for (let at = 0; at < kept.job.length; at++) {
    const job = ready.keptJob[at]!;
    store.done[job] = 1;
    const du = ready.duOfJob[job]!;
    if (job - dus.firstJob[du]! !== flows.material[dus.flow[du]!]) continue;
    if (kept.state[at]! <= 2) close(store, problem, du);
    store.placed[du] = 1;
  }
  for (let du = 0; du < count; du++)
    if (store.givenAt[du]! < store.givenAt[du + 1]!) arriveFrom(ready, store, du, (job) => keptEnd(ready, job));
  return store;
}

function close(store: Store, { demand }: Problem, du: number): void {
  store.placed[du] = 1;
  store.open.fill(0, demand.at[du]!, demand.at[du + 1]!);
}

function keptEnd({ keptOf, problem }: Ready, job: number): number {
  const at = keptOf?.[job] ?? -1;
  return at < 0 ? NO_DAY : problem.kept.end[at]!;
}

/** Cuts a list by a number of its members, which keep their order. */
function listsOf(size: number, members: number[], of: (member: number) => number): { at: Int32Array; list: Int32Array } {
  const at = new Int32Array(size + 1);
  for (const member of members) at[of(member) + 1]!++;
  for (let own = 0; own < size; own++) at[own + 1]! += at[own]!;
  const next = at.slice();
  const list = new Int32Array(members.length);
  for (const member of members) list[next[of(member)]!++] = member;
  return { at, list };
}

/** Which DUs lots are kept for, and the other way round. */
function claims(problem: Problem, reuseLots: number[]) {
  const { dus, lots, demand, substitutes } = problem;
  const byRank = Array.from(dus.id.keys())
    .filter((du) => dus.directFrom[du]! >= 0)
    .sort((a, b) => dus.rank[a]! - dus.rank[b]!);
  const bySite = new Map<number, number[]>();
  for (const du of byRank) bySite.set(dus.directFrom[du]!, [...(bySite.get(dus.directFrom[du]!) ?? []), du]);
  const claimAt = new Int32Array(lots.item.length + 1);
  const peersAt = new Int32Array(lots.item.length + 1);
  const claimDu: number[] = [];
  const claimEntry: number[] = [];
  const peers: number[] = [];
  const pairs: { du: number; lot: number }[] = [];
  const peersOf = new Map<string, number[]>();
  const siteOf = (lot: number) => dus.site[lots.donor[lot]!]!;
  for (const lot of reuseLots) {
    const key = `${siteOf(lot)}/${lots.item[lot]}`;
    const own = peersOf.get(key);
    if (own) own.push(lot);
    else peersOf.set(key, [lot]);
  }
  const isReuse = new Set(reuseLots);
  for (let lot = 0; lot < lots.item.length; lot++) {
    for (const du of (isReuse.has(lot) ? bySite.get(siteOf(lot)) : undefined) ?? []) {
      if (!servesDirectly(problem, du, lot)) continue;
      const item = lots.item[lot]!;
      let needs = false;
      for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++) {
        const design = demand.item[entry]!;
        if (design === item) {
          claimDu.push(du);
          claimEntry.push(entry);
        }
        const parts = substitutes.partItem.subarray(
          substitutes.partAt[substitutes.at[design]!]!,
          substitutes.partAt[substitutes.at[design + 1]!]!,
        );
        needs ||= design === item || parts.includes(item);
      }
      if (needs) pairs.push({ du, lot });
    }
    claimAt[lot + 1] = claimDu.length;
    if (claimAt[lot + 1]! > claimAt[lot]!) peers.push(...peersOf.get(`${siteOf(lot)}/${lots.item[lot]}`)!);
    peersAt[lot + 1] = peers.length;
  }
  const keptFor = listsOf(
    dus.id.length,
    pairs.map((_, pair) => pair),
    (pair) => pairs[pair]!.du,
  );
  return {
    claimAt,
    claimDu: Int32Array.from(claimDu),
    claimEntry: Int32Array.from(claimEntry),
    peersAt,
    peers: Int32Array.from(peers),
    keptForAt: keptFor.at,
    keptFor: keptFor.list.map((pair) => pairs[pair]!.lot),
  };
}

/** Entries of the flows that are disassembly, and those that lead to one. */
function disassembly({ flows, problem }: Ready): { leads: Uint8Array; disassembly: Uint8Array } {
  const is = new Uint8Array(flows.position.length);
  problem.flows.forEach((flow, number) => {
    for (let entry = flows.at[number]!; entry < flows.at[number + 1]!; entry++) is[entry] = flow.disassembly[flows.position[entry]!]!;
  });
  const leads = is.slice();
  for (let flow = problem.flows.length - 1; flow >= 0; flow--)
    for (let entry = flows.at[flow + 1]! - 1; entry >= flows.at[flow]!; entry--)
      if (leads[entry] === 1)
        for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) leads[flows.at[flow]! + flows.inFrom[arc]!] = 1;
  return { leads, disassembly: is };
}

/** Remembers what kept jobs leave, which every pass begins with. */
export function keepStore(store: Store): void {
  const { open, substituted, placed, day, direct, arrived, count } = store;
  store.kept = {
    open: open.slice(),
    substituted: substituted.slice(),
    placed: placed.slice(),
    day: day.slice(),
    direct: direct.slice(),
    arrived: arrived.slice(),
    count: count.slice(),
    waiting: [...store.waiting.subarray(0, store.waitingCount)],
  };
}

/** Remembers what is covered, so that anchors of a cluster can be taken back. */
export function saveStore({ saved, open, substituted, placed, waitingCount }: Store, gap: Uint8Array): void {
  saved.open.set(open);
  saved.substituted.set(substituted);
  saved.placed.set(placed);
  saved.gap.set(gap);
  saved.waiting = waitingCount;
}

/** Puts back what was remembered. */
export function restoreStore(store: Store, gap: Uint8Array): void {
  const { saved } = store;
  store.open.set(saved.open);
  store.substituted.set(saved.substituted);
  store.placed.set(saved.placed);
  store.waitingCount = saved.waiting;
  gap.set(saved.gap);
}

/** Puts back what free jobs of a component have changed. */
export function clearStore(ready: Ready, work: Workspace, store: Store, component: Component): void {
  const { problem, keptOf } = ready;
  const { demand, dus, lots, teams } = problem;
  const { kept } = store;
  store.asked.fill(0);
  for (const du of component.dus) {
    for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++) store.open[entry] = kept.open[entry]!;
    store.substituted[du] = kept.substituted[du]!;
    store.placed[du] = kept.placed[du]!;
    store.asked[du] = 2;
    work.gap[du] = 0;
    for (let job = dus.firstJob[du]!; job < dus.firstJob[du + 1]!; job++) store.done[job] = (keptOf?.[job] ?? -1) >= 0 ? 1 : 0;
  }
  store.waitingCount = 0;
  for (const du of kept.waiting)
    if (store.asked[du] === 2) {
      store.waiting[store.waitingCount++] = du;
      work.gap[du] = 2;
    }
  store.asked.fill(0);
  store.busy.fill(0);
  store.chain = 0;
  for (const lot of component.lots) {
    store.day[lot] = kept.day[lot]!;
    store.direct[lot] = kept.direct[lot]!;
    if (lots.source[lot] !== REUSE) continue;
    for (let region = 0; region < teams.regions; region++) {
      if (lots.region[lot]! >= 0 && lots.region[lot] !== region) continue;
      const row = lots.item[lot]! * teams.regions + region;
      store.count[row] = kept.count[row]!;
      for (let at = store.arrivedAt[row]!; at < store.arrivedAt[row]! + kept.count[row]!; at++) store.arrived[at] = kept.arrived[at]!;
    }
  }
}

/** A material job that keeps its dates takes what is there on its first day. */
export function takeForKept(ready: Ready, work: Workspace, store: Store, du: number, day: number): void {
  const open = tryCover(ready, store, work.keptRemaining, du, day);
  settle(ready, store, du, day, work.keptTakes);
  if (open === 0) return;
  work.gap[du] = 2;
  store.waiting[store.waitingCount++] = du;
}

/** First working day, not before `at`, on which a DU is covered as far as it will be by the last day on which its material job could begin. */
export function waitForCover(ready: Ready, work: Workspace, store: Store, du: number, at: number): number {
  const calendar = ready.calendars[ready.problem.dus.calendar[du]!]!;
  const { days } = calendar;
  const latest = ready.materialLatest[du]!;
  if (latest < at) return at;
  store.coveredBy = days[at]!;
  if (tryCover(ready, store, work.remaining, du, days[at]!) === 0) {
    undo(store, work.remaining);
    return at;
  }
  undo(store, work.remaining);
  const { demand } = ready.problem;
  tryCover(ready, store, work.remaining, du, days[latest]!);
  for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++) store.target[entry] = store.left[entry]!;
  undo(store, work.remaining);
  if (isCovered(ready, work, store, du, days[at]!, days[latest]!)) return at;
  // Between a day on which it is not covered and one on which it is, days of lots are halved until two neighbours are left.
  const count = daysOfLots(ready, work, store, du, days[at]!, days[latest]!);
  let low = -1;
  let high = count - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isCovered(ready, work, store, du, store.days[middle]!, days[latest]!)) high = middle;
    else low = middle;
  }
  if (high < 0) return at;
  store.coveredBy = store.days[high]!;
  return firstWorkAt(calendar, store.coveredBy);
}

/** What the DU takes when its material job begins on a day. */
export function takeCover(ready: Ready, work: Workspace, store: Store, du: number, day: number): void {
  const { problem, calendars, materialLatest } = ready;
  const { demand, dus } = problem;
  let open = tryCover(ready, store, work.remaining, du, day);
  if (open > 0 && store.coveredBy < day) {
    undo(store, work.remaining);
    const last = calendars[dus.calendar[du]!]!.days[materialLatest[du]!]!;
    // More lots can be used by now; where they would cover less, because parts go to another group, it is as on the day that was waited for.
    const by = isCovered(ready, work, store, du, day, last) ? day : store.coveredBy;
    open = tryCover(ready, store, work.remaining, du, by);
  }
  settle(ready, store, du, day, work.takes);
  store.placed[du] = 1;
  work.gap[du] = open > 0 ? 1 : 0;
  if (open > 0) store.waiting[store.waitingCount++] = du;
  // What was kept for it and is left goes to the others.
  for (let at = store.keptForAt[du]!; at < store.keptForAt[du + 1]!; at++) serveWaiting(ready, work, store, store.keptFor[at]!);
  for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++) store.target[entry] = 0;
}

/** What the DU takes when its material job stands on a day already and waits for nothing. */
export function takeOnDay(ready: Ready, work: Workspace, store: Store, du: number, day: number): void {
  store.coveredBy = day;
  takeCover(ready, work, store, du, day);
}

/** Gives the lots of a DU their day, once all its disassembly is placed; who misses something and began later is served first. */
export function arriveFrom(ready: Ready, store: Store, du: number, endOf: (job: number) => number, work: Workspace | null = null): void {
  const { problem, flows } = ready;
  const { dus, lots, teams } = problem;
  let end = -NO_DAY;
  for (let job = dus.firstJob[du]!, entry = flows.at[dus.flow[du]!]!; job < dus.firstJob[du + 1]!; job++, entry++)
    if (store.disassembly[entry] === 1) end = Math.max(end, endOf(job));
  if (end === -NO_DAY || end === NO_DAY) return;
  for (let at = store.givenAt[du]!; at < store.givenAt[du + 1]!; at++) {
    const lot = store.given[at]!;
    if (store.direct[lot] !== NO_DAY) continue;
    store.direct[lot] = end;
    store.day[lot] = dayOfReuse(problem, du, end, lots.turnaround[lot]!);
    if (store.day[lot] !== NO_DAY)
      for (let region = 0; region < teams.regions; region++) {
        if (lots.region[lot]! >= 0 && lots.region[lot] !== region) continue;
        const row = lots.item[lot]! * teams.regions + region;
        let place = store.arrivedAt[row]! + store.count[row]!++;
        while (place > store.arrivedAt[row]! && store.day[store.arrived[place - 1]!]! > store.day[lot]!) {
          store.arrived[place] = store.arrived[place - 1]!;
          place--;
        }
        store.arrived[place] = lot;
      }
    if (work) serveWaiting(ready, work, store, lot);
  }
}

/** DUs that miss something take what they can of a lot that has come, or has become free, and could be used when they began. */
function serveWaiting(ready: Ready, work: Workspace, store: Store, lot: number): void {
  if (store.direct[lot] === NO_DAY || work.remaining[lot]! <= 0) return;
  for (let at = 0; at < store.waitingCount; at++) {
    const du = store.waiting[at]!;
    if (work.gap[du] === 0 || store.direct[lot]! > store.need[du]!) continue;
    const open = tryCover(ready, store, work.remaining, du, store.need[du]!);
    if (store.rows > 0) settle(ready, store, du, store.need[du]!, work.takes);
    if (open === 0) work.gap[du] = 0;
  }
}

/**
 * The reuse lot that a DU would have to wait for another DU to be dismantled for: what moves directly first, then the donor that comes first by rank; -1 when
 * no donor could help.
 */
export function nextDonor(ready: Ready, work: Workspace, store: Store, du: number): number {
  const { problem, calendars, materialLatest, flows } = ready;
  const { demand, substitutes, dus, lots } = problem;
  if (store.chain >= LONGEST_CHAIN || materialLatest[du]! < 0) return -1;
  const by = calendars[dus.calendar[du]!]!.days[materialLatest[du]!]!;
  tryCover(ready, store, work.remaining, du, by);
  let best = -1;
  let bestRank = NO_DAY;
  const look = (item: number): void => {
    for (let at = store.reuseAt[item]!; at < store.reuseAt[item + 1]!; at++) {
      const lot = store.reuse[at]!;
      const donor = lots.donor[lot]!;
      if (store.direct[lot] !== NO_DAY || store.asked[donor] === 1) continue;
      const direct = servesDirectly(problem, du, lot);
      if (!direct && lots.region[lot]! >= 0 && lots.region[lot] !== dus.region[du]) continue;
      // A cluster is placed as a block, and a donor that waits for a DU in this chain cannot help it.
      if (problem.clusters && dus.cluster[du]! >= 0 && dus.cluster[donor] === dus.cluster[du]) continue;
      const material = flows.material[dus.flow[donor]!]!;
      if (waitsForGate(ready, store, donor)) continue;
      if (store.busy[donor] === 1 && material >= 0 && store.leads[flows.at[dus.flow[donor]!]! + material] === 1) continue;
      if (freeOf(store, work.remaining, lot, du) <= 0) continue;
      const rank = dus.rank[donor]! - (direct ? dus.id.length : 0);
      if (rank >= bestRank) continue;
      bestRank = rank;
      best = donor;
    }
  };
  for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++) {
    if (store.left[entry]! <= 0) continue;
    const item = demand.item[entry]!;
    look(item);
    // A group may lack one part now and another when the job begins: all that could ever complete it is looked for.
    for (let part = substitutes.partAt[substitutes.at[item]!]!; part < substitutes.partAt[substitutes.at[item + 1]!]!; part++)
      look(substitutes.partItem[part]!);
  }
  undo(store, work.remaining);
  return best;
}

/** Whether a donor can only be dismantled behind its anchor, which waits for the gate of a cluster. */
function waitsForGate({ problem, flows }: Ready, store: Store, donor: number): boolean {
  const { dus, clusters } = problem;
  if (!clusters || dus.cluster[donor]! < 0) return false;
  const flow = dus.flow[donor]!;
  const anchor = flows.anchor[flow]!;
  return anchor >= 0 && store.leads[flows.at[flow]! + anchor] === 1 && store.done[dus.firstJob[donor]! + anchor] === 0;
}

/** Units of a lot that a DU may use: not those kept for DUs that come before it. */
export function freeOf(store: Store, remaining: Float64Array, lot: number, du: number): number {
  const from = store.claimAt[lot]!;
  const to = store.claimAt[lot + 1]!;
  if (from === to) return remaining[lot]!;
  let kept = 0;
  for (let at = from; at < to && store.claimDu[at] !== du; at++)
    if (store.placed[store.claimDu[at]!] === 0) kept += store.open[store.claimEntry[at]!]!;
  for (let at = store.peersAt[lot]!; at < store.peersAt[lot + 1]! && kept > 0 && store.peers[at] !== lot; at++)
    kept -= remaining[store.peers[at]!]!;
  return kept > 0 ? Math.max(0, remaining[lot]! - kept) : remaining[lot]!;
}

/** Tries to cover what a DU misses with lots that can be used by a day, in its order of design priority. `undo` or `settle` has to follow. @returns what stays open */
export function tryCover(ready: Ready, store: Store, remaining: Float64Array, du: number, by: number): number {
  const { demand, substitutes } = ready.problem;
  store.rows = 0;
  let short = 0;
  for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++) {
    let open = store.open[entry]!;
    const item = demand.item[entry]!;
    if (open > 0) open = takeUnits(ready, store, remaining, du, item, open, by, entry, -1);
    for (let group = substitutes.at[item]!; group < substitutes.at[item + 1]! && open > 0; group++) {
      const from = substitutes.partAt[group]!;
      const to = substitutes.partAt[group + 1]!;
      let whole = from < to ? Math.ceil(open / substitutes.covers[group]!) : 0;
      for (let part = from; part < to && whole > 0; part++) {
        const units = usableUnits(ready, store, remaining, du, substitutes.partItem[part]!, by);
        whole = Math.min(whole, Math.floor(units / substitutes.partQuantity[part]!));
      }
      if (whole <= 0) continue;
      const first = store.rows;
      for (let part = from; part < to; part++)
        takeUnits(ready, store, remaining, du, substitutes.partItem[part]!, whole * substitutes.partQuantity[part]!, by, entry, group);
      const covers = Math.min(open, whole * substitutes.covers[group]!);
      store.row.covers[first] = covers;
      open -= covers;
    }
    store.left[entry] = open;
    short += open;
  }
  return short;
}

/** Takes units of an item: what moves directly, then of the lot that became available last. @returns what could not be taken */
function takeUnits(
  ready: Ready,
  store: Store,
  remaining: Float64Array,
  du: number,
  item: number,
  wanted: number,
  by: number,
  entry: number,
  group: number,
): number {
  const { problem, supplyAt, supply } = ready;
  const { lots, dus, teams } = problem;
  let open = wanted;
  let before = NO_DAY;
  let beforeLot = NO_DAY;
  while (open > 0 && store.keptForAt[du]! < store.keptForAt[du + 1]!) {
    // The next one by day, the later lot first.
    let next = -1;
    for (let at = store.keptForAt[du]!; at < store.keptForAt[du + 1]!; at++) {
      const lot = store.keptFor[at]!;
      const day = store.direct[lot]!;
      if (lots.item[lot] !== item || day > by || day > before || (day === before && lot >= beforeLot)) continue;
      if (next < 0 || day > store.direct[next]! || (day === store.direct[next] && lot > next)) next = lot;
    }
    if (next < 0) break;
    before = store.direct[next]!;
    beforeLot = next;
    open -= draw(store, remaining, du, next, open, entry, group, 1);
  }
  const list = item * teams.regions + dus.region[du]!;
  let dated = supplyAt[list + 1]! - 1;
  let arrived = store.arrivedAt[list]! + store.count[list]! - 1;
  while (dated >= supplyAt[list]! && lots.day[supply[dated]!]! > by) dated--;
  while (arrived >= store.arrivedAt[list]! && store.day[store.arrived[arrived]!]! > by) arrived--;
  while (open > 0 && (dated >= supplyAt[list]! || arrived >= store.arrivedAt[list]!)) {
    const again = arrived >= store.arrivedAt[list]! ? store.arrived[arrived]! : -1;
    const other = dated >= supplyAt[list]! ? supply[dated]! : -1;
    if (other < 0 || (again >= 0 && store.day[again]! >= lots.day[other]!)) {
      arrived--;
      if (!servesDirectly(problem, du, again)) open -= draw(store, remaining, du, again, open, entry, group, 0);
    } else {
      dated--;
      if (remaining[other]! > 0) open -= draw(store, remaining, du, other, open, entry, group, 0);
    }
  }
  return open;
}

/** Takes up to so many units of a lot. @returns how many */
function draw(
  store: Store,
  remaining: Float64Array,
  du: number,
  lot: number,
  open: number,
  entry: number,
  group: number,
  direct: number,
): number {
  const units = Math.min(open, freeOf(store, remaining, lot, du));
  if (units <= 0) return 0;
  remaining[lot]! -= units;
  const at = store.rows++;
  if (at === store.row.lot.length) widen(store);
  const { row } = store;
  row.lot[at] = lot;
  row.quantity[at] = units;
  row.covers[at] = group < 0 ? units : 0;
  row.entry[at] = entry;
  row.group[at] = group;
  row.direct[at] = direct;
  return units;
}

function widen(store: Store): void {
  const { row } = store;
  const wider = <T extends Int32Array | Float64Array | Uint8Array>(from: T, to: T): T => {
    to.set(from);
    return to;
  };
  const size = 2 * row.lot.length;
  store.row = {
    lot: wider(row.lot, new Int32Array(size)),
    quantity: wider(row.quantity, new Float64Array(size)),
    covers: wider(row.covers, new Float64Array(size)),
    entry: wider(row.entry, new Int32Array(size)),
    group: wider(row.group, new Int32Array(size)),
    direct: wider(row.direct, new Uint8Array(size)),
  };
}

/** Units of an item that a DU could take by a day. */
function usableUnits(ready: Ready, store: Store, remaining: Float64Array, du: number, item: number, by: number): number {
  const { problem, supplyAt, supply } = ready;
  const { lots, dus, teams } = problem;
  let units = 0;
  for (let at = store.keptForAt[du]!; at < store.keptForAt[du + 1]!; at++) {
    const lot = store.keptFor[at]!;
    if (lots.item[lot] === item && store.direct[lot]! <= by) units += freeOf(store, remaining, lot, du);
  }
  const list = item * teams.regions + dus.region[du]!;
  for (let place = supplyAt[list]!; place < supplyAt[list + 1]! && lots.day[supply[place]!]! <= by; place++)
    units += remaining[supply[place]!]!;
  for (let place = store.arrivedAt[list]!; place < store.arrivedAt[list]! + store.count[list]!; place++) {
    const lot = store.arrived[place]!;
    if (store.day[lot]! > by) break;
    if (!servesDirectly(problem, du, lot)) units += freeOf(store, remaining, lot, du);
  }
  return units;
}

/** Whether by a day a DU misses no more than it will on the last one, and leaves nothing unused then that would help it. */
function isCovered(ready: Ready, work: Workspace, store: Store, du: number, by: number, last: number): boolean {
  const { demand, substitutes } = ready.problem;
  tryCover(ready, store, work.remaining, du, by);
  let covered = true;
  for (let entry = demand.at[du]!; entry < demand.at[du + 1]! && covered; entry++) {
    if (store.left[entry]! > store.target[entry]!) covered = false;
    if (store.left[entry]! <= 0 || !covered) continue;
    const item = demand.item[entry]!;
    if (usableUnits(ready, store, work.remaining, du, item, last) > 0) covered = false;
    for (let group = substitutes.at[item]!; group < substitutes.at[item + 1]! && covered; group++) {
      const from = substitutes.partAt[group]!;
      const to = substitutes.partAt[group + 1]!;
      let whole = from < to;
      for (let part = from; part < to && whole; part++)
        whole = usableUnits(ready, store, work.remaining, du, substitutes.partItem[part]!, last) >= substitutes.partQuantity[part]!;
      if (whole) covered = false;
    }
  }
  undo(store, work.remaining);
  return covered;
}

/** Puts the days after `from` up to `to` on which lots for a DU become available into `store.days`, ascending. @returns how many there are */
function daysOfLots(ready: Ready, work: Workspace, store: Store, du: number, from: number, to: number): number {
  const { problem, supplyAt, supply } = ready;
  const { demand, substitutes, lots, dus, teams } = problem;
  let count = 0;
  const add = (day: number, lot: number): void => {
    if (day <= from || day > to || work.remaining[lot]! <= 0) return;
    if (count === store.days.length) {
      const wider = new Int32Array(2 * count + 1);
      wider.set(store.days);
      store.days = wider;
    }
    store.days[count++] = day;
  };
  const addItem = (item: number): void => {
    const list = item * teams.regions + dus.region[du]!;
    for (let place = supplyAt[list]!; place < supplyAt[list + 1]!; place++) add(lots.day[supply[place]!]!, supply[place]!);
    for (let place = store.arrivedAt[list]!; place < store.arrivedAt[list]! + store.count[list]!; place++)
      add(store.day[store.arrived[place]!]!, store.arrived[place]!);
  };
  for (let at = store.keptForAt[du]!; at < store.keptForAt[du + 1]!; at++) add(store.direct[store.keptFor[at]!]!, store.keptFor[at]!);
  for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++) {
    const item = demand.item[entry]!;
    addItem(item);
    for (let part = substitutes.partAt[substitutes.at[item]!]!; part < substitutes.partAt[substitutes.at[item + 1]!]!; part++)
      addItem(substitutes.partItem[part]!);
  }
  store.days.subarray(0, count).sort();
  let distinct = 0;
  for (let at = 0; at < count; at++) if (at === 0 || store.days[at] !== store.days[at - 1]) store.days[distinct++] = store.days[at]!;
  return distinct;
}

/** Gives back what a trial took. */
export function undo(store: Store, remaining: Float64Array): void {
  for (let at = 0; at < store.rows; at++) remaining[store.row.lot[at]!]! += store.row.quantity[at]!;
  store.rows = 0;
}

/** Makes a trial the plan's: what it covered is no longer open. */
function settle(ready: Ready, store: Store, du: number, day: number, takes: Workspace["takes"]): void {
  const { demand } = ready.problem;
  const { row } = store;
  store.need[du] = day;
  for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++) store.open[entry] = store.left[entry]!;
  for (let at = 0; at < store.rows; at++) {
    if (row.group[at]! >= 0) store.substituted[du]! += row.covers[at]!;
    takes?.push({
      du,
      item: demand.item[row.entry[at]!]!,
      lot: row.lot[at]!,
      quantity: row.quantity[at]!,
      covers: row.covers[at]!,
      group: row.group[at]!,
      direct: row.direct[at] === 1,
    });
  }
  store.rows = 0;
}
