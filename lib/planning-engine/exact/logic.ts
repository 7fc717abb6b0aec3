import type { Component } from "#lib/planning-engine/components/logic.ts";
import {
  addGap,
  addRule,
  addVariable,
  constantSum,
  MOST,
  type Model,
  newModel,
  type Sum,
  sumOf,
} from "#lib/planning-engine/exact-model/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Level } from "#lib/planning-engine/model/logic.ts";
import { lengthOf, type Ready } from "#lib/planning-engine/normalise/logic.ts";
import { boundAmongKept, type Workspace } from "#lib/planning-engine/sgs/logic.ts";
import { EXACT_JOBS } from "./limits.ts";

/** First of the states whose jobs are missed by what leads to them, instead of bounding it. */
const FIRST_MISSED = 3;

/** Why the exact step is not asked about a component. */
export type ExactRefusal = "jobs" | "groups" | "kept" | "material" | "gap" | "direction";

/**
 * Whether the exact step knows everything that a component asks for; null when it does. Material is known where all DUs that need an item draw on the same
 * lots and these suffice: then no plan without gaps is lost, and none is worth more with one.
 * @param gaps DUs of the component whose incumbent has a gap
 */
export function exactRefusal(ready: Ready, work: Workspace, component: Component, gaps: number): ExactRefusal | null {
  const { problem, flows, keptOf } = ready;
  const { dus, demand, lots, substitutes, teams } = problem;
  if (component.jobs > EXACT_JOBS) return "jobs";
  if (problem.direction !== "forward") return "direction";
  if (component.grouped || problem.clusters || problem.base) return "groups";
  if (gaps > 0) return "gap";
  const needed = new Map<number, { quantity: number; region: number }>();
  for (const du of component.dus) {
    const base = dus.firstJob[du]!;
    const first = flows.at[dus.flow[du]!]!;
    if (keptOf && work.keptDu![du] === 1)
      for (let job = base; job < dus.firstJob[du + 1]!; job++) {
        if (keptOf[job]! < 0 || problem.kept.state[keptOf[job]!]! < FIRST_MISSED) continue;
        const entry = first + job - base;
        for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) if (keptOf[base + flows.inFrom[arc]!]! < 0) return "kept";
      }
    if (dus.directFrom[du]! >= 0) return "material";
    if (!takesMaterial(ready, du)) continue;
    for (let at = demand.at[du]!; at < demand.at[du + 1]!; at++) {
      const item = demand.item[at]!;
      if (substitutes.at[item]! < substitutes.at[item + 1]!) return "material";
      const own = needed.get(item) ?? { quantity: 0, region: dus.region[du]! };
      own.quantity += demand.quantity[at]!;
      needed.set(item, own);
      if (lotsOf(ready, item, own.region).join() !== lotsOf(ready, item, dus.region[du]!).join()) return "material";
    }
  }
  if (component.lots.some((lot) => lots.donor[lot]! >= 0)) return "material";
  for (const [item, { quantity, region }] of needed) {
    const supplied = lotsOf(ready, item, region).reduce((sum, lot) => sum + work.keptRemaining[lot]!, 0);
    if (supplied < quantity) return "material";
  }
  for (const du of component.dus)
    for (let entry = flows.at[dus.flow[du]!]!; entry < flows.at[dus.flow[du]! + 1]!; entry++) {
      const own = flows.teamClass[entry]!;
      const list = own * teams.regions + dus.region[du]!;
      if (own >= 0 && teams.eligibleAt[list] === teams.eligibleAt[list + 1]) return "groups";
    }
  return null;
}

/** Whether the DU's demand is still to be taken. */
function takesMaterial({ problem, flows, keptOf }: Ready, du: number): boolean {
  const material = flows.material[problem.dus.flow[du]!]!;
  return material >= 0 && (keptOf?.[problem.dus.firstJob[du]! + material] ?? -1) < 0;
}

function lotsOf({ supplyAt, supply, problem }: Ready, item: number, region: number): Int32Array {
  const list = item * problem.teams.regions + region;
  return supply.subarray(supplyAt[list]!, supplyAt[list + 1]!);
}

/** A component as a model: its free jobs, whose starts in working days are the first variables, and each level as a sum that is to be small. */
export type ComponentModel = { model: Model; jobs: number[]; levels: Sum[] };

/**
 * Makes the model of a component the exact step knows.
 * @param levels names of the levels, as `levelList` gives them
 * @param makespanFloor makespan of other components: shorter ones of this component count as much
 */
export function componentModel(
  ready: Ready,
  work: Workspace,
  component: Component,
  levels: { level: Level; rankClass: number }[],
  makespanFloor: number,
): ComponentModel {
  const { problem, flows, releaseWork, endWork, keptOf } = ready;
  const { dus } = problem;
  const model = newModel();
  const jobs: number[] = [];
  const variable = new Map<number, number>();
  for (const du of component.dus)
    for (let job = dus.firstJob[du]!; job < dus.firstJob[du + 1]!; job++) {
      if ((keptOf?.[job] ?? -1) >= 0) continue;
      // Free predecessors bound by relations of the model, kept ones here.
      work.start[job] = -NO_DAY;
      jobs.push(job);
    }
  for (const job of jobs) {
    const du = ready.duOfJob[job]!;
    const entry = job + work.entryShift[du]!;
    const base = dus.firstJob[du]!;
    const low = work.keptDu?.[du] === 1 ? boundAmongKept(ready, work, base, entry, releaseWork[du]!) : releaseWork[du]!;
    const high = endWork[du]! - flows.reach[entry]!;
    variable.set(job, addVariable(model, low, Math.max(low, high)));
    if (high < low) addRule(model, { kind: "exactlyOne", literals: [] });
  }
  for (const job of jobs) {
    const du = ready.duOfJob[job]!;
    const entry = job + work.entryShift[du]!;
    for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) {
      const from = variable.get(dus.firstJob[du]! + flows.inFrom[arc]!);
      if (from !== undefined) addGap(model, sumOf(from), flows.inLag[arc]!, sumOf(variable.get(job)!));
    }
  }
  const days = new Days(ready, work, model, variable);
  addTeams(ready, work, component, model, jobs, days);
  addMaterial(ready, work, component, model, days);
  return { model, jobs, levels: addLevels(ready, component, model, levels, makespanFloor, days) };
}

/** First and last days of jobs as sums, by the calendar of their DU; made once for each job that is asked for. */
export class Days {
  #ready: Ready;
  #work: Workspace;
  #model: Model;
  #variable: Map<number, number>;
  #made = new Map<string, Sum>();

  constructor(ready: Ready, work: Workspace, model: Model, variable: Map<number, number>) {
    this.#ready = ready;
    this.#work = work;
    this.#model = model;
    this.#variable = variable;
  }

  /** Working day the job starts on. */
  number(job: number): Sum {
    return sumOf(this.#variable.get(job)!);
  }

  /** Working days it lasts. */
  length(job: number): number {
    return lengthOf(this.#ready.flows.durations[job + this.#work.entryShift[this.#ready.duOfJob[job]!]!]!);
  }

  start(job: number): Sum {
    return this.#day(job, 0, 0);
  }

  /** The day after its last one. */
  end(job: number): Sum {
    return this.#day(job, this.length(job) - 1, 1);
  }

  #day(job: number, later: number, more: number): Sum {
    const key = `${job} ${later} ${more}`;
    const known = this.#made.get(key);
    if (known) return known;
    const calendar = this.#ready.calendars[this.#ready.problem.dus.calendar[this.#ready.duOfJob[job]!]!]!;
    const own = this.#variable.get(job)!;
    let day: Sum;
    if (calendar.plain) day = sumOf(own, calendar.days[0]! + later + more);
    else {
      const [low, high] = this.#model.domains[own] as [number, number];
      const values = Array.from({ length: high - low + 1 }, (_, at) => calendar.days[low + at + later]! + more);
      day = sumOf(addVariable(this.#model, values[0]!, values.at(-1)!));
      addRule(this.#model, { kind: "element", index: sumOf(own, -low), target: day, values });
    }
    this.#made.set(key, day);
    return day;
  }
}

/**
 * One team of one eligible pool for each job that needs one. Where all DUs have one calendar and nothing is kept, working days are as good as days.
 * @param present literals of jobs that count only while they are true
 */
export function addTeams(
  ready: Ready,
  work: Workspace,
  component: Component,
  model: Model,
  jobs: number[],
  days: Days,
  present: Map<number, number> | null = null,
): void {
  const { problem, flows } = ready;
  const { dus, teams } = problem;
  const stride = work.days + 1;
  const calendar = dus.calendar[component.dus[0]!]!;
  const untouched = component.pools.every((pool) =>
    work.keptFree.subarray(pool * stride, pool * stride + work.days).every((free) => free === teams.count[pool]),
  );
  const byNumber = untouched && component.dus.every((du) => dus.calendar[du] === calendar);
  const users = new Map<number, { intervals: number[]; demands: number[] }>();
  const use = (pool: number, interval: number, demand: number) => {
    const own = users.get(pool) ?? { intervals: [], demands: [] };
    own.intervals.push(interval);
    own.demands.push(demand);
    users.set(pool, own);
  };
  for (const job of jobs) {
    const du = ready.duOfJob[job]!;
    const own = flows.teamClass[job + work.entryShift[du]!]!;
    if (own < 0) continue;
    const list = own * teams.regions + dus.region[du]!;
    const start = byNumber ? days.number(job) : days.start(job);
    const end = byNumber ? { ...start, constant: start.constant + days.length(job) } : days.end(job);
    const size = sizeOf(model, start, end);
    const pools = teams.eligible.subarray(teams.eligibleAt[list]!, teams.eligibleAt[list + 1]!);
    const chosen = pools.length === 1 ? [] : Array.from(pools, () => addVariable(model, 0, 1));
    if (chosen.length > 0) addRule(model, { kind: "exactlyOne", literals: chosen });
    pools.forEach((pool, at) => {
      const when = [...chosen.slice(at, at + 1), ...(present ? [present.get(job)!] : [])];
      use(pool, addRule(model, { kind: "interval", start, size, end, when }), 1);
    });
  }
  for (const [pool, { intervals, demands }] of users) {
    const count = teams.count[pool]!;
    if (!untouched)
      for (let day = 0, from = 0; day <= work.days; day++) {
        const held = day < work.days ? Math.min(count, count - work.keptFree[pool * stride + day]!) : -1;
        const before = Math.min(count, count - work.keptFree[pool * stride + from]!);
        if (held === before) continue;
        if (before > 0) {
          intervals.push(
            addRule(model, { kind: "interval", start: constantSum(from), size: constantSum(day - from), end: constantSum(day) }),
          );
          demands.push(before);
        }
        from = day;
      }
    addRule(model, { kind: "cumulative", capacity: count, intervals, demands });
  }
}

/** Days from a start to an end: a constant where they are the same variable, else one of its own. */
function sizeOf(model: Model, start: Sum, end: Sum): Sum {
  if (start.vars[0] === end.vars[0]) return constantSum(end.constant - start.constant);
  const [low] = model.domains[start.vars[0]!] as [number];
  const high = model.domains[end.vars[0]!]![1]!;
  return sumOf(addVariable(model, 0, high - low));
}

/** What is taken of an item up to a day is not more than what has come in by then. */
function addMaterial(ready: Ready, work: Workspace, component: Component, model: Model, days: Days): void {
  const { dus, demand, lots } = ready.problem;
  const taken = new Map<number, { region: number; times: Sum[]; changes: number[] }>();
  for (const du of component.dus) {
    if (!takesMaterial(ready, du)) continue;
    const job = dus.firstJob[du]! + ready.flows.material[dus.flow[du]!]!;
    for (let at = demand.at[du]!; at < demand.at[du + 1]!; at++) {
      const own = taken.get(demand.item[at]!) ?? { region: dus.region[du]!, times: [], changes: [] };
      own.times.push(days.start(job));
      own.changes.push(-demand.quantity[at]!);
      taken.set(demand.item[at]!, own);
    }
  }
  for (const [item, { region, times, changes }] of taken) {
    let most = 0;
    for (const lot of lotsOf(ready, item, region)) {
      const units = work.keptRemaining[lot]!;
      if (units <= 0) continue;
      times.push(constantSum(lots.day[lot]!));
      changes.push(units);
      most += units;
    }
    addRule(model, { kind: "reservoir", most, times, changes });
  }
}

/** Levels of a component as sums, as `measure` counts them. Those that no plan of it can change are constants. */
function addLevels(
  ready: Ready,
  component: Component,
  model: Model,
  levels: { level: Level; rankClass: number }[],
  makespanFloor: number,
  days: Days,
): Sum[] {
  const { problem, flows, keptOf } = ready;
  const { dus, kept } = problem;
  const horizon = problem.horizonDays;
  const asked = new Set(levels.map(({ level }) => level));
  const ends: Sum[] = [];
  const anchors = Array.from(component.dus, (du) => {
    const base = dus.firstJob[du]!;
    const anchor = flows.anchor[dus.flow[du]!]!;
    const own: Sum[] = [];
    let fixed = -NO_DAY;
    let anchorFixed = -NO_DAY;
    for (let job = base; job < dus.firstJob[du + 1]!; job++) {
      const at = keptOf?.[job] ?? -1;
      if (at < 0) own.push(days.end(job));
      else if (kept.end[at] !== NO_DAY) {
        fixed = Math.max(fixed, kept.end[at]!);
        if (job - base === anchor) anchorFixed = kept.end[at]!;
      }
    }
    if (asked.has("makespan")) ends.push(...own, ...(fixed > 0 ? [constantSum(fixed)] : []));
    if (anchor >= 0) return (keptOf?.[base + anchor] ?? -1) >= 0 ? constantSum(anchorFixed) : days.end(base + anchor);
    if (own.length === 0) return constantSum(fixed);
    const last = sumOf(addVariable(model, Math.max(0, fixed), Math.max(horizon, fixed)));
    addRule(model, { kind: "max", target: last, of: fixed > -NO_DAY ? [...own, constantSum(fixed)] : own });
    return last;
  });
  const total = (list: { sum: Sum; weight: number }[]): Sum => ({
    vars: list.flatMap(({ sum }) => sum.vars),
    coefficients: list.flatMap(({ sum, weight }) => sum.coefficients.map((one) => one * weight)),
    constant: list.reduce((all, { sum, weight }) => all + (sum.constant === -NO_DAY ? 0 : sum.constant) * weight, 0),
  });
  const due = [...component.dus.keys()].filter((at) => dus.due[component.dus[at]!] !== NO_DAY && anchors[at]!.constant !== -NO_DAY);
  const least = (at: number) => dus.due[component.dus[at]!]! + 1;
  const isLate = new Map<number, Sum>();
  const lateness = new Map<number, Sum>();
  for (const at of due) {
    const end = anchors[at]!;
    const over = end.constant - least(at);
    if (asked.has("lateDus")) {
      const late = addVariable(model, 0, 1);
      addRule(model, { kind: "linear", sum: { ...end, constant: over }, domain: [-MOST, 0], when: [-late - 1] });
      isLate.set(at, sumOf(late));
    }
    if (asked.has("lateDays") || asked.has("weightedLateDays")) {
      const most = Math.max(0, horizon - least(at), over);
      const late = sumOf(addVariable(model, 0, most));
      addGap(model, end, -least(at), late);
      lateness.set(at, late);
    }
  }
  return levels.map(({ level, rankClass }): Sum => {
    switch (level) {
      case "lateDus":
        return total([...isLate.values()].map((sum) => ({ sum, weight: 1 })));
      case "lateDays":
        return total([...lateness.values()].map((sum) => ({ sum, weight: 1 })));
      case "weightedLateDays":
        return total([...lateness].map(([at, sum]) => ({ sum, weight: dus.weight[component.dus[at]!]! })));
      case "classCompletion":
        return total(anchors.flatMap((sum, at) => (dus.rankClass[component.dus[at]!] === rankClass ? [{ sum, weight: 1 }] : [])));
      case "completion":
        return total(anchors.map((sum) => ({ sum, weight: 1 })));
      case "makespan": {
        const most = sumOf(addVariable(model, makespanFloor, Math.max(horizon, makespanFloor)));
        for (const end of ends) addGap(model, end, 0, most);
        return most;
      }
      default:
        return constantSum(0);
    }
  });
}

/** The jobs of an answer in the order of their starts, each behind its predecessors: a pass over it starts none of them later where one pool serves all. */
export function answerList(ready: Ready, work: Workspace, { jobs }: ComponentModel, values: number[]): Int32Array {
  const { flows, problem } = ready;
  const key = new Map<number, number>();
  // Jobs of a DU stand in an order that runs with the relations.
  jobs.forEach((job, at) => {
    const du = ready.duOfJob[job]!;
    const entry = job + work.entryShift[du]!;
    let own = values[at]!;
    for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++)
      own = Math.max(own, key.get(problem.dus.firstJob[du]! + flows.inFrom[arc]!) ?? own);
    key.set(job, own);
  });
  const dayOf = (job: number) => ready.calendars[problem.dus.calendar[ready.duOfJob[job]!]!]!.days[key.get(job)!]!;
  return Int32Array.from(jobs.toSorted((one, other) => dayOf(one) - dayOf(other) || one - other));
}
