import { isApplicable, type PlanBlock, stateValue, workOrderStatus } from "#lib/rollout-plan/plan-rows/logic.ts";
import { downNumber, noWorkingDay, upNumber, type WorkingDays } from "#lib/scheduling/calendar/logic.ts";
import { keptStates, NO_DAY, relationKinds } from "../model/limits.ts";
import { calendarMargin, metresPerDegree, noPriority, quantityUnit, rateUnit, snapshotDuTypes, type snapshotFormat } from "./limits.ts";

/** An activity of a flow. Predecessors are [position, place in `relationKinds`, offset]; links are numbers of groups, -1 alone. */
export type SnapshotActivity = {
  name: string;
  /** Slot of the rollout plan its dates are written to, 0 = planned but never applied. */
  slot: number;
  days: number;
  team: boolean;
  material: boolean;
  assembly: boolean;
  disassembly: boolean;
  skill: number;
  resource: number;
  pres: [from: number, kind: number, offset: number][];
  coTeam: number;
  coResource: number;
};

/**
 * Everything a run may look at, frozen as plain JSON. Days are offsets from `planStart` (itself days since 2000-01-01), `NO_DAY` where there is none; quantities
 * are hundredths, rates ten-thousandths; -1 is "none" among indexes. A job is `firstJob of its DU + position of its flow`, DUs standing in ascending order of id.
 */
export type Snapshot = {
  format: typeof snapshotFormat;
  codeVersion: string;
  planStart: number;
  /** Day on which the input was read: started work has lasted until then. */
  today: number;
  settings: {
    direction: "forward" | "reverse";
    horizonDays: number;
    sortByRfi: boolean;
    enableEomonth: boolean;
    enableCluster: boolean;
    clusteringRate: number | null;
    damageRate: number;
    reuseRate: number;
    bufferRate: number;
    maxClusterCutover: number | null;
    anchor: string | null;
    azimuth: number | null;
    strictGaps: boolean;
    currency: string;
    evaluationLimit: number;
    timeBudgetS: number;
    seed: number;
    islands: number;
    useExact: boolean;
  };
  /** Day of the last synchronisation of the stock. */
  lastSync: number;
  /** `works` has a 1 for each working day from day `first` on. */
  calendars: { first: number; works: string }[];
  /** The name is empty where DUs have no region. */
  regions: { name: string; calendar: number }[];
  skills: string[];
  resources: string[];
  pools: { skill: number; resource: number; region: number; teams: number }[];
  flows: { name: string; activities: SnapshotActivity[] }[];
  sites: string[];
  clusters: string[];
  /** One entry per DU; types are places in `snapshotDuTypes`. */
  dus: {
    id: number[];
    code: string[];
    flow: number[];
    type: number[];
    region: number[];
    site: number[];
    directFrom: number[];
    cluster: number[];
    due: number[];
    rankClass: number[];
    rank: number[];
  };
  /** Jobs that keep their dates, ascending; states are places in `keptStates`, `end` is the day after the last one. */
  kept: { job: number[]; state: number[]; start: number[]; end: number[] };
  /** Jobs that are not applicable in the rollout plan, ascending. */
  absent: number[];
  /** First days the rollout plan has for the others, ascending by job. */
  present: { job: number[]; start: number[] };
  items: string[];
  warehouses: { id: number; name: string; priority: number; region: number }[];
  /** Stock and what is to come; sources are places in `lotSources`. */
  lots: { item: number[]; quantity: number[]; day: number[]; source: number[]; warehouse: number[] };
  /** What is dismantled of items that are used again. */
  reuse: { du: number; item: number; dismantled: number; damage: number; reuse: number; buffer: number; turnaround: number }[];
  /** Ascending by DU, first by design priority. */
  demand: { du: number[]; item: number[]; quantity: number[] };
  /** Ascending by design item, then in the order in which they are taken. */
  substitutes: { item: number; name: string; covers: number; parts: [item: number, quantity: number][] }[];
  base: SnapshotBase | null;
};

/** The plan a re-planning starts from: first days by job, and pools, of the jobs it has. */
export type SnapshotBase = {
  runId: number | null;
  stabilityWeight: number;
  frozenDays: number;
  job: number[];
  start: number[];
  pool: number[];
};

/** What stands in the way of an input, or should be looked at. */
export type Fault = {
  code: FaultCode;
  level: "error" | "warning";
  block: "setting" | "du" | "activity" | "skill_resource" | "du_material" | "inventory" | "substitution" | "reuse";
  duId?: number;
  params?: Record<string, string | number>;
};
export type FaultCode =
  | "SETTING_MISSING"
  | "BLOCK_EMPTY"
  | "TOO_MANY_DU"
  | "DU_DELETED"
  | "WORKFLOW_EMPTY"
  | "FLOW_CHANGED"
  | "SLOT_MISSING"
  | "MATERIAL_ACTIVITY_TWICE"
  | "MATERIAL_ACTIVITY_MISSING"
  | "ANCHOR_MISSING"
  | "DUE_MISSING"
  | "CALENDAR_EMPTY"
  | "CO_TEAM_SKILL"
  | "NO_SUPPLY";

/** What was read for a version. Days are days since 2000-01-01, 0 without. */
export type SnapshotRows = {
  codeVersion: string;
  format: typeof snapshotFormat;
  today: number;
  planStart: number;
  settings: Snapshot["settings"];
  lastSync: number;
  /** Calendars of the regions by name; of others that of the project. */
  calendars: { project: WorkingDays; regions: ReadonlyMap<string, WorkingDays> };
  /** In scope, in ascending order of id. */
  dus: {
    id: number;
    code: string;
    workflow: string;
    type: (typeof snapshotDuTypes)[number];
    site: string | null;
    directSite: string | null;
    region: string | null;
    longitude: number | null;
    latitude: number | null;
    cluster: string | null;
    clusterPriority: number | null;
    rfiPriority: number | null;
    planEnd: number;
    icEnd: number;
    decomEnd: number;
    eomonth: number;
  }[];
  /** By workflow, then in their order. */
  activities: {
    id: number;
    workflow: string;
    name: string;
    slot: number | null;
    days: number;
    material: boolean;
    team: boolean;
    disassembly: boolean;
    assembly: boolean;
    skill: string | null;
    resource: string | null;
  }[];
  pres: { id: number; pre: number; relation: (typeof relationKinds)[number]; offset: number }[];
  links: { one: number; other: number; kind: "co_resource" | "co_team" }[];
  pools: { skill: string; resource: string; region: string | null; teams: number }[];
  materials: { du: number; item: string; decom: number | null; install: number | null }[];
  /** In ascending order of id. */
  stock: { warehouse: number; item: string; inventory: number | null; plan: number | null; inbound: number }[];
  warehouses: { id: number; name: string; priority: number; region: string | null }[];
  substitutes: {
    designItem: string;
    covers: number;
    designPriority: number;
    group: string;
    item: string;
    quantity: number;
    priority: number;
  }[];
  reuse: { item: string; damage: number | null; reuse: number | null; buffer: number | null; turnaround: number }[];
  /** Plan rows of the DUs, in any order. */
  plan: Pick<PlanBlock, "duIds" | "width" | "state" | "planStart" | "planEnd" | "actualStart" | "actualEnd">;
  base: BaseRows | null;
};

/** A plan to start from: first days (days since 2000-01-01, 0 without) and pools of the activities of DUs, or what the rollout plan says. */
export type BaseRows = {
  runId: number | null;
  stabilityWeight: number;
  frozenDays: number;
  rows:
    | "plan"
    | readonly {
        duId: number;
        activities: readonly string[];
        starts: ArrayLike<number>;
        pools: readonly ({ skillType: string; resourceName: string; region: string | null } | null)[];
      }[];
};

/** Quantities in hundredths. */
export const hundredths = (quantity: number): number => Math.round(quantity * quantityUnit);
/** Rates in ten-thousandths. */
export const tenThousandths = (rate: number): number => Math.round(rate * rateUnit);

const byUnit = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Numbers for names: sorted, each once. */
function numbered(names: Iterable<string>): { names: string[]; of: (name: string | null) => number } {
  const sorted = [...new Set(names)].sort(byUnit);
  const places = new Map(sorted.map((name, place) => [name, place]));
  return { names: sorted, of: (name) => (name === null ? -1 : (places.get(name) ?? -1)) };
}

/**
 * Freezes what was read. DUs whose workflow has no activity are left out and named among the faults.
 * @returns the same for the same rows, whatever order the database gave equal ones in
 */
export function makeSnapshot(rows: SnapshotRows): { snapshot: Snapshot; faults: Fault[] } {
  const faults: Fault[] = [];
  const { planStart, settings } = rows;
  const flows = makeFlows(rows, faults);
  const flowOf = new Map(flows.flows.map(({ name }, place) => [name, place]));
  const dus = rows.dus.filter((du) => {
    if (flowOf.has(du.workflow)) return true;
    faults.push({ code: "WORKFLOW_EMPTY", level: "error", block: "activity", duId: du.id, params: { workflow: du.workflow } });
    return false;
  });
  const regions = numbered([
    ...dus.map(({ region }) => region ?? ""),
    ...rows.pools.flatMap(({ region }) => region ?? []),
    ...rows.warehouses.flatMap(({ region }) => region ?? []),
  ]);
  const sites = numbered(dus.flatMap(({ site, directSite }) => [site ?? [], directSite ?? []].flat()));
  const clusters = numbered(settings.enableCluster ? dus.flatMap(({ cluster }) => cluster ?? []) : []);
  const offset = (day: number) => (day === 0 ? NO_DAY : day - planStart);
  const due = dus.map((du) => offset(settings.enableEomonth && du.eomonth !== 0 ? du.eomonth : du.planEnd));
  const latestDue = due.reduce((most, day) => (day === NO_DAY ? most : Math.max(most, day)), Number.NEGATIVE_INFINITY);
  if (settings.direction === "reverse") {
    if (dus.length > 0 && latestDue === Number.NEGATIVE_INFINITY)
      faults.push({ code: "DUE_MISSING", level: "error", block: "du", params: { count: 0 } });
    else for (const [at, day] of due.entries()) if (day === NO_DAY) due[at] = latestDue;
  } else {
    const without = due.filter((day) => day === NO_DAY).length;
    if (without > 0) faults.push({ code: "DUE_MISSING", level: "warning", block: "du", params: { count: without } });
  }
  const calendarOf = (region: string) => rows.calendars.regions.get(region) ?? rows.calendars.project;
  const kept = keepDates(
    rows,
    dus,
    flows.flows,
    dus.map(({ workflow }) => flowOf.get(workflow)!),
    (region) => calendarOf(region ?? ""),
  );
  const calendars = freezeCalendars(
    regions.names.map((name) => ({ name, days: calendarOf(name) })),
    planStart,
    {
      first: Math.min(0, ...span(kept.kept.start, Math.min)) - calendarMargin,
      last: Math.max(settings.horizonDays, ...span(kept.kept.end, Math.max)),
    },
  );
  calendars.regions.forEach(({ name, calendar }) => {
    const { first, works } = calendars.calendars[calendar]!;
    if (!works.slice(-first, settings.horizonDays - first).includes("1"))
      faults.push({ code: "CALENDAR_EMPTY", level: "error", block: "setting", params: { region: name } });
  });
  const material = freezeMaterial(rows, dus, { regions: regions.of, flows: flows.flows, flowOf: (name) => flowOf.get(name)! }, faults);
  const pools = rows.pools
    .map(({ skill, resource, region, teams }) => ({
      skill: flows.skills.of(skill),
      resource: flows.resources.of(resource),
      region: regions.of(region),
      teams,
    }))
    .sort((one, other) => one.skill - other.skill || one.resource - other.resource || one.region - other.region);
  const firstJob = jobsOf(
    dus.map(({ workflow }) => flowOf.get(workflow)!),
    flows.flows,
  );
  const snapshot: Snapshot = {
    format: rows.format,
    codeVersion: rows.codeVersion,
    planStart,
    today: rows.today - planStart,
    settings,
    lastSync: offset(rows.lastSync),
    ...calendars,
    skills: flows.skills.names,
    resources: flows.resources.names,
    pools,
    flows: flows.flows,
    sites: sites.names,
    clusters: clusters.names,
    dus: {
      id: dus.map(({ id }) => id),
      code: dus.map(({ code }) => code),
      flow: dus.map(({ workflow }) => flowOf.get(workflow)!),
      type: dus.map(({ type }) => snapshotDuTypes.indexOf(type)),
      region: dus.map(({ region }) => regions.of(region ?? "")),
      site: dus.map(({ site }) => sites.of(site)),
      directFrom: dus.map(({ directSite }) => sites.of(directSite)),
      cluster: dus.map(({ cluster }) => clusters.of(cluster)),
      due,
      ...rankOf(dus, due, settings),
    },
    ...kept,
    ...material,
    base: null,
  };
  if (rows.base) snapshot.base = freezeBase(rows.base, snapshot, firstJob, regions.of, flows);
  return { snapshot, faults };
}

/** The least or largest of days, nothing where there are none. */
function span(days: readonly number[], least: (one: number, other: number) => number): number[] {
  let found: number | null = null;
  for (const day of days) if (day !== NO_DAY) found = found === null ? day : least(found, day);
  return found === null ? [] : [found];
}

/** First job of every DU, and the number of all behind the last. */
export function jobsOf(flowOfDu: readonly number[], flows: readonly { activities: readonly unknown[] }[]): number[] {
  const first = [0];
  for (const flow of flowOfDu) first.push(first.at(-1)! + flows[flow]!.activities.length);
  return first;
}

type Flows = {
  flows: Snapshot["flows"];
  skills: ReturnType<typeof numbered>;
  resources: ReturnType<typeof numbered>;
};

function makeFlows({ activities, pres, links, pools, settings, dus }: SnapshotRows, faults: Fault[]): Flows {
  const used = new Set(dus.map(({ workflow }) => workflow));
  const own = activities.filter(({ workflow }) => used.has(workflow));
  const skills = numbered([...own.flatMap(({ skill }) => skill ?? []), ...pools.map(({ skill }) => skill)]);
  const resources = numbered([...own.flatMap(({ resource }) => resource ?? []), ...pools.map(({ resource }) => resource)]);
  const byFlow = Map.groupBy(own, ({ workflow }) => workflow);
  const presOf = Map.groupBy(pres, ({ id }) => id);
  const flows = [...byFlow.keys()].sort(byUnit).map((name) => {
    const list = byFlow.get(name)!;
    const place = new Map(list.map(({ id }, at) => [id, at]));
    const groups = (kind: "co_resource" | "co_team") =>
      groupsOf(
        list.length,
        links.flatMap((link) =>
          link.kind === kind && place.has(link.one) && place.has(link.other) ? [[place.get(link.one)!, place.get(link.other)!]] : [],
        ),
      );
    const coTeam = groups("co_team");
    const coResource = groups("co_resource");
    const skillOf = new Map<number, string | null>();
    list.forEach(({ skill, name: activity }, at) => {
      const group = coTeam[at]!;
      if (group < 0) return;
      if (skillOf.has(group) && skillOf.get(group) !== skill)
        faults.push({ code: "CO_TEAM_SKILL", level: "error", block: "activity", params: { workflow: name, activity } });
      skillOf.set(group, skill);
    });
    if (list.filter(({ material, disassembly }) => material && !disassembly).length > 1)
      faults.push({ code: "MATERIAL_ACTIVITY_TWICE", level: "error", block: "activity", params: { workflow: name } });
    if (settings.anchor !== null && !list.some((activity) => activity.name === settings.anchor))
      faults.push({ code: "ANCHOR_MISSING", level: "warning", block: "activity", params: { workflow: name, activity: settings.anchor } });
    for (const activity of list)
      if (activity.slot === null)
        faults.push({ code: "SLOT_MISSING", level: "warning", block: "activity", params: { workflow: name, activity: activity.name } });
    return {
      name,
      activities: list.map(
        (activity, at): SnapshotActivity => ({
          name: activity.name,
          slot: activity.slot ?? 0,
          days: activity.days,
          team: activity.team,
          material: activity.material,
          assembly: activity.assembly,
          disassembly: activity.disassembly,
          skill: skills.of(activity.skill),
          resource: resources.of(activity.resource),
          pres: (presOf.get(activity.id) ?? [])
            .map(({ pre, relation, offset }): [number, number, number] => [place.get(pre)!, relationKinds.indexOf(relation), offset])
            .sort((one, other) => one[0] - other[0]),
          coTeam: coTeam[at]!,
          coResource: coResource[at]!,
        }),
      ),
    };
  });
  return { flows, skills, resources };
}

/** Numbers of the groups that pairs make, closed under transitivity; -1 for who stands alone. */
function groupsOf(size: number, pairs: readonly number[][]): number[] {
  const root = Array.from({ length: size }, (_, at) => at);
  const find = (at: number): number => (root[at] === at ? at : find(root[at]!));
  for (const [one, other] of pairs) {
    const [left, right] = [find(one!), find(other!)];
    root[Math.max(left, right)] = Math.min(left, right);
  }
  const numbers = new Map<number, number>();
  const paired = new Set(pairs.flat());
  return root.map((_, at) => {
    if (!paired.has(at)) return -1;
    const own = find(at);
    if (!numbers.has(own)) numbers.set(own, numbers.size);
    return numbers.get(own)!;
  });
}

/** Class of the rank options and place among all: due date, direction of the wave, code by its units. */
function rankOf(
  dus: SnapshotRows["dus"],
  due: readonly number[],
  { enableCluster, sortByRfi, azimuth }: Snapshot["settings"],
): { rankClass: number[]; rank: number[] } {
  const priority = (given: number | null) => given ?? noPriority;
  const classOf = dus.map((du) => [enableCluster ? priority(du.clusterPriority) : 0, sortByRfi ? priority(du.rfiPriority) : 0] as const);
  const along = projections(dus, azimuth);
  const order = dus.map((_, at) => at);
  const byClass = (one: number, other: number) => classOf[one]![0] - classOf[other]![0] || classOf[one]![1] - classOf[other]![1];
  order.sort(
    (one, other) =>
      byClass(one, other) ||
      due[one]! - due[other]! ||
      along[one]! - along[other]! ||
      byUnit(dus[one]!.code, dus[other]!.code) ||
      one - other,
  );
  const rank = new Array<number>(dus.length);
  const rankClass = new Array<number>(dus.length);
  let own = 0;
  order.forEach((at, place) => {
    if (place > 0 && byClass(order[place - 1]!, at) !== 0) own++;
    rank[at] = place;
    rankClass[at] = own;
  });
  return { rankClass, rank };
}

/** Whole metres along the direction of the roll-out from the middle of the DUs; those without coordinates are last. */
function projections(dus: SnapshotRows["dus"], azimuth: number | null): number[] {
  const placed = dus.filter(({ longitude, latitude }) => longitude !== null && latitude !== null);
  if (azimuth === null || placed.length === 0) return dus.map(() => 0);
  const mean = (read: (du: SnapshotRows["dus"][number]) => number) => placed.reduce((sum, du) => sum + read(du), 0) / placed.length;
  const longitude = mean((du) => du.longitude!);
  const latitude = mean((du) => du.latitude!);
  const turn = (azimuth * Math.PI) / 180;
  const across = Math.cos((latitude * Math.PI) / 180) * Math.sin(turn);
  return dus.map((du) =>
    du.longitude === null || du.latitude === null
      ? NO_DAY
      : Math.round(metresPerDegree * ((du.longitude - longitude) * across + (du.latitude - latitude) * Math.cos(turn))),
  );
}

const stateOf = Object.fromEntries(keptStates.map((name, place) => [name, place])) as Record<(typeof keptStates)[number], number>;

/** Dates that are kept, as scheduling counts them: of finished and started work, of what is suspended, fixed or frozen, and of what an actual date of the DU marks. */
function keepDates(
  { plan, planStart, today }: SnapshotRows,
  dus: SnapshotRows["dus"],
  flows: Snapshot["flows"],
  flowOfDu: readonly number[],
  calendarOf: (region: string | null) => WorkingDays,
): Pick<Snapshot, "kept" | "absent" | "present"> {
  const kept: Snapshot["kept"] = { job: [], state: [], start: [], end: [] };
  const absent: number[] = [];
  const present: Snapshot["present"] = { job: [], start: [] };
  const rowOf = new Map(plan.duIds.map((id, row) => [id, row]));
  const before = flows.map(({ activities }) => activities.map((_, at) => predecessorsOf(activities, at)));
  let job = 0;
  dus.forEach((du, at) => {
    const flow = flows[flowOfDu[at]!]!;
    const row = rowOf.get(du.id);
    const calendar = calendarOf(du.region);
    const marked = markedDays(flow.activities, before[flowOfDu[at]!]!, du);
    flow.activities.forEach((activity, position) => {
      const own = job++;
      const place = row === undefined || activity.slot === 0 || activity.slot >= plan.width ? -1 : row * plan.width + activity.slot;
      const state = place < 0 ? 0 : plan.state[place]!;
      if (stateValue(state, "na") !== 0) {
        absent.push(own);
        return;
      }
      const found = place >= 0 && isApplicable(state) ? planDates(plan, place, state, activity.days, calendar, today) : null;
      const mark = marked.get(position);
      if (mark !== undefined && found?.state !== "completed") {
        kept.job.push(own);
        kept.state.push(stateOf.done);
        kept.start.push(mark === 0 ? NO_DAY : mark - planStart);
        kept.end.push(mark === 0 ? NO_DAY : mark - planStart + 1);
      } else if (found && found.state !== "planned") {
        kept.job.push(own);
        kept.state.push(stateOf[found.state]);
        kept.start.push(found.start - planStart);
        kept.end.push(found.end - planStart);
      } else if (found) {
        present.job.push(own);
        present.start.push(found.start - planStart);
      }
    });
  });
  return { kept, absent, present };
}

/** All positions that come before one, at any distance. */
function predecessorsOf(activities: readonly SnapshotActivity[], position: number): Set<number> {
  const found = new Set<number>();
  const open = [position];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const [from] of activities[at]!.pres) {
      if (found.has(from) || from === position) continue;
      found.add(from);
      open.push(from);
    }
  return found;
}

/** Positions that are done by the actual dates of the DU: with the day, or 0 for what came before. */
function markedDays(
  activities: readonly SnapshotActivity[],
  before: readonly ReadonlySet<number>[],
  { icEnd, decomEnd, type }: SnapshotRows["dus"][number],
): Map<number, number> {
  const marked = new Map<number, number>();
  activities.forEach(({ assembly, disassembly }, position) => {
    const end = Math.max(assembly && type !== "dismantle" ? icEnd : 0, disassembly && type !== "install" ? decomEnd : 0);
    if (end === 0) return;
    for (const from of before[position]!) if (!marked.has(from)) marked.set(from, 0);
    marked.set(position, end);
  });
  return marked;
}

type Dates = { state: "completed" | "started" | "suspended" | "fixed" | "frozen" | "planned"; start: number; end: number };

/** Dates of a slot as scheduling counts them, null where it has none or the calendar no working day near. */
function planDates(
  plan: SnapshotRows["plan"],
  place: number,
  state: number,
  days: number,
  calendar: WorkingDays,
  today: number,
): Dates | null {
  const length = Math.max(days, 1) - 1;
  const [actualStart, actualEnd] = [plan.actualStart[place]!, plan.actualEnd[place]!];
  const [planStart, planEnd] = [plan.planStart[place]!, plan.planEnd[place]!];
  const dayOf = (number: number) => calendar.days[number] ?? 0;
  if (actualEnd !== 0) {
    const last = downNumber(calendar, actualEnd);
    if (last === noWorkingDay) return null;
    const start = actualStart === 0 ? dayOf(last - length) : Math.min(actualStart, actualEnd);
    return { state: "completed", start: start || actualEnd, end: actualEnd + 1 };
  }
  if (actualStart !== 0) {
    const first = upNumber(calendar, actualStart);
    const now = upNumber(calendar, today);
    if (first === noWorkingDay || now === noWorkingDay) return null;
    return { state: "started", start: actualStart, end: dayOf(Math.max(first + length, now)) + 1 };
  }
  if (planStart === 0 && planEnd === 0) return null;
  const up = planStart === 0 ? null : upNumber(calendar, planStart);
  const down = planEnd === 0 ? null : downNumber(calendar, planEnd);
  if (up === noWorkingDay || down === noWorkingDay) return null;
  const first = up ?? down! - length;
  const last = Math.max(first, down ?? up! + length);
  if (dayOf(first) === 0 || dayOf(last) === 0) return null;
  const held = stateValue(state, "fixed") !== 0 ? "fixed" : stateValue(state, "frozen") !== 0 ? "frozen" : "planned";
  return { state: workOrderStatus(state) === "suspended" ? "suspended" : held, start: dayOf(first), end: dayOf(last) + 1 };
}

/** Calendars as working days of a span, each different one once. */
function freezeCalendars(
  regions: readonly { name: string; days: WorkingDays }[],
  planStart: number,
  { first, last }: { first: number; last: number },
): Pick<Snapshot, "calendars" | "regions"> {
  const places = new Map<string, number>();
  const named = regions.map(({ name, days }) => {
    const works = new Array<string>(last - first + 1).fill("0");
    let at = upNumber(days, planStart + first);
    if (at !== noWorkingDay)
      for (; at < days.days.length && days.days[at]! <= planStart + last; at++) works[days.days[at]! - planStart - first] = "1";
    const text = works.join("");
    if (!places.has(text)) places.set(text, places.size);
    return { name, calendar: places.get(text)! };
  });
  return { calendars: [...places.keys()].map((works) => ({ first, works })), regions: named };
}

type Numbers = { regions: (name: string | null) => number; flows: Snapshot["flows"]; flowOf: (workflow: string) => number };

function freezeMaterial(
  { materials, stock, warehouses, substitutes, reuse, settings, planStart }: SnapshotRows,
  dus: SnapshotRows["dus"],
  { regions, flows, flowOf }: Numbers,
  faults: Fault[],
): Pick<Snapshot, "items" | "warehouses" | "lots" | "reuse" | "demand" | "substitutes"> {
  const items = numbered([
    ...materials.map(({ item }) => item),
    ...stock.map(({ item }) => item),
    ...substitutes.flatMap(({ designItem, item }) => [designItem, item]),
  ]);
  const duOf = new Map(dus.map(({ id }, at) => [id, at]));
  const sorted = [...warehouses].sort((one, other) => one.priority - other.priority || one.id - other.id);
  const warehouseOf = new Map(sorted.map(({ id }, at) => [id, at]));
  const lots = new Map<string, { item: number; quantity: number; day: number; source: number; warehouse: number }>();
  const put = (item: string, warehouse: number, source: number, day: number, quantity: number) => {
    if (quantity === 0) return;
    const lot = { item: items.of(item), quantity, day, source, warehouse: warehouseOf.get(warehouse)! };
    const key = `${lot.item} ${lot.warehouse} ${source} ${day}`;
    const known = lots.get(key);
    if (known) known.quantity += quantity;
    else lots.set(key, lot);
  };
  for (const { item, warehouse, inventory, plan, inbound } of stock) {
    if (inventory !== null) put(item, warehouse, 0, 0, hundredths(inventory));
    if (plan !== null) put(item, warehouse, 1, Math.max(0, inbound - planStart), hundredths(plan));
  }
  const listed = [...lots.values()].sort(
    (one, other) => one.item - other.item || one.source - other.source || one.day - other.day || one.warehouse - other.warehouse,
  );
  const rates = new Map(reuse.map((row) => [row.item, row]));
  const used = materials
    .flatMap(({ du, item, decom }) => {
      const row = rates.get(item);
      if (decom === null || !row || !duOf.has(du)) return [];
      const own = { damage: settings.damageRate, reuse: settings.reuseRate, buffer: settings.bufferRate };
      for (const rate of ["damage", "reuse", "buffer"] as const) if (row[rate] !== null) own[rate] = tenThousandths(row[rate]);
      return [{ du: duOf.get(du)!, item: items.of(item), dismantled: hundredths(decom), ...own, turnaround: row.turnaround }];
    })
    .sort((one, other) => one.du - other.du || one.item - other.item);
  const priorities = new Map<string, number>();
  for (const { designItem, designPriority } of substitutes)
    priorities.set(designItem, Math.min(designPriority, priorities.get(designItem) ?? noPriority));
  const demand = materials
    .flatMap(({ du, item, install }) =>
      install === null || !duOf.has(du)
        ? []
        : [{ du: duOf.get(du)!, item: items.of(item), priority: priorities.get(item) ?? noPriority, quantity: hundredths(install) }],
    )
    .sort((one, other) => one.du - other.du || one.priority - other.priority || one.item - other.item);
  const groups = [...Map.groupBy(substitutes, ({ designItem, group }) => `${designItem}\n${group}`).values()]
    .map((parts) => ({
      item: items.of(parts[0]!.designItem),
      name: parts[0]!.group,
      priority: parts[0]!.priority,
      covers: hundredths(parts[0]!.covers),
      parts: parts
        .map(({ item, quantity }): [number, number] => [items.of(item), hundredths(quantity)])
        .sort((one, other) => one[0] - other[0]),
    }))
    .sort((one, other) => one.item - other.item || one.priority - other.priority || byUnit(one.name, other.name));
  demandFaults(demand, dus, { flows, flowOf }, faults);
  const supplied = new Set([...listed.map(({ item }) => item), ...used.map(({ item }) => item), ...groups.map(({ item }) => item)]);
  for (const item of new Set(demand.map((row) => row.item)))
    if (!supplied.has(item)) faults.push({ code: "NO_SUPPLY", level: "warning", block: "inventory", params: { item: items.names[item]! } });
  return {
    items: items.names,
    warehouses: sorted.map(({ id, name, priority, region }) => ({ id, name, priority, region: regions(region) })),
    lots: {
      item: listed.map(({ item }) => item),
      quantity: listed.map(({ quantity }) => quantity),
      day: listed.map(({ day }) => day),
      source: listed.map(({ source }) => source),
      warehouse: listed.map(({ warehouse }) => warehouse),
    },
    reuse: used,
    demand: {
      du: demand.map(({ du }) => du),
      item: demand.map(({ item }) => item),
      quantity: demand.map(({ quantity }) => quantity),
    },
    substitutes: groups.map(({ item, name, covers, parts }) => ({ item, name, covers, parts })),
  };
}

/** Whether the activity does nothing for DUs of the type: what is not dismantled, or not installed, there. */
export function isNeutral({ assembly, disassembly }: Pick<SnapshotActivity, "assembly" | "disassembly">, type: number): boolean {
  return (snapshotDuTypes[type] === "install" && disassembly) || (snapshotDuTypes[type] === "dismantle" && assembly);
}

/** The activity that takes what its DU needs. */
export function isMaterialActivity({ material, disassembly }: Pick<SnapshotActivity, "material" | "disassembly">): boolean {
  return material && !disassembly;
}

function demandFaults(
  demand: readonly { du: number }[],
  dus: SnapshotRows["dus"],
  { flows, flowOf }: Pick<Numbers, "flows" | "flowOf">,
  faults: Fault[],
): void {
  for (const at of new Set(demand.map(({ du }) => du))) {
    const du = dus[at]!;
    const { activities } = flows[flowOf(du.workflow)]!;
    if (!activities.some((activity) => isMaterialActivity(activity) && !isNeutral(activity, snapshotDuTypes.indexOf(du.type))))
      faults.push({ code: "MATERIAL_ACTIVITY_MISSING", level: "error", block: "activity", duId: du.id, params: { workflow: du.workflow } });
  }
}

function freezeBase(
  { runId, stabilityWeight, frozenDays, rows }: BaseRows,
  snapshot: Snapshot,
  firstJob: readonly number[],
  regionOf: (name: string | null) => number,
  { skills, resources }: Flows,
): SnapshotBase {
  const made = { runId, stabilityWeight, frozenDays };
  if (rows === "plan") return { ...made, ...snapshot.present, pool: snapshot.present.job.map(() => -1) };
  const poolOf = new Map(snapshot.pools.map(({ skill, resource, region }, at) => [`${skill} ${resource} ${region}`, at]));
  const duOf = new Map(snapshot.dus.id.map((id, at) => [id, at]));
  const jobs = rows.flatMap(({ duId, activities, starts, pools }) => {
    const du = duOf.get(duId);
    if (du === undefined) return [];
    const places = new Map(snapshot.flows[snapshot.dus.flow[du]!]!.activities.map(({ name }, place) => [name, place]));
    return activities.flatMap((name, at) => {
      const position = places.get(name);
      if (position === undefined || !starts[at]) return [];
      const pool = pools[at];
      const key = pool ? `${skills.of(pool.skillType)} ${resources.of(pool.resourceName)} ${regionOf(pool.region)}` : "";
      return [{ job: firstJob[du]! + position, start: starts[at]! - snapshot.planStart, pool: poolOf.get(key) ?? -1 }];
    });
  });
  jobs.sort((one, other) => one.job - other.job);
  return { ...made, job: jobs.map(({ job }) => job), start: jobs.map(({ start }) => start), pool: jobs.map(({ pool }) => pool) };
}

/** The snapshot as the text that is stored and hashed. */
export function snapshotText(snapshot: Snapshot): string {
  return JSON.stringify(snapshot);
}
