import { FROZEN, NONE } from "../checker-facts/limits.ts";
import {
  anchorOf,
  consumingJob,
  daysOf,
  earliestNumbers,
  type Facts,
  type Findings,
  flowOf,
  isFact,
  latestNumbers,
  readShape,
  room,
  type Shape,
  takesTeam,
} from "../checker-facts/logic.ts";
import { mayMoveDirectly, partsOf } from "../checker-material/logic.ts";
import { eligiblePools } from "../checker-teams/logic.ts";
import type { Bounds, Level, Problem } from "../model/logic.ts";

/** How many days the anchor of each DU is late: calendar days after its due date, and the days by which fixed jobs miss what leads to them. */
export function lateDays({ problem, plan, du }: Pick<Facts, "problem" | "plan" | "du">): Float64Array {
  const late = new Float64Array(problem.dus.id.length);
  for (let unit = 0; unit < late.length; unit++) {
    const { end } = anchorOf({ problem, plan }, unit);
    if (end !== NONE && problem.dus.due[unit] !== NONE) late[unit] = Math.max(0, end - 1 - problem.dus.due[unit]!);
  }
  plan.conflicts.job.forEach((job, row) => {
    late[du[job]!]! += plan.conflicts.days[row]!;
  });
  return late;
}

/** Every level of the objective, worked out from the plan alone. */
export function levelsOf({ problem, plan, jobs, du, kept }: Omit<Facts, "first" | "last">): number[] {
  const { dus, base } = problem;
  const count = dus.id.length;
  const late = lateDays({ problem, plan, du });
  const gapDus = new Set<number>();
  plan.gaps.du.forEach((unit, row) => {
    if (plan.gaps.short[row]! > 0) gapDus.add(unit);
  });
  const completions = Array.from({ length: count }, (_, unit) => {
    const { end } = anchorOf({ problem, plan }, unit);
    return end === NONE ? 0 : end;
  });
  let makespan = 0;
  let moved = 0;
  let earliest = NONE;
  const begins = new Float64Array(count).fill(NONE);
  for (let job = 0; job < jobs; job++) {
    const start = plan.start[job]!;
    if (start === NONE) continue;
    makespan = Math.max(makespan, plan.end[job]!);
    if (kept[job]! >= 0) continue;
    earliest = Math.min(earliest, start);
    begins[du[job]!] = Math.min(begins[du[job]!]!, start);
    if (base && base.start[job] !== NONE) moved += Math.abs(start - base.start[job]!);
  }
  const sum = (numbers: Iterable<number>) => {
    let total = 0;
    for (const number of numbers) total += number;
    return total;
  };
  const value: Record<Exclude<Level, "classCompletion">, () => number> = {
    gapDus: () => gapDus.size,
    lateDus: () => late.filter((days) => days > 0).length,
    lateDays: () => sum(late),
    weightedLateDays: () => sum(late.map((days, unit) => days * dus.weight[unit]!)),
    stability: () => 100 * sum(late) + (base?.stabilityWeight ?? 0) * moved,
    makespan: () => makespan,
    completion: () => sum(completions),
    substituted: () => sum(plan.allocations.covers.filter((_, row) => plan.allocations.group[row]! >= 0)),
    earliestStart: () => (earliest === NONE ? 0 : -earliest),
    duStarts: () => -sum(begins.filter((start) => start !== NONE)),
  };
  return problem.objective.flatMap((level) => (level === "classCompletion" ? byClass(problem, completions) : [value[level]()]));
}

/** Sum of some numbers of the DUs, class by class of the rank. */
function byClass({ dus }: Problem, numbers: readonly number[]): number[] {
  const classes = Array.from({ length: 1 + dus.rankClass.reduce((top, one) => Math.max(top, one), 0) }, () => 0);
  numbers.forEach((number, du) => {
    classes[dus.rankClass[du]!]! += number;
  });
  return classes;
}

/** C16: the levels are what the plan gives, and no bound says more than can be worked out again. */
export function checkLevels(facts: Facts, bounds: Bounds | null, findings: Findings): void {
  const levels = levelsOf(facts);
  if (facts.plan.levels.length !== levels.length) findings.add("C16", "levels", -1, -1, facts.plan.levels.length, levels.length);
  levels.forEach((level, index) => {
    if (facts.plan.levels[index] !== level) findings.add("C16", "level", -1, index, facts.plan.levels[index] ?? NONE, level);
  });
  if (!bounds) return;
  const proved = boundsOf(facts.problem);
  if (bounds.levels.length !== proved.length) findings.add("C16", "bounds", -1, -1, bounds.levels.length, proved.length);
  proved.forEach((bound, index) => {
    if (!((bounds.levels[index] ?? Number.NEGATIVE_INFINITY) <= bound))
      findings.add("C16", "bound", -1, index, bounds.levels[index] ?? NONE, bound);
  });
}

/** Lower bounds on the levels, from the problem alone: each DU by its longest path, pools by the work they have to do, items by what there is at all. */
export function boundsOf(problem: Problem): number[] {
  const shape = readShape(problem);
  const { dus } = problem;
  const count = dus.id.length;
  const alone = aloneDays(shape);
  const late = alone.map(
    ({ end, conflicts }, unit) => (end === NONE || dus.due[unit] === NONE ? 0 : Math.max(0, end - 1 - dus.due[unit]!)) + conflicts,
  );
  const completions = alone.map(({ end }) => (end === NONE ? 0 : end));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const latestBegins = () => {
    const latest = latestNumbers(shape, problem.direction === "reverse");
    return Array.from({ length: count }, (_, unit) => {
      let begin = NONE;
      for (let job = dus.firstJob[unit]!; job < dus.firstJob[unit + 1]!; job++)
        if (shape.kept[job]! < 0) begin = Math.min(begin, latest[job]!);
      return begin === NONE ? NONE : (daysOf(problem, unit)[begin] ?? 0);
    }).filter((begin) => begin !== NONE);
  };
  const value: Record<Exclude<Level, "classCompletion">, () => number> = {
    gapDus: () => dusWithout(shape),
    lateDus: () => late.filter((days) => days > 0).length,
    lateDays: () => sum(late),
    weightedLateDays: () => sum(late.map((days, unit) => days * dus.weight[unit]!)),
    stability: () => 100 * sum(late),
    makespan: () => Math.max(longest(alone), busiestPools(shape)),
    completion: () => sum(completions),
    substituted: () => 0,
    earliestStart: () => -latestBegins().reduce((least, begin) => Math.min(least, begin), problem.horizonDays),
    duStarts: () => -sum(latestBegins()),
  };
  return problem.objective.flatMap((level) => (level === "classCompletion" ? byClass(problem, completions) : [value[level]()]));
}

type Alone = { end: number; makespan: number; conflicts: number };

const longest = (alone: readonly Alone[]) => alone.reduce((top, { makespan }) => Math.max(top, makespan), 0);

/** End of the anchor, last end and missed days of every DU, if it were alone. */
function aloneDays(shape: Shape): Alone[] {
  const { problem, kept } = shape;
  const { dus } = problem;
  const { first, last } = earliestNumbers(shape);
  return Array.from({ length: dus.id.length }, (_, du) => {
    const flow = flowOf(problem, du);
    const start = dus.firstJob[du]!;
    const days = daysOf(problem, du);
    const endOf = (job: number) => {
      const entry = kept[job]!;
      if (entry >= 0) return problem.kept.end[entry]!;
      return (days[last[job]!] ?? problem.horizonDays) + 1;
    };
    let makespan = 0;
    let virtual = Number.NEGATIVE_INFINITY;
    let conflicts = 0;
    for (let position = 0; position < flow.durations.length; position++) {
      const job = start + position;
      const end = endOf(job);
      if (end !== NONE) {
        makespan = Math.max(makespan, end);
        virtual = Math.max(virtual, end);
      }
      if (kept[job]! < 0 || isFact(shape, job) || first[job] === NONE) continue;
      let missed = 0;
      const to = { first: first[job]!, last: last[job]!, duration: flow.durations[position]! };
      for (let entry = flow.inAt[position]!; entry < flow.inAt[position + 1]!; entry++) {
        const from = start + flow.inFrom[entry]!;
        if (kept[from]! >= 0) continue;
        missed = Math.max(missed, -room(flow.inKind[entry]!, flow.inOffset[entry]!, { first: first[from]!, last: last[from]! }, to));
      }
      conflicts += missed;
    }
    const end = flow.anchor >= 0 ? endOf(start + flow.anchor) : virtual === Number.NEGATIVE_INFINITY ? NONE : virtual;
    return { end, makespan, conflicts };
  });
}

/** Work of free jobs that may use the same pools. */
export type PoolWork = { pools: number[]; work: number; from: number; calendars: Set<number> };

/** Team days by the pools that may do them: by every different set of pools, with the first day on which any of it may begin. */
export function poolWork(shape: Shape, chosen: (job: number, firstDay: number) => boolean = () => true): PoolWork[] {
  const { problem, jobs, du, kept } = shape;
  const { teams, dus } = problem;
  const { first } = earliestNumbers(shape);
  const cells = new Map<number, PoolWork>();
  for (let job = 0; job < jobs; job++) {
    if (kept[job]! >= 0 || !takesTeam(shape, job)) continue;
    const unit = du[job]!;
    const flow = flowOf(problem, unit);
    const position = job - dus.firstJob[unit]!;
    const day = daysOf(problem, unit)[first[job]!] ?? problem.horizonDays;
    if (!chosen(job, day)) continue;
    const cell = flow.teamClass[position]! * teams.regions + dus.region[unit]!;
    const sum = cells.get(cell) ?? { pools: [...eligiblePools(shape, job)], work: 0, from: NONE, calendars: new Set<number>() };
    cells.set(cell, sum);
    sum.work += flow.durations[position]!;
    sum.from = Math.min(sum.from, day);
    sum.calendars.add(dus.calendar[unit]!);
  }
  return [...cells.values()];
}

/** What lies in a set of pools: work that can use no other one. */
export function workWithin(all: readonly PoolWork[], pools: readonly number[]): Omit<PoolWork, "pools"> {
  const inside = new Set(pools);
  const sum = { work: 0, from: NONE, calendars: new Set<number>() };
  for (const { pools: own, work, from, calendars } of all) {
    if (!own.every((pool) => inside.has(pool))) continue;
    sum.work += work;
    sum.from = Math.min(sum.from, from);
    for (const calendar of calendars) sum.calendars.add(calendar);
  }
  return sum;
}

/** Marks the days of the horizon on which any of the calendars works. */
export function workedDays({ calendars, horizonDays }: Problem, numbers: Iterable<number>): Uint8Array {
  const worked = new Uint8Array(horizonDays);
  for (const number of numbers) for (const day of calendars[number]!.days) if (day >= 0 && day < horizonDays) worked[day] = 1;
  return worked;
}

/** Day by which the teams of a set of pools can have done all work that only they can do, the latest over the sets that jobs name. */
function busiestPools(shape: Shape): number {
  const { problem } = shape;
  const all = poolWork(shape);
  let latest = 0;
  for (const { pools } of all) {
    const { work, from, calendars } = workWithin(all, pools);
    const teams = pools.reduce((sum, pool) => sum + problem.teams.count[pool]!, 0);
    if (teams === 0) continue;
    const worked = workedDays(problem, calendars);
    let left = work;
    let day = from;
    for (; left > 0 && day < problem.horizonDays; day++) if (worked[day]) left -= teams;
    latest = Math.max(latest, day);
  }
  return latest;
}

/**
 * How many DUs have to go without something: of an item there is, with all that replaces it, so much less than is asked for, and nobody goes without more than
 * he asks for. Looked at over all and region by region, with what the DUs of a region may take; of the items the one that leaves most.
 */
function dusWithout(shape: Shape): number {
  const { problem } = shape;
  const { dus, demand, lots, teams, items } = problem;
  const asked = Array.from({ length: items * (teams.regions + 1) }, (): number[] => []);
  /** Regions in which somebody may move from a lot directly. */
  const moving = new Map<number, Set<number>>();
  for (let du = 0; du < dus.id.length; du++) {
    if (consumingJob(shape, du) < 0) continue;
    for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++)
      for (const region of [dus.region[du]!, teams.regions])
        asked[demand.item[entry]! * (teams.regions + 1) + region]!.push(demand.quantity[entry]!);
    if (dus.directFrom[du]! >= 0)
      for (let lot = 0; lot < lots.item.length; lot++)
        if (mayMoveDirectly(problem, du, lot)) moving.set(lot, (moving.get(lot) ?? new Set()).add(dus.region[du]!));
  }
  const bound = new Float64Array(items);
  const overall = new Float64Array(items);
  for (let region = 0; region <= teams.regions; region++) {
    const serves = (lot: number) => lots.region[lot] === -1 || lots.region[lot] === region || moving.get(lot)?.has(region) === true;
    const units = unitsByItem(problem, region === teams.regions ? () => true : serves);
    for (let item = 0; item < items; item++) {
      const own = asked[item * (teams.regions + 1) + region]!.sort((one, other) => other - one);
      let missing = own.reduce((sum, quantity) => sum + quantity, 0) - supplyOf(problem, item, units);
      let count = 0;
      while (missing > 0) missing -= own[count++]!;
      if (region === teams.regions) overall[item] = count;
      else bound[item]! += count;
    }
  }
  return bound.reduce((most, count, item) => Math.max(most, count, overall[item]!), 0);
}

/** Units of every item in the chosen lots. */
export function unitsByItem({ lots, items }: Problem, chosen: (lot: number) => boolean): Float64Array {
  const units = new Float64Array(items);
  lots.item.forEach((item, lot) => {
    if (chosen(lot)) units[item]! += lots.quantity[lot]!;
  });
  return units;
}

/** Units of an item that could ever be covered: its own, and what its substitutes make, each counted as if nobody else took it. */
export function supplyOf({ substitutes }: Problem, item: number, units: Float64Array): number {
  let covered = units[item]!;
  for (let group = substitutes.at[item]!; group < substitutes.at[item + 1]!; group++) {
    let whole = Number.POSITIVE_INFINITY;
    for (const [part, quantity] of partsOf(substitutes, group)) whole = Math.min(whole, Math.floor(units[part]! / quantity));
    if (Number.isFinite(whole)) covered += whole * substitutes.covers[group]!;
  }
  return covered;
}

/** A job that a re-planning moved: its days, its pools. */
export type Move = { job: number; from: number; to: number; fromPool: number; toPool: number };

/** Jobs that a re-planning moved: days or pool other than those of the base. */
export function movesOf({ problem, plan, jobs, kept }: Omit<Facts, "first" | "last">): Move[] {
  const { base } = problem;
  if (!base) return [];
  const moves: Move[] = [];
  for (let job = 0; job < jobs; job++) {
    const from = base.start[job]!;
    const entry = kept[job]!;
    if (from === NONE || (entry >= 0 && problem.kept.state[entry] !== FROZEN)) continue;
    const [to, fromPool, toPool] = [plan.start[job]!, base.pool[job]!, plan.pool[job]!];
    if (to !== from || (fromPool !== -1 && toPool !== fromPool)) moves.push({ job, from, to, fromPool, toPool });
  }
  return moves;
}

/** C20, second half: the list of moves is complete and says nothing else. */
export function checkMoves(facts: Facts, moves: readonly Move[], findings: Findings): void {
  const listed = new Map(moves.map((move) => [move.job, move]));
  if (listed.size !== moves.length) findings.add("C20", "move-twice", -1, -1, moves.length, listed.size);
  for (const move of movesOf(facts)) {
    const told = listed.get(move.job);
    const du = facts.du[move.job]!;
    const position = move.job - facts.problem.dus.firstJob[du]!;
    if (!told) findings.add("C20", "move-missing", du, position, NONE, move.to);
    else if (told.from !== move.from || told.to !== move.to || told.fromPool !== move.fromPool || told.toPool !== move.toPool)
      findings.add("C20", "move-differs", du, position, told.to, move.to);
    listed.delete(move.job);
  }
  for (const { job, to } of listed.values())
    findings.add("C20", "move-invented", facts.du[job] ?? -1, job, to, facts.plan.start[job] ?? NONE);
}
