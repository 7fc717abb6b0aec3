import type { Project } from "#lib/planning-engine/model/logic.ts";

/**
 * A project made ready for passes in both directions: predecessors and successors by job, demands of several resources packed into words of 32 bits with a
 * guard bit each, so that one subtraction tests all of a word. Minimal lags only.
 */
export type Passes = {
  jobs: number;
  durations: Int32Array;
  inAt: Int32Array;
  inFrom: Int32Array;
  inLag: Int32Array;
  outAt: Int32Array;
  outTo: Int32Array;
  outLag: Int32Array;
  words: number;
  /** Packed demand: `demand[j * words + w]`. */
  demand: Int32Array;
  /** All capacities with their guard bits, and the guard bits alone, by word. */
  full: Int32Array;
  guard: Int32Array;
  /** Free units by day: `free[t * words + w]`; a day of the backward pass counts from the end. */
  free: Int32Array;
  days: number;
  /** Jobs by start or end when they are sorted. */
  count: Int32Array;
  /** Of a pass with delay: place of each job in the list, what it still waits for, its earliest start and after how many placed jobs that was found, and the jobs that could come next. */
  place: Int32Array;
  waiting: Int32Array;
  earliest: Int32Array;
  known: Int32Array;
  open: Int32Array;
};

/** Makes the work space of a project. @throws Error when a job demands more than there is, or a lag is maximal (points back) */
export function newPasses(project: Project): Passes {
  const { durations, capacities, demands, outAt, outTo, outLag } = project;
  const jobs = durations.length;
  const resources = capacities.length;
  const most = capacities.reduce((left, right) => Math.max(left, right), 0);
  const bits = most < 128 ? 8 : most < 32768 ? 16 : 32;
  const inWord = 32 / bits;
  const words = Math.max(1, Math.ceil(resources / inWord));
  const demand = new Int32Array(jobs * words);
  const full = new Int32Array(words);
  const guard = new Int32Array(words);
  for (let resource = 0; resource < resources; resource++) {
    const word = Math.floor(resource / inWord);
    const shift = bits * (resource % inWord);
    full[word]! |= capacities[resource]! << shift;
    guard[word]! |= 1 << (shift + bits - 1);
    for (let job = 0; job < jobs; job++) {
      const units = demands[job * resources + resource]!;
      if (units > capacities[resource]! && durations[job]! > 0) throw new Error(`job ${job} demands ${units} of resource ${resource}`);
      demand[job * words + word]! |= Math.min(units, capacities[resource]!) << shift;
    }
  }
  for (let word = 0; word < words; word++) full[word]! |= guard[word]!;
  const inAt = new Int32Array(jobs + 1);
  for (const job of outTo) inAt[job + 1]!++;
  for (let job = 0; job < jobs; job++) inAt[job + 1]! += inAt[job]!;
  const inFrom = new Int32Array(outTo.length);
  const inLag = new Int32Array(outTo.length);
  const place = inAt.slice();
  let days = 1;
  for (let job = 0; job < jobs; job++) {
    days += durations[job]!;
    for (let arc = outAt[job]!; arc < outAt[job + 1]!; arc++) {
      if (outLag[arc]! < 0) throw new Error("maximal lags are not for a serial pass");
      const at = place[outTo[arc]!]!++;
      inFrom[at] = job;
      inLag[at] = outLag[arc]!;
      days += Math.max(0, outLag[arc]! - durations[job]!);
    }
  }
  return {
    jobs,
    durations,
    inAt,
    inFrom,
    inLag,
    outAt,
    outTo,
    outLag,
    words,
    demand,
    full,
    guard,
    free: new Int32Array(days * words),
    days,
    count: new Int32Array(days + 1),
    place: new Int32Array(jobs),
    waiting: new Int32Array(jobs),
    earliest: new Int32Array(jobs),
    known: new Int32Array(jobs),
    open: new Int32Array(jobs),
  };
}

/** Starts every job of the list as early as its predecessors and the resources allow. The list runs with the relations. @returns the makespan */
export function passForward(passes: Passes, list: Int32Array, start: Int32Array): number {
  const { durations, inAt, inFrom, inLag } = passes;
  clearDays(passes);
  let makespan = 0;
  for (let place = 0; place < list.length; place++) {
    const job = list[place]!;
    let from = 0;
    for (let arc = inAt[job]!; arc < inAt[job + 1]!; arc++) {
      const bound = start[inFrom[arc]!]! + inLag[arc]!;
      if (bound > from) from = bound;
    }
    const at = occupy(passes, job, from, durations[job]!);
    start[job] = at;
    const end = at + durations[job]!;
    if (end > makespan) makespan = end;
  }
  return makespan;
}

/**
 * The mirror: places every job of the list (which runs against the relations) as late as possible before an end that is only known afterwards.
 * `start` is counted from the first day that is used. @returns the makespan
 */
export function passBackward(passes: Passes, list: Int32Array, start: Int32Array): number {
  const { durations, outAt, outTo, outLag } = passes;
  clearDays(passes);
  let makespan = 0;
  // In the mirror a job's start is its distance from end to end: m = H - start - duration.
  for (let place = 0; place < list.length; place++) {
    const job = list[place]!;
    const duration = durations[job]!;
    let from = 0;
    for (let arc = outAt[job]!; arc < outAt[job + 1]!; arc++) {
      const next = outTo[arc]!;
      const bound = start[next]! + durations[next]! + outLag[arc]! - duration;
      if (bound > from) from = bound;
    }
    const at = occupy(passes, job, from, duration);
    start[job] = at;
    if (at + duration > makespan) makespan = at + duration;
  }
  for (let job = 0; job < start.length; job++) start[job] = makespan - start[job]! - durations[job]!;
  return makespan;
}

/**
 * A pass in either direction that takes the list as a wish: of all jobs whose predecessors are placed the first of the list is next that could start within
 * `delay` days of the earliest of them. Without delay no resource idles while a job could use it; with much of it the list decides alone.
 * The list is left in the order the jobs were placed in, with which the plain pass gives the same schedule. @returns the makespan
 */
export function passDelayed(passes: Passes, forward: boolean, list: Int32Array, start: Int32Array, delay: number): number {
  const { jobs, durations, place, waiting, earliest, known, open } = passes;
  const inAt = forward ? passes.inAt : passes.outAt;
  const outAt = forward ? passes.outAt : passes.inAt;
  const outTo = forward ? passes.outTo : passes.inFrom;
  const lags = forward ? passes.outLag : passes.inLag;
  clearDays(passes);
  // Jobs that could come next stand in `open` in the order of the list.
  let count = 0;
  for (let at = 0; at < jobs; at++) {
    const job = list[at]!;
    place[job] = at;
    earliest[job] = 0;
    known[job] = -1;
    waiting[job] = inAt[job + 1]! - inAt[job]!;
    if (waiting[job] === 0) open[count++] = job;
  }
  let makespan = 0;
  for (let placed = 0; placed < jobs; placed++) {
    let least = passes.days;
    for (let at = 0; at < count; at++) {
      const job = open[at]!;
      // What was placed since can only have moved it later.
      if (earliest[job]! >= least) continue;
      if (known[job] !== placed) {
        earliest[job] = firstRoom(passes, job, earliest[job]!, durations[job]!);
        known[job] = placed;
      }
      if (earliest[job]! < least) least = earliest[job]!;
    }
    let pick = 0;
    for (; pick < count; pick++) {
      const job = open[pick]!;
      if (earliest[job]! > least + delay) continue;
      if (known[job] === placed) break;
      earliest[job] = firstRoom(passes, job, earliest[job]!, durations[job]!);
      known[job] = placed;
      if (earliest[job]! <= least + delay) break;
    }
    const job = open[pick]!;
    count--;
    for (let at = pick; at < count; at++) open[at] = open[at + 1]!;
    const day = earliest[job]!;
    const end = day + durations[job]!;
    take(passes, job, day, end);
    start[job] = day;
    list[placed] = job;
    if (end > makespan) makespan = end;
    for (let arc = outAt[job]!; arc < outAt[job + 1]!; arc++) {
      const next = outTo[arc]!;
      const bound = forward ? day + lags[arc]! : end + lags[arc]! - durations[next]!;
      if (bound > earliest[next]!) earliest[next] = bound;
      if (--waiting[next]! > 0) continue;
      let at = count++;
      for (; at > 0 && place[open[at - 1]!]! > place[next]!; at--) open[at] = open[at - 1]!;
      open[at] = next;
    }
  }
  if (!forward) for (let job = 0; job < jobs; job++) start[job] = makespan - start[job]! - durations[job]!;
  return makespan;
}

function clearDays(passes: Passes): void {
  const { free, full, words } = passes;
  if (words === 1) free.fill(full[0]!);
  else for (let at = 0; at < free.length; at++) free[at] = full[at % words]!;
}

/** First day from which the job has room on all its days; takes it. */
function occupy(passes: Passes, job: number, from: number, duration: number): number {
  const at = firstRoom(passes, job, from, duration);
  take(passes, job, at, at + duration);
  return at;
}

/** First day from which the job has room on all its days. */
function firstRoom(passes: Passes, job: number, from: number, duration: number): number {
  if (duration === 0) return from;
  const { words, free, demand } = passes;
  if (words > 1) return firstRoomInWords(passes, job, from, duration);
  const need = demand[job]!;
  if (need === 0) return from;
  const guard = passes.guard[0]!;
  let at = from;
  // The window is tested from its end; a conflict moves it behind the conflict, and what was tested before needs no second look.
  let tested = at;
  let day = at + duration - 1;
  while (day >= tested) {
    if (((free[day]! - need) & guard) !== guard) {
      tested = at + duration;
      at = day + 1;
      day = at + duration - 1;
    } else day--;
  }
  return at;
}

function firstRoomInWords(passes: Passes, job: number, from: number, duration: number): number {
  const { words, free, demand, guard } = passes;
  const base = job * words;
  let at = from;
  let day = at + duration - 1;
  while (day >= at) {
    let fits = true;
    for (let word = 0; word < words; word++)
      if (((free[day * words + word]! - demand[base + word]!) & guard[word]!) !== guard[word]!) fits = false;
    if (fits) day--;
    else {
      at = day + 1;
      day = at + duration - 1;
    }
  }
  return at;
}

/** Takes what the job demands on all days from the first to before the last. */
function take({ words, free, demand }: Passes, job: number, first: number, last: number): void {
  if (words === 1) {
    const need = demand[job]!;
    for (let day = first; day < last; day++) free[day]! -= need;
    return;
  }
  for (let day = first; day < last; day++)
    for (let word = 0; word < words; word++) free[day * words + word]! -= demand[job * words + word]!;
}

/**
 * Puts the jobs of a schedule into the list of the opposite pass: after a backward pass by start, after a forward one by end, last first.
 * Equal ones stand as they stood in `order`, the list the schedule was made with, seen from its end: so the new list runs with its direction.
 */
export function turnList(
  passes: Passes,
  forwardNext: boolean,
  start: Int32Array,
  makespan: number,
  order: Int32Array,
  list: Int32Array,
): void {
  const { count, jobs, durations } = passes;
  count.fill(0, 0, makespan + 2);
  if (forwardNext) for (let job = 0; job < jobs; job++) count[start[job]! + 1]!++;
  else for (let job = 0; job < jobs; job++) count[makespan - start[job]! - durations[job]! + 1]!++;
  for (let day = 1; day <= makespan + 1; day++) count[day]! += count[day - 1]!;
  for (let place = jobs - 1; place >= 0; place--) {
    const job = order[place]!;
    const day = forwardNext ? start[job]! : makespan - start[job]! - durations[job]!;
    list[count[day]!++] = job;
  }
}
