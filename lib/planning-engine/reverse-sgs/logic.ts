import { anchorDays, type ClusterRoom, openWindow, previousOpen, windowOf } from "#lib/planning-engine/clusters/logic.ts";
import { type GroupRoom, lastRoomOfTeam, lastRoomOfTeams, setBusy } from "#lib/planning-engine/co-groups/logic.ts";
import type { Component } from "#lib/planning-engine/components/logic.ts";
import { saveGroups, takeBack } from "#lib/planning-engine/grouped-sgs/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import { firstWorkAt, lengthOf, type Ready, type WorkingDays } from "#lib/planning-engine/normalise/logic.ts";
import { KEY_UNIT, type Keys, RULE_UNIT, type Rule } from "#lib/planning-engine/portfolio/logic.ts";
import {
  arriveWhenPlaced,
  clearPromises,
  giveOut,
  newPromises,
  type Promises,
  promiseReuse,
} from "#lib/planning-engine/reverse-reuse/logic.ts";
import { boundAmongKept, coverDay, hold, takeMaterial, type Workspace } from "#lib/planning-engine/sgs/logic.ts";
import { type Store, takeOnDay } from "#lib/planning-engine/store/logic.ts";

/** What a pass backward looks at beside the forward one. */
export type ReverseRoom = {
  /** Relations by their predecessor: those out of entry e are `outAt[e] .. outAt[e + 1]`, their successor an entry of the same flow. */
  outAt: Int32Array;
  outTo: Int32Array;
  outArc: Int32Array;
  /** Last working day of each DU on which its anchor may end. */
  dueWork: Int32Array;
  /** 1 = a due date or a fixed date bounds the job from behind; others follow what leads to them. */
  bounded: Uint8Array;
  /** 1 = the job is placed late in this pass: what something bounds, and what has to be dismantled by a day. */
  late: Uint8Array;
  /** Last working day on which the anchor of each DU has to be ready, for its cluster's gate to open; `NO_DAY` where the gate does without it. */
  readyBy: Int32Array;
  promises: Promises | null;
  /** Earliest starts of the DU at work. */
  earliest: Int32Array;
  /** Ends of the anchors at work, before they are moved in front of another window. */
  anchorEnd: Int32Array;
  capped: Uint8Array;
  /** DU that found no room in the last pass. */
  failed: number;
};

/** Makes the room of passes backward. */
export function newReverseRoom(ready: Ready, store: Store | null = null): ReverseRoom {
  const { flows, problem, keptOf, jobs, calendars } = ready;
  const { dus, kept } = problem;
  const outAt = new Int32Array(flows.position.length + 1);
  const base = new Int32Array(flows.position.length);
  for (let flow = 0; flow + 1 < flows.at.length; flow++) base.fill(flows.at[flow]!, flows.at[flow]!, flows.at[flow + 1]!);
  for (let entry = 0; entry < base.length; entry++)
    for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) outAt[base[entry]! + flows.inFrom[arc]! + 1]!++;
  for (let entry = 0; entry < base.length; entry++) outAt[entry + 1]! += outAt[entry]!;
  const next = outAt.slice();
  const outTo = new Int32Array(flows.inFrom.length);
  const outArc = new Int32Array(flows.inFrom.length);
  for (let entry = 0; entry < base.length; entry++)
    for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) {
      const place = next[base[entry]! + flows.inFrom[arc]!]!++;
      outTo[place] = entry - base[entry]!;
      outArc[place] = arc;
    }
  const dueWork = Int32Array.from(dus.due, (due, du) => lastWorkAt(calendars[dus.calendar[du]!]!, Math.min(due, problem.horizonDays - 1)));
  const bounded = new Uint8Array(jobs);
  for (let du = 0; du < dus.id.length; du++) {
    const flow = dus.flow[du]!;
    const first = dus.firstJob[du]!;
    const anchor = flows.anchor[flow]!;
    for (let job = dus.firstJob[du + 1]! - 1; job >= first; job--) {
      if ((keptOf?.[job] ?? -1) >= 0) continue;
      if (anchor < 0 || job - first === anchor) bounded[job] = 1;
      const entry = flows.at[flow]! + job - first;
      for (let arc = outAt[entry]!; arc < outAt[entry + 1]!; arc++) {
        const after = first + outTo[arc]!;
        const at = keptOf?.[after] ?? -1;
        if (at < 0 ? bounded[after] === 1 : kept.state[at]! > 2 && kept.first[at] !== NO_DAY) bounded[job] = 1;
      }
    }
  }
  return {
    outAt,
    outTo,
    outArc,
    dueWork,
    bounded,
    late: new Uint8Array(jobs),
    readyBy: new Int32Array(dus.id.length).fill(NO_DAY),
    promises: newPromises(ready, store),
    earliest: new Int32Array(jobs),
    anchorEnd: new Int32Array(dus.id.length),
    capped: new Uint8Array(dus.id.length),
    failed: -1,
  };
}

/** Number of the last working day on or before a day; below 0 before the first. */
export function lastWorkAt(calendar: WorkingDays, day: number): number {
  return firstWorkAt(calendar, day + 1) - 1;
}

/**
 * Writes the keys of a component for passes backward: late due dates first, the mirror of the forward rules, each job raised to the keys of what follows it.
 */
export function writeReverseKeys(ready: Ready, room: ReverseRoom, component: Component, keys: Keys, rule: Rule): void {
  const { problem, flows } = ready;
  const { dus } = problem;
  const { key, ofDu, due, work, classOf } = keys;
  const dueShare = KEY_UNIT * (RULE_UNIT - (rule.releaseShare >> 1));
  const headFactor = KEY_UNIT * rule.tailFactor;
  for (const du of component.dus) {
    const own = ((work[du]! * KEY_UNIT * rule.workFactor - due[du]! * dueShare) >> 4) + rule.ofClass[classOf[du]!]! + ofDu[du]!;
    const first = dus.firstJob[du]!;
    const from = flows.at[dus.flow[du]!]!;
    for (let entry = flows.at[dus.flow[du]! + 1]! - 1; entry >= from; entry--) {
      let most = own - ((headFactor * flows.head[entry]!) >> 4) + rule.ofPosition[flows.position[entry]!]!;
      for (let arc = room.outAt[entry]!; arc < room.outAt[entry + 1]!; arc++) {
        const after = key[first + room.outTo[arc]!]!;
        if (after > most) most = after;
      }
      key[first + entry - from] = most;
    }
  }
}

/** Writes the keys of a component in the order of the given plan, the last first; those it does not know by their due dates. */
export function writeGivenKeysBackward(
  ready: Ready,
  room: ReverseRoom,
  component: Component,
  keys: Keys,
  rule: Rule,
  days: Int32Array,
): void {
  const { problem, flows } = ready;
  const { dus } = problem;
  const { key, ofDu, due, classOf } = keys;
  for (const du of component.dus) {
    const first = dus.firstJob[du]!;
    const from = flows.at[dus.flow[du]!]!;
    const shift = ofDu[du]! + rule.ofClass[classOf[du]!]!;
    for (let entry = flows.at[dus.flow[du]! + 1]! - 1; entry >= from; entry--) {
      const job = first + entry - from;
      const own = days[job] === NO_DAY ? due[du]! - flows.tail[entry]! : days[job]!;
      let most = shift - own * KEY_UNIT + rule.ofPosition[flows.position[entry]!]!;
      for (let arc = room.outAt[entry]!; arc < room.outAt[entry + 1]!; arc++) most = Math.max(most, key[first + room.outTo[arc]!]!);
      key[job] = most;
    }
  }
}

/** Writes keys that bring the jobs of a forward plan into the order of their ends, the last first. */
export function writeKeysOfEnds(ready: Ready, work: Workspace, room: ReverseRoom, component: Component, key: Int32Array): void {
  const { problem, flows, calendars } = ready;
  const { dus } = problem;
  for (const du of component.dus) {
    const first = dus.firstJob[du]!;
    const { days } = calendars[dus.calendar[du]!]!;
    const from = flows.at[dus.flow[du]!]!;
    for (let entry = flows.at[dus.flow[du]! + 1]! - 1; entry >= from; entry--) {
      const job = first + entry - from;
      let most = -KEY_UNIT * (days[work.start[job]! + lengthOf(flows.durations[entry]!) - 1] ?? 0);
      for (let arc = room.outAt[entry]!; arc < room.outAt[entry + 1]!; arc++) most = Math.max(most, key[first + room.outTo[arc]!]!);
      key[job] = most;
    }
  }
}

/** Puts the free jobs of a component in ascending order of key, of equal ones what follows before what leads to it. @returns how many they are */
export function sortBackward(ready: Ready, component: Component, { key, count }: Keys, list: Int32Array): number {
  const { firstJob } = ready.problem.dus;
  const { keptOf } = ready;
  const span = count.length - 1;
  let low = NO_DAY;
  for (const du of component.dus) for (let job = firstJob[du]!; job < firstJob[du + 1]!; job++) if (key[job]! < low) low = key[job]!;
  count.fill(0);
  for (const du of component.dus)
    for (let job = firstJob[du]!; job < firstJob[du + 1]!; job++)
      if (keptOf === null || keptOf[job]! < 0) count[Math.min(key[job]! - low, span - 1) + 1]!++;
  for (let bucket = 1; bucket <= span; bucket++) count[bucket]! += count[bucket - 1]!;
  const jobs = count[span]!;
  for (const du of component.dus)
    for (let job = firstJob[du + 1]! - 1; job >= firstJob[du]!; job--)
      if (keptOf === null || keptOf[job]! < 0) list[count[Math.min(key[job]! - low, span - 1)]!++] = job;
  return jobs;
}

/**
 * One pass backward: every job that something bounds from behind starts on the last day that relations, its due date and a team allow; what nothing bounds
 * follows the rest of its DU as early as it can. Anchors of a cluster are placed together, and material that is used again has to be dismantled in time; where
 * there is no room for that, the pass begins again without asking for it.
 * @param begin empties the component once more
 * @returns the first place of the list that found no room, else its length
 */
export function passBackward(
  ready: Ready,
  work: Workspace,
  room: ReverseRoom,
  component: Component,
  list: Int32Array,
  count: number,
  begin: () => void,
): number {
  const promises = work.store === null ? null : room.promises;
  if (promises === null) return passOnce(ready, work, room, component, list, count);
  clearPromises(ready, work, promises, component);
  promises.made = true;
  let place = passOnce(ready, work, room, component, list, count);
  if (place < count && component.dus.some((du) => promises.endBy[du] !== NO_DAY)) {
    if (work.takes) work.takes.length = promises.takes;
    begin();
    clearPromises(ready, work, promises, component);
    promises.made = false;
    place = passOnce(ready, work, room, component, list, count);
  }
  if (place === count) giveOut(ready, work, work.store!, promises, component, list, count);
  return place;
}

function passOnce(ready: Ready, work: Workspace, room: ReverseRoom, component: Component, list: Int32Array, count: number): number {
  const { duOfJob } = ready;
  const { firstJob } = ready.problem.dus;
  const clusters = work.groupedNow ? work.clusters : null;
  for (const du of component.dus) {
    room.readyBy[du] = NO_DAY;
    for (let job = firstJob[du]!; job < firstJob[du + 1]!; job++) room.late[job] = room.bounded[job]!;
  }
  for (let place = 0; place < count; place++) {
    const job = list[place]!;
    const cluster = clusters === null ? -1 : clusters.anchorOf[job]!;
    let last = place + 1;
    if (cluster >= 0) {
      while (last < count && clusters!.anchorOf[list[last]!] === cluster) last++;
      if (!placeAnchorsLate(ready, work, room, clusters!, cluster, list, place, last)) return place;
    } else if (isLate(ready, work, room, job) && !placeLate(ready, work, room, job, NO_DAY)) {
      // Nothing but a promise bounds it: then it follows the rest of its DU.
      if (room.bounded[job] === 1 || leadsToLate(ready, work, room, job)) {
        room.failed = duOfJob[job]!;
        return place;
      }
      room.late[job] = 0;
    }
    for (; place < last; place++) supply(ready, work, room, list[place]!, room.late[list[place]!] === 1);
    place--;
  }
  // Turned round, the list runs with the relations.
  for (let place = count - 1; place >= 0; place--) {
    const job = list[place]!;
    if (room.late[job] === 1) continue;
    const base = firstJob[duOfJob[job]!]!;
    const at = boundBefore(ready, work, base, job);
    if (!placeEarly(ready, work, job, at)) {
      room.failed = duOfJob[job]!;
      return place;
    }
    supply(ready, work, room, job, true);
  }
  return count;
}

/** Whether a job is placed late: what something bounds, what was promised to somebody, and what leads to either. */
function isLate(ready: Ready, work: Workspace, room: ReverseRoom, job: number): boolean {
  if (room.late[job] === 1 || room.promises === null || work.store === null) return room.late[job] === 1;
  const du = ready.duOfJob[job]!;
  const promised = room.promises.endBy[du] !== NO_DAY && work.store.disassembly[job + work.entryShift[du]!] === 1;
  if (promised || leadsToLate(ready, work, room, job)) room.late[job] = 1;
  return room.late[job] === 1;
}

function leadsToLate({ problem, duOfJob }: Ready, work: Workspace, room: ReverseRoom, job: number): boolean {
  const du = duOfJob[job]!;
  const entry = job + work.entryShift[du]!;
  for (let out = room.outAt[entry]!; out < room.outAt[entry + 1]!; out++)
    if (room.late[problem.dus.firstJob[du]! + room.outTo[out]!] === 1) return true;
  return false;
}

/**
 * Places the anchors of a cluster as late as they can be; where a day would then have too many windows, as many as close the window are moved in front of the
 * opening of another one. Enough of the DUs have to be ready by the first of the anchors: those that were placed last here, which are first in rank.
 */
function placeAnchorsLate(
  ready: Ready,
  work: Workspace,
  room: ReverseRoom,
  clusters: ClusterRoom,
  cluster: number,
  list: Int32Array,
  from: number,
  to: number,
): boolean {
  const { duOfJob } = ready;
  for (let place = from; place < to; place++) saveGroups(work, list[place]!, place - from, duOfJob[list[place]!]!);
  room.capped.fill(0, 0, to - from);
  let cap = NO_DAY;
  for (;;) {
    let place = from;
    while (place < to && placeLate(ready, work, room, list[place]!, room.capped[place - from] === 1 ? cap : NO_DAY)) place++;
    if (place === to && openWindow(ready, clusters, cluster, work.start)) break;
    const complete = place === to;
    if (complete && cap === NO_DAY) {
      for (let one = from; one < to; one++) room.anchorEnd[one - from] = anchorDays(ready, work.start, duOfJob[list[one]!]!, true);
      cap = windowOf(ready, clusters, cluster, work.start).to;
    }
    if (!complete) room.failed = duOfJob[list[place]!]!;
    else room.failed = duOfJob[list[from]!]!;
    for (place--; place >= from; place--) takeBack(ready, work, list[place]!, place - from);
    if (!complete || cap === NO_DAY) return false;
    cap = previousOpen(clusters, cluster, cap);
    if (cap === -NO_DAY || !capAnchors(ready, work, room, clusters, cluster, list, from, to, cap)) return false;
  }
  return chooseReady(ready, work, room, clusters, cluster, list, from, to);
}

/** Marks the anchors of a cluster that have to end before a day for its window to close by then: those that end first anyway. @returns whether they can */
function capAnchors(
  ready: Ready,
  work: Workspace,
  room: ReverseRoom,
  clusters: ClusterRoom,
  cluster: number,
  list: Int32Array,
  from: number,
  to: number,
  cap: number,
): boolean {
  const { duOfJob } = ready;
  let open = ready.problem.clusters!.needed[cluster]!;
  for (let at = clusters.memberAt[cluster]!; at < clusters.memberAt[cluster + 1]!; at++) {
    const du = clusters.member[at]!;
    if (!hasFreeAnchor(ready, du) && anchorDays(ready, work.start, du, true) <= cap) open--;
  }
  room.capped.fill(0, 0, to - from);
  for (; open > 0; open--) {
    let next = -1;
    for (let one = 0; one < to - from; one++) {
      if (room.capped[one] === 1 || !canEndBefore(ready, room, list[from + one]!, cap)) continue;
      // Of those that end together the one with the earlier due date, which was placed behind the other.
      if (next < 0 || room.anchorEnd[one]! <= room.anchorEnd[next]!) next = one;
    }
    if (next < 0) {
      room.failed = duOfJob[list[from]!]!;
      return false;
    }
    room.capped[next] = 1;
  }
  return true;
}

function hasFreeAnchor({ problem, flows, keptOf }: Ready, du: number): boolean {
  const anchor = flows.anchor[problem.dus.flow[du]!]!;
  return anchor >= 0 && (keptOf?.[problem.dus.firstJob[du]! + anchor] ?? -1) < 0;
}

/** Whether a job can end before a day, if its DU were alone. */
function canEndBefore(ready: Ready, room: ReverseRoom, job: number, day: number): boolean {
  const { problem, flows, duOfJob, calendars } = ready;
  const { dus } = problem;
  const du = duOfJob[job]!;
  const entry = flows.at[dus.flow[du]!]! + job - dus.firstJob[du]!;
  const last = earliestOf(ready, room, du, entry) + lengthOf(flows.durations[entry]!) - 1;
  return last <= lastWorkAt(calendars[dus.calendar[du]!]!, day - 1);
}

/** Chooses the DUs that are to be ready by the first free anchor of a cluster. @returns whether there are enough that can */
function chooseReady(
  ready: Ready,
  work: Workspace,
  room: ReverseRoom,
  clusters: ClusterRoom,
  cluster: number,
  list: Int32Array,
  from: number,
  to: number,
): boolean {
  const { problem, flows, duOfJob, calendars } = ready;
  const { dus } = problem;
  const dayOf = (job: number) => calendars[dus.calendar[duOfJob[job]!]!]!.days[work.start[job]!]!;
  let first = NO_DAY;
  for (let place = from; place < to; place++) first = Math.min(first, dayOf(list[place]!));
  let open = problem.clusters!.needed[cluster]!;
  for (let at = clusters.memberAt[cluster]!; at < clusters.memberAt[cluster + 1]!; at++) {
    const du = clusters.member[at]!;
    if (hasFreeAnchor(ready, du)) continue;
    const own = anchorDays(ready, work.start, du, false);
    if (own === NO_DAY || own <= first) open--;
  }
  for (let place = from; place < to; place++) if (dayOf(list[place]!) === first) open--;
  for (let place = to - 1; place >= from && open > 0; place--) {
    const job = list[place]!;
    const du = duOfJob[job]!;
    const by = lastWorkAt(calendars[dus.calendar[du]!]!, first);
    if (dayOf(job) === first || earliestOf(ready, room, du, flows.at[dus.flow[du]!]! + job - dus.firstJob[du]!) > by) continue;
    room.readyBy[du] = by;
    open--;
  }
  if (open > 0) room.failed = duOfJob[list[to - 1]!]!;
  return open <= 0;
}

/** First working day of a job by release and everything that leads to it, all of which is placed. */
function boundBefore(ready: Ready, work: Workspace, base: number, job: number): number {
  const { flows, releaseWork, duOfJob } = ready;
  const du = duOfJob[job]!;
  const entry = job + work.entryShift[du]!;
  if (work.keptDu !== null && work.keptDu[du] === 1) return boundAmongKept(ready, work, base, entry, releaseWork[du]!);
  let at = releaseWork[du]!;
  for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++)
    at = Math.max(at, work.start[base + flows.inFrom[arc]!]! + flows.inLag[arc]!);
  return at;
}

/** Places a job as late as it can be, an anchor so that it ends before a day. */
function placeLate(ready: Ready, work: Workspace, room: ReverseRoom, job: number, before: number): boolean {
  const { problem, flows, duOfJob, keptOf, endWork, releaseWork, calendars } = ready;
  const { dus, kept } = problem;
  const du = duOfJob[job]!;
  const base = dus.firstJob[du]!;
  const entry = job + work.entryShift[du]!;
  const length = lengthOf(flows.durations[entry]!);
  const anchor = flows.anchor[dus.flow[du]!]!;
  let least = releaseWork[du]!;
  let most = endWork[du]! - length;
  let soft = NO_DAY;
  let hard = anchor < 0 || job - base === anchor;
  if (hard) most = Math.min(most, room.dueWork[du]! - length + 1);
  const calendar = calendars[dus.calendar[du]!]!;
  if (before !== NO_DAY) most = Math.min(most, lastWorkAt(calendar, before - 1) - length + 1);
  if (keptOf !== null && work.keptDu![du] === 1)
    for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) {
      const at = keptOf[base + flows.inFrom[arc]!]!;
      if (at < 0 || kept.first[at] === NO_DAY) continue;
      least = Math.max(
        least,
        relationBound(flows.inKind[arc]!, flows.inOffset[arc]!, kept.first[at]!, kept.last[at]!, flows.durations[entry]!),
      );
    }
  for (let out = room.outAt[entry]!; out < room.outAt[entry + 1]!; out++) {
    const after = base + room.outTo[out]!;
    const arc = room.outArc[out]!;
    const at = keptOf === null ? -1 : keptOf[after]!;
    if (at < 0) {
      if (room.late[after] === 0) continue;
      hard = true;
      most = Math.min(most, work.start[after]! - flows.inLag[arc]!);
      if (after - base === anchor && room.readyBy[du] !== NO_DAY) most = Math.min(most, room.readyBy[du]! - flows.inLag[arc]!);
    } else if (kept.state[at]! > 2 && kept.first[at] !== NO_DAY) {
      const kind = flows.inKind[arc]!;
      const limit = kind < 2 ? kept.first[at]! : kept.last[at]!;
      const gap = kind === 0 ? (flows.durations[entry - (job - base) + room.outTo[out]!] === 0 ? 0 : 1) : 0;
      const own = kind === 0 || kind === 2 ? length - 1 : 0;
      soft = Math.min(soft, limit - flows.inOffset[arc]! - gap - own);
    }
  }
  if (soft !== NO_DAY) {
    // A fixed date that cannot be met any more asks for nothing: it is missed by as little as can be.
    const earliest = earliestOf(ready, room, du, entry);
    if (soft >= earliest) most = Math.min(most, soft);
    else if (!hard) return placeEarly(ready, work, job, earliest);
  }
  if (most < least || most < 0) return false;
  // What it should do besides it does where there is room: be dismantled in time, and not begin behind its base.
  const { promises } = room;
  if (promises !== null && work.store !== null && promises.endBy[du] !== NO_DAY && work.store.disassembly[entry] === 1) {
    const inTime = Math.min(most, lastWorkAt(calendar, promises.endBy[du]! - 1) - length + 1);
    if (inTime >= least && placeHeld(ready, work, job, inTime, least)) return true;
    if (!hard && soft === NO_DAY) return false;
  }
  return placeHeld(ready, work, job, most, least);
}

/** Places a job on or before `most`; while its DU is held, first no later than in its base. */
function placeHeld(ready: Ready, work: Workspace, job: number, most: number, least: number): boolean {
  const { heldFrom, heldDu } = work;
  const held = heldFrom !== null && heldDu[ready.duOfJob[job]!] === 1 ? heldFrom[job]! : NO_DAY;
  if (held < most && held >= least && place(ready, work, job, held, least)) return true;
  return place(ready, work, job, most, least);
}

/** Earliest working day of a job of a DU, if it were alone. */
function earliestOf({ flows, problem, keptOf, releaseWork }: Ready, room: ReverseRoom, du: number, entry: number): number {
  const { kept, dus } = problem;
  const { earliest } = room;
  const base = dus.firstJob[du]!;
  const from = flows.at[dus.flow[du]!]!;
  for (let own = from; own <= entry; own++) {
    let at = releaseWork[du]!;
    for (let arc = flows.inAt[own]!; arc < flows.inAt[own + 1]!; arc++) {
      const before = flows.inFrom[arc]!;
      const keptAt = keptOf?.[base + before] ?? -1;
      if (keptAt < 0) at = Math.max(at, earliest[before]! + flows.inLag[arc]!);
      else if (kept.first[keptAt] !== NO_DAY)
        at = Math.max(
          at,
          relationBound(flows.inKind[arc]!, flows.inOffset[arc]!, kept.first[keptAt]!, kept.last[keptAt]!, flows.durations[own]!),
        );
    }
    earliest[own - from] = at;
  }
  return earliest[entry - from]!;
}

function relationBound(kind: number, offset: number, first: number, last: number, duration: number): number {
  if (kind === 0) return last + offset + (duration === 0 ? 0 : 1);
  if (kind === 1) return first + offset;
  return (kind === 2 ? last : first) + offset - (lengthOf(duration) - 1);
}

/** Pool and team found last. */
const found = { pool: -1, team: -1 };

/** Places a job on the last working day on or before `most`, not before `least`, on which a team has room. */
function place(ready: Ready, work: Workspace, job: number, most: number, least: number): boolean {
  const { flows, duOfJob } = ready;
  const entry = job + work.entryShift[duOfJob[job]!]!;
  if (flows.teamClass[entry]! < 0) {
    settle(ready, work, job, most);
    return true;
  }
  const at = lastRoom(ready, work, job, most, least);
  if (at < 0) return false;
  settle(ready, work, job, at);
  return true;
}

/** Last working day with room, in `found` where. */
function lastRoom(ready: Ready, work: Workspace, job: number, most: number, least: number): number {
  const { problem, flows, duOfJob, calendars } = ready;
  const { dus, teams } = problem;
  const { groups } = work;
  const du = duOfJob[job]!;
  const base = dus.firstJob[du]!;
  const entry = job + work.entryShift[du]!;
  const calendar = calendars[dus.calendar[du]!]!;
  const duration = flows.durations[entry]!;
  found.pool = found.team = -1;
  // Of equal days the pool of the base is taken.
  const given = work.givenPool === null ? -1 : work.givenPool[job]!;
  if (groups === null || !work.groupedNow) {
    const list = flows.teamClass[entry]! * teams.regions + dus.region[du]!;
    let best = -1;
    for (let e = teams.eligibleAt[list]!; e < teams.eligibleAt[list + 1]!; e++) {
      const own = lastRoomOfPool(work, teams.eligible[e]!, most, duration, calendar, best < 0 ? least : best + 1);
      if (own < 0) continue;
      best = own;
      found.pool = teams.eligible[e]!;
      if (own === most) break;
    }
    return best;
  }
  const teamGroup = groups.teamGroup[entry]!;
  const nameGroup = groups.nameGroup[entry]!;
  const team = teamGroup < 0 ? -1 : groups.teamOf[base + teamGroup]!;
  if (team >= 0) {
    found.pool = groups.poolOfTeam[team]!;
    found.team = team;
    return lastRoomOfTeam(groups, team, most, duration, calendar, least);
  }
  const name = nameGroup < 0 ? -1 : groups.nameOf[base + nameGroup]!;
  const list = entry * teams.regions + dus.region[du]!;
  let best = -1;
  for (let e = groups.poolsAt[list]!; e < groups.poolsAt[list + 1]!; e++) {
    const pool = groups.pools[e]!;
    if (name >= 0 && teams.resource[pool] !== name) continue;
    const own =
      groups.byTeam[pool] === 1
        ? lastRoomOfTeams(groups, pool, most, duration, calendar, best < 0 ? least : best + 1)
        : lastRoomOfPool(work, pool, most, duration, calendar, best < 0 ? least : best + 1);
    if (own < 0) continue;
    best = own;
    found.pool = pool;
    found.team = groups.byTeam[pool] === 1 ? groups.found : -1;
  }
  if (given < 0 || best < 0 || found.pool === given || (name >= 0 && teams.resource[given] !== name)) return best;
  for (let e = groups.poolsAt[list]!; e < groups.poolsAt[list + 1]!; e++) {
    if (groups.pools[e] !== given) continue;
    const byTeam = groups.byTeam[given] === 1;
    const own = byTeam
      ? lastRoomOfTeams(groups, given, best, duration, calendar, best)
      : lastRoomOfPool(work, given, best, duration, calendar, best);
    if (own < 0) continue;
    found.pool = given;
    found.team = byTeam ? groups.found : -1;
  }
  return best;
}

/** Last working day on or before `most`, not before `least`, from which a pool has a team free on all days of a job. */
function lastRoomOfPool(work: Workspace, pool: number, most: number, duration: number, calendar: WorkingDays, least: number): number {
  const { free, days } = work;
  const row = pool * (days + 1);
  let at = most;
  for (;;) {
    if (at < least) return -1;
    const last = calendar.days[at + duration - 1]!;
    let day = calendar.days[at]!;
    while (day <= last && free[row + day]! > 0) day++;
    if (day > last) return at;
    at = firstWorkAt(calendar, day) - duration;
  }
}

/** Places a job that nothing bounds from behind: at once where a team is free, else where it could not begin a day later either. */
function placeEarly(ready: Ready, work: Workspace, job: number, bound: number): boolean {
  const { heldFrom, heldDu } = work;
  if (heldFrom !== null && heldDu[ready.duOfJob[job]!] === 1 && heldFrom[job]! > bound && placeFrom(ready, work, job, heldFrom[job]!))
    return true;
  return placeFrom(ready, work, job, bound);
}

function placeFrom(ready: Ready, work: Workspace, job: number, bound: number): boolean {
  const { flows, duOfJob, endWork } = ready;
  const du = duOfJob[job]!;
  const entry = job + work.entryShift[du]!;
  const end = endWork[du]! - lengthOf(flows.durations[entry]!);
  if (bound > end) return false;
  if (flows.teamClass[entry]! < 0) {
    settle(ready, work, job, bound);
    return true;
  }
  let at = bound;
  while (at <= end && lastRoom(ready, work, job, at, at) < 0) at++;
  if (at > bound) while (at < end && lastRoom(ready, work, job, at + 1, at + 1) >= 0) at++;
  if (at > end || (at > bound && at === end) || lastRoom(ready, work, job, at, at) < 0) return false;
  settle(ready, work, job, at);
  return true;
}

/** Gives a job its start and the team found. */
function settle(ready: Ready, work: Workspace, job: number, at: number): void {
  const { problem, flows, duOfJob, calendars } = ready;
  const { dus, teams } = problem;
  const du = duOfJob[job]!;
  const base = dus.firstJob[du]!;
  const entry = job + work.entryShift[du]!;
  const { days } = calendars[dus.calendar[du]!]!;
  work.start[job] = at;
  if (flows.teamClass[entry]! >= 0) {
    const to = days[at + flows.durations[entry]! - 1]! + 1;
    work.pool[job] = found.pool;
    if (found.team >= 0) holdTeam(work.groups!, job, found.pool, found.team, days[at]!, to);
    else hold(work, found.pool, days[at]!, to);
    if (work.groups !== null && work.groupedNow) {
      const { teamGroup, nameGroup, teamOf, nameOf } = work.groups;
      if (teamGroup[entry]! >= 0) teamOf[base + teamGroup[entry]!] = found.team;
      if (nameGroup[entry]! >= 0) nameOf[base + nameGroup[entry]!] = teams.resource[found.pool]!;
    }
  }
}

/** Gives a job that is placed its material, or others what comes of it; marks what the pass has only come by. */
function supply(ready: Ready, work: Workspace, room: ReverseRoom, job: number, placed: boolean): void {
  const { problem, flows, duOfJob, calendars } = ready;
  const { dus, demand } = problem;
  const { store } = work;
  const promises = store === null ? null : room.promises;
  const du = duOfJob[job]!;
  if (promises !== null) promises.passed[job] = 1;
  if (!placed) return;
  const base = dus.firstJob[du]!;
  if (job - base === flows.material[dus.flow[du]!] && demand.at[du]! < demand.at[du + 1]!) {
    const day = calendars[dus.calendar[du]!]!.days[work.start[job]!]!;
    if (store === null) {
      work.gap[du] = coverDay(ready, work.remaining, du, day).short > 0 ? 1 : 0;
      takeMaterial(ready, work.remaining, du, day, work.takes);
    } else {
      if (promises?.made) promiseReuse(ready, work, store, promises, du, day, (one, end) => canEndBefore(ready, room, one, end));
      takeOnDay(ready, work, store, du, day);
    }
  }
  if (promises === null || store === null) return;
  store.done[job] = 1;
  if (store.disassembly[job + work.entryShift[du]!] === 1) arriveWhenPlaced(ready, work, store, promises, du);
}

function holdTeam(groups: GroupRoom, job: number, pool: number, team: number, from: number, to: number): void {
  setBusy(groups, groups.busy, team, from, to);
  groups.team[job] = team - groups.firstTeam[pool]! + 1;
}

/** What a plan says of a job beside its DU: where its base has it, the first free anchor and the other windows of its cluster. */
export type Around = {
  heldAt: number;
  firstAnchor: number;
  windows: readonly { from: number; to: number }[];
};

/** Why a start of a pass backward is what it is. */
export type BackwardReason =
  | "due"
  | "successor"
  | "predecessor"
  | "held"
  | "clusterGate"
  | "cutoverLimit"
  | "material"
  | "release"
  | "team";

/** The reason of a start of a pass backward: position in the flow of what follows or leads tightly, else what else it is tight against; none of it = team. */
export function bindBackward(
  ready: Ready,
  room: ReverseRoom,
  start: Int32Array,
  du: number,
  job: number,
  { heldAt, firstAnchor, windows }: Around,
): { by: BackwardReason; position: number } {
  const { problem, flows, keptOf, releaseWork, calendars } = ready;
  const { dus, kept } = problem;
  const base = dus.firstJob[du]!;
  const first = flows.at[dus.flow[du]!]!;
  const entry = first + job - base;
  const anchor = flows.anchor[dus.flow[du]!]!;
  const length = lengthOf(flows.durations[entry]!);
  if ((anchor < 0 || job - base === anchor) && start[job]! + length - 1 === room.dueWork[du] && dus.due[du]! < problem.horizonDays)
    return { by: "due", position: -1 };
  const firstOf = (one: number) => {
    const at = keptOf?.[one] ?? -1;
    return at < 0 ? start[one]! : kept.first[at]!;
  };
  const lastOf = (one: number) => {
    const at = keptOf?.[one] ?? -1;
    return at < 0 ? start[one]! + lengthOf(flows.durations[first + one - base]!) - 1 : kept.last[at]!;
  };
  const isTight = (from: number, to: number, arc: number) => {
    if (firstOf(from) === NO_DAY || firstOf(to) === NO_DAY) return false;
    const kind = flows.inKind[arc]!;
    const asked = (kind === 0 || kind === 2 ? lastOf(from) : firstOf(from)) + flows.inOffset[arc]!;
    if (kind === 0) return firstOf(to) === asked + (flows.durations[first + to - base] === 0 ? 0 : 1);
    return (kind === 1 ? firstOf(to) : lastOf(to)) === asked;
  };
  for (let out = room.outAt[entry]!; out < room.outAt[entry + 1]!; out++)
    if (isTight(job, base + room.outTo[out]!, room.outArc[out]!))
      return { by: "successor", position: flows.position[first + room.outTo[out]!]! };
  const fromBehind = (): BackwardReason | null => {
    if (start[job] === heldAt) return "held";
    const calendar = calendars[dus.calendar[du]!]!;
    const last = start[job]! + length - 1;
    if (firstAnchor !== NO_DAY && anchor >= 0 && (keptOf?.[base + anchor] ?? -1) < 0)
      for (let out = room.outAt[entry]!; out < room.outAt[entry + 1]!; out++)
        if (room.outTo[out] === anchor && start[job]! + flows.inLag[room.outArc[out]!]! === lastWorkAt(calendar, firstAnchor))
          return "clusterGate";
    if (
      job - base === anchor &&
      windows.some(({ from }, other) => other !== dus.cluster[du] && from !== NO_DAY && lastWorkAt(calendar, from - 1) === last)
    )
      return "cutoverLimit";
    const endBy = room.promises?.endBy[du] ?? NO_DAY;
    const dismantles = problem.flows[dus.flow[du]!]!.disassembly[flows.position[entry]!] === 1;
    if (dismantles && endBy !== NO_DAY && lastWorkAt(calendar, endBy - 1) === last) return "material";
    return null;
  };
  const by = fromBehind();
  if (by !== null) return { by, position: -1 };
  for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++)
    if (isTight(base + flows.inFrom[arc]!, job, arc)) return { by: "predecessor", position: flows.position[first + flows.inFrom[arc]!]! };
  return { by: start[job] === releaseWork[du] ? "release" : "team", position: -1 };
}
