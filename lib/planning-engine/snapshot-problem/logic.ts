import { reusable } from "../lots/logic.ts";
import { keptStates, NO_DAY } from "../model/limits.ts";
import type { Base, Flow, Level, Problem } from "../model/logic.ts";
import { rateUnit } from "../snapshot/limits.ts";
import { isMaterialActivity, isNeutral, jobsOf, type Snapshot } from "../snapshot/logic.ts";

/** The problem of a snapshot, with what only the checker and the stored rows need beside it. */
export type SnapshotProblem = {
  problem: Problem;
  /** First days the rollout plan has, one entry per job, `NO_DAY` without: where they are feasible they are the first plan. */
  present: Int32Array;
  /** Of each reuse lot, the figures it was worked out from. */
  reuse: { lot: number; dismantled: number; damage: number; reuse: number; buffer: number }[];
  /** Flow of the snapshot that each flow of the problem is a form of. */
  flowOfForm: Int32Array;
};

/** Makes the typed arrays of a snapshot. The same snapshot always gives the same. */
export function problemOf(snapshot: Snapshot): SnapshotProblem {
  const { dus, settings } = snapshot;
  const firstJob = Int32Array.from(jobsOf(dus.flow, snapshot.flows));
  const jobs = firstJob.at(-1)!;
  const forms = takeForms(snapshot, firstJob);
  const calendars = snapshot.calendars.map(({ first, works }) => {
    const days: number[] = [];
    for (let at = 0; at < works.length; at++) if (works[at] === "1") days.push(first + at);
    return { days: Int32Array.from(days) };
  });
  const kept = takeKept(snapshot, firstJob, calendars);
  const { lots, reuse } = takeLots(snapshot, firstJob, forms);
  const present = new Int32Array(jobs).fill(NO_DAY);
  snapshot.present.job.forEach((job, at) => {
    present[job] = snapshot.present.start[at]!;
  });
  return {
    problem: {
      direction: settings.direction,
      horizonDays: settings.horizonDays,
      calendars,
      flows: forms.flows,
      dus: {
        id: Float64Array.from(dus.id),
        firstJob,
        flow: forms.ofDu,
        calendar: Int32Array.from(dus.region, (region) => snapshot.regions[region]!.calendar),
        region: Int32Array.from(dus.region),
        release: new Int32Array(dus.id.length),
        due: Int32Array.from(dus.due),
        weight: new Int32Array(dus.id.length).fill(1),
        rankClass: Int32Array.from(dus.rankClass),
        rank: Int32Array.from(dus.rank),
        cluster: Int32Array.from(dus.cluster),
        directFrom: Int32Array.from(dus.directFrom),
        site: Int32Array.from(dus.site),
      },
      teams: takeTeams(snapshot, forms.classes),
      kept,
      items: snapshot.items.length,
      lots,
      demand: takeDemand(snapshot, forms),
      substitutes: takeSubstitutes(snapshot),
      strictGaps: settings.strictGaps,
      clusters: takeClusters(snapshot),
      base: takeBase(snapshot, jobs),
      objective: objectiveOf(snapshot),
    },
    present,
    reuse,
    flowOfForm: forms.ofFlow,
  };
}

/** What is worth more than what. */
function objectiveOf({ settings, base, substitutes }: Snapshot): Level[] {
  const replaced: Level[] = substitutes.length > 0 ? ["substituted"] : [];
  const moved = base !== null && base.stabilityWeight > 0;
  // Due dates are hard in reverse: there are no late days to set against moved ones, which come before later starts then.
  if (settings.direction === "reverse")
    return ["gapDus", ...(moved ? (["stability"] as const) : []), "earliestStart", "duStarts", ...replaced];
  const ranked: Level[] = settings.sortByRfi || settings.enableCluster ? ["classCompletion"] : [];
  const late: Level[] = moved ? ["stability", "lateDus"] : ["lateDus", "lateDays"];
  return ["gapDus", ...late, ...ranked, "makespan", "completion", ...replaced];
}

/** Forms of the flows as DUs have them: each different one once. */
type Forms = { flows: Flow[]; ofDu: Int32Array; ofFlow: Int32Array; classes: { skill: number; resource: number }[] };

function takeForms(snapshot: Snapshot, firstJob: Int32Array): Forms {
  const { dus, flows } = snapshot;
  const classes: Forms["classes"] = [];
  const classOf = new Map<string, number>();
  const made: Flow[] = [];
  const ofFlow: number[] = [];
  const places = new Map<string, number>();
  const ofDu = new Int32Array(dus.id.length);
  let absent = 0;
  for (let du = 0; du < dus.id.length; du++) {
    const flow = dus.flow[du]!;
    const { name, activities } = flows[flow]!;
    const idle = activities.map((activity) => isNeutral(activity, dus.type[du]!));
    for (; absent < snapshot.absent.length && snapshot.absent[absent]! < firstJob[du + 1]!; absent++)
      idle[snapshot.absent[absent]! - firstJob[du]!] = true;
    const key = `${flow} ${idle.map(Number).join("")}`;
    let place = places.get(key);
    if (place === undefined) {
      place = made.length;
      places.set(key, place);
      ofFlow.push(flow);
      made.push(
        formOf(name, activities, idle, snapshot.settings.anchor, (skill, resource) => {
          const own = `${skill} ${resource}`;
          let number = classOf.get(own);
          if (number === undefined) {
            number = classes.push({ skill, resource }) - 1;
            classOf.set(own, number);
          }
          return number;
        }),
      );
    }
    ofDu[du] = place;
  }
  return { flows: made, ofDu, ofFlow: Int32Array.from(ofFlow), classes };
}

function formOf(
  name: string,
  activities: Snapshot["flows"][number]["activities"],
  idle: readonly boolean[],
  anchor: string | null,
  classOf: (skill: number, resource: number) => number,
): Flow {
  const works = activities.map(({ team, days }, at) => team && days > 0 && !idle[at]);
  const shared = (group: (activity: (typeof activities)[number]) => number) => {
    const counts = new Map<number, number>();
    activities.forEach((activity, at) => {
      if (works[at] && group(activity) >= 0) counts.set(group(activity), (counts.get(group(activity)) ?? 0) + 1);
    });
    return Int32Array.from(activities, (activity, at) => (works[at] && (counts.get(group(activity)) ?? 0) > 1 ? group(activity) : -1));
  };
  const relations = activities.flatMap(({ pres }) => pres);
  const inAt = new Int32Array(activities.length + 1);
  activities.forEach(({ pres }, at) => {
    inAt[at + 1] = inAt[at]! + pres.length;
  });
  return {
    name,
    activities: activities.map((activity) => activity.name),
    durations: Int32Array.from(activities, ({ days }, at) => (idle[at] ? 0 : days)),
    inAt,
    inFrom: Int32Array.from(relations, ([from]) => from),
    inKind: Uint8Array.from(relations, ([, kind]) => kind),
    inOffset: Int32Array.from(relations, ([, , offset]) => offset),
    teamClass: Int32Array.from(activities, ({ skill, resource }, at) => (works[at] ? classOf(skill, resource) : -1)),
    coTeam: shared(({ coTeam }) => coTeam),
    coResource: shared(({ coResource }) => coResource),
    disassembly: Uint8Array.from(activities, ({ disassembly }, at) => (disassembly && !idle[at] ? 1 : 0)),
    material: activities.findIndex((activity, at) => isMaterialActivity(activity) && !idle[at]),
    anchor: anchor === null ? -1 : activities.findIndex((activity) => activity.name === anchor),
  };
}

/** Pools by class and region: those of the region first, then those of any. */
function takeTeams({ pools, regions }: Snapshot, classes: Forms["classes"]): Problem["teams"] {
  const eligible: number[] = [];
  const eligibleAt = [0];
  for (const { skill, resource } of classes) {
    const fits = pools.flatMap((pool, at) => (pool.skill === skill && (resource < 0 || pool.resource === resource) ? [at] : []));
    for (let region = 0; region < regions.length; region++) {
      eligible.push(...fits.filter((at) => pools[at]!.region === region), ...fits.filter((at) => pools[at]!.region < 0));
      eligibleAt.push(eligible.length);
    }
  }
  return {
    count: Int32Array.from(pools, ({ teams }) => teams),
    region: Int32Array.from(pools, ({ region }) => region),
    skill: Int32Array.from(pools, ({ skill }) => skill),
    resource: Int32Array.from(pools, ({ resource }) => resource),
    classes: classes.length,
    regions: regions.length,
    eligibleAt: Int32Array.from(eligibleAt),
    eligible: Int32Array.from(eligible),
  };
}

function takeKept({ kept, dus, regions }: Snapshot, firstJob: Int32Array, calendars: Problem["calendars"]): Problem["kept"] {
  const first = new Int32Array(kept.job.length).fill(NO_DAY);
  const last = new Int32Array(kept.job.length).fill(NO_DAY);
  let du = 0;
  kept.job.forEach((job, at) => {
    if (kept.start[at] === NO_DAY) return;
    while (firstJob[du + 1]! <= job) du++;
    const { days } = calendars[regions[dus.region[du]!]!.calendar]!;
    last[at] = Math.max(0, placeAt(days, kept.end[at]!) - 1);
    first[at] = Math.min(placeAt(days, kept.start[at]!), last[at]!);
  });
  return {
    job: Int32Array.from(kept.job),
    state: Uint8Array.from(kept.state),
    start: Int32Array.from(kept.start),
    end: Int32Array.from(kept.end),
    first,
    last,
    pool: new Int32Array(kept.job.length).fill(-1),
  };
}

/** Number of the first working day on or after a day. */
function placeAt(days: Int32Array, day: number): number {
  let [from, to] = [0, days.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (days[middle]! < day) from = middle + 1;
    else to = middle;
  }
  return from;
}

const doneState = keptStates.indexOf("done");
const completedState = keptStates.indexOf("completed");

function takeLots(snapshot: Snapshot, firstJob: Int32Array, forms: Forms): { lots: Problem["lots"]; reuse: SnapshotProblem["reuse"] } {
  const { lots, warehouses, dus, lastSync } = snapshot;
  const doneOn = new Map<number, number>();
  snapshot.kept.job.forEach((job, at) => {
    const state = snapshot.kept.state[at]!;
    if (state === doneState || state === completedState) doneOn.set(job, snapshot.kept.end[at]!);
  });
  const used = snapshot.reuse.flatMap(({ du, item, dismantled, damage, reuse, buffer, turnaround }) => {
    const positions = forms.flows[forms.ofDu[du]!]!.disassembly;
    const jobs = [...positions.keys()].filter((position) => positions[position] === 1).map((position) => firstJob[du]! + position);
    const ends = jobs.map((job) => doneOn.get(job));
    // What was dismantled by the last synchronisation is in the stock already.
    const inStock = ends.every((end) => end !== undefined && lastSync !== NO_DAY && (end === NO_DAY || end - 1 <= lastSync));
    const quantity = reusable(dismantled, { damage, reuse, buffer });
    if (jobs.length === 0 || inStock || quantity === 0) return [];
    return [{ du, item, quantity, turnaround, dismantled, damage, reuse, buffer }];
  });
  const given = lots.item.length;
  const column = (ofLot: (at: number) => number, ofReuse: (row: (typeof used)[number]) => number) =>
    Int32Array.from({ length: given + used.length }, (_, at) => (at < given ? ofLot(at) : ofReuse(used[at - given]!)));
  const warehouse = (at: number) => warehouses[lots.warehouse[at]!]!;
  return {
    lots: {
      item: column(
        (at) => lots.item[at]!,
        ({ item }) => item,
      ),
      quantity: Float64Array.from([...lots.quantity, ...used.map(({ quantity }) => quantity)]),
      day: column(
        (at) => lots.day[at]!,
        () => NO_DAY,
      ),
      source: Uint8Array.from([...lots.source, ...used.map(() => 2)]),
      region: column(
        (at) => warehouse(at).region,
        ({ du }) => dus.region[du]!,
      ),
      warehouse: column(
        (at) => lots.warehouse[at]!,
        () => -1,
      ),
      priority: column(
        (at) => warehouse(at).priority,
        () => 0,
      ),
      donor: column(
        () => -1,
        ({ du }) => du,
      ),
      turnaround: column(
        () => 0,
        ({ turnaround }) => turnaround,
      ),
    },
    reuse: used.map(({ dismantled, damage, reuse, buffer }, at) => ({ lot: given + at, dismantled, damage, reuse, buffer })),
  };
}

/** Demand of DUs that take it: where the activity is not applicable, nothing is taken. */
function takeDemand({ demand, dus }: Snapshot, forms: Forms): Problem["demand"] {
  const rows = [...demand.du.keys()].filter((row) => forms.flows[forms.ofDu[demand.du[row]!]!]!.material >= 0);
  const at = new Int32Array(dus.id.length + 1);
  for (const row of rows) at[demand.du[row]! + 1]!++;
  for (let du = 0; du < dus.id.length; du++) at[du + 1]! += at[du]!;
  return {
    at,
    item: Int32Array.from(rows, (row) => demand.item[row]!),
    quantity: Float64Array.from(rows, (row) => demand.quantity[row]!),
  };
}

function takeSubstitutes({ substitutes, items }: Snapshot): Problem["substitutes"] {
  const at = new Int32Array(items.length + 1);
  for (const { item } of substitutes) at[item + 1]!++;
  for (let item = 0; item < items.length; item++) at[item + 1]! += at[item]!;
  const partAt = new Int32Array(substitutes.length + 1);
  substitutes.forEach(({ parts }, group) => {
    partAt[group + 1] = partAt[group]! + parts.length;
  });
  const parts = substitutes.flatMap((group) => group.parts);
  return {
    at,
    covers: Float64Array.from(substitutes, ({ covers }) => covers),
    partAt,
    partItem: Int32Array.from(parts, ([item]) => item),
    partQuantity: Float64Array.from(parts, ([, quantity]) => quantity),
    name: substitutes.map(({ name }) => name),
  };
}

function takeClusters({ settings, clusters, dus }: Snapshot): Problem["clusters"] {
  if (!settings.enableCluster || settings.clusteringRate === null) return null;
  const sizes = new Int32Array(clusters.length);
  for (const cluster of dus.cluster) if (cluster >= 0) sizes[cluster]!++;
  const needed = sizes.map((size) => Math.ceil((size * settings.clusteringRate!) / rateUnit));
  return { needed, limit: settings.maxClusterCutover ?? -1 };
}

function takeBase({ base }: Snapshot, jobs: number): Base | null {
  if (!base) return null;
  const start = new Int32Array(jobs).fill(NO_DAY);
  const pool = new Int32Array(jobs).fill(-1);
  base.job.forEach((job, at) => {
    start[job] = base.start[at]!;
    pool[job] = base.pool[at]!;
  });
  return { start, pool, stabilityWeight: base.stabilityWeight };
}
