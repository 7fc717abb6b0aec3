import type { Component } from "#lib/planning-engine/components/logic.ts";
import { crossLists } from "#lib/planning-engine/genetic/logic.ts";
import { firstWorkAt, lengthOf, type Ready } from "#lib/planning-engine/normalise/logic.ts";
import type { Keys } from "#lib/planning-engine/portfolio/logic.ts";
import { below, mix32, type Random } from "#lib/planning-engine/random/logic.ts";
import { clearComponent, hold, type Workspace } from "#lib/planning-engine/sgs/logic.ts";
import {
  EVALUATIONS_OF_LIST,
  IDLE_GENERATIONS,
  INVERSE_OF,
  LARGE_JOBS,
  LEAST_LARGE_LISTS,
  LEAST_LISTS,
  LEAST_WINDOW_PERCENT,
  MOST_ENTRIES,
  MOST_LISTS,
  MOST_SCATTERED,
  MOST_SHIFTS,
  MOST_WINDOW_PERCENT,
  SCATTER,
  TOURNAMENT,
} from "./limits.ts";

/**
 * Two populations of a component's plans, each entry in both: planned forward, of which levels and a mark of its starts are kept, and moved to the right, of
 * which the order is kept. A child is a forward pass over the crossed orders of its parents; when it is taken, a backward pass gives its own order.
 */
export type Genes = {
  lists: Int32Array[];
  levels: Float64Array[];
  marks: Int32Array;
  size: number;
  /** Entries that have a plan; the next child takes the place behind them, later that of its father. */
  filled: number;
  father: number;
  /** Children in turn that were not taken. */
  idle: number;
  /** Entry whose plan is in the work space and waits for its backward pass, -1 = none. */
  turns: number;
  /** Below 0 when the left levels are better. */
  compare: (left: Float64Array, right: Float64Array) => number;
  reversed: Int32Array;
  /** DUs of the component by rank. */
  ranked: Int32Array;
};

/** Whether passes follow nothing but their lists, so that plans can be bred. */
export function isBred({ problem }: Ready): boolean {
  return problem.direction === "forward" && problem.base === null;
}

/** Room for the plans of a component, as many as evaluations and memory allow. */
export function newGenes(
  { problem, jobs: allJobs }: Ready,
  { jobs, dus }: Component,
  levels: number,
  evaluations: number,
  compare: Genes["compare"],
): Genes {
  const least = jobs > LARGE_JOBS ? LEAST_LARGE_LISTS : LEAST_LISTS;
  const size = Math.min(MOST_LISTS, Math.floor(MOST_ENTRIES / allJobs), least + Math.floor(evaluations / EVALUATIONS_OF_LIST));
  return {
    lists: Array.from({ length: size }, () => new Int32Array(jobs)),
    levels: Array.from({ length: size }, () => new Float64Array(levels)),
    marks: new Int32Array(size),
    size,
    filled: 0,
    father: 0,
    idle: 0,
    turns: -1,
    compare,
    reversed: new Int32Array(jobs),
    ranked: dus.toSorted((left, right) => problem.dus.rank[left]! - problem.dus.rank[right]!),
  };
}

/** Lets a plan that was found elsewhere take the first place. */
export function enter(genes: Genes, list: Int32Array, levels: Float64Array): void {
  genes.lists[0]!.set(list);
  genes.levels[0]!.set(levels);
  genes.marks[0] = 0;
  genes.filled = Math.max(1, genes.filled);
  genes.turns = -1;
}

/** Writes the list of the next child: around the best one while the population is not full, afterwards of two parents. */
export function nextChild(ready: Ready, work: Workspace, keys: Keys, genes: Genes, random: Random, list: Int32Array, count: number): void {
  if (genes.filled < genes.size) {
    scatter(ready, work, keys, genes.lists[0]!, random, list, count);
    return;
  }
  let mother = below(random, genes.size);
  for (let other = 1; other < TOURNAMENT; other++) {
    const rival = below(random, genes.size);
    if (genes.compare(genes.levels[rival]!, genes.levels[mother]!) < 0) mother = rival;
  }
  const percent = LEAST_WINDOW_PERCENT + below(random, MOST_WINDOW_PERCENT - LEAST_WINDOW_PERCENT + 1);
  const length = Math.max(1, Math.floor((count * percent) / 100));
  const first = below(random, count - length + 1);
  const inverse = below(random, INVERSE_OF) === 0;
  crossLists(genes.lists[genes.father]!, genes.lists[mother]!, count, first, first + length, inverse, keys.key, list);
  shift(ready, work, keys.key, random, list, count);
}

/**
 * Takes the child in the work space into the population, or not.
 * @param levels of the child, null where it found no room
 */
export function judge(work: Workspace, genes: Genes, list: Int32Array, count: number, levels: Float64Array | null): void {
  const place = genes.filled < genes.size ? genes.filled : genes.father;
  const isNew = genes.filled < genes.size;
  if (!isNew) genes.father = (genes.father + 1) % genes.size;
  genes.idle++;
  const mark = markOf(work, list, count);
  if (levels === null || (!isNew && genes.compare(levels, genes.levels[place]!) > 0) || isPresent(genes, mark)) {
    giveUp(genes);
    return;
  }
  genes.levels[place]!.set(levels);
  genes.lists[place]!.set(list);
  genes.marks[place] = mark;
  if (isNew) genes.filled++;
  genes.idle = 0;
  genes.turns = place;
}

/** Whether of two plans that are equally good the left one is ahead with the first DU by rank they differ in. */
export function isAhead({ problem }: Ready, { ranked }: Genes, left: Int32Array, right: Int32Array): boolean {
  const { firstJob } = problem.dus;
  for (const du of ranked)
    for (let job = firstJob[du]!; job < firstJob[du + 1]!; job++) if (left[job] !== right[job]) return left[job]! < right[job]!;
  return false;
}

function isPresent({ marks, filled }: Genes, mark: number): boolean {
  for (let other = 0; other < filled; other++) if (marks[other] === mark) return true;
  return false;
}

/** After generations in which nothing was taken all but the best begin anew. */
function giveUp(genes: Genes): void {
  if (genes.idle < IDLE_GENERATIONS * genes.size) return;
  let best = 0;
  for (let at = 1; at < genes.filled; at++) if (genes.compare(genes.levels[at]!, genes.levels[best]!) < 0) best = at;
  genes.lists[0]!.set(genes.lists[best]!);
  genes.levels[0]!.set(genes.levels[best]!);
  genes.marks[0] = genes.marks[best]!;
  genes.filled = 1;
  genes.father = 0;
  genes.idle = 0;
}

/** A number by which equal plans are known: a sum, so that the order of the list does not matter. */
function markOf({ start }: Workspace, list: Int32Array, count: number): number {
  let mark = 0;
  for (let at = 0; at < count; at++) mark = (mark + mix32(Math.imul(list[at]! + 1, 0x9e3779b1) ^ start[list[at]!]!)) | 0;
  return mark;
}

/** A list in the order of another, each job up to some places further back; what comes of it runs with the relations. */
function scatter(ready: Ready, work: Workspace, keys: Keys, from: Int32Array, random: Random, list: Int32Array, count: number): void {
  const { key } = keys;
  const most = 1 + below(random, Math.min(MOST_SCATTERED, SCATTER * count));
  for (let place = 0; place < count; place++) key[from[place]!] = place + below(random, most);
  // A list runs with the relations: what leads to a job has its key already.
  for (let place = 0; place < count; place++) raise(ready, work, key, from[place]!);
  sortStable(keys, from, list, count);
}

/** Raises the key of a job to those of the free jobs that lead to it. */
function raise(ready: Ready, work: Workspace, key: Int32Array, job: number): void {
  eachBefore(ready, work, job, (from) => {
    if (key[from]! > key[job]!) key[job] = key[from]!;
  });
}

/** Jobs in ascending order of key, equal ones as they stood. Keys are from 0 to below the number of buckets. */
function sortStable({ key, count: buckets }: Keys, from: Int32Array, list: Int32Array, count: number): void {
  let most = 0;
  for (let place = 0; place < count; place++) if (key[from[place]!]! > most) most = key[from[place]!]!;
  buckets.fill(0, 0, most + 2);
  for (let place = 0; place < count; place++) buckets[key[from[place]!]! + 1]!++;
  for (let bucket = 1; bucket <= most; bucket++) buckets[bucket]! += buckets[bucket - 1]!;
  for (let place = 0; place < count; place++) list[buckets[key[from[place]!]!]!++] = from[place]!;
}

/** Moves some jobs of a list anywhere between the jobs they are related to. */
function shift(ready: Ready, work: Workspace, place: Int32Array, random: Random, list: Int32Array, count: number): void {
  const { problem, duOfJob, keptOf } = ready;
  const { firstJob } = problem.dus;
  const times = below(random, MOST_SHIFTS + 1);
  if (times === 0) return;
  for (let at = 0; at < count; at++) place[list[at]!] = at;
  for (let time = 0; time < times; time++) {
    const at = below(random, count);
    const job = list[at]!;
    const du = duOfJob[job]!;
    let low = 0;
    let high = count - 1;
    eachBefore(ready, work, job, (from) => {
      low = Math.max(low, place[from]! + 1);
    });
    for (let other = job + 1; other < firstJob[du + 1]!; other++) {
      if (keptOf !== null && keptOf[other]! >= 0) continue;
      eachBefore(ready, work, other, (from) => {
        if (from === job) high = Math.min(high, place[other]! - 1);
      });
    }
    if (high <= low) continue;
    const to = low + below(random, high - low + 1);
    const step = to > at ? 1 : -1;
    for (let next = at; next !== to; next += step) {
      list[next] = list[next + step]!;
      place[list[next]!] = next;
    }
    list[to] = job;
    place[job] = to;
  }
}

/**
 * Moves the plan in the work space to the right, each job in its pool, the last ends first, and makes the order of the new starts the list of the entry that
 * waits for it. Without material and groups a forward pass over it leaves no job behind where it stood on the right. DUs keep their ends; every other time
 * those in time may use the days up to their due date, as far as the component lasts. Material, groups and clusters are not looked at: the plan is not one,
 * its order is what counts.
 */
export function turnRight(
  ready: Ready,
  work: Workspace,
  component: Component,
  keys: Keys,
  genes: Genes,
  random: Random,
  count: number,
): void {
  const { flows, problem, duOfJob, calendars } = ready;
  const { calendar } = problem.dus;
  const { start, entryShift, pool } = work;
  const { key } = keys;
  const list = genes.lists[genes.turns]!;
  genes.turns = -1;
  const dayOf = (job: number, later: number) => calendars[calendar[duOfJob[job]!]!]!.days[start[job]! + later]!;
  const lastOf = (job: number) => dayOf(job, lengthOf(flows.durations[job + entryShift[duOfJob[job]!]!]!) - 1);
  let last = 0;
  for (let place = 0; place < count; place++) last = Math.max(last, lastOf(list[place]!));
  for (let place = 0; place < count; place++) key[list[place]!] = last - lastOf(list[place]!);
  // What leads to a job comes behind it.
  for (let place = count - 1; place >= 0; place--)
    eachBefore(ready, work, list[place]!, (from) => {
      if (key[from]! < key[list[place]!]!) key[from] = key[list[place]!]!;
    });
  sortReversed(keys, genes.reversed, list, count);
  writeLatest(ready, work, component, key, below(random, 2) === 0 ? last : -1);
  clearComponent(work, component);
  for (let place = 0; place < count; place++) {
    const job = list[place]!;
    const entry = job + entryShift[duOfJob[job]!]!;
    const { days } = calendars[calendar[duOfJob[job]!]!]!;
    const isHeld = flows.teamClass[entry]! >= 0;
    // Where no room is found behind it a job stays.
    if (key[job]! > start[job]!) start[job] = isHeld ? lastRoom(ready, work, job, key[job]!) : key[job]!;
    if (isHeld) hold(work, pool[job]!, days[start[job]!]!, days[start[job]! + flows.durations[entry]! - 1]! + 1);
    eachBefore(ready, work, job, (from, lag) => {
      if (start[job]! - lag < key[from]!) key[from] = start[job]! - lag;
    });
  }
  for (let place = 0; place < count; place++) key[list[place]!] = dayOf(list[place]!, 0);
  for (let place = count - 1; place >= 0; place--) raise(ready, work, key, list[place]!);
  sortReversed(keys, genes.reversed, list, count);
}

/** Turns a list round and puts it in ascending order of key; equal ones stand as they then do. */
function sortReversed(keys: Keys, reversed: Int32Array, list: Int32Array, count: number): void {
  for (let place = 0; place < count; place++) reversed[place] = list[count - 1 - place]!;
  sortStable(keys, reversed, list, count);
}

/** Calls for every relation from a free job into a job. */
function eachBefore(
  { flows, problem, duOfJob, keptOf }: Ready,
  { entryShift }: Workspace,
  job: number,
  call: (from: number, lag: number) => void,
): void {
  const du = duOfJob[job]!;
  const base = problem.dus.firstJob[du]!;
  const entry = job + entryShift[du]!;
  for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) {
    const from = base + flows.inFrom[arc]!;
    if (keptOf === null || keptOf[from]! < 0) call(from, flows.inLag[arc]!);
  }
}

/**
 * Writes the latest start of each free job of a component that leaves its DU the end it has.
 * @param last day up to which DUs may last that are in time then; -1 = none longer than it does
 */
function writeLatest(ready: Ready, { start, entryShift }: Workspace, component: Component, key: Int32Array, last: number): void {
  const { flows, problem, calendars, keptOf } = ready;
  const { dus } = problem;
  for (const du of component.dus) {
    const base = dus.firstJob[du]!;
    const to = dus.firstJob[du + 1]!;
    const calendar = calendars[dus.calendar[du]!]!;
    const anchor = flows.anchor[dus.flow[du]!]!;
    const lengthAt = (job: number) => lengthOf(flows.durations[job + entryShift[du]!]!);
    let end = 0;
    let anchorEnd = 0;
    for (let job = base; job < to; job++) {
      if (keptOf !== null && keptOf[job]! >= 0) continue;
      end = Math.max(end, start[job]! + lengthAt(job));
      if (anchor < 0 || job - base === anchor) anchorEnd = Math.max(anchorEnd, start[job]! + lengthAt(job));
    }
    if (last >= 0) {
      end = Math.max(end, firstWorkAt(calendar, last + 1));
      anchorEnd = Math.max(anchorEnd, firstWorkAt(calendar, Math.min(last, dus.due[du]!) + 1));
    }
    for (let job = base; job < to; job++) key[job] = (anchor < 0 || job - base === anchor ? anchorEnd : end) - lengthAt(job);
  }
}

/** Last working day up to `most` on which the pool of a job has a team free on all its days; its present start where there is none behind it. */
function lastRoom({ duOfJob, problem, calendars, flows }: Ready, work: Workspace, job: number, most: number): number {
  const { free, pool, start, days: horizon, entryShift } = work;
  const du = duOfJob[job]!;
  const calendar = calendars[problem.dus.calendar[du]!]!;
  const duration = flows.durations[job + entryShift[du]!]!;
  const row = pool[job]! * (horizon + 1);
  let at = most;
  while (at > start[job]!) {
    const last = calendar.days[at + duration - 1]!;
    let day = calendar.days[at]!;
    while (day <= last && free[row + day]! > 0) day++;
    if (day > last) return at;
    at = firstWorkAt(calendar, day) - duration;
  }
  return start[job]!;
}
