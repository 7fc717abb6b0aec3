import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Certificate } from "#lib/planning-engine/model/logic.ts";
import { lengthOf, type Ready } from "#lib/planning-engine/normalise/logic.ts";

/** What a job is to the anchor of its DU, where that waits for a gate. */
const role = { none: 0, leads: 1, anchor: 2, follows: 3 };

/** Members of the clusters, what waits for their gates, and the cutover windows of the pass at work. */
export type ClusterRoom = {
  memberAt: Int32Array;
  member: Int32Array;
  role: Uint8Array;
  /** Cluster of each free anchor, -1 for all other jobs. */
  anchorOf: Int32Array;
  /** Free jobs a gate waits for, anchors included, and how many of them are still to come in the list at work. */
  waits: Int32Array;
  open: Int32Array;
  /** 1 = part of the cluster is cut over already: its window stands open, so it is placed before the others. */
  begun: Uint8Array;
  /** 1 = a pass places an anchor of it; of the others only what kept anchors hold open is a window. */
  free: Uint8Array;
  from: Int32Array;
  to: Int32Array;
  /** The same for a pass backward: free anchors, and all jobs of members without one. */
  waitsBack: Int32Array;
  /** Windows open by day in the pass, and those of them that are given: held open by kept anchors alone, or open since before the plan start. */
  windows: Int16Array;
  given: Int16Array;
  heldWindows: Int16Array;
  heldFrom: Int32Array;
  heldTo: Int32Array;
  /** Days of members, to find the one that makes them enough. */
  scratch: Int32Array;
  /** List at work, and who waits behind whom: first and last by cluster, next by job. */
  list: Int32Array;
  firstAnchor: Int32Array;
  lastAnchor: Int32Array;
  firstBehind: Int32Array;
  lastBehind: Int32Array;
  next: Int32Array;
};

/** Room for clusters; null while they are off. */
export function newClusterRoom(ready: Ready, days: number): ClusterRoom | null {
  const { problem, jobs } = ready;
  const { clusters, dus } = problem;
  if (!clusters) return null;
  const count = clusters.needed.length;
  const memberAt = new Int32Array(count + 1);
  for (const cluster of dus.cluster) if (cluster >= 0) memberAt[cluster + 1]!++;
  for (let cluster = 0; cluster < count; cluster++) memberAt[cluster + 1]! += memberAt[cluster]!;
  const next = memberAt.slice();
  const member = new Int32Array(memberAt[count]!);
  dus.cluster.forEach((cluster, du) => {
    if (cluster >= 0) member[next[cluster]!++] = du;
  });
  const room: ClusterRoom = {
    memberAt,
    member,
    role: new Uint8Array(jobs),
    anchorOf: new Int32Array(jobs).fill(-1),
    waits: new Int32Array(count),
    waitsBack: new Int32Array(count),
    open: new Int32Array(count),
    begun: new Uint8Array(count),
    free: new Uint8Array(count),
    from: new Int32Array(count).fill(NO_DAY),
    to: new Int32Array(count).fill(NO_DAY),
    windows: new Int16Array(days),
    given: new Int16Array(days),
    heldWindows: new Int16Array(days),
    heldFrom: new Int32Array(count).fill(NO_DAY),
    heldTo: new Int32Array(count).fill(NO_DAY),
    scratch: new Int32Array(member.length),
    list: new Int32Array(jobs),
    firstAnchor: new Int32Array(count),
    lastAnchor: new Int32Array(count),
    firstBehind: new Int32Array(count),
    lastBehind: new Int32Array(count),
    next: new Int32Array(jobs),
  };
  for (let cluster = 0; cluster < count; cluster++) readCluster(ready, room, cluster);
  return room;
}

function readCluster(ready: Ready, room: ClusterRoom, cluster: number): void {
  const { problem, flows, keptOf } = ready;
  const { dus, kept, clusters } = problem;
  const held: { start: number; end: number }[] = [];
  for (let at = room.memberAt[cluster]!; at < room.memberAt[cluster + 1]!; at++) {
    const du = room.member[at]!;
    const base = dus.firstJob[du]!;
    const first = flows.at[dus.flow[du]!]!;
    const anchor = flows.anchor[dus.flow[du]!]!;
    const keptAt = anchor < 0 ? -1 : (keptOf?.[base + anchor] ?? -1);
    if (keptAt >= 0) {
      const dated = kept.start[keptAt] !== NO_DAY;
      held.push({ start: dated ? kept.start[keptAt]! : NO_DAY, end: dated ? kept.end[keptAt]! : -NO_DAY });
      continue;
    }
    const size = flows.at[dus.flow[du]! + 1]! - first;
    if (anchor < 0) room.role.fill(role.leads, base, base + size);
    else {
      room.free[cluster] = 1;
      room.role[base + anchor] = role.anchor;
      room.anchorOf[base + anchor] = cluster;
      for (let place = anchor; place >= 0; place--) {
        if (room.role[base + place] === role.none) continue;
        for (let arc = flows.inAt[first + place]!; arc < flows.inAt[first + place + 1]!; arc++)
          room.role[base + flows.inFrom[arc]!] = role.leads;
      }
      for (let place = anchor + 1; place < size; place++)
        for (let arc = flows.inAt[first + place]!; arc < flows.inAt[first + place + 1]!; arc++)
          if (room.role[base + flows.inFrom[arc]!]! >= role.anchor) room.role[base + place] = role.follows;
    }
    for (let job = base; job < base + size; job++) {
      if ((keptOf?.[job] ?? -1) >= 0) continue;
      if (room.role[job] === role.leads || room.role[job] === role.anchor) room.waits[cluster]!++;
      if (room.role[job] === role.anchor || anchor < 0) room.waitsBack[cluster]!++;
    }
  }
  if (held.length === 0) return;
  // Windows that kept anchors alone hold open: where these pass the limit, their number is the limit.
  const enough = Math.min(clusters!.needed[cluster]!, held.length);
  const ends = held.map(({ end }) => end).sort((one, other) => one - other);
  room.heldFrom[cluster] = held.reduce((least, { start }) => Math.min(least, start), NO_DAY);
  room.heldTo[cluster] = enough < 1 ? -NO_DAY : ends[enough - 1]!;
  // One open since before the plan start is given as long as it stands open, which the pass decides.
  if (room.heldFrom[cluster]! >= 0) markWindow(room.heldWindows, room.heldFrom[cluster]!, room.heldTo[cluster]!);
  room.begun[cluster] = room.free[cluster]!;
}

function markWindow(windows: Int16Array, from: number, to: number): void {
  if (from === NO_DAY) return;
  for (let day = Math.max(0, from); day < Math.min(to, windows.length); day++) windows[day]!++;
}

/** Before a pass only the windows of clusters stand in which it places no anchor. */
export function clearWindows(room: ClusterRoom): void {
  room.windows.fill(0);
  room.given.set(room.heldWindows);
  for (let cluster = 0; cluster < room.from.length; cluster++) {
    room.from[cluster] = room.to[cluster] = NO_DAY;
    if (room.free[cluster] === 1 || room.heldFrom[cluster] === NO_DAY) continue;
    // It does not depend on the pass.
    room.from[cluster] = room.heldFrom[cluster]!;
    room.to[cluster] = room.heldTo[cluster]!;
    markWindow(room.windows, room.from[cluster]!, room.to[cluster]!);
    if (room.from[cluster]! < 0) markWindow(room.given, room.from[cluster]!, room.to[cluster]!);
  }
}

/** Forgets which jobs of clusters wait behind one another. @param waits jobs each cluster waits for */
function clearChains({ open, firstAnchor, lastAnchor, firstBehind, lastBehind }: ClusterRoom, waits: Int32Array): void {
  open.set(waits);
  for (const chain of [firstAnchor, lastAnchor, firstBehind, lastBehind]) chain.fill(-1);
}

/**
 * Brings a list into the order clusters are placed in: the anchors of a cluster stand together, behind the last job that leads to one of them, and what
 * follows an anchor stands behind them. Clusters cut over in part come first.
 */
export function arrange({ problem, duOfJob }: Ready, room: ClusterRoom, list: Int32Array, count: number): void {
  const { dus } = problem;
  const { open, firstAnchor, lastAnchor, firstBehind, lastBehind, next } = room;
  clearChains(room, room.waits);
  let out = 0;
  const any = room.begun.includes(1);
  for (let part = any ? 0 : 1; part < 2; part++)
    for (let at = 0; at < count; at++) {
      const job = list[at]!;
      const cluster = dus.cluster[duOfJob[job]!]!;
      if (any && (cluster >= 0 && room.begun[cluster] === 1 ? 0 : 1) !== part) continue;
      const own = room.role[job]!;
      if (cluster < 0 || own === role.none || (own === role.follows && open[cluster] === 0)) {
        room.list[out++] = job;
        continue;
      }
      next[job] = -1;
      if (own === role.follows) {
        if (lastBehind[cluster]! < 0) firstBehind[cluster] = job;
        else next[lastBehind[cluster]!] = job;
        lastBehind[cluster] = job;
        continue;
      }
      if (own === role.leads) room.list[out++] = job;
      else {
        if (lastAnchor[cluster]! < 0) firstAnchor[cluster] = job;
        else next[lastAnchor[cluster]!] = job;
        lastAnchor[cluster] = job;
      }
      if (--open[cluster]! > 0) continue;
      for (let waiting = firstAnchor[cluster]!; waiting >= 0; waiting = next[waiting]!) room.list[out++] = waiting;
      for (let waiting = firstBehind[cluster]!; waiting >= 0; waiting = next[waiting]!) room.list[out++] = waiting;
    }
  for (let at = 0; at < count; at++) list[at] = room.list[at]!;
}

/**
 * The same for a list against the relations: the anchors of a cluster stand together behind its last one, and what leads to them behind that. Clusters cut
 * over in part come last: their windows stand open up to the others.
 */
export function arrangeBackward({ problem, duOfJob, flows }: Ready, room: ClusterRoom, list: Int32Array, count: number): void {
  const { dus } = problem;
  const { open, firstAnchor, lastAnchor, firstBehind, lastBehind, next } = room;
  clearChains(room, room.waitsBack);
  let out = 0;
  const any = room.begun.includes(1);
  for (let part = any ? 0 : 1; part < 2; part++)
    for (let at = 0; at < count; at++) {
      const job = list[at]!;
      const cluster = dus.cluster[duOfJob[job]!]!;
      if (any && (cluster >= 0 && room.begun[cluster] === 1 ? 1 : 0) !== part) continue;
      const own = cluster < 0 ? role.none : room.role[job]!;
      const alone = cluster >= 0 && flows.anchor[dus.flow[duOfJob[job]!]!]! < 0;
      if (own === role.leads && !alone && open[cluster]! > 0) {
        next[job] = -1;
        if (lastBehind[cluster]! < 0) firstBehind[cluster] = job;
        else next[lastBehind[cluster]!] = job;
        lastBehind[cluster] = job;
        continue;
      }
      if (own !== role.anchor) room.list[out++] = job;
      else {
        next[job] = -1;
        if (lastAnchor[cluster]! < 0) firstAnchor[cluster] = job;
        else next[lastAnchor[cluster]!] = job;
        lastAnchor[cluster] = job;
      }
      if ((own !== role.anchor && !alone) || --open[cluster]! > 0) continue;
      for (let waiting = firstAnchor[cluster]!; waiting >= 0; waiting = next[waiting]!) room.list[out++] = waiting;
      for (let waiting = firstBehind[cluster]!; waiting >= 0; waiting = next[waiting]!) room.list[out++] = waiting;
    }
  for (let at = 0; at < count; at++) list[at] = room.list[at]!;
}

/**
 * First day on which enough DUs of a cluster are ready; `NO_DAY` when it never has enough, below all days when none is needed.
 * @param readyDay first day of a DU's anchor by its predecessors; of a kept one its start
 */
export function gateOf({ problem }: Ready, room: ClusterRoom, cluster: number, readyDay: (du: number) => number): number {
  const from = room.memberAt[cluster]!;
  const size = room.memberAt[cluster + 1]! - from;
  const needed = problem.clusters!.needed[cluster]!;
  if (needed < 1) return -NO_DAY;
  if (needed > size) return NO_DAY;
  for (let at = 0; at < size; at++) room.scratch[at] = readyDay(room.member[from + at]!);
  return room.scratch.subarray(0, size).sort()[needed - 1]!;
}

/** Working-day starts of a plan as days: first day and end of the anchor of a DU; `NO_DAY` and below all days for one done without dates. */
export function anchorDays(ready: Ready, start: Int32Array, du: number, end: boolean): number {
  const { problem, flows, keptOf, calendars } = ready;
  const { dus, kept } = problem;
  const flow = dus.flow[du]!;
  const base = dus.firstJob[du]!;
  const anchor = flows.anchor[flow]!;
  const { days } = calendars[dus.calendar[du]!]!;
  const endOf = (job: number) => {
    const at = keptOf?.[job] ?? -1;
    if (at >= 0) return kept.end[at] === NO_DAY ? -NO_DAY : kept.end[at]!;
    return days[start[job]! + lengthOf(flows.durations[flows.at[flow]! + job - base]!) - 1]! + 1;
  };
  if (anchor >= 0) {
    const at = keptOf?.[base + anchor] ?? -1;
    if (end) return endOf(base + anchor);
    return at >= 0 ? kept.start[at]! : days[start[base + anchor]!]!;
  }
  let last = -NO_DAY;
  for (let job = base; job < dus.firstJob[du + 1]!; job++) last = Math.max(last, endOf(job));
  return end ? last : last === -NO_DAY ? NO_DAY : last - 1;
}

/**
 * Opens the window of a cluster whose anchors are placed. On a day on which more windows are given than the limit, their number is the limit.
 * @returns whether no day has more windows than it may
 */
export function openWindow(ready: Ready, room: ClusterRoom, cluster: number, start: Int32Array): boolean {
  const { limit } = ready.problem.clusters!;
  const window = windowOf(ready, room, cluster, start);
  const { windows, given } = room;
  const own = window.from < 0 ? 1 : 0;
  if (limit >= 0 && window.from !== NO_DAY)
    for (let day = Math.max(0, window.from); day < Math.min(window.to, windows.length); day++)
      if (windows[day]! + 1 > limit && windows[day]! + 1 > given[day]! + own) return false;
  room.from[cluster] = window.from;
  room.to[cluster] = window.to;
  markWindow(windows, window.from, window.to);
  if (own === 1) markWindow(given, window.from, window.to);
  return true;
}

/** Cutover window of a cluster: from the first start of an anchor to the end of the one that makes them enough. */
export function windowOf(ready: Ready, room: ClusterRoom, cluster: number, start: Int32Array): { from: number; to: number } {
  const first = room.memberAt[cluster]!;
  const size = room.memberAt[cluster + 1]! - first;
  const needed = ready.problem.clusters!.needed[cluster]!;
  if (room.free[cluster] === 0) return { from: room.heldFrom[cluster]!, to: room.heldTo[cluster]! };
  let from = NO_DAY;
  for (let at = 0; at < size; at++) {
    from = Math.min(from, anchorDays(ready, start, room.member[first + at]!, false));
    room.scratch[at] = anchorDays(ready, start, room.member[first + at]!, true);
  }
  if (needed < 1) return { from, to: -NO_DAY };
  return { from, to: needed > size ? NO_DAY : room.scratch.subarray(0, size).sort()[needed - 1]! };
}

/** Next day behind `day` on which a window of another cluster closes; `NO_DAY` without. */
export function nextClose({ from, to }: ClusterRoom, cluster: number, day: number): number {
  let next = NO_DAY;
  for (let other = 0; other < to.length; other++)
    if (other !== cluster && from[other] !== NO_DAY && to[other]! > day && to[other]! < next) next = to[other]!;
  return next;
}

/** Last day before `day` on which a window of another cluster opens; below all days without. */
export function previousOpen({ from }: ClusterRoom, cluster: number, day: number): number {
  let previous = -NO_DAY;
  for (let other = 0; other < from.length; other++)
    if (other !== cluster && from[other] !== NO_DAY && from[other]! < day && from[other]! > previous) previous = from[other]!;
  return previous;
}

/** Clusters whose gate asks for more DUs than they have, and, of all together (-1), more days of windows than the limit leaves room for. */
export function unreachableClusters({ problem, flows, keptOf }: Ready): Certificate[] {
  const { clusters, dus, horizonDays } = problem;
  if (!clusters) return [];
  const members: number[][] = Array.from(clusters.needed, () => []);
  dus.cluster.forEach((cluster, du) => {
    members[cluster]?.push(du);
  });
  const found: Certificate[] = [];
  let days = 0;
  members.forEach((own, cluster) => {
    const needed = clusters.needed[cluster]!;
    if (needed > own.length)
      found.push({ code: "CLUSTER_UNREACHABLE", cluster, needed, available: own.length, relax: needed - own.length });
    days += own.length === 0 ? 0 : shortestWindow({ problem, flows, keptOf }, own, needed);
  });
  const available = clusters.limit * horizonDays;
  if (clusters.limit >= 0 && days > available)
    found.push({
      code: "CLUSTER_UNREACHABLE",
      cluster: -1,
      needed: days,
      available,
      relax: Math.ceil(days / Math.max(1, horizonDays)) - clusters.limit,
    });
  return found;
}

/** Days a window stands open at least: as many cutovers as it needs, one after the other by all the teams there are. 0 where kept dates decide. */
function shortestWindow(
  { problem, flows, keptOf }: Pick<Ready, "problem" | "flows" | "keptOf">,
  members: number[],
  needed: number,
): number {
  const { dus, teams } = problem;
  const pools = new Set<number>();
  let shortest = NO_DAY;
  let allByTeam = true;
  for (const du of members) {
    const flow = dus.flow[du]!;
    const anchor = flows.anchor[flow]!;
    if (anchor < 0 || (keptOf?.[dus.firstJob[du]! + anchor] ?? -1) >= 0) return 0;
    const entry = flows.at[flow]! + anchor;
    shortest = Math.min(shortest, flows.durations[entry]!);
    const own = flows.teamClass[entry]!;
    if (own < 0) allByTeam = false;
    else {
      const list = own * teams.regions + dus.region[du]!;
      for (let at = teams.eligibleAt[list]!; at < teams.eligibleAt[list + 1]!; at++) pools.add(teams.eligible[at]!);
    }
  }
  const count = [...pools].reduce((sum, pool) => sum + teams.count[pool]!, 0);
  return Math.max(1, shortest, allByTeam && count > 0 ? Math.ceil((needed * shortest) / count) : 0);
}

/** Gate of each cluster of a plan, `NO_DAY` where there is none. */
export function gatesOf(ready: Ready, room: ClusterRoom, readyDay: (du: number) => number): Int32Array {
  return Int32Array.from(room.waits, (_, cluster) => {
    const gate = gateOf(ready, room, cluster, readyDay);
    return gate === -NO_DAY ? NO_DAY : gate;
  });
}

/** First day of a free anchor of each cluster, `NO_DAY` where all keep their dates. @param start first day of every job */
export function firstFreeAnchors({ problem }: Ready, { waits, anchorOf }: ClusterRoom, start: Int32Array): Int32Array {
  const first = new Int32Array(waits.length).fill(NO_DAY);
  if (problem.direction === "reverse")
    anchorOf.forEach((cluster, job) => {
      if (cluster >= 0) first[cluster] = Math.min(first[cluster]!, start[job]!);
    });
  return first;
}
