import { anchorDays, type ClusterRoom, gateOf, nextClose, openWindow } from "#lib/planning-engine/clusters/logic.ts";
import { GROUP_TRIES } from "#lib/planning-engine/co-groups/limits.ts";
import { clearBusy, type GroupRoom, roomOfTeam, roomOfTeams, setBusy } from "#lib/planning-engine/co-groups/logic.ts";
import type { Component } from "#lib/planning-engine/components/logic.ts";
import { finish, placeDonors, placeWithDonors } from "#lib/planning-engine/donors/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import { firstWorkAt, lengthOf, type Ready, type WorkingDays } from "#lib/planning-engine/normalise/logic.ts";
import {
  boundAmongKept,
  giveBack,
  hold,
  roomByCalendar,
  takeMaterial,
  type Workspace,
  waitForMaterial,
} from "#lib/planning-engine/sgs/logic.ts";
import { restoreStore, saveStore, takeCover, waitForCover } from "#lib/planning-engine/store/logic.ts";

/**
 * One pass forward over a component with groups, clusters or held DUs: as the plain pass, but single teams are kept where groups share them, anchors wait
 * for the gate of their cluster and for a window, and held jobs do not begin before their base.
 * @returns the first place of the list that found no room, else its length
 */
export function passGrouped(ready: Ready, work: Workspace, component: Component, list: Int32Array, count: number): number {
  const { clusters } = work;
  if (work.store) work.store.place = (job) => placeJob(ready, work, job, 0);
  for (let place = 0; place < count; place++) {
    const cluster = clusters === null ? -1 : clusters.anchorOf[list[place]!]!;
    if (cluster < 0) {
      const job = list[place]!;
      const { store } = work;
      if (store === null ? !placeJob(ready, work, job, 0) : store.done[job] === 0 && !placeWithDonors(ready, work, store, job))
        return place;
      continue;
    }
    let last = place + 1;
    while (last < count && clusters!.anchorOf[list[last]!] === cluster) last++;
    if (!placeAnchors(ready, work, clusters!, component, cluster, list, place, last)) return place;
    place = last - 1;
  }
  return count;
}

/** First working day of a job by release, relations and what holds it. */
function boundOf(ready: Ready, work: Workspace, du: number, job: number): number {
  const base = ready.problem.dus.firstJob[du]!;
  const entry = job + work.entryShift[du]!;
  const { flows, releaseWork } = ready;
  const release = releaseWork[du]!;
  if (work.keptDu !== null && work.keptDu[du] === 1) return boundAmongKept(ready, work, base, entry, release);
  let at = release;
  for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) {
    const bound = work.start[base + flows.inFrom[arc]!]! + flows.inLag[arc]!;
    if (bound > at) at = bound;
  }
  return at;
}

/** Places a job not before working day `least`. @returns false where it finds no room */
function placeJob(ready: Ready, work: Workspace, job: number, least: number): boolean {
  const { duOfJob, calendars, flows, problem, endWork } = ready;
  const { dus } = problem;
  const du = duOfJob[job]!;
  const base = dus.firstJob[du]!;
  const entry = job + work.entryShift[du]!;
  const calendar = calendars[dus.calendar[du]!]!;
  const duration = flows.durations[entry]!;
  let at = Math.max(boundOf(ready, work, du, job), least);
  if (work.heldFrom !== null && work.heldDu[du] === 1 && work.heldFrom[job]! > at) at = work.heldFrom[job]!;
  const takes = job - base === flows.material[dus.flow[du]!]!;
  if (takes) at = work.store ? waitForCover(ready, work, work.store, du, at) : waitForMaterial(ready, work, du, at, calendar);
  if (flows.teamClass[entry]! < 0) {
    if (at + lengthOf(duration) > endWork[du]!) return false;
  } else {
    choose(ready, work, du, job, at);
    if (choice.at < 0) return false;
    at = choice.at;
    holdTeam(work, job, choice.pool, choice.team, calendar.days[at]!, calendar.days[at + duration - 1]! + 1);
  }
  work.start[job] = at;
  work.placed[job] = 1;
  if (takes) {
    if (work.store) takeCover(ready, work, work.store, du, calendar.days[at]!);
    else takeMaterial(ready, work.remaining, du, calendar.days[at]!, work.takes);
  }
  return true;
}

/** Holds a team, or one of a pool, and lets the groups of the job have it. */
function holdTeam(work: Workspace, job: number, pool: number, team: number, from: number, to: number): void {
  const { groups } = work;
  work.pool[job] = pool;
  if (team < 0) {
    hold(work, pool, from, to);
    return;
  }
  setBusy(groups!, groups!.busy, team, from, to);
  groups!.team[job] = team - groups!.firstTeam[pool]! + 1;
}

/** Start, pool and team that were chosen last; start below 0 = no room. */
const choice = { at: -1, pool: -1, team: -1 };

/** Chooses pool and team of a job: the earliest start, then the order of eligible pools. A group has what its first job got, and is looked at whole then. */
function choose(ready: Ready, work: Workspace, du: number, job: number, at: number): void {
  const { problem, flows, calendars, endWork } = ready;
  const { teams, dus } = problem;
  const groups = work.groups!;
  const base = dus.firstJob[du]!;
  const entry = job + work.entryShift[du]!;
  const calendar = calendars[dus.calendar[du]!]!;
  const duration = flows.durations[entry]!;
  const teamGroup = groups.teamGroup[entry]!;
  const nameGroup = groups.nameGroup[entry]!;
  choice.at = choice.pool = choice.team = -1;
  if (teamGroup >= 0 && groups.teamOf[base + teamGroup]! >= 0) {
    const team = groups.teamOf[base + teamGroup]!;
    choice.at = roomOfTeam(groups, team, at, duration, calendar, endWork[du]!);
    choice.team = team;
    choice.pool = groups.poolOfTeam[team]!;
    return;
  }
  const name = nameGroup < 0 ? -1 : groups.nameOf[base + nameGroup]!;
  const list = entry * teams.regions + dus.region[du]!;
  const first = groups.poolsAt[list]!;
  const last = groups.poolsAt[list + 1]!;
  if (teamGroup < 0 && (nameGroup < 0 || name >= 0)) {
    const given = work.givenPool === null ? -1 : work.givenPool[job]!;
    if (given >= 0 && (name < 0 || teams.resource[given] === name))
      for (let e = first; e < last; e++) {
        if (groups.pools[e] !== given) continue;
        choice.at = roomInPool(work, given, at, duration, calendar, endWork[du]!);
        choice.pool = given;
        choice.team = groups.byTeam[given] === 1 ? groups.found : -1;
        if (choice.at === at) return;
      }
    earliestPool(work, teams.resource, first, last, name, at, duration, calendar, endWork[du]!);
    return;
  }
  // The first job of a group: those with the earliest starts are tried with all that follows.
  let candidates = 0;
  // The pool of the base comes first, if it has room at once.
  const given = work.givenPool === null ? -1 : work.givenPool[job]!;
  const held = given >= 0 && roomInPool(work, given, at, duration, calendar, endWork[du]!) === at;
  for (let e = first; e < last; e++) {
    const pool = groups.pools[e]!;
    if (name >= 0 && teams.resource[pool] !== name) continue;
    if (held && pool !== given) continue;
    if (teamGroup >= 0)
      for (let team = groups.firstTeam[pool]!; team < groups.firstTeam[pool + 1]!; team++)
        candidates = addCandidate(groups, candidates, pool, team, roomOfTeam(groups, team, at, duration, calendar, endWork[du]!));
    else {
      const own = roomInPool(work, pool, at, duration, calendar, endWork[du]!);
      candidates = addCandidate(groups, candidates, pool, groups.byTeam[pool] === 1 ? groups.found : -1, own);
    }
  }
  let best = NO_DAY;
  let chosen = -1;
  let start = -1;
  looked.waits = false;
  for (let tries = 0; tries < GROUP_TRIES && tries < candidates; tries++) {
    let next = -1;
    for (let one = 0; one < candidates; one++)
      if (groups.candidateAt[one]! >= 0 && (next < 0 || groups.candidateAt[one]! < groups.candidateAt[next]!)) next = one;
    const own = groups.candidateAt[next]!;
    const finish = candidates === 1 ? 0 : lookAhead(ready, work, du, job, own, groups.candidatePool[next]!, groups.candidateTeam[next]!);
    if (chosen < 0 || finish < best) {
      best = finish;
      chosen = next;
      start = own;
    }
    groups.candidateAt[next] = -1;
    if (!looked.waits) break;
  }
  choice.at = start;
  if (chosen < 0) return;
  choice.pool = groups.candidatePool[chosen]!;
  choice.team = groups.candidateTeam[chosen]!;
  if (teamGroup >= 0) groups.teamOf[base + teamGroup] = choice.team;
  if (nameGroup >= 0) groups.nameOf[base + nameGroup] = teams.resource[choice.pool]!;
}

function addCandidate(groups: GroupRoom, at: number, pool: number, team: number, start: number): number {
  if (start < 0) return at;
  groups.candidateAt[at] = start;
  groups.candidatePool[at] = pool;
  groups.candidateTeam[at] = team;
  return at + 1;
}

function roomInPool(work: Workspace, pool: number, at: number, duration: number, calendar: WorkingDays, end: number): number {
  if (work.groups!.byTeam[pool] === 1) return roomOfTeams(work.groups!, pool, at, duration, calendar, end);
  return roomByCalendar(work, pool, at, duration, calendar, end);
}

/** The pool of a list with the earliest start, of one resource name or any (-1). */
function earliestPool(
  work: Workspace,
  resource: Int32Array,
  first: number,
  last: number,
  name: number,
  at: number,
  duration: number,
  calendar: WorkingDays,
  end: number,
): void {
  const groups = work.groups!;
  choice.at = -1;
  for (let e = first; e < last; e++) {
    const pool = groups.pools[e]!;
    if (name >= 0 && resource[pool] !== name) continue;
    const own = roomInPool(work, pool, at, duration, calendar, end);
    if (own < 0 || (choice.at >= 0 && own >= choice.at)) continue;
    choice.at = own;
    choice.pool = pool;
    choice.team = groups.byTeam[pool] === 1 ? groups.found : -1;
    if (own === at) return;
  }
}

/** Whether a job of the group had to wait in the last look. */
const looked = { waits: false };

/**
 * Last end of a DU when a job of it starts on a day with a team (or, without one, a resource name) and the rest of its groups has the same; what is not of
 * these groups is taken to find room at once.
 */
function lookAhead(ready: Ready, work: Workspace, du: number, job: number, at: number, pool: number, team: number): number {
  const { problem, flows, calendars, endWork, keptOf } = ready;
  const { dus, teams } = problem;
  const groups = work.groups!;
  const calendar = calendars[dus.calendar[du]!]!;
  const entry = job + work.entryShift[du]!;
  const teamGroup = groups.teamGroup[entry]!;
  const nameGroup = groups.nameGroup[entry]!;
  const to = dus.firstJob[du + 1]!;
  looked.waits = false;
  let finish = 0;
  let marked = job;
  for (let next = job; next < to; next++) {
    if (work.placed[next] === 1 || (keptOf !== null && keptOf[next]! >= 0)) continue;
    const own = next + work.entryShift[du]!;
    const duration = flows.durations[own]!;
    let start = at;
    if (next !== job) {
      const bound = boundOf(ready, work, du, next);
      start = bound;
      if (bound + lengthOf(duration) > endWork[du]!) start = -1;
      else if (flows.teamClass[own]! >= 0 && teamGroup >= 0 && groups.teamGroup[own] === teamGroup)
        start = roomOfTeam(groups, team, bound, duration, calendar, endWork[du]!);
      else if (flows.teamClass[own]! >= 0 && nameGroup >= 0 && groups.nameGroup[own] === nameGroup) {
        const list = own * teams.regions + dus.region[du]!;
        earliestPool(
          work,
          teams.resource,
          groups.poolsAt[list]!,
          groups.poolsAt[list + 1]!,
          teams.resource[pool]!,
          bound,
          duration,
          calendar,
          endWork[du]!,
        );
        start = choice.at;
      }
      if (start !== bound) looked.waits = true;
    }
    if (start < 0) {
      finish = NO_DAY;
      break;
    }
    work.start[next] = start;
    if (team >= 0 && flows.teamClass[own]! >= 0 && teamGroup >= 0 && groups.teamGroup[own] === teamGroup) {
      setBusy(groups, groups.busy, team, calendar.days[start]!, calendar.days[start + duration - 1]! + 1);
      marked = next;
    }
    finish = Math.max(finish, start + lengthOf(duration));
  }
  if (teamGroup >= 0)
    for (let next = job; next <= marked; next++) {
      const own = next + work.entryShift[du]!;
      if (work.placed[next] === 1 || groups.teamGroup[own] !== teamGroup || (keptOf !== null && keptOf[next]! >= 0)) continue;
      const start = work.start[next]!;
      clearBusy(groups, team, calendar.days[start]!, calendar.days[start + flows.durations[own]! - 1]! + 1);
    }
  return finish;
}

/**
 * Places the anchors of a cluster, all of which are ready: not before its gate, and where a day would have too many windows, from the next day on which one
 * closes.
 */
function placeAnchors(
  ready: Ready,
  work: Workspace,
  clusters: ClusterRoom,
  component: Component,
  cluster: number,
  list: Int32Array,
  from: number,
  to: number,
): boolean {
  const { problem, duOfJob, calendars, flows } = ready;
  const { dus } = problem;
  const gate = gateOf(ready, clusters, cluster, (du) => readyDay(ready, work, du));
  if (gate === NO_DAY) return false;
  const { store } = work;
  let material = false;
  for (let place = from; place < to; place++) {
    const du = duOfJob[list[place]!]!;
    if (store && !placeDonors(ready, work, store, list[place]!)) return false;
    saveGroups(work, list[place]!, place - from, du);
    material ||= list[place]! - dus.firstJob[du]! === flows.material[dus.flow[du]!];
  }
  if (material) for (let at = 0; at < component.lots.length; at++) work.savedLots[at] = work.remaining[component.lots[at]!]!;
  if (material && store) saveStore(store, work.gap);
  const takes = work.takes?.length ?? 0;
  let day = gate;
  for (;;) {
    let place = from;
    while (place < to) {
      const calendar = calendars[dus.calendar[duOfJob[list[place]!]!]!]!;
      if (!placeJob(ready, work, list[place]!, firstWorkAt(calendar, day))) break;
      place++;
    }
    if (place === to && openWindow(ready, clusters, cluster, work.start)) {
      if (store) for (let one = from; one < to; one++) finish(ready, work, store, list[one]!);
      return true;
    }
    const complete = place === to;
    for (place--; place >= from; place--) takeBack(ready, work, list[place]!, place - from);
    if (material) for (let at = 0; at < component.lots.length; at++) work.remaining[component.lots[at]!] = work.savedLots[at]!;
    if (material && store) restoreStore(store, work.gap);
    if (work.takes) work.takes.length = takes;
    if (!complete) return false;
    day = nextClose(clusters, cluster, day);
    if (day === NO_DAY) return false;
  }
}

/** First day of a DU's anchor by release and predecessors; of a kept or virtual one its own. */
function readyDay(ready: Ready, work: Workspace, du: number): number {
  const { problem, flows, keptOf, calendars } = ready;
  const { dus } = problem;
  const anchor = flows.anchor[dus.flow[du]!]!;
  if (anchor < 0 || (keptOf?.[dus.firstJob[du]! + anchor] ?? -1) >= 0) {
    const own = anchorDays(ready, work.start, du, false);
    return own === NO_DAY ? -NO_DAY : own;
  }
  return calendars[dus.calendar[du]!]!.days[boundOf(ready, work, du, dus.firstJob[du]! + anchor)] ?? NO_DAY;
}

/** Remembers what team and resource name the groups of an anchor have, so that it can be taken back. */
export function saveGroups(work: Workspace, job: number, at: number, du: number): void {
  const groups = work.groups!;
  const entry = job + work.entryShift[du]!;
  const base = job - (entry - work.flowAt[du]!);
  work.savedTeam[at] = groups.teamGroup[entry]! < 0 ? -1 : groups.teamOf[base + groups.teamGroup[entry]!]!;
  work.savedName[at] = groups.nameGroup[entry]! < 0 ? -1 : groups.nameOf[base + groups.nameGroup[entry]!]!;
}

/** Gives back what an anchor holds. */
export function takeBack(ready: Ready, work: Workspace, job: number, at: number): void {
  const { duOfJob, calendars, flows, problem } = ready;
  const groups = work.groups!;
  const du = duOfJob[job]!;
  const base = problem.dus.firstJob[du]!;
  const entry = job + work.entryShift[du]!;
  work.placed[job] = 0;
  if (flows.teamClass[entry]! < 0) return;
  const { days } = calendars[problem.dus.calendar[du]!]!;
  const pool = work.pool[job]!;
  const from = days[work.start[job]!]!;
  const to = days[work.start[job]! + flows.durations[entry]! - 1]! + 1;
  if (groups.byTeam[pool] === 1) clearBusy(groups, groups.firstTeam[pool]! + groups.team[job]! - 1, from, to);
  else giveBack(work, pool, from, to);
  if (groups.teamGroup[entry]! >= 0) groups.teamOf[base + groups.teamGroup[entry]!] = work.savedTeam[at]!;
  if (groups.nameGroup[entry]! >= 0) groups.nameOf[base + groups.nameGroup[entry]!] = work.savedName[at]!;
}
