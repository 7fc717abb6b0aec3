import { makespanBound, pathsOf } from "#lib/planning-engine/bounds/logic.ts";
import type { Project, Schedule } from "#lib/planning-engine/model/logic.ts";
import { newPasses, type Passes, passBackward, passDelayed, passForward, turnList } from "#lib/planning-engine/project-sgs/logic.ts";
import { below, newRandom, type Random } from "#lib/planning-engine/random/logic.ts";
import {
  DELAYED_PERCENT,
  IDLE_GENERATIONS,
  INVERSE_FROM_SCHEDULES,
  INVERSE_OF,
  INVERSE_OF_SMALL,
  LEAST_WINDOW_PERCENT,
  LONGER_PERCENT,
  MOST_SHIFTS,
  MOST_SHIFTS_AGAIN,
  MOST_SHIFTS_SMALL,
  MOST_WINDOW_PERCENT,
  POPULATION_PERCENT_SMALL,
  populations,
  SMALL_JOBS,
  TOURNAMENT,
  WINDOWS,
} from "./limits.ts";

/** What a search found, the schedules it made, and the lower bound it knows. A makespan at the bound is optimal. */
export type Found = Schedule & { schedules: number; bound: number };

/**
 * The schedules of one justification; the last entry is room for the next child. `list` is the order in which the opposite pass would take the jobs,
 * `again` how many children in turn for each place were there already.
 */
type Population = {
  start: Int32Array[];
  list: Int32Array[];
  energy: Int32Array[];
  makespan: Int32Array;
  fitness: Float64Array;
  again: Int32Array;
};

/** Weight of a day of makespan in the fitness. */
const DAY = 65_536;

type State = {
  passes: Passes;
  random: Random;
  size: number;
  mostShifts: number;
  /** One child of so many is crossed the other way round; 0 = none. */
  inverseOf: number;
  /** Delays of a pass are below this many days: the longest duration. */
  delays: number;
  /** Work of each job in all resources, scarce ones counting more. */
  energy: Int32Array;
  tail: Int32Array;
  left: Population;
  right: Population;
  order: Int32Array;
  place: Int32Array;
  mark: Int32Array;
  waiting: Int32Array;
  best: Int32Array;
  makespan: number;
  schedules: number;
};

/**
 * Searches for a short schedule of a project by two populations: left-justified schedules, whose children are made by backward passes, and right-justified
 * ones, whose children are made by forward passes, so that every child is also a forward-backward improvement of its father.
 * Deterministic for project, limit and seed.
 * @param stop polled before every schedule
 */
export function searchProject(project: Project, limit: number, seed: number, stop: () => boolean = () => false): Found {
  const paths = pathsOf(project);
  const bound = makespanBound(project, paths);
  const state = newState(project, limit, seed, paths.tail);
  const goesOn = () => state.schedules < limit && state.makespan > bound && !stop();
  populate(state, 0, goesOn);
  let idle = 0;
  for (let forward = true; goesOn(); forward = !forward) {
    idle = breed(state, forward, goesOn) > 0 ? 0 : idle + 1;
    if (idle < IDLE_GENERATIONS) continue;
    populate(state, 1, goesOn);
    idle = 0;
  }
  return { start: state.best, makespan: state.makespan, schedules: state.schedules, bound };
}

function sizeFor(limit: number): number {
  for (let at = 1; at < populations.length; at++) {
    const low = populations[at - 1]!;
    const high = populations[at]!;
    if (limit <= high.schedules)
      return low.size + Math.floor(((high.size - low.size) * (limit - low.schedules)) / (high.schedules - low.schedules));
  }
  return populations.at(-1)!.size;
}

function newState(project: Project, limit: number, seed: number, tail: Int32Array): State {
  const passes = newPasses(project);
  const { jobs } = passes;
  const small = jobs <= SMALL_JOBS;
  const size = small ? Math.floor((sizeFor(limit) * POPULATION_PERCENT_SMALL) / 100) : sizeFor(limit);
  const population = (): Population => ({
    start: Array.from({ length: size + 1 }, () => new Int32Array(jobs)),
    list: Array.from({ length: size + 1 }, () => new Int32Array(jobs)),
    energy: Array.from({ length: size + 1 }, () => new Int32Array(jobs + 1)),
    makespan: new Int32Array(size + 1),
    fitness: new Float64Array(size + 1).fill(Number.MAX_SAFE_INTEGER),
    again: new Int32Array(size),
  });
  return {
    passes,
    random: newRandom(seed),
    size,
    inverseOf: limit < INVERSE_FROM_SCHEDULES ? 0 : small ? INVERSE_OF_SMALL : INVERSE_OF,
    mostShifts: small ? MOST_SHIFTS_SMALL : MOST_SHIFTS,
    delays: project.durations.reduce((most, duration) => Math.max(most, duration), 1),
    energy: energiesOf(project),
    tail,
    left: population(),
    right: population(),
    order: new Int32Array(jobs),
    place: new Int32Array(jobs),
    mark: new Int32Array(jobs),
    waiting: new Int32Array(jobs),
    best: new Int32Array(jobs),
    makespan: Number.MAX_SAFE_INTEGER,
    schedules: 0,
  };
}

function energiesOf({ durations, capacities, demands }: Project): Int32Array {
  const resources = capacities.length;
  // Work a unit of each resource has to do: the scarcer, the more.
  const load = Array.from(capacities, (capacity, resource) => {
    let work = 0;
    for (let job = 0; job < durations.length; job++) work += durations[job]! * demands[job * resources + resource]!;
    return Math.floor(work / Math.max(1, capacity));
  });
  const most = Math.max(1, ...load);
  return durations.map((duration, job) => {
    let energy = 0;
    for (let resource = 0; resource < resources; resource++)
      energy += Math.floor(
        (100 * duration * demands[job * resources + resource]! * load[resource]!) / (Math.max(1, capacities[resource]!) * most),
      );
    return energy;
  });
}

/** Fills both populations from `from` on: left ones by sampling on the longest path behind, right ones by a backward pass of each. */
function populate(state: State, from: number, goesOn: () => boolean): void {
  const { left, right, size, order } = state;
  if (from > 0) for (const side of [left, right]) keepBest(side, size);
  for (let at = from; at < size && goesOn(); at++) {
    sampleOrder(state, at > 0);
    schedule(state, true, at, true);
  }
  for (let at = from; at < size && goesOn(); at++) {
    order.set(left.list[at]!);
    schedule(state, false, at, true);
  }
}

function keepBest(side: Population, size: number): void {
  let best = 0;
  for (let at = 1; at < size; at++) if (side.fitness[at]! < side.fitness[best]!) best = at;
  exchange(side, 0, best);
  side.fitness.fill(Number.MAX_SAFE_INTEGER, 1);
}

/** A list that runs with the relations: of two jobs that could come next the one with more behind it, or always the one with most. */
function sampleOrder({ passes, random, tail, order, waiting, place }: State, byChance: boolean): void {
  const { jobs, inAt, outAt, outTo } = passes;
  const open = place;
  let count = 0;
  for (let job = 0; job < jobs; job++) {
    waiting[job] = inAt[job + 1]! - inAt[job]!;
    if (waiting[job] === 0) open[count++] = job;
  }
  for (let at = 0; at < jobs; at++) {
    let pick = 0;
    if (byChance) {
      pick = below(random, count);
      const other = below(random, count);
      if (tail[open[other]!]! > tail[open[pick]!]!) pick = other;
    } else for (let other = 1; other < count; other++) if (tail[open[other]!]! > tail[open[pick]!]!) pick = other;
    const job = open[pick]!;
    open[pick] = open[--count]!;
    order[at] = job;
    for (let arc = outAt[job]!; arc < outAt[job + 1]!; arc++) if (--waiting[outTo[arc]!]! === 0) open[count++] = outTo[arc]!;
  }
}

/** Makes the schedule of the list at hand, to the letter or with a delay drawn for it, and puts it into an entry of its population. */
function schedule(state: State, forward: boolean, at: number, delayed: boolean): void {
  const { passes, random, order, energy, delays } = state;
  const side = forward ? state.left : state.right;
  const start = side.start[at]!;
  const plain = forward ? passForward : passBackward;
  const makespan = delayed ? passDelayed(passes, forward, order, start, below(random, delays)) : plain(passes, order, start);
  state.schedules++;
  const list = side.list[at]!;
  turnList(passes, !forward, start, makespan, order, list);
  const sums = side.energy[at]!;
  let sum = 0;
  let starts = 0;
  for (let place = 0; place < list.length; place++) {
    const job = list[place]!;
    sum += energy[job]!;
    sums[place + 1] = sum;
    starts += forward ? start[job]! : makespan - start[job]! - passes.durations[job]!;
  }
  side.makespan[at] = makespan;
  // Of equal makespans the schedule that is justified better: it leaves the opposite pass more room.
  side.fitness[at] = makespan * DAY + Math.floor(starts / list.length);
  if (makespan < state.makespan) {
    state.makespan = makespan;
    state.best.set(start);
  }
}

/** One generation: every schedule of a population is father of one child in the other, in the same place. @returns how many children were taken */
function breed(state: State, forward: boolean, goesOn: () => boolean): number {
  const { random, size } = state;
  const from = forward ? state.right : state.left;
  const to = forward ? state.left : state.right;
  let taken = 0;
  for (let father = 0; father < size && goesOn(); father++) {
    let mother = below(random, size);
    for (let other = 1; other < TOURNAMENT; other++) {
      const rival = below(random, size);
      if (from.fitness[rival]! < from.fitness[mother]!) mother = rival;
    }
    cross(state, from, father, mother);
    shift(state, forward, below(random, state.mostShifts + 1) + Math.min(MOST_SHIFTS_AGAIN, to.again[father]!));
    schedule(state, forward, size, below(random, 100) < DELAYED_PERCENT);
    const patience = to.makespan[father]! > state.makespan && below(random, 100) < LONGER_PERCENT ? DAY : 0;
    if (to.fitness[size]! > to.fitness[father]! + patience) continue;
    if (isPresent(to, size)) {
      to.again[father]!++;
      continue;
    }
    to.again[father] = 0;
    exchange(to, father, size);
    taken++;
  }
  return taken;
}

/** The child's list: the father's densest window stays, what he has before and behind it comes in the mother's order; or the other way round. */
function cross(state: State, side: Population, father: number, mother: number): void {
  const { passes, random, order, mark } = state;
  const { jobs } = passes;
  const own = side.list[father]!;
  const hers = side.list[mother]!;
  const percent = LEAST_WINDOW_PERCENT + below(random, MOST_WINDOW_PERCENT - LEAST_WINDOW_PERCENT + 1);
  const length = Math.max(1, Math.floor((jobs * percent) / 100));
  let first = 0;
  let densest = -1;
  for (let window = 0; window < WINDOWS; window++) {
    const at = below(random, jobs - length + 1);
    const density = densityOf(passes, side, father, at, at + length);
    if (density > densest) {
      densest = density;
      first = at;
    }
  }
  const last = first + length;
  const inverse = state.inverseOf > 0 && below(random, state.inverseOf) === 0;
  crossLists(own, hers, jobs, first, last, inverse, mark, order);
}

/**
 * Crosses two lists of the same jobs that both run with the relations, so that the child's does too. Of the father's stay the places from `first` to before
 * `last`, what he has before and behind them comes in the mother's order; `inverse` is the other way round.
 * @param mark room for a number for each job
 */
export function crossLists(
  own: Int32Array,
  hers: Int32Array,
  jobs: number,
  first: number,
  last: number,
  inverse: boolean,
  mark: Int32Array,
  order: Int32Array,
): void {
  for (let place = 0; place < jobs; place++) mark[own[place]!] = place < first ? 0 : place < last ? 1 : 2;
  let before = 0;
  let inside = first;
  let behind = last;
  if (inverse) {
    for (let place = 0; place < jobs; place++) order[place] = own[place]!;
    for (let place = 0; place < jobs; place++) if (mark[hers[place]!] === 1) order[inside++] = hers[place]!;
    return;
  }
  for (let place = 0; place < jobs; place++) {
    const job = hers[place]!;
    if (mark[job] === 0) order[before++] = job;
    else if (mark[job] === 2) order[behind++] = job;
  }
  for (let place = first; place < last; place++) order[place] = own[place]!;
}

/** Work of a stretch of the list by the days it takes. */
function densityOf({ durations }: Passes, side: Population, at: number, first: number, last: number): number {
  const start = side.start[at]!;
  const one = side.list[at]![first]!;
  const other = side.list[at]![last - 1]!;
  const days =
    Math.max(Math.abs(start[other]! - start[one]!), Math.abs(start[other]! + durations[other]! - start[one]! - durations[one]!)) + 1;
  return Math.floor((16 * (side.energy[at]![last]! - side.energy[at]![first]!)) / days);
}

/** Moves some jobs of the list anywhere between their predecessors and successors. */
function shift({ passes, random, order, place }: State, forward: boolean, times: number): void {
  if (times === 0) return;
  const { jobs, inAt, inFrom, outAt, outTo } = passes;
  for (let at = 0; at < jobs; at++) place[order[at]!] = at;
  for (let time = 0; time < times; time++) {
    const at = below(random, jobs);
    const job = order[at]!;
    let low = 0;
    let high = jobs - 1;
    for (let arc = inAt[job]!; arc < inAt[job + 1]!; arc++) {
      const other = place[inFrom[arc]!]!;
      if (forward) low = Math.max(low, other + 1);
      else high = Math.min(high, other - 1);
    }
    for (let arc = outAt[job]!; arc < outAt[job + 1]!; arc++) {
      const other = place[outTo[arc]!]!;
      if (forward) high = Math.min(high, other - 1);
      else low = Math.max(low, other + 1);
    }
    if (high <= low) continue;
    const to = low + below(random, high - low + 1);
    const step = to > at ? 1 : -1;
    for (let next = at; next !== to; next += step) {
      order[next] = order[next + step]!;
      place[order[next]!] = next;
    }
    order[to] = job;
    place[job] = to;
  }
}

/** Whether another entry of the population is the same schedule. */
function isPresent({ start, fitness }: Population, at: number): boolean {
  const own = start[at]!;
  for (let other = 0; other < at; other++) {
    if (fitness[other] !== fitness[at]) continue;
    const theirs = start[other]!;
    let job = 0;
    while (job < own.length && own[job] === theirs[job]) job++;
    if (job === own.length) return true;
  }
  return false;
}

function exchange(side: Population, left: number, right: number): void {
  for (const values of [side.start, side.list, side.energy]) {
    const kept = values[left]!;
    values[left] = values[right]!;
    values[right] = kept;
  }
  for (const values of [side.makespan, side.fitness]) {
    const kept = values[left]!;
    values[left] = values[right]!;
    values[right] = kept;
  }
}
