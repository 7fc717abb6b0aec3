import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Calendar, Certificate, Flow, Problem } from "#lib/planning-engine/model/logic.ts";

/**
 * All flows behind one another, their jobs in an order that runs with the relations: place k of flow f is entry `at[f] + k`. Relations are start-start lags
 * in working days, their source an entry of the same flow counted from `at[f]`.
 */
export type FlatFlows = {
  at: Int32Array;
  /** Position in the flow of each entry. */
  position: Int32Array;
  durations: Int32Array;
  teamClass: Int32Array;
  inAt: Int32Array;
  inFrom: Int32Array;
  inLag: Int32Array;
  inKind: Uint8Array;
  inOffset: Int32Array;
  /** Working days from the start to the end of the longest path behind, the job itself counted; and those behind its end alone. */
  reach: Int32Array;
  tail: Int32Array;
  /** Working days of the longest path before it. */
  head: Int32Array;
  /** Entries counted from `at[f]`, -1 without. */
  material: Int32Array;
  anchor: Int32Array;
};

/** Working days by number and their inverse. `workAt[day - first]` is the first working day on or after the day. */
export type WorkingDays = { days: Int32Array; workAt: Int32Array; first: number; plain: boolean };

/** A problem made ready for passes. */
export type Ready = {
  problem: Problem;
  flows: FlatFlows;
  calendars: WorkingDays[];
  jobs: number;
  duOfJob: Int32Array;
  /** First working day each DU may use, and the day after the last one. */
  releaseWork: Int32Array;
  endWork: Int32Array;
  /** Last working day on which the material job of each DU can begin, free jobs behind it counted; -1 without one. */
  materialLatest: Int32Array;
  /** Entry of `problem.kept` of each job, -1 = free; null when no job keeps its dates. */
  keptOf: Int32Array | null;
  /** Job of each entry of `problem.kept`. Jobs are counted by place in the order of relations here, by position of the flow in the problem. */
  keptJob: Int32Array;
  /** Supplies: lots that serve DUs of region r for item i are `supply[supplyAt[i * regions + r] ..]`, by day, those taken first last. */
  supplyAt: Int32Array;
  supply: Int32Array;
};

/** Days a job of this duration lasts: a milestone lasts its day. */
export function lengthOf(duration: number): number {
  return duration > 1 ? duration : 1;
}

/** Distance of the starts that a relation asks for, in working days. */
export function lagOf(kind: number, offset: number, before: number, after: number): number {
  if (kind === 0) return lengthOf(before) - 1 + offset + (after === 0 ? 0 : 1);
  if (kind === 1) return offset;
  if (kind === 2) return lengthOf(before) - 1 + offset - (lengthOf(after) - 1);
  return offset - (lengthOf(after) - 1);
}

/** Makes a problem ready, or says which flows go round in a circle. */
export function normalise(problem: Problem): { ready: Ready; loops: [] } | { ready: null; loops: Certificate[] } {
  const loops: Certificate[] = [];
  const orders: Int32Array[] = [];
  problem.flows.forEach((flow, number) => {
    const { order, circle } = orderOf(flow);
    orders.push(order);
    if (circle.length > 0)
      loops.push({ code: "LOOP", flow: number, positions: circle, needed: circleLength(flow, circle), available: 0, relax: 1 });
  });
  if (loops.length > 0) return { ready: null, loops };
  const { dus } = problem;
  const count = dus.id.length;
  const jobs = dus.firstJob[count]!;
  const calendars = problem.calendars.map((calendar) => workingDaysOf(calendar, problem.horizonDays));
  const duOfJob = new Int32Array(jobs);
  const releaseWork = new Int32Array(count);
  const endWork = new Int32Array(count);
  for (let du = 0; du < count; du++) {
    duOfJob.fill(du, dus.firstJob[du]!, dus.firstJob[du + 1]!);
    const calendar = calendars[dus.calendar[du]!]!;
    releaseWork[du] = firstWorkAt(calendar, dus.release[du]!);
    endWork[du] = firstWorkAt(calendar, problem.horizonDays);
  }
  let keptOf: Int32Array | null = null;
  const keptJob = new Int32Array(problem.kept.job.length);
  let owner = 0;
  if (problem.kept.job.length > 0) {
    keptOf = new Int32Array(jobs).fill(-1);
    for (let at = 0; at < keptJob.length; at++) {
      const given = problem.kept.job[at]!;
      while (dus.firstJob[owner + 1]! <= given) owner++;
      const base = dus.firstJob[owner]!;
      keptJob[at] = base + orders[dus.flow[owner]!]!.indexOf(given - base);
      keptOf[keptJob[at]!] = at;
    }
  }
  const flows = flatten(problem.flows, orders);
  return {
    ready: {
      problem,
      flows,
      calendars,
      jobs,
      duOfJob,
      releaseWork,
      endWork,
      materialLatest: latestMaterial(problem, flows, endWork, keptOf),
      keptOf,
      keptJob,
      ...supplies(problem),
    },
    loops: [],
  };
}

/** Number of the first working day on or after a day; behind the last one for days behind them all. */
export function firstWorkAt(calendar: WorkingDays, day: number): number {
  const at = day - calendar.first;
  if (at < 0) return 0;
  return at < calendar.workAt.length ? calendar.workAt[at]! : calendar.days.length;
}

function workingDaysOf({ days }: Calendar, horizonDays: number): WorkingDays {
  const first = days.length > 0 ? Math.min(days[0]!, 0) : 0;
  const workAt = new Int32Array(Math.max(horizonDays, (days.at(-1) ?? 0) + 1) - first + 1);
  let work = 0;
  for (let at = 0; at < workAt.length; at++) {
    while (work < days.length && days[work]! < first + at) work++;
    workAt[at] = work;
  }
  const plain = days.length > 0 && days[days.length - 1]! - days[0]! === days.length - 1;
  return { days, workAt, first, plain };
}

/** Positions in an order that runs with the relations, the first possible one first; else positions that go round in a circle. */
function orderOf(flow: Flow): { order: Int32Array; circle: number[] } {
  const size = flow.durations.length;
  const order = new Int32Array(size);
  const placed = new Uint8Array(size);
  const open = (position: number) => {
    for (let arc = flow.inAt[position]!; arc < flow.inAt[position + 1]!; arc++) if (!placed[flow.inFrom[arc]!]) return flow.inFrom[arc]!;
    return -1;
  };
  for (let place = 0; place < size; place++) {
    let next = -1;
    for (let position = 0; position < size && next < 0; position++) if (!placed[position] && open(position) < 0) next = position;
    if (next < 0) {
      // Each of the rest has a predecessor among the rest: going back from any of them runs into a circle.
      const seen = new Map<number, number>();
      const path: number[] = [];
      let position = placed.indexOf(0);
      while (!seen.has(position)) {
        seen.set(position, path.length);
        path.push(position);
        position = open(position);
      }
      const circle = path.slice(seen.get(position)).reverse();
      const smallest = circle.indexOf(Math.min(...circle));
      return { order, circle: [...circle.slice(smallest), ...circle.slice(0, smallest)] };
    }
    placed[next] = 1;
    order[place] = next;
  }
  return { order, circle: [] };
}

function circleLength(flow: Flow, circle: number[]): number {
  let sum = 0;
  circle.forEach((after, place) => {
    const before = circle[(place + circle.length - 1) % circle.length]!;
    let most = Number.NEGATIVE_INFINITY;
    for (let arc = flow.inAt[after]!; arc < flow.inAt[after + 1]!; arc++)
      if (flow.inFrom[arc] === before)
        most = Math.max(most, lagOf(flow.inKind[arc]!, flow.inOffset[arc]!, flow.durations[before]!, flow.durations[after]!));
    sum += most;
  });
  return sum;
}

function flatten(flows: Flow[], orders: Int32Array[]): FlatFlows {
  const entries = flows.reduce((sum, flow) => sum + flow.durations.length, 0);
  const arcs = flows.reduce((sum, flow) => sum + flow.inFrom.length, 0);
  const flat: FlatFlows = {
    at: new Int32Array(flows.length + 1),
    position: new Int32Array(entries),
    durations: new Int32Array(entries),
    teamClass: new Int32Array(entries),
    inAt: new Int32Array(entries + 1),
    inFrom: new Int32Array(arcs),
    inLag: new Int32Array(arcs),
    inKind: new Uint8Array(arcs),
    inOffset: new Int32Array(arcs),
    reach: new Int32Array(entries),
    tail: new Int32Array(entries),
    head: new Int32Array(entries),
    material: new Int32Array(flows.length),
    anchor: new Int32Array(flows.length),
  };
  let entry = 0;
  let arc = 0;
  flows.forEach((flow, number) => {
    const order = orders[number]!;
    const base = entry;
    const placeOf = new Int32Array(order.length);
    for (let place = 0; place < order.length; place++) placeOf[order[place]!] = place;
    for (const position of order) {
      flat.position[entry] = position;
      flat.durations[entry] = flow.durations[position]!;
      flat.teamClass[entry] = flow.durations[position]! > 0 ? flow.teamClass[position]! : -1;
      for (let at = flow.inAt[position]!; at < flow.inAt[position + 1]!; at++) {
        const from = flow.inFrom[at]!;
        flat.inFrom[arc] = placeOf[from]!;
        flat.inKind[arc] = flow.inKind[at]!;
        flat.inOffset[arc] = flow.inOffset[at]!;
        flat.inLag[arc] = lagOf(flow.inKind[at]!, flow.inOffset[at]!, flow.durations[from]!, flow.durations[position]!);
        const head = flat.head[base + flat.inFrom[arc]!]! + flat.inLag[arc]!;
        if (head > flat.head[entry]!) flat.head[entry] = head;
        arc++;
      }
      entry++;
      flat.inAt[entry] = arc;
    }
    for (let at = entry - 1; at >= base; at--) {
      flat.reach[at] = Math.max(flat.reach[at]!, lengthOf(flat.durations[at]!));
      for (let into = flat.inAt[at]!; into < flat.inAt[at + 1]!; into++) {
        const from = base + flat.inFrom[into]!;
        flat.reach[from] = Math.max(flat.reach[from]!, flat.inLag[into]! + flat.reach[at]!);
        flat.tail[from] = Math.max(flat.tail[from]!, flat.inLag[into]! + flat.durations[at]! + flat.tail[at]! - flat.durations[from]!);
      }
    }
    flat.material[number] = flow.material < 0 ? -1 : placeOf[flow.material]!;
    flat.anchor[number] = flow.anchor < 0 ? -1 : placeOf[flow.anchor]!;
    flat.at[number + 1] = entry;
  });
  return flat;
}

function latestMaterial({ dus, kept }: Problem, flows: FlatFlows, endWork: Int32Array, keptOf: Int32Array | null): Int32Array {
  const latest = new Int32Array(dus.id.length).fill(-1);
  const reach = new Int32Array(flows.reach.length);
  const hasKept = new Uint8Array(dus.id.length);
  let owner = 0;
  for (const job of kept.job) {
    while (dus.firstJob[owner + 1]! <= job) owner++;
    hasKept[owner] = 1;
  }
  for (let du = 0; du < latest.length; du++) {
    const flow = dus.flow[du]!;
    if (flows.material[flow]! < 0) continue;
    const base = flows.at[flow]!;
    const material = base + flows.material[flow]!;
    if (hasKept[du] === 0) {
      latest[du] = endWork[du]! - flows.reach[material]!;
      continue;
    }
    // Jobs that keep their dates ask for nothing, and nor does what leads to them.
    reach.fill(0, base, flows.at[flow + 1]!);
    for (let entry = flows.at[flow + 1]! - 1; entry >= material; entry--) {
      if (keptOf![dus.firstJob[du]! + entry - base]! >= 0) continue;
      reach[entry] = Math.max(reach[entry]!, lengthOf(flows.durations[entry]!));
      for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) {
        const from = base + flows.inFrom[arc]!;
        reach[from] = Math.max(reach[from]!, flows.inLag[arc]! + reach[entry]!);
      }
    }
    latest[du] = endWork[du]! - Math.max(reach[material]!, lengthOf(flows.durations[material]!));
  }
  return latest;
}

/** Lots by item and region in order of day; of equal days the one that is taken first stands last: reuse, then the warehouse of highest priority number, then the later lot. */
function supplies(problem: Problem): { supplyAt: Int32Array; supply: Int32Array } {
  const { lots, items, teams } = problem;
  const { regions } = teams;
  const byItem: number[][] = Array.from({ length: items }, () => []);
  for (let lot = 0; lot < lots.item.length; lot++) if (lots.day[lot] !== NO_DAY) byItem[lots.item[lot]!]!.push(lot);
  const supplyAt = new Int32Array(items * regions + 1);
  const supply: number[] = [];
  for (let item = 0; item < items; item++) {
    const own = byItem[item]!.sort(
      (left, right) => lots.day[left]! - lots.day[right]! || lots.priority[left]! - lots.priority[right]! || left - right,
    );
    for (let region = 0; region < regions; region++) {
      for (const lot of own) if (lots.region[lot]! < 0 || lots.region[lot] === region) supply.push(lot);
      supplyAt[item * regions + region + 1] = supply.length;
    }
  }
  return { supplyAt, supply: Int32Array.from(supply) };
}
