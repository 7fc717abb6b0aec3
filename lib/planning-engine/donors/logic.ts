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
  for (let place = from; place < to; place++) {
    const job = list[place]!;
    if (store.done[job] === 0 && !placeWithDonors(ready, work, store, job)) return place;
  }
  return to;
}

/** Places one job, behind the donors it needs. @returns whether there was room */
export function placeWithDonors(ready: Ready, work: Workspace, store: Store, job: number): boolean {
  const { problem, flows, duOfJob } = ready;
  const { dus, demand } = problem;
  const du = duOfJob[job]!;
  const place = job - dus.firstJob[du]!;
  const needs = demand.at[du]! < demand.at[du + 1]! && place === flows.material[dus.flow[du]!];
  if (needs && !placeDonors(ready, work, store, du)) return false;
  store.one[0] = job;
  if (passForward(ready, work, store.one, 0, 1) < 1) return false;
  store.done[job] = 1;
  if (store.givenAt[du]! < store.givenAt[du + 1]! && store.disassembly[flows.at[dus.flow[du]!]! + place] === 1)
    arriveFrom(ready, store, du, (own) => endOf(ready, work, store, own), work);
  return true;
}

function placeDonors(ready: Ready, work: Workspace, store: Store, du: number): boolean {
  const { dus } = ready.problem;
  store.busy[du] = 1;
  store.chain++;
  for (let donor = nextDonor(ready, work, store, du); donor >= 0; donor = nextDonor(ready, work, store, du)) {
    store.asked[donor] = 1;
    for (let job = dus.firstJob[donor]!, entry = ready.flows.at[dus.flow[donor]!]!; job < dus.firstJob[donor + 1]!; job++, entry++)
      if (store.leads[entry] === 1 && store.done[job] === 0 && !placeWithDonors(ready, work, store, job)) return false;
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
