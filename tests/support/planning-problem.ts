import type { Level, Problem } from "#lib/planning-engine/model/logic.ts";

const none = 1_000_000_000;
const kinds = ["FS", "SS", "FF", "SF"] as const;
const states = ["done", "completed", "started", "suspended", "fixed", "frozen"] as const;

export type ActivityGiven = {
  name: string;
  days: number;
  team?: string;
  /** Resource name the activity asks for. */
  resource?: string;
  coTeam?: number;
  coResource?: number;
  disassembly?: true;
};
export type FlowGiven = {
  name: string;
  activities: ActivityGiven[];
  /** Predecessor, successor, kind, offset. */
  relations: [string, string, (typeof kinds)[number], number][];
  material?: string;
  anchor?: string;
};
export type DuGiven = {
  flow: string;
  region?: number;
  release?: number;
  due?: number;
  weight?: number;
  rankClass?: number;
  cluster?: number;
  site?: number;
  directFrom?: number;
  /** Item and quantity in units, first by design priority. */
  demand?: [item: number, units: number][];
  kept?: {
    activity: string;
    state: (typeof states)[number];
    start?: number;
    end?: number;
    pool?: number;
  }[];
};
export type LotGiven = {
  item: number;
  units: number;
  day?: number;
  region?: number;
  priority?: number;
  source?: "stock" | "inbound" | "reuse";
  donor?: number;
  turnaround?: number;
};
export type ProblemGiven = {
  direction?: "forward" | "reverse";
  horizon?: number;
  /** Free weekdays of each region's calendar (day 0 is weekday 0); one region that always works when left out. */
  freeDays?: number[][];
  flows: FlowGiven[];
  pools: { skill: string; resource?: string; region?: number; teams: number }[];
  dus: DuGiven[];
  lots?: LotGiven[];
  /** Groups of a design item in order: units one lot covers, and what it takes. */
  substitutes?: { item: number; covers: number; parts: [item: number, units: number][] }[];
  items?: number;
  strict?: boolean;
  clusters?: { needed: number[]; limit: number };
  base?: { start: number[]; pool: number[]; stabilityWeight: number };
  objective?: Level[];
};

const hundredths = (units: number) => Math.round(units * 100);

/** Makes a problem of arrays from one that can be read. Regions and calendars are the same numbers. */
export function makeProblem(given: ProblemGiven): Problem {
  const horizon = given.horizon ?? 40;
  const freeDays = given.freeDays ?? [[]];
  const regions = freeDays.length;
  const calendars = freeDays.map((free) => ({
    days: Int32Array.from(Array.from({ length: horizon + 60 }, (_, day) => day - 60).filter((day) => !free.includes(((day % 7) + 7) % 7))),
  }));
  const skills = [...new Set(given.pools.map(({ skill }) => skill))];
  const resources = [...new Set(given.pools.map(({ resource = "" }) => resource))];
  const classes = [
    ...new Set(
      given.flows.flatMap(({ activities }) => activities.flatMap(({ team, resource }) => (team ? [`${team}/${resource ?? ""}`] : []))),
    ),
  ];
  const eligible: number[] = [];
  const eligibleAt = [0];
  for (const key of classes)
    for (let region = 0; region < regions; region++) {
      const [skill, resource] = key.split("/");
      const fits = given.pools.flatMap((pool, index) =>
        pool.skill === skill && (!resource || pool.resource === resource) && (pool.region ?? region) === region ? [index] : [],
      );
      eligible.push(
        ...fits.filter((pool) => given.pools[pool]!.region === region),
        ...fits.filter((pool) => given.pools[pool]!.region === undefined),
      );
      eligibleAt.push(eligible.length);
    }
  const flows = given.flows.map(({ name, activities, relations, material, anchor }) => {
    const place = (wanted: string | undefined) => activities.findIndex((one) => one.name === wanted);
    const into = activities.map((one) => relations.filter(([, to]) => to === one.name));
    return {
      name,
      activities: activities.map((one) => one.name),
      durations: Int32Array.from(activities, ({ days }) => days),
      inAt: Int32Array.from([0, ...into].map((_, index) => into.slice(0, index).reduce((sum, list) => sum + list.length, 0))),
      inFrom: Int32Array.from(into.flat(), ([from]) => place(from)),
      inKind: Uint8Array.from(into.flat(), ([, , kind]) => kinds.indexOf(kind)),
      inOffset: Int32Array.from(into.flat(), ([, , , offset]) => offset),
      teamClass: Int32Array.from(activities, ({ team, resource }) => (team ? classes.indexOf(`${team}/${resource ?? ""}`) : -1)),
      coTeam: Int32Array.from(activities, ({ coTeam = -1 }) => coTeam),
      coResource: Int32Array.from(activities, ({ coResource = -1 }) => coResource),
      disassembly: Uint8Array.from(activities, ({ disassembly }) => (disassembly ? 1 : 0)),
      material: place(material),
      anchor: place(anchor),
    };
  });
  const flowOf = given.dus.map(({ flow }) => given.flows.findIndex(({ name }) => name === flow));
  const firstJob = [0];
  for (const flow of flowOf) firstJob.push(firstJob.at(-1)! + flows[flow]!.durations.length);
  const kept = given.dus.flatMap((du, index) =>
    (du.kept ?? []).map(({ activity, state, start = none, end = none, pool = -1 }) => {
      const days = calendars[du.region ?? 0]!.days;
      const first = days.findIndex((day) => day >= start);
      const last = days.findLastIndex((day) => day < end);
      return {
        job: firstJob[index]! + flows[flowOf[index]!]!.activities.indexOf(activity),
        state: states.indexOf(state),
        start,
        end,
        first: start === none ? none : Math.min(first, last),
        last: end === none ? none : last,
        pool,
      };
    }),
  );
  kept.sort((one, other) => one.job - other.job);
  const lots = given.lots ?? [];
  const items =
    given.items ??
    1 +
      Math.max(
        -1,
        ...lots.map(({ item }) => item),
        ...given.dus.flatMap(({ demand = [] }) => demand.map(([item]) => item)),
        ...(given.substitutes ?? []).flatMap(({ item, parts }) => [item, ...parts.map(([part]) => part)]),
      );
  const groups = (given.substitutes ?? []).toSorted((one, other) => one.item - other.item);
  const order = given.dus
    .map((du, index) => ({ index, rankClass: du.rankClass ?? 0, due: du.due ?? none }))
    .sort((one, other) => one.rankClass - other.rankClass || one.due - other.due || one.index - other.index);
  const rank = new Int32Array(given.dus.length);
  order.forEach(({ index }, place) => {
    rank[index] = place;
  });
  const column = (read: (du: DuGiven) => number | undefined, without: number) => Int32Array.from(given.dus, (du) => read(du) ?? without);
  return {
    direction: given.direction ?? "forward",
    horizonDays: horizon,
    calendars,
    flows,
    dus: {
      id: Float64Array.from(given.dus, (_, index) => 100 + index),
      firstJob: Int32Array.from(firstJob),
      flow: Int32Array.from(flowOf),
      calendar: column(({ region }) => region, 0),
      region: column(({ region }) => region, 0),
      release: column(({ release }) => release, 0),
      due: column(({ due }) => due, none),
      weight: column(({ weight }) => weight, 1),
      rankClass: column(({ rankClass }) => rankClass, 0),
      rank,
      cluster: column(({ cluster }) => cluster, -1),
      directFrom: column(({ directFrom }) => directFrom, -1),
      site: column(({ site }) => site, -1),
    },
    teams: {
      count: Int32Array.from(given.pools, ({ teams }) => teams),
      region: Int32Array.from(given.pools, ({ region = -1 }) => region),
      skill: Int32Array.from(given.pools, ({ skill }) => skills.indexOf(skill)),
      resource: Int32Array.from(given.pools, ({ resource = "" }) => resources.indexOf(resource)),
      classes: classes.length,
      regions,
      eligibleAt: Int32Array.from(eligibleAt),
      eligible: Int32Array.from(eligible),
    },
    kept: {
      job: Int32Array.from(kept, ({ job }) => job),
      state: Uint8Array.from(kept, ({ state }) => state),
      start: Int32Array.from(kept, ({ start }) => start),
      end: Int32Array.from(kept, ({ end }) => end),
      first: Int32Array.from(kept, ({ first }) => first),
      last: Int32Array.from(kept, ({ last }) => last),
      pool: Int32Array.from(kept, ({ pool }) => pool),
    },
    items,
    lots: {
      item: Int32Array.from(lots, ({ item }) => item),
      quantity: Float64Array.from(lots, ({ units }) => hundredths(units)),
      day: Int32Array.from(lots, ({ day = 0, source }) => (source === "reuse" ? none : day)),
      source: Uint8Array.from(lots, ({ source = "stock" }) => ["stock", "inbound", "reuse"].indexOf(source)),
      region: Int32Array.from(lots, ({ region = -1, donor }) => (donor === undefined ? region : (given.dus[donor]!.region ?? 0))),
      warehouse: Int32Array.from(lots, ({ source, region = -1 }) => (source === "reuse" ? -1 : region + 1)),
      priority: Int32Array.from(lots, ({ priority = 1, source }) => (source === "reuse" ? 0 : priority)),
      donor: Int32Array.from(lots, ({ donor = -1 }) => donor),
      turnaround: Int32Array.from(lots, ({ turnaround = 0 }) => turnaround),
    },
    demand: {
      at: Int32Array.from([0, ...given.dus], (_, index) =>
        given.dus.slice(0, index).reduce((sum, du) => sum + (du.demand?.length ?? 0), 0),
      ),
      item: Int32Array.from(given.dus.flatMap(({ demand = [] }) => demand.map(([item]) => item))),
      quantity: Float64Array.from(given.dus.flatMap(({ demand = [] }) => demand.map(([, units]) => hundredths(units)))),
    },
    substitutes: {
      at: Int32Array.from({ length: items + 1 }, (_, item) => groups.filter((group) => group.item < item).length),
      covers: Float64Array.from(groups, ({ covers }) => hundredths(covers)),
      partAt: Int32Array.from([0, ...groups], (_, index) => groups.slice(0, index).reduce((sum, { parts }) => sum + parts.length, 0)),
      partItem: Int32Array.from(groups.flatMap(({ parts }) => parts.map(([item]) => item))),
      partQuantity: Float64Array.from(groups.flatMap(({ parts }) => parts.map(([, units]) => hundredths(units)))),
      name: groups.map((_, index) => `G${index}`),
    },
    strictGaps: given.strict ?? false,
    clusters: given.clusters ? { needed: Int32Array.from(given.clusters.needed), limit: given.clusters.limit } : null,
    base: given.base
      ? { start: Int32Array.from(given.base.start), pool: Int32Array.from(given.base.pool), stabilityWeight: given.base.stabilityWeight }
      : null,
    objective: given.objective ?? ["gapDus", "lateDus", "lateDays", "classCompletion", "makespan", "completion", "substituted"],
  };
}

/** A small generator of whole numbers, so that a case can be made again from its seed. */
export function chance(seed: number): (below: number) => number {
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x85ebca6b) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/**
 * A random roll-out with everything on: two regions with calendars of their own, new sites with shared teams and resource names, dismantled sites whose
 * material is used again (some of it directly), deliveries, substitutes, clusters, kept dates, classes of rank.
 */
export function randomRollOut(seed: number, sites = 8): ProblemGiven {
  const draw = chance(seed);
  const dus: DuGiven[] = [];
  for (let site = 0; site < sites; site++) {
    const region = draw(2);
    if (site % 4 === 0) {
      dus.push({ flow: "DISM", region, site: site / 4, release: draw(3) });
      continue;
    }
    const du: DuGiven = {
      flow: "NEW",
      region,
      release: draw(4),
      due: 10 + draw(20),
      weight: 1 + draw(3),
      rankClass: draw(2),
      cluster: draw(3) - 1,
      demand: draw(4) === 0 ? [[1, 1 + draw(2)]] : [[0, 1 + draw(3)], ...(draw(2) ? ([[1, 1]] as [number, number][]) : [])],
    };
    if (draw(5) === 0) du.directFrom = 0;
    const roll = draw(8);
    if (roll === 0) du.kept = [{ activity: "Survey", state: "completed", start: -3, end: -2 }];
    if (roll === 1) du.kept = [{ activity: "Survey", state: "started", start: 0, end: 2 }];
    if (roll === 2) du.kept = [{ activity: "Install", state: "fixed", start: 1, end: 4 }];
    if (roll === 3)
      du.kept = [
        { activity: "Survey", state: "done" },
        { activity: "Prepare", state: "done", start: -4, end: -1 },
      ];
    dus.push(du);
  }
  const clusters = [0, 1].map((cluster) => dus.filter((du) => du.cluster === cluster).length);
  return {
    horizon: 90,
    freeDays: [[5, 6], [6]],
    flows: [
      {
        name: "NEW",
        activities: [
          { name: "Survey", days: 1, team: "SUR", coResource: 0 },
          { name: "Prepare", days: 2, team: "SUR", coResource: 0 },
          { name: "Install", days: 3, team: "INST", coTeam: 0 },
          { name: "Cutover", days: 1, team: "INST", coTeam: 0 },
          { name: "Hand over", days: 0 },
        ],
        relations: [
          ["Survey", "Prepare", "SS", 1],
          ["Survey", "Install", "FS", 0],
          ["Prepare", "Install", "FF", 1],
          ["Install", "Cutover", "FS", draw(3)],
          ["Prepare", "Cutover", "SF", 2],
          ["Cutover", "Hand over", "FS", 1],
        ],
        material: "Install",
        anchor: "Cutover",
      },
      {
        name: "DISM",
        activities: [
          { name: "Dismantle", days: 2, team: "INST", disassembly: true },
          { name: "Clear", days: 1 },
        ],
        relations: [["Dismantle", "Clear", "FS", -1]],
      },
    ],
    pools: [
      { skill: "SUR", resource: "North", region: 0, teams: 1 },
      { skill: "SUR", resource: "South", region: 1, teams: 1 },
      { skill: "SUR", resource: "East", teams: 1 },
      { skill: "INST", resource: "North", region: 0, teams: 1 + draw(2) },
      { skill: "INST", resource: "South", region: 1, teams: 1 },
    ],
    dus,
    items: 5,
    lots: (
      [
        { item: 0, units: draw(4), region: -1 },
        { item: 0, units: 1 + draw(3), region: 0, day: 3 + draw(6), source: "inbound" },
        { item: 0, units: 1 + draw(3), region: 1, day: 3 + draw(9), source: "inbound" },
        { item: 0, units: 2, region: 0, day: 3, source: "inbound", priority: 2 },
        { item: 1, units: draw(3), region: -1, day: 5 + draw(4), source: "inbound" },
        { item: 2, units: draw(5), region: -1 },
        { item: 3, units: draw(3), region: 0 },
        { item: 0, units: 2, source: "reuse" as const, donor: 0, turnaround: 1 },
        ...(sites > 4 ? [{ item: 1, units: 1, source: "reuse" as const, donor: 4, turnaround: 2 }] : []),
      ] satisfies LotGiven[]
    ).filter(({ units }) => units > 0),
    substitutes: [
      { item: 1, covers: 1, parts: [[2, 2]] },
      {
        item: 0,
        covers: 2,
        parts: [
          [2, 1],
          [3, 1],
        ],
      },
    ],
    clusters: { needed: clusters.map((count) => Math.ceil((count * 6) / 10)), limit: 1 },
  };
}
