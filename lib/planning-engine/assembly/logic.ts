import { anchorDays, firstFreeAnchors, gatesOf, windowOf } from "#lib/planning-engine/clusters/logic.ts";
import type { GroupRoom } from "#lib/planning-engine/co-groups/logic.ts";
import type { Component } from "#lib/planning-engine/components/logic.ts";
import { missedDays } from "#lib/planning-engine/conflicts/logic.ts";
import { sortByCounting } from "#lib/planning-engine/counting-sort/logic.ts";
import { gapsOf, shortDus } from "#lib/planning-engine/gaps/logic.ts";
import { lotDays } from "#lib/planning-engine/lots/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Plan } from "#lib/planning-engine/model/logic.ts";
import { firstWorkAt, lagOf, lengthOf, type Ready } from "#lib/planning-engine/normalise/logic.ts";
import { allocationsOf, availableOn, type Needs, pegByRank, type Take } from "#lib/planning-engine/pegging/logic.ts";
import { bindBackward } from "#lib/planning-engine/reverse-sgs/logic.ts";
import type { Workspace } from "#lib/planning-engine/sgs/logic.ts";

/** Incumbents of all components together: working-day starts, pools, teams where they are planned one by one, and what each DU took of which lot. */
export type Assembled = Pick<Workspace, "start" | "pool" | "groups" | "clusters" | "heldFrom" | "heldDu" | "reverse"> & {
  takes: Take[];
  levels: number[];
};

/** Reasons of a start, by their place in `bindings`. */
const bound = {
  release: 0,
  predecessor: 1,
  team: 2,
  material: 3,
  clusterGate: 4,
  cutoverLimit: 5,
  fixed: 6,
  held: 7,
  successor: 8,
  due: 9,
};

/** The complete plan of an incumbent: days, numbered teams, what is taken of which lot, gaps, conflicts and what every start is tight against. */
export function assemble(ready: Ready, incumbent: Assembled, components: Component[]): Plan {
  const { problem, jobs, flows, calendars, keptOf } = ready;
  const { dus, kept } = problem;
  const start = new Int32Array(jobs);
  const end = new Int32Array(jobs);
  const pool = new Int32Array(incumbent.pool);
  for (let du = 0; du < dus.id.length; du++) {
    const { days } = calendars[dus.calendar[du]!]!;
    let entry = flows.at[dus.flow[du]!]!;
    for (let job = dus.firstJob[du]!; job < dus.firstJob[du + 1]!; job++, entry++) {
      const at = keptOf === null ? -1 : keptOf[job]!;
      const first = incumbent.start[job]!;
      start[job] = at >= 0 ? kept.start[at]! : days[first]!;
      end[job] = at >= 0 ? kept.end[at]! : days[first + lengthOf(flows.durations[entry]!) - 1]! + 1;
    }
  }
  const placed: Placed = { start, end, pool, team: new Int32Array(jobs), work: incumbent.start };
  const before = numberTeams(ready, placed, incumbent.groups);
  const needs = needsOf(ready, placed);
  const days = lotDays(problem, (du) => dismantledOn(ready, placed, du));
  const takes = pegByRank(problem, incumbent.takes, days, needs, shortDus(problem, incumbent.takes, needs));
  const materialDay = new Int32Array(dus.id.length).fill(-1);
  for (const take of takes) materialDay[take.du] = Math.max(materialDay[take.du]!, availableOn(take, days));
  const plan: Plan = {
    ...placed,
    binding: new Uint8Array(jobs),
    bindingRef: new Int32Array(jobs).fill(-1),
    allocations: allocationsOf(takes, days, needs),
    gaps: gapsOf(problem, takes, days, needs),
    conflicts: conflictsOf(ready, placed),
    gates: new Int32Array(0),
    levels: incumbent.levels,
  };
  const windows: Windows = [];
  let firstAnchors: Int32Array = new Int32Array(0);
  if (incumbent.clusters) {
    const { clusters } = incumbent;
    firstAnchors = firstFreeAnchors(ready, clusters, placed.start);
    plan.gates = gatesOf(ready, clusters, (du) => anchorReady(ready, placed, du));
    for (let cluster = 0; cluster < plan.gates.length; cluster++) windows.push(windowOf(ready, clusters, cluster, placed.work));
  }
  for (const component of components)
    for (const du of component.dus) bindDu(ready, plan, placed, before, materialDay, du, incumbent, windows, firstAnchors);
  return inFlowOrder(ready, plan);
}

type Windows = { from: number; to: number }[];

type Placed = { start: Int32Array; end: Int32Array; pool: Int32Array; team: Int32Array; work: Int32Array };

/**
 * Numbers the teams of every pool by first fit in order of start, kept jobs first; in pools planned team by team each job keeps its own.
 * @returns the job that had its team before each job, -1 for none
 */
function numberTeams({ problem, keptOf }: Ready, { start, end, pool, team }: Placed, groups: GroupRoom | null): Int32Array {
  const { count } = problem.teams;
  const before = new Int32Array(pool.length).fill(-1);
  const { at, list } = byPool(pool, start, keptOf, count.length);
  for (let number = 0; number < count.length; number++) {
    const free = new Int32Array(count[number]!).fill(-NO_DAY);
    const holder = new Int32Array(free.length).fill(-1);
    for (let place = at[number]!; place < at[number + 1]!; place++) {
      const job = list[place]!;
      const day = start[job]!;
      let own = 0;
      if (groups?.byTeam[number] === 1) own = groups.team[job]! === 0 ? free.length : groups.team[job]! - 1;
      else while (own < free.length && free[own]! > day) own++;
      if (own >= free.length) continue;
      team[job] = own + 1;
      before[job] = holder[own]!;
      free[own] = end[job]!;
      holder[own] = job;
    }
  }
  return before;
}

/** Jobs that hold a team, by pool in order of start, of equal ones kept ones first. */
function byPool(pool: Int32Array, start: Int32Array, keptOf: Int32Array | null, pools: number): { at: Int32Array; list: Int32Array } {
  let count = 0;
  let first = NO_DAY;
  let last = -NO_DAY;
  const jobs = new Int32Array(pool.length);
  for (let job = 0; job < pool.length; job++) {
    if (pool[job]! < 0) continue;
    jobs[count++] = job;
    if (start[job]! < first) first = start[job]!;
    if (start[job]! > last) last = start[job]!;
  }
  const turn = new Int32Array(pool.length);
  for (let place = 0; place < count; place++) {
    const job = jobs[place]!;
    turn[job] = 2 * (start[job]! - first) + (keptOf !== null && keptOf[job]! >= 0 ? 0 : 1);
  }
  const byStart = sortByCounting(jobs.subarray(0, count), turn, count > 0 ? 2 * (last - first + 1) : 0);
  return sortByCounting(byStart.list, pool, pools);
}

/** Days by which relations of free jobs into fixed, suspended and frozen ones are missed. */
function conflictsOf(ready: Ready, { work }: Placed): Plan["conflicts"] {
  const missed: { job: number; days: number }[] = [];
  ready.problem.kept.job.forEach((job, at) => {
    const days = missedDays(ready, work, at);
    if (days > 0) missed.push({ job, days });
  });
  return { job: Int32Array.from(missed, ({ job }) => job), days: Int32Array.from(missed, ({ days }) => days) };
}

/** When the DUs take their material. */
function needsOf(ready: Ready, placed: Placed): Needs {
  const { problem, flows, keptOf, calendars } = ready;
  const { dus, demand } = problem;
  const count = dus.id.length;
  const needs: Needs = {
    start: new Int32Array(count).fill(NO_DAY),
    ready: new Int32Array(count).fill(NO_DAY),
    latest: new Int32Array(count).fill(NO_DAY),
    kept: new Uint8Array(count),
  };
  for (let du = 0; du < count; du++) {
    const material = flows.material[dus.flow[du]!]!;
    if (demand.at[du] === demand.at[du + 1] || material < 0) continue;
    const job = dus.firstJob[du]! + material;
    const keptAt = keptOf?.[job] ?? -1;
    // Done, completed and started jobs have taken theirs.
    if (keptAt >= 0 && problem.kept.state[keptAt]! <= 2) continue;
    needs.start[du] = placed.start[job]!;
    needs.ready[du] = predecessorsAllow(ready, placed, du);
    needs.kept[du] = keptAt >= 0 ? 1 : 0;
    const latest = calendars[dus.calendar[du]!]!.days[ready.materialLatest[du]!] ?? NO_DAY;
    needs.latest[du] = keptAt >= 0 || problem.direction === "reverse" ? needs.start[du]! : latest;
  }
  return needs;
}

/** The day after a DU's last disassembly, `NO_DAY` while one has no dates. */
function dismantledOn({ problem, flows }: Ready, { end }: Placed, du: number): number {
  const { firstJob, flow } = problem.dus;
  const { disassembly } = problem.flows[flow[du]!]!;
  let last = -1;
  for (let job = firstJob[du]!, entry = flows.at[flow[du]!]!; job < firstJob[du + 1]!; job++, entry++)
    if (disassembly[flows.position[entry]!] === 1 && (last < 0 || end[job]! > end[last]!)) last = job;
  return last < 0 ? NO_DAY : end[last]!;
}

/** Earliest day on which a DU's material job could start by release and predecessors. */
function predecessorsAllow(ready: Ready, placed: Placed, du: number): number {
  const { problem, flows, calendars } = ready;
  const entry = flows.at[problem.dus.flow[du]!]! + flows.material[problem.dus.flow[du]!]!;
  const { at } = tightest(ready, placed, du, entry);
  return calendars[problem.dus.calendar[du]!]!.days[Math.max(at, ready.releaseWork[du]!)] ?? NO_DAY;
}

/** The latest bound its predecessors give a job, and which of them gives it. */
function tightest(ready: Ready, { work }: Placed, du: number, entry: number): { at: number; from: number } {
  const { problem, flows, keptOf } = ready;
  const { kept, dus } = problem;
  let at = Number.NEGATIVE_INFINITY;
  let from = -1;
  for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) {
    const before = dus.firstJob[du]! + flows.inFrom[arc]!;
    const keptAt = keptOf?.[before] ?? -1;
    let own = work[before]! + flows.inLag[arc]!;
    if (keptAt >= 0) {
      if (kept.first[keptAt] === NO_DAY) continue;
      const length = kept.last[keptAt]! - kept.first[keptAt]! + 1;
      own = kept.first[keptAt]! + lagOf(flows.inKind[arc]!, flows.inOffset[arc]!, length, flows.durations[entry]!);
    }
    if (own > at) {
      at = own;
      from = flows.inFrom[arc]!;
    }
  }
  return { at, from };
}

/** First day on which the anchor of a DU could start by release and predecessors; of one that keeps its dates, or stands behind all jobs, its own. */
function anchorReady(ready: Ready, placed: Placed, du: number): number {
  const { flows, keptOf, calendars, problem } = ready;
  const flow = problem.dus.flow[du]!;
  const anchor = flows.anchor[flow]!;
  if (anchor < 0 || (keptOf?.[problem.dus.firstJob[du]! + anchor] ?? -1) >= 0) {
    const own = anchorDays(ready, placed.work, du, false);
    return own === NO_DAY ? -NO_DAY : own;
  }
  const { at } = tightest(ready, placed, du, flows.at[flow]! + anchor);
  return calendars[problem.dus.calendar[du]!]!.days[Math.max(at, ready.releaseWork[du]!)] ?? NO_DAY;
}

/** What each start of a DU is tight against: what bounds it last. */
function bindDu(
  ready: Ready,
  plan: Plan,
  placed: Placed,
  before: Int32Array,
  materialDay: Int32Array,
  du: number,
  { heldFrom, heldDu, reverse }: Assembled,
  windows: Windows,
  firstAnchors: Int32Array,
): void {
  const { problem, flows, keptOf, calendars, releaseWork, duOfJob } = ready;
  const { dus } = problem;
  const base = dus.firstJob[du]!;
  const calendar = calendars[dus.calendar[du]!]!;
  const flow = dus.flow[du]!;
  const cluster = windows.length > 0 ? dus.cluster[du]! : -1;
  for (let job = base; job < dus.firstJob[du + 1]!; job++) {
    if ((keptOf?.[job] ?? -1) >= 0) {
      plan.binding[job] = bound.fixed;
      continue;
    }
    if (reverse) {
      const heldAt = heldFrom !== null && heldDu[du] === 1 ? heldFrom[job]! : NO_DAY;
      const firstAnchor = cluster < 0 ? NO_DAY : firstAnchors[cluster]!;
      const others = cluster < 0 || problem.clusters!.limit < 0 ? [] : windows;
      const { by, position } = bindBackward(ready, reverse, placed.work, du, job, { heldAt, firstAnchor, windows: others });
      plan.binding[job] = bound[by];
      plan.bindingRef[job] = position;
      continue;
    }
    const entry = flows.at[flow]! + job - base;
    const { at, from } = tightest(ready, placed, du, entry);
    const start = placed.work[job]!;
    if (start === at) {
      plan.binding[job] = bound.predecessor;
      plan.bindingRef[job] = flows.position[flows.at[flow]! + from]!;
    } else if (start === releaseWork[du]) plan.binding[job] = bound.release;
    else if (job - base === flows.material[flow] && firstWorkAt(calendar, materialDay[du]!) === start) plan.binding[job] = bound.material;
    else if (heldFrom !== null && heldDu[du] === 1 && heldFrom[job] === start) plan.binding[job] = bound.held;
    else if (cluster >= 0 && job - base === flows.anchor[flow] && firstWorkAt(calendar, plan.gates[cluster]!) === start)
      plan.binding[job] = bound.clusterGate;
    else if (
      cluster >= 0 &&
      job - base === flows.anchor[flow] &&
      windows.some(({ to }, other) => other !== cluster && to !== NO_DAY && firstWorkAt(calendar, to) === start)
    )
      plan.binding[job] = bound.cutoverLimit;
    else {
      plan.binding[job] = bound.team;
      // A day earlier it would meet the last job of its team that began before its own end then.
      const until = calendar.days[start - 1 + lengthOf(flows.durations[entry]!) - 1]! + 1;
      let other = before[job]!;
      while (other >= 0 && placed.start[other]! >= until) other = before[other]!;
      plan.bindingRef[job] = other >= 0 && placed.end[other]! > calendar.days[start - 1]! ? duOfJob[other]! : -1;
    }
  }
}

/** Jobs by position of their flow instead of by place in the order of relations, where these are not the same. */
function inFlowOrder({ problem, flows }: Ready, plan: Plan): Plan {
  if (problem.flows.every((_, flow) => flows.position.subarray(flows.at[flow]!, flows.at[flow + 1]!).every((own, at) => own === at)))
    return plan;
  const turn = <T extends Int32Array | Uint8Array>(values: T): T => {
    const turned = values.slice() as T;
    for (let du = 0; du < problem.dus.id.length; du++) {
      const base = problem.dus.firstJob[du]!;
      const at = flows.at[problem.dus.flow[du]!]!;
      for (let place = 0; base + place < problem.dus.firstJob[du + 1]!; place++)
        turned[base + flows.position[at + place]!] = values[base + place]!;
    }
    return turned;
  };
  return {
    ...plan,
    start: turn(plan.start),
    end: turn(plan.end),
    pool: turn(plan.pool),
    team: turn(plan.team),
    binding: turn(plan.binding),
    bindingRef: turn(plan.bindingRef),
  };
}
