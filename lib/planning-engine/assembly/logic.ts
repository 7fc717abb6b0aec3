import { anchorDays, gatesOf, windowOf } from "#lib/planning-engine/clusters/logic.ts";
import type { GroupRoom } from "#lib/planning-engine/co-groups/logic.ts";
import type { Component } from "#lib/planning-engine/components/logic.ts";
import { missedDays } from "#lib/planning-engine/conflicts/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Plan } from "#lib/planning-engine/model/logic.ts";
import { firstWorkAt, lagOf, lengthOf, type Ready } from "#lib/planning-engine/normalise/logic.ts";
import { bindBackward } from "#lib/planning-engine/reverse-sgs/logic.ts";
import type { Take, Workspace } from "#lib/planning-engine/sgs/logic.ts";

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
  const { problem, jobs, flows, calendars, duOfJob, keptOf } = ready;
  const { dus, kept } = problem;
  const start = new Int32Array(jobs);
  const end = new Int32Array(jobs);
  const pool = Int32Array.from(incumbent.pool);
  for (let job = 0; job < jobs; job++) {
    const at = keptOf?.[job] ?? -1;
    if (at >= 0) {
      start[job] = kept.start[at]!;
      end[job] = kept.end[at]!;
      continue;
    }
    const du = duOfJob[job]!;
    const { days } = calendars[dus.calendar[du]!]!;
    const entry = flows.at[dus.flow[du]!]! + job - dus.firstJob[du]!;
    start[job] = days[incumbent.start[job]!]!;
    end[job] = days[incumbent.start[job]! + lengthOf(flows.durations[entry]!) - 1]! + 1;
  }
  const placed: Placed = { start, end, pool, team: new Int32Array(jobs), work: incumbent.start };
  const before = numberTeams(ready, placed, incumbent.groups);
  const material = pegAndGaps(ready, placed, incumbent.takes);
  const materialDay = new Int32Array(dus.id.length).fill(-1);
  for (const { du, lot } of incumbent.takes) materialDay[du] = Math.max(materialDay[du]!, problem.lots.day[lot]!);
  const plan: Plan = {
    ...placed,
    binding: new Uint8Array(jobs),
    bindingRef: new Int32Array(jobs).fill(-1),
    ...material,
    conflicts: conflictsOf(ready, placed),
    gates: new Int32Array(0),
    levels: incumbent.levels,
  };
  const windows: Windows = [];
  if (incumbent.clusters) {
    const { clusters } = incumbent;
    plan.gates = gatesOf(ready, clusters, (du) => anchorReady(ready, placed, du));
    for (let cluster = 0; cluster < plan.gates.length; cluster++) windows.push(windowOf(ready, clusters, cluster, placed.work));
  }
  for (const component of components)
    for (const du of component.dus) bindDu(ready, plan, placed, before, materialDay, du, incumbent, windows);
  return inFlowOrder(ready, plan);
}

type Windows = { from: number; to: number }[];

type Placed = { start: Int32Array; end: Int32Array; pool: Int32Array; team: Int32Array; work: Int32Array };

/**
 * Numbers the teams of every pool by first fit in order of start, kept jobs first; in pools planned team by team each job keeps its own.
 * @returns the job that had its team before each job, -1 for none
 */
function numberTeams({ problem, keptOf }: Ready, { start, end, pool, team }: Placed, groups: GroupRoom | null): Int32Array {
  const before = new Int32Array(pool.length).fill(-1);
  const lists: number[][] = Array.from(problem.teams.count, () => []);
  for (let job = 0; job < pool.length; job++) if (pool[job]! >= 0) lists[pool[job]!]!.push(job);
  lists.forEach((list, number) => {
    const isKept = (job: number) => ((keptOf?.[job] ?? -1) >= 0 ? 0 : 1);
    const sorted = Int32Array.from(list).sort((a, b) => start[a]! - start[b]! || isKept(a) - isKept(b) || a - b);
    const free = new Int32Array(problem.teams.count[number]!);
    const holder = new Int32Array(free.length).fill(-1);
    for (const job of sorted) {
      let own = 0;
      if (groups?.byTeam[number] === 1) own = groups.team[job]! === 0 ? free.length : groups.team[job]! - 1;
      else while (own < free.length && free[own]! > start[job]!) own++;
      team[job] = own < free.length ? own + 1 : 0;
      if (own >= free.length) continue;
      before[job] = holder[own]!;
      free[own] = end[job]!;
      holder[own] = job;
    }
  });
  return before;
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

/** What the DUs took, as rows, and what they miss or waited for. */
function pegAndGaps(ready: Ready, placed: Placed, takes: Take[]): Pick<Plan, "allocations" | "gaps"> {
  const { problem, flows, supplyAt, supply, keptOf } = ready;
  const { lots, demand, dus, teams } = problem;
  const need = (du: number) => placed.start[dus.firstJob[du]! + flows.material[dus.flow[du]!]!]!;
  const sorted = [...takes].sort((a, b) => a.du - b.du || a.item - b.item || a.lot - b.lot);
  const taken = new Float64Array(lots.item.length);
  const lastDay = new Map<number, number>();
  const covered = new Map<number, number>();
  for (const { du, item, lot, quantity } of sorted) {
    const row = du * problem.items + item;
    taken[lot]! += quantity;
    covered.set(row, (covered.get(row) ?? 0) + quantity);
    lastDay.set(row, Math.max(lastDay.get(row) ?? 0, lots.day[lot]!));
  }
  const rows: {
    du: number;
    item: number;
    required: number;
    covered: number;
    short: number;
    needDay: number;
    coverDay: number;
    reason: number;
  }[] = [];
  for (let du = 0; du < dus.id.length; du++) {
    if (demand.at[du] === demand.at[du + 1] || flows.material[dus.flow[du]!]! < 0) continue;
    const earliest = predecessorsAllow(ready, placed, du);
    // A kept job takes its material when it takes place: it does not wait.
    const isKept = (keptOf?.[dus.firstJob[du]! + flows.material[dus.flow[du]!]!] ?? -1) >= 0;
    for (let at = demand.at[du]!; at < demand.at[du + 1]!; at++) {
      const item = demand.item[at]!;
      const required = demand.quantity[at]!;
      const own = covered.get(du * problem.items + item) ?? 0;
      const day = lastDay.get(du * problem.items + item) ?? 0;
      if (own < required) {
        const list = item * teams.regions + dus.region[du]!;
        let unused = 0;
        let coverDay = NO_DAY;
        for (let place = supplyAt[list]!; place < supplyAt[list + 1]! && coverDay === NO_DAY; place++) {
          const lot = supply[place]!;
          if (lots.day[lot]! <= need(du)) continue;
          unused += lots.quantity[lot]! - taken[lot]!;
          if (unused >= required - own) coverDay = lots.day[lot]!;
        }
        let elsewhere = 0;
        let any = false;
        for (let lot = 0; lot < lots.item.length; lot++)
          if (lots.item[lot] === item) {
            any = true;
            elsewhere += lots.quantity[lot]! - taken[lot]!;
          }
        const reason = !any ? 1 : elsewhere >= required - own ? 2 : 0;
        rows.push({ du, item, required, covered: own, short: required - own, needDay: need(du), coverDay, reason });
      } else if (day > earliest && !isKept && problem.direction === "forward")
        rows.push({ du, item, required, covered: own, short: 0, needDay: earliest, coverDay: day, reason: 3 });
    }
  }
  return {
    allocations: {
      du: Int32Array.from(sorted, ({ du }) => du),
      designItem: Int32Array.from(sorted, ({ item }) => item),
      lot: Int32Array.from(sorted, ({ lot }) => lot),
      quantity: Float64Array.from(sorted, ({ quantity }) => quantity),
      covers: Float64Array.from(sorted, ({ quantity }) => quantity),
      group: new Int32Array(sorted.length).fill(-1),
      direct: new Uint8Array(sorted.length),
      available: Int32Array.from(sorted, ({ lot }) => lots.day[lot]!),
      need: Int32Array.from(sorted, ({ du }) => need(du)),
    },
    gaps: {
      du: Int32Array.from(rows, (row) => row.du),
      item: Int32Array.from(rows, (row) => row.item),
      required: Float64Array.from(rows, (row) => row.required),
      covered: Float64Array.from(rows, (row) => row.covered),
      short: Float64Array.from(rows, (row) => row.short),
      needDay: Int32Array.from(rows, (row) => row.needDay),
      coverDay: Int32Array.from(rows, (row) => row.coverDay),
      reason: Uint8Array.from(rows, (row) => row.reason),
    },
  };
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
      const { by, position } = bindBackward(ready, reverse, placed.work, du, job);
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

/** Jobs by position of their flow instead of by place in the order of relations. */
function inFlowOrder({ problem, flows }: Ready, plan: Plan): Plan {
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
