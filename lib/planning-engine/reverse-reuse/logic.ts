import type { Component } from "#lib/planning-engine/components/logic.ts";
import { servesDirectly, servesRegion } from "#lib/planning-engine/lots/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import { firstWorkAt, lengthOf, type Ready } from "#lib/planning-engine/normalise/logic.ts";
import type { Workspace } from "#lib/planning-engine/sgs/logic.ts";
import { arriveFrom, clearStore, freeOf, type Store, takeOnDay, tryCover, undo } from "#lib/planning-engine/store/logic.ts";
import { MOST_IDLE } from "./limits.ts";

/**
 * Reuse in a pass backward: jobs that take material stand first, and each lot they are promised gives its donor a day by which it has to be dismantled. When
 * all dates stand, lots are given out once more by what has really become of them.
 */
export type Promises = {
  /** When a job is placed: 0 first, 1 = what leads to a dismantling behind the material job of its own DU, 2 = to any other one. */
  phase: Uint8Array;
  /** Day before which each donor has to be dismantled; `NO_DAY` = whenever it suits. */
  endBy: Int32Array;
  /** 1 = the pass has come by the job. */
  passed: Uint8Array;
  /** Whether a pass makes promises: one that failed with them is run again without. */
  made: boolean;
  /** Donors that were looked at in this round. */
  asked: Int32Array;
  round: number;
  /** Takes of other components. */
  takes: number;
  spare: Int32Array;
};

/** Room for the promises of a problem; null without reuse. */
export function newPromises(ready: Ready, store: Store | null): Promises | null {
  const { problem, flows, jobs } = ready;
  const { dus } = problem;
  if (store === null || store.given.length === 0) return null;
  const phase = new Uint8Array(jobs);
  for (let du = 0; du < dus.id.length; du++) {
    if (store.givenAt[du] === store.givenAt[du + 1]) continue;
    const base = flows.at[dus.flow[du]!]!;
    const material = flows.material[dus.flow[du]!]!;
    const own = material >= 0 && store.leads[base + material] === 1 ? 1 : 2;
    for (let job = dus.firstJob[du]!, entry = base; job < dus.firstJob[du + 1]!; job++, entry++)
      if (store.leads[entry] === 1) phase[job] = own;
  }
  return {
    phase,
    endBy: new Int32Array(dus.id.length).fill(NO_DAY),
    passed: new Uint8Array(jobs),
    made: true,
    asked: new Int32Array(dus.id.length),
    round: 0,
    takes: 0,
    spare: new Int32Array(jobs),
  };
}

/** Puts what is dismantled behind those who could use it; otherwise the list keeps its order. */
export function putDonorsLast({ phase, spare }: Promises, list: Int32Array, count: number): void {
  let out = 0;
  for (let own = 0; own < 3; own++) for (let at = 0; at < count; at++) if (phase[list[at]!] === own) spare[out++] = list[at]!;
  for (let at = 0; at < count; at++) list[at] = spare[at]!;
}

/** Before a pass nothing is promised. */
export function clearPromises({ problem }: Ready, work: Workspace, promises: Promises, component: Component): void {
  const { firstJob } = problem.dus;
  for (const du of component.dus) {
    promises.endBy[du] = NO_DAY;
    promises.passed.fill(0, firstJob[du]!, firstJob[du + 1]!);
  }
  promises.takes = work.takes?.length ?? 0;
}

/**
 * What a DU lacks on the first day of its material job is promised to it from donors still to be dismantled, first by rank. Promises behind the last one
 * that covered anything are taken back.
 * @param canEnd whether the relations let a free job of a donor end before a day
 */
export function promiseReuse(
  ready: Ready,
  work: Workspace,
  store: Store,
  promises: Promises,
  du: number,
  day: number,
  canEnd: (job: number, end: number) => boolean,
): void {
  const missing = () => {
    const open = tryCover(ready, store, work.remaining, du, day);
    undo(store, work.remaining);
    return open;
  };
  const made: { donor: number; end: number }[] = [];
  promises.round++;
  let open = missing();
  let useful = 0;
  while (open > 0 && made.length - useful < MOST_IDLE) {
    const { donor, end } = nextPromise(ready, work, store, promises, du, day, canEnd);
    if (donor < 0) break;
    promises.asked[donor] = promises.round;
    made.push({ donor, end: promises.endBy[donor]! });
    promise(ready, store, promises, donor, end);
    const left = missing();
    if (left < open) useful = made.length;
    open = left;
  }
  for (const { donor, end } of made.slice(useful).reverse()) promise(ready, store, promises, donor, end);
}

/** Gives the lots of a donor the days they have when it is dismantled by a day; `NO_DAY` takes them back. */
function promise(ready: Ready, store: Store, promises: Promises, donor: number, end: number): void {
  const { lots, teams } = ready.problem;
  for (let at = store.givenAt[donor]!; at < store.givenAt[donor + 1]!; at++) {
    const lot = store.given[at]!;
    if (store.direct[lot] === NO_DAY) continue;
    store.direct[lot] = NO_DAY;
    if (store.day[lot] === NO_DAY) continue;
    store.day[lot] = NO_DAY;
    for (let region = 0; region < teams.regions; region++) {
      if (lots.region[lot]! >= 0 && lots.region[lot] !== region) continue;
      const row = lots.item[lot]! * teams.regions + region;
      const last = store.arrivedAt[row]! + --store.count[row]!;
      for (let place = store.arrived.indexOf(lot, store.arrivedAt[row]!); place < last; place++)
        store.arrived[place] = store.arrived[place + 1]!;
    }
  }
  promises.endBy[donor] = end;
  if (end !== NO_DAY) arriveFrom(ready, store, donor, () => end);
}

/** The donor, first by rank and direct moving before all, that could still help a DU, and the day before which it has to be dismantled then. */
function nextPromise(
  ready: Ready,
  work: Workspace,
  store: Store,
  { endBy, asked, round, passed }: Promises,
  du: number,
  day: number,
  canEnd: (job: number, end: number) => boolean,
): { donor: number; end: number } {
  const { problem, flows, keptOf, calendars } = ready;
  const { dus, lots, demand, substitutes, kept } = problem;
  const best = { donor: -1, end: NO_DAY };
  let bestRank = NO_DAY;
  const canBeBy = (donor: number, end: number) => {
    for (let job = dus.firstJob[donor]!, entry = flows.at[dus.flow[donor]!]!; job < dus.firstJob[donor + 1]!; job++, entry++) {
      if (store.disassembly[entry] === 0) continue;
      const at = keptOf?.[job] ?? -1;
      if (at >= 0 ? kept.end[at]! > end : passed[job] === 1 || !canEnd(job, end)) return false;
    }
    return true;
  };
  const look = (item: number): void => {
    for (let at = store.reuseAt[item]!; at < store.reuseAt[item + 1]!; at++) {
      const lot = store.reuse[at]!;
      const donor = lots.donor[lot]!;
      // A lot with its day comes from a donor that is dismantled already.
      if (asked[donor] === round || (store.direct[lot] !== NO_DAY && endBy[donor] === NO_DAY)) continue;
      const direct = servesDirectly(problem, du, lot);
      if (!direct && !servesRegion(problem, du, lot)) continue;
      // A cluster is placed as a block.
      if (problem.clusters && dus.cluster[du]! >= 0 && dus.cluster[donor] === dus.cluster[du]) continue;
      const calendar = calendars[dus.calendar[donor]!]!;
      const last = firstWorkAt(calendar, day) - 1 - (direct ? 0 : lots.turnaround[lot]!);
      const end = last < 0 ? -NO_DAY : calendar.days[last]! + 1;
      const rank = dus.rank[donor]! - (direct ? dus.id.length : 0);
      if (rank >= bestRank || end >= endBy[donor]! || freeOf(store, work.remaining, lot, du) <= 0 || !canBeBy(donor, end)) continue;
      bestRank = rank;
      best.donor = donor;
      best.end = end;
    }
  };
  for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++) {
    if (store.left[entry]! <= 0) continue;
    const item = demand.item[entry]!;
    look(item);
    for (let part = substitutes.partAt[substitutes.at[item]!]!; part < substitutes.partAt[substitutes.at[item + 1]!]!; part++)
      look(substitutes.partItem[part]!);
  }
  return best;
}

/** The day after a job of a pass that is complete. */
function endOf({ problem, flows, calendars, duOfJob, keptOf }: Ready, { start }: Workspace, job: number): number {
  const at = keptOf?.[job] ?? -1;
  if (at >= 0) return problem.kept.end[at]!;
  const { dus } = problem;
  const du = duOfJob[job]!;
  const duration = flows.durations[flows.at[dus.flow[du]!]! + job - dus.firstJob[du]!]!;
  return calendars[dus.calendar[du]!]!.days[start[job]! + lengthOf(duration) - 1]! + 1;
}

/** The lots of a donor that nobody waited for have their day when all its dismantling is placed. */
export function arriveWhenPlaced(ready: Ready, work: Workspace, store: Store, { endBy }: Promises, du: number): void {
  const { dus } = ready.problem;
  if (endBy[du] !== NO_DAY || store.givenAt[du] === store.givenAt[du + 1]) return;
  for (let job = dus.firstJob[du]!, entry = ready.flows.at[dus.flow[du]!]!; job < dus.firstJob[du + 1]!; job++, entry++)
    if (store.disassembly[entry] === 1 && store.done[job] === 0) return;
  arriveFrom(ready, store, du, (job) => endOf(ready, work, job));
}

/** When all dates stand: every lot has the day it really has, and all take once more, in the order of the pass. */
export function giveOut(
  ready: Ready,
  work: Workspace,
  store: Store,
  promises: Promises,
  component: Component,
  list: Int32Array,
  count: number,
): void {
  const { problem, flows, calendars, duOfJob } = ready;
  const { dus, demand } = problem;
  for (const lot of component.lots) work.remaining[lot] = work.keptRemaining[lot]!;
  if (work.takes) work.takes.length = promises.takes;
  clearStore(ready, work, store, component);
  for (const du of component.dus)
    if (store.givenAt[du]! < store.givenAt[du + 1]!) arriveFrom(ready, store, du, (job) => endOf(ready, work, job), work);
  for (let place = 0; place < count; place++) {
    const job = list[place]!;
    const du = duOfJob[job]!;
    if (job - dus.firstJob[du]! !== flows.material[dus.flow[du]!] || demand.at[du] === demand.at[du + 1]) continue;
    takeOnDay(ready, work, store, du, calendars[dus.calendar[du]!]!.days[work.start[job]!]!);
  }
}
