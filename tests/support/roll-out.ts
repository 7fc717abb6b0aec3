import type { Flow, Problem } from "#lib/planning-engine/model/logic.ts";

const regions = 10;
const skills = 5;
const flowCount = 20;
const itemCount = 10;
const receipts = 40;
const horizonDays = 1095;

/** Finaliser of MurmurHash3, as the definition of the synthetic roll-out asks for. */
function finalise(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The draws of a seed: hashes, so that their order does not matter. */
function drawsOf(seed: number): (tag: number, i: number, j: number, n: number) => number {
  const first = finalise(seed);
  return (tag, i, j, n) => {
    let hash = first;
    for (const x of [tag, i, j]) hash = finalise((hash ^ Math.imul(x + 1, 0x9e3779b1)) >>> 0);
    return Math.floor((hash * n) / 4294967296);
  };
}

/** Size of a generated roll-out, for the report: relations without those of one flow counted twice, teams and units over all. */
export type RollOut = { problem: Problem; relations: number; teams: number; units: number };

/**
 * The synthetic roll-out ROLL(dus, activities, window, seed): ten regions with five pools and a warehouse each, twenty workflows, demand of one to three items.
 * @param coupled one central warehouse with the sums of the regions, so that everything is one component
 */
export function rollOut(dus: number, activities: number, window: number, seed: number, coupled = false): RollOut {
  const draw = drawsOf(seed);
  const flows: Flow[] = [];
  const paths: number[] = [];
  for (let f = 0; f < flowCount; f++) {
    const flow = flowOf(draw, f, activities);
    flows.push(flow);
    paths.push(longestPath(flow));
  }
  const numbers = () => new Int32Array(dus);
  const flow = numbers();
  const region = numbers();
  const weight = numbers();
  const release = numbers();
  const due = numbers();
  const firstJob = new Int32Array(dus + 1);
  const at = new Int32Array(dus + 1);
  const items: number[] = [];
  const quantities: number[] = [];
  const load = new Float64Array(regions * skills);
  const stock = new Float64Array(regions * itemCount);
  let relations = 0;
  for (let du = 0; du < dus; du++) {
    const f = draw(20, du, 0, flowCount);
    const own = flows[f] as Flow;
    flow[du] = f;
    region[du] = draw(21, du, 0, regions);
    weight[du] = 1 + draw(22, du, 0, 5);
    release[du] = draw(23, du, 0, Math.floor(window / 2));
    due[du] = release[du]! + Math.floor((6 * paths[f]!) / 5) + draw(24, du, 0, Math.floor((3 * window) / 10)) - 1;
    firstJob[du + 1] = (du + 1) * activities;
    relations += own.inFrom.length;
    for (let a = 1; a < activities; a++) load[region[du]! * skills + own.teamClass[a]!]! += own.durations[a]!;
    const taken = new Set<number>();
    for (let z = 0; z < 1 + draw(25, du, 0, 3); z++) {
      const item = draw(26, du, z, itemCount);
      const units = 1 + draw(27, du, z, 4);
      if (taken.has(item)) continue;
      taken.add(item);
      items.push(item);
      quantities.push(units * 100);
      stock[region[du]! * itemCount + item]! += units;
    }
    at[du + 1] = items.length;
  }
  const pools = regions * skills;
  const count = Int32Array.from(load, (work) => Math.max(2, Math.ceil(work / window)));
  const eligibleAt = new Int32Array(pools + 1);
  const eligible = new Int32Array(pools);
  for (let skill = 0; skill < skills; skill++)
    for (let r = 0; r < regions; r++) {
      eligible[skill * regions + r] = r * skills + skill;
      eligibleAt[skill * regions + r + 1] = skill * regions + r + 1;
    }
  const lots = lotsOf(stock, window, coupled);
  const problem: Problem = {
    direction: "forward",
    horizonDays,
    calendars: [{ days: Int32Array.from({ length: horizonDays }, (_, day) => day) }],
    flows,
    dus: {
      id: Float64Array.from({ length: dus }, (_, du) => du + 1),
      firstJob,
      flow,
      calendar: numbers(),
      region,
      release,
      due,
      weight,
      rankClass: numbers(),
      rank: Int32Array.from({ length: dus }, (_, du) => du),
      cluster: numbers().fill(-1),
      directFrom: numbers().fill(-1),
      site: numbers().fill(-1),
    },
    teams: {
      count,
      region: Int32Array.from({ length: pools }, (_, pool) => Math.floor(pool / skills)),
      skill: Int32Array.from({ length: pools }, (_, pool) => pool % skills),
      resource: new Int32Array(pools),
      classes: skills,
      regions,
      eligibleAt,
      eligible,
    },
    kept: {
      job: new Int32Array(0),
      state: new Uint8Array(0),
      start: new Int32Array(0),
      end: new Int32Array(0),
      first: new Int32Array(0),
      last: new Int32Array(0),
      pool: new Int32Array(0),
    },
    items: itemCount,
    lots,
    demand: { at, item: Int32Array.from(items), quantity: Float64Array.from(quantities) },
    substitutes: {
      at: new Int32Array(itemCount + 1),
      covers: new Float64Array(0),
      partAt: new Int32Array(1),
      partItem: new Int32Array(0),
      partQuantity: new Float64Array(0),
      name: [],
    },
    strictGaps: false,
    clusters: null,
    base: null,
    objective: ["weightedLateDays"],
  };
  return { problem, relations, teams: count.reduce((sum, teams) => sum + teams, 0), units: stock.reduce((sum, units) => sum + units, 0) };
}

function flowOf(draw: ReturnType<typeof drawsOf>, f: number, activities: number): Flow {
  const durations = new Int32Array(activities);
  const teamClass = new Int32Array(activities).fill(-1);
  const inAt = new Int32Array(activities + 1);
  const from: number[] = [];
  const kinds: number[] = [];
  const offsets: number[] = [];
  for (let a = 1; a < activities; a++) {
    durations[a] = 1 + draw(1, f, a, 5);
    teamClass[a] = draw(2, f, a, 100) < 15 ? draw(3, f, a, skills) : Math.floor((skills * a) / activities);
    const sources = [Math.max(0, a - 1 - draw(5, f, a, 2))];
    if (draw(4, f, a, 100) >= 60) {
      const other = Math.max(0, a - 1 - draw(6, f, a, 4));
      if (other !== sources[0]) sources.push(other);
    }
    sources.forEach((source, z) => {
      const kind = draw(7 + z, f, a, 100);
      from.push(source);
      kinds.push(kind < 80 ? 0 : kind < 90 ? 1 : kind < 98 ? 2 : 3);
      offsets.push(draw(9 + z, f, a, 100) < 20 ? 1 + draw(11 + z, f, a, 4) : 0);
    });
    inAt[a + 1] = from.length;
  }
  return {
    name: `Flow ${f + 1}`,
    activities: Array.from({ length: activities }, (_, a) => (a === 0 ? "RFI" : `Activity ${a}`)),
    durations,
    inAt,
    inFrom: Int32Array.from(from),
    inKind: Uint8Array.from(kinds),
    inOffset: Int32Array.from(offsets),
    teamClass,
    coTeam: new Int32Array(activities).fill(-1),
    coResource: new Int32Array(activities).fill(-1),
    disassembly: new Uint8Array(activities),
    material: Math.floor((2 * activities) / 5),
    anchor: -1,
  };
}

/** Days of a flow alone, by the rules of the four relations. */
function longestPath(flow: Flow): number {
  const start = new Int32Array(flow.durations.length);
  const length = (a: number) => Math.max(flow.durations[a]!, 1) - 1;
  let days = 0;
  for (let b = 0; b < start.length; b++) {
    let from = 0;
    for (let arc = flow.inAt[b]!; arc < flow.inAt[b + 1]!; arc++) {
      const a = flow.inFrom[arc]!;
      const offset = flow.inOffset[arc]!;
      const kind = flow.inKind[arc]!;
      const bound =
        kind === 0
          ? start[a]! + length(a) + offset + (flow.durations[b] === 0 ? 0 : 1)
          : kind === 1
            ? start[a]! + offset
            : kind === 2
              ? start[a]! + length(a) + offset - length(b)
              : start[a]! + offset - length(b);
      from = Math.max(from, bound);
    }
    start[b] = from;
    days = Math.max(days, from + length(b) + 1);
  }
  return days;
}

function lotsOf(stock: Float64Array, window: number, coupled: boolean): Problem["lots"] {
  const item: number[] = [];
  const quantity: number[] = [];
  const day: number[] = [];
  const region: number[] = [];
  const receive = (owner: number, of: number, total: number) => {
    for (let r = 0; r < receipts; r++) {
      const units = Math.floor((103 * total * (r + 1)) / 4000) - Math.floor((103 * total * r) / 4000);
      if (units === 0) continue;
      item.push(of);
      quantity.push(units * 100);
      day.push(Math.floor((9 * r * window) / 400));
      region.push(owner);
    }
  };
  for (let of = 0; of < itemCount; of++) {
    const ofRegion = (r: number) => stock[r * itemCount + of]!;
    if (coupled)
      receive(
        -1,
        of,
        Array.from({ length: regions }, (_, r) => ofRegion(r)).reduce((sum, units) => sum + units, 0),
      );
    else for (let r = 0; r < regions; r++) receive(r, of, ofRegion(r));
  }
  return {
    item: Int32Array.from(item),
    quantity: Float64Array.from(quantity),
    day: Int32Array.from(day),
    source: new Uint8Array(item.length).fill(1),
    region: Int32Array.from(region),
    warehouse: Int32Array.from(region, (r) => (r < 0 ? 0 : r)),
    priority: new Int32Array(item.length).fill(1),
    donor: new Int32Array(item.length).fill(-1),
    turnaround: new Int32Array(item.length),
  };
}
