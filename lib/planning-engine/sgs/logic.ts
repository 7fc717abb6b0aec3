import { type ClusterRoom, newClusterRoom } from "#lib/planning-engine/clusters/logic.ts";
import { type GroupRoom, keepTeams, newGroupRoom } from "#lib/planning-engine/co-groups/logic.ts";
import type { Component } from "#lib/planning-engine/components/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import { firstWorkAt, lengthOf, type Ready, type WorkingDays } from "#lib/planning-engine/normalise/logic.ts";
import type { Take } from "#lib/planning-engine/pegging/logic.ts";
import type { ReverseRoom } from "#lib/planning-engine/reverse-sgs/logic.ts";
import { keepStore, newStore, type Store, takeCover, takeForKept, waitForCover } from "#lib/planning-engine/store/logic.ts";

/**
 * Room for passes over the components of a problem. Starts are working-day numbers of the DU's calendar. Pools keep the teams free on each day, and a
 * pointer to the next day with one; both rows have one day more than the horizon.
 */
export type Workspace = {
  start: Int32Array;
  pool: Int16Array;
  free: Int16Array;
  next: Int16Array;
  remaining: Float64Array;
  /** 1 = the DU is planned without some of its material. */
  gap: Uint8Array;
  days: number;
  /** What kept jobs leave: copied before every pass. */
  keptFree: Int16Array;
  keptNext: Int16Array;
  keptRemaining: Float64Array;
  /** Entry of a DU's first job in the flat flows, less the job's number. */
  entryShift: Int32Array;
  /** First entry of each DU's flow. */
  flowAt: Int32Array;
  keptDu: Uint8Array | null;
  /** What only components with groups, clusters or held DUs need: null and empty where no component has any. */
  groups: GroupRoom | null;
  clusters: ClusterRoom | null;
  placed: Uint8Array;
  /** First working day of each job while its DU is held, null without a base; and which DUs are. */
  heldFrom: Int32Array | null;
  /** Days of the base, or of the present plan, by job; null without. */
  givenDays: Int32Array | null;
  /** Pool of each job in the base, -1 without: of equal starts it comes first. */
  givenPool: Int16Array | null;
  heldDu: Uint8Array;
  /** Whether the component at work is one of those. */
  groupedNow: boolean;
  /** What passes backward need; null in forward planning. */
  reverse: ReverseRoom | null;
  savedLots: Float64Array;
  savedTeam: Int32Array;
  savedName: Int32Array;
  /** What kept jobs take, and where a pass writes what it takes; null while nobody wants to know. */
  keptTakes: Take[];
  takes: Take[] | null;
  /** Reuse lots, substitutes and direct moving; null when the problem has none. `store` is what the component at work uses of it. */
  whole: Store | null;
  store: Store | null;
};

/** Start of a done job without dates: it bounds nothing. */
const NO_BOUND = -NO_DAY;

/** Room for passes, with the teams and lots of kept jobs taken. */
export function newWorkspace(ready: Ready, components: Component[]): Workspace {
  const { problem, jobs, flows } = ready;
  const { dus, teams, lots } = problem;
  const days = problem.horizonDays;
  const grouped = components.filter((component) => component.grouped);
  const any = grouped.length > 0;
  const stride = days + 1;
  const pools = teams.count.length;
  const work: Workspace = {
    start: new Int32Array(jobs),
    pool: new Int16Array(jobs).fill(-1),
    free: new Int16Array(pools * stride),
    next: new Int16Array(pools * stride),
    remaining: new Float64Array(lots.item.length),
    gap: new Uint8Array(dus.id.length),
    days,
    keptFree: new Int16Array(pools * stride),
    keptNext: new Int16Array(pools * stride),
    keptRemaining: lots.quantity.slice(),
    entryShift: Int32Array.from(dus.flow, (flow, du) => flows.at[flow]! - dus.firstJob[du]!),
    flowAt: Int32Array.from(dus.flow, (flow) => flows.at[flow]!),
    keptDu: null,
    groups: any
      ? newGroupRoom(
          ready,
          days,
          grouped.map(({ pools }) => pools),
        )
      : null,
    clusters: any ? newClusterRoom(ready, days) : null,
    placed: new Uint8Array(any ? jobs : 0),
    heldFrom: null,
    givenDays: null,
    givenPool: null,
    heldDu: new Uint8Array(any ? dus.id.length : 0),
    groupedNow: false,
    reverse: null,
    savedLots: new Float64Array(any ? lots.item.length : 0),
    savedTeam: new Int32Array(any ? dus.id.length : 0),
    savedName: new Int32Array(any ? dus.id.length : 0),
    keptTakes: [],
    takes: null,
    whole: newStore(ready),
    store: null,
  };
  for (let pool = 0; pool < pools; pool++) work.keptFree.fill(teams.count[pool]!, pool * stride, pool * stride + days);
  if (ready.keptOf) placeKept(ready, work);
  if (work.whole) keepStore(work.whole);
  for (let pool = 0; pool < pools; pool++)
    for (let day = 0; day <= days; day++) {
      const at = pool * stride + day;
      work.keptNext[at] = day === days || work.keptFree[at]! > 0 ? day : day + 1;
    }
  return work;
}

/** Kept jobs hold a team of the pool the plan names, or of the first eligible one with room; material jobs that have not begun take their material. */
function placeKept(ready: Ready, work: Workspace): void {
  const { problem, flows, duOfJob, keptJob } = ready;
  const { kept, dus, teams } = problem;
  work.keptDu = new Uint8Array(dus.id.length);
  const stride = work.days + 1;
  const byStart = Array.from(kept.job, (_, at) => at).sort((left, right) => kept.start[left]! - kept.start[right]! || left - right);
  for (const at of byStart) {
    const job = keptJob[at]!;
    const du = duOfJob[job]!;
    work.keptDu[du] = 1;
    const entry = job + work.entryShift[du]!;
    work.start[job] = kept.first[at] === NO_DAY ? NO_BOUND : kept.first[at]!;
    const state = kept.state[at]!;
    if (state < 2 || kept.start[at] === NO_DAY) continue;
    const from = Math.max(0, kept.start[at]!);
    const to = Math.min(work.days, kept.end[at]!);
    const own = flows.teamClass[entry]!;
    if (own >= 0) {
      const list = own * teams.regions + dus.region[du]!;
      let pool = kept.pool[at]!;
      for (let e = teams.eligibleAt[list]!; pool < 0 && e < teams.eligibleAt[list + 1]!; e++) {
        let day = from;
        while (day < to && work.keptFree[teams.eligible[e]! * stride + day]! > 0) day++;
        if (day >= to) pool = teams.eligible[e]!;
      }
      // None with room: the first one carries it as overload, and free jobs see no room there.
      if (pool < 0) pool = teams.eligible[teams.eligibleAt[list]!] ?? -1;
      work.pool[job] = pool;
      if (pool >= 0) for (let day = from; day < to; day++) work.keptFree[pool * stride + day]!--;
    }
    if (state > 2 && entry - flows.at[dus.flow[du]!]! === flows.material[dus.flow[du]!]) {
      if (work.whole) takeForKept(ready, work, work.whole, du, kept.start[at]!);
      else {
        if (coverDay(ready, work.keptRemaining, du, kept.start[at]!).short > 0) work.gap[du] = 2;
        takeMaterial(ready, work.keptRemaining, du, kept.start[at]!, work.keptTakes);
      }
    }
  }
  if (work.groups) keepTeams(ready, work.groups, byStart, work.pool, work.days);
}

/** Puts back what the free jobs of a component hold. */
export function clearComponent(work: Workspace, component: Component): void {
  const stride = work.days + 1;
  for (const pool of component.pools) {
    const from = pool * stride;
    work.free.set(work.keptFree.subarray(from, from + stride), from);
    work.next.set(work.keptNext.subarray(from, from + stride), from);
  }
  for (const lot of component.lots) work.remaining[lot] = work.keptRemaining[lot]!;
}

/**
 * One pass forward: every job of the list (free jobs of one component, each behind its predecessors) starts on the first day that relations, material and a
 * team allow; idle gaps are filled.
 * @returns the first place of the list that found no room inside the horizon, else its length
 */
export function passForward(ready: Ready, work: Workspace, list: Int32Array, from: number, to: number): number {
  const { duOfJob, releaseWork, endWork, calendars, flows, problem } = ready;
  const { start, entryShift, keptDu, store } = work;
  const { inAt, inFrom, inLag, durations, teamClass } = flows;
  const { firstJob, region, calendar } = problem.dus;
  const { material } = flows;
  const flowOf = problem.dus.flow;
  const { regions, eligibleAt, eligible } = problem.teams;
  for (let place = from; place < to; place++) {
    const job = list[place]!;
    const du = duOfJob[job]!;
    const base = firstJob[du]!;
    const entry = job + entryShift[du]!;
    let at = releaseWork[du]!;
    if (keptDu !== null && keptDu[du] === 1) at = boundAmongKept(ready, work, base, entry, at);
    else
      for (let arc = inAt[entry]!; arc < inAt[entry + 1]!; arc++) {
        const bound = start[base + inFrom[arc]!]! + inLag[arc]!;
        if (bound > at) at = bound;
      }
    const days = calendars[calendar[du]!]!;
    const duration = durations[entry]!;
    const takes = job - base === material[flowOf[du]!]!;
    if (takes) at = store === null ? waitForMaterial(ready, work, du, at, days) : waitForCover(ready, work, store, du, at);
    const own = teamClass[entry]!;
    if (own < 0) {
      if (at + lengthOf(duration) > endWork[du]!) return place;
    } else {
      const lists = own * regions + region[du]!;
      const first = eligibleAt[lists]!;
      const last = eligibleAt[lists + 1]!;
      let best = -1;
      let pool = -1;
      if (last === first + 1) {
        pool = eligible[first]!;
        best = days.plain
          ? roomPlain(work, pool, at + days.days[0]!, duration) - days.days[0]!
          : roomByCalendar(work, pool, at, duration, days, endWork[du]!);
      } else {
        for (let e = first; e < last; e++) {
          const other = eligible[e]!;
          const found = roomByCalendar(work, other, at, duration, days, endWork[du]!);
          if (found >= 0 && (best < 0 || found < best)) {
            best = found;
            pool = other;
          }
        }
      }
      if (best < 0) return place;
      at = best;
      work.pool[job] = pool;
      hold(work, pool, days.days[at]!, days.days[at + duration - 1]! + 1);
    }
    start[job] = at;
    if (takes) {
      if (store === null) takeMaterial(ready, work.remaining, du, days.days[at]!, work.takes);
      else takeCover(ready, work, store, du, days.days[at]!);
    }
  }
  return to;
}

/** Relations of a DU that keeps dates: kept predecessors may last as long as they do, and those without dates bound nothing. */
export function boundAmongKept(ready: Ready, work: Workspace, base: number, entry: number, release: number): number {
  const { flows, keptOf, problem } = ready;
  const { kept } = problem;
  let at = release;
  for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) {
    const from = base + flows.inFrom[arc]!;
    const keptAt = keptOf![from]!;
    let bound: number;
    if (keptAt < 0) bound = work.start[from]! + flows.inLag[arc]!;
    else if (kept.first[keptAt] === NO_DAY) continue;
    else {
      const kind = flows.inKind[arc]!;
      const own = lengthOf(flows.durations[entry]!) - 1;
      const offset = flows.inOffset[arc]!;
      if (kind === 0) bound = kept.last[keptAt]! + offset + (flows.durations[entry] === 0 ? 0 : 1);
      else if (kind === 1) bound = kept.first[keptAt]! + offset;
      else if (kind === 2) bound = kept.last[keptAt]! + offset - own;
      else bound = kept.first[keptAt]! + offset - own;
    }
    if (bound > at) at = bound;
  }
  return at;
}

/** First day on or after `from` with a team free on all days of the job, every day being a working day; below 0 by a horizon when there is none. */
function roomPlain(work: Workspace, pool: number, from: number, duration: number): number {
  const { free, next, days } = work;
  const row = pool * (days + 1);
  let at = from;
  for (;;) {
    if (at + duration > days) return -NO_DAY;
    while (next[row + at] !== at) {
      const onward = next[row + at]!;
      next[row + at] = next[row + onward]!;
      at = onward;
    }
    if (at + duration > days) return -NO_DAY;
    let day = at + duration - 1;
    while (day > at && free[row + day]! > 0) day--;
    if (day === at) return at;
    at = day + 1;
  }
}

/** The same for a calendar with free days, which the team spends with the job; in working-day numbers. */
export function roomByCalendar(work: Workspace, pool: number, from: number, duration: number, calendar: WorkingDays, end: number): number {
  const { free, next, days } = work;
  const row = pool * (days + 1);
  let at = from;
  for (;;) {
    if (at + duration > end) return -NO_DAY;
    const first = calendar.days[at]!;
    let open = first;
    while (open < days && next[row + open] !== open) open = next[row + open]!;
    if (open > first) {
      next[row + first] = open;
      at = firstWorkAt(calendar, open);
      continue;
    }
    let day = calendar.days[at + duration - 1]!;
    while (day > first && free[row + day]! > 0) day--;
    if (day === first) return at;
    at = firstWorkAt(calendar, day + 1);
  }
}

/** Takes a team of a pool on the days [from, to). */
export function hold(work: Workspace, pool: number, from: number, to: number): void {
  const row = pool * (work.days + 1);
  for (let at = row + from; at < row + to; at++) if (--work.free[at]! <= 0) work.next[at] = at - row + 1;
}

/** Puts a team of a pool back on the days [from, to). */
export function giveBack(work: Workspace, pool: number, from: number, to: number): void {
  const row = pool * (work.days + 1);
  for (let at = row + from; at < row + to; at++) work.free[at]!++;
  // Pointers over days that have room again would be wrong: each shows one day ahead again.
  for (let day = 0; day < work.days; day++) work.next[row + day] = work.free[row + day]! > 0 ? day : day + 1;
}

/** Working day on which the DU's material is there as far as it can be, not before `at`; marks the DU when something stays short. */
export function waitForMaterial(ready: Ready, work: Workspace, du: number, at: number, days: WorkingDays): number {
  const { demand } = ready.problem;
  if (demand.at[du] === demand.at[du + 1]) return at;
  const latest = ready.materialLatest[du]!;
  if (latest < at) return at;
  const cover = coverDay(ready, work.remaining, du, days.days[latest]!);
  work.gap[du] = cover.short > 0 ? 1 : 0;
  return Math.max(at, firstWorkAt(days, cover.day));
}

const cover = { day: 0, short: 0 };

/** First day on which as much of the DU's demand is covered as will be by `latest`, and the hundredths that stay short. The answer is overwritten by the next call. */
export function coverDay(ready: Ready, remaining: Float64Array, du: number, latest: number): { day: number; short: number } {
  const { supplyAt, supply, problem } = ready;
  const { demand, lots, teams, dus } = problem;
  cover.day = 0;
  cover.short = 0;
  for (let at = demand.at[du]!; at < demand.at[du + 1]!; at++) {
    let open = demand.quantity[at]!;
    const list = demand.item[at]! * teams.regions + dus.region[du]!;
    let day = 0;
    for (let place = supplyAt[list]!; place < supplyAt[list + 1]! && open > 0; place++) {
      const lot = supply[place]!;
      if (lots.day[lot]! > latest) break;
      const units = remaining[lot]!;
      if (units <= 0) continue;
      open -= units;
      day = lots.day[lot]!;
    }
    if (open > 0) cover.short += open;
    if (day > cover.day) cover.day = day;
  }
  return cover;
}

/** Takes the DU's demand from the lots available on a day, the one that became available last first. */
export function takeMaterial(ready: Ready, remaining: Float64Array, du: number, day: number, takes: Take[] | null): void {
  const { supplyAt, supply, problem } = ready;
  const { demand, lots, teams, dus } = problem;
  for (let at = demand.at[du]!; at < demand.at[du + 1]!; at++) {
    let open = demand.quantity[at]!;
    const list = demand.item[at]! * teams.regions + dus.region[du]!;
    let place = supplyAt[list]!;
    const end = supplyAt[list + 1]!;
    while (place < end && lots.day[supply[place]!]! <= day) place++;
    for (place--; place >= supplyAt[list]! && open > 0; place--) {
      const lot = supply[place]!;
      const units = Math.min(open, remaining[lot]!);
      if (units <= 0) continue;
      if (takes) takes.push({ du, item: demand.item[at]!, lot, quantity: units, covers: units, group: -1, direct: false });
      remaining[lot]! -= units;
      open -= units;
    }
  }
}
