import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import { lengthOf, type Ready } from "#lib/planning-engine/normalise/logic.ts";
import { passForward, type Workspace } from "#lib/planning-engine/sgs/logic.ts";
import { arriveFrom, nextDonor, type Store } from "#lib/planning-engine/store/logic.ts";

/**
 * A pass forward over a component with a store: as `passForward`, but a DU whose cover needs the reuse lot of a donor that is not placed yet has the donor's
 * jobs up to its dismantling placed first.
 * @returns the first place of the list that found no room inside the horizon, else its length
 */
export function passWithDonors(ready: Ready, work: Workspace, store: Store, list: Int32Array, from: number, to: number): number {
  store.place = (job) => {
    store.one[0] = job;
    return passForward(ready, work, store.one, 0, 1) === 1;
  };
  for (let place = from; place < to; place++) {
    const job = list[place]!;
    if (store.done[job] === 0 && !placeWithDonors(ready, work, store, job)) return place;
  }
  return to;
}

/** Places one job as the pass at work does, behind the donors it needs. @returns whether there was room */
export function placeWithDonors(ready: Ready, work: Workspace, store: Store, job: number): boolean {
  if (!placeDonors(ready, work, store, job) || !store.place(job)) return false;
  finish(ready, work, store, job);
  return true;
}

/** Marks a job as placed; behind the last disassembly of a DU its lots have come. */
export function finish(ready: Ready, work: Workspace, store: Store, job: number): void {
  const { firstJob, flow } = ready.problem.dus;
  const du = ready.duOfJob[job]!;
  store.done[job] = 1;
  if (store.givenAt[du]! < store.givenAt[du + 1]! && store.disassembly[ready.flows.at[flow[du]!]! + job - firstJob[du]!] === 1)
    arriveFrom(ready, store, du, (own) => endOf(ready, work, store, own), work);
}

/** Places the donors that a DU needs before a job that is its material job; for others there is nothing to do. @returns whether there was room */
export function placeDonors(ready: Ready, work: Workspace, store: Store, job: number): boolean {
  const { problem, flows, duOfJob } = ready;
  const { dus, demand } = problem;
  const du = duOfJob[job]!;
  if (demand.at[du] === demand.at[du + 1] || job - dus.firstJob[du]! !== flows.material[dus.flow[du]!]) return true;
  store.busy[du] = 1;
  store.chain++;
  for (let donor = nextDonor(ready, work, store, du); donor >= 0; donor = nextDonor(ready, work, store, du)) {
    store.asked[donor] = 1;
    for (let own = dus.firstJob[donor]!, entry = flows.at[dus.flow[donor]!]!; own < dus.firstJob[donor + 1]!; own++, entry++)
      if (store.leads[entry] === 1 && store.done[own] === 0 && !placeWithDonors(ready, work, store, own)) return false;
  }
  store.busy[du] = 0;
  store.chain--;
  return true;
}

/** The day after a placed or kept job, `NO_DAY` for others. */
function endOf({ problem, flows, calendars, duOfJob, keptOf }: Ready, work: Workspace, store: Store, job: number): number {
  const kept = keptOf?.[job] ?? -1;
  if (kept >= 0) return problem.kept.end[kept]!;
  if (store.done[job] === 0) return NO_DAY;
  const { dus } = problem;
  const du = duOfJob[job]!;
  const duration = flows.durations[flows.at[dus.flow[du]!]! + job - dus.firstJob[du]!]!;
  return calendars[dus.calendar[du]!]!.days[work.start[job]! + lengthOf(duration) - 1]! + 1;
}
