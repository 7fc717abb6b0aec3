import { makespanBound, pathsOf } from "#lib/planning-engine/bounds/logic.ts";
import type { Project } from "#lib/planning-engine/model/logic.ts";
import { NARROWINGS } from "./limits.ts";

/** First and last day each job could start on; kept by a makespan that is tried. */
type Windows = { low: Int32Array; high: Int32Array };

type Trial = {
  project: Project;
  jobs: number;
  /** Pairs that cannot run side by side, one after the other. */
  pairs: [number, number][];
  resources: Resource[];
};

/** A resource with its users, and what each needs of it (by job). */
type Resource = { capacity: number; users: number[]; units: Int32Array };

/**
 * A makespan no schedule is below: the greatest that can be refuted, looked for between the plain bound and a makespan that is known to be possible. Relations
 * run from a smaller to a larger job.
 */
export function destructiveBound(project: Project, makespan: number): number {
  const paths = pathsOf(project);
  let low = makespanBound(project, paths);
  let high = makespan;
  if (low >= high) return low;
  const trial = newTrial(project);
  while (low < high) {
    const middle = (low + high) >> 1;
    const windows = {
      low: paths.head.slice(),
      high: Int32Array.from(paths.tail, (tail, job) => middle - tail - project.durations[job]!),
    };
    if (isRefuted(trial, windows, middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function newTrial(project: Project): Trial {
  const { durations, capacities, demands } = project;
  const jobs = durations.length;
  const works = Array.from(durations.keys()).filter((job) => durations[job]! > 0);
  const resources = Array.from(capacities, (capacity, at): Resource => {
    const units = Int32Array.from(durations, (_, job) => demands[job * capacities.length + at]!);
    const users = works.filter((job) => units[job]! > 0);
    return { capacity: mostUsed(capacity, users, units), users, units };
  });
  const apart = (one: number, other: number) => resources.some(({ capacity, units }) => units[one]! + units[other]! > capacity);
  const pairs = works.flatMap((one) =>
    works.flatMap((other): [number, number][] => (one < other && apart(one, other) ? [[one, other]] : [])),
  );
  return {
    project,
    jobs,
    pairs,
    resources: [...resources.filter(({ users }) => users.length > 1), ...cliques(jobs, works, durations, apart)],
  };
}

/** The most of a capacity that any set of users takes together: with 3 units and jobs that ask for 2 one is never used. */
function mostUsed(capacity: number, users: number[], units: Int32Array): number {
  const reached = new Uint8Array(capacity + 1);
  reached[0] = 1;
  for (const job of users) for (let sum = capacity; sum >= units[job]!; sum--) if (reached[sum - units[job]!]) reached[sum] = 1;
  return Math.max(1, reached.lastIndexOf(1));
}

/** Sets of jobs no two of which run side by side, as resources of one unit: one about each job, the longest of the others first. */
function cliques(jobs: number, works: number[], durations: Int32Array, apart: (one: number, other: number) => boolean): Resource[] {
  const byLength = [...works].sort((one, other) => durations[other]! - durations[one]! || one - other);
  const found = new Map<string, Resource>();
  for (const job of works) {
    const users = [job];
    for (const other of byLength) if (other !== job && users.every((member) => apart(member, other))) users.push(other);
    if (users.length < 3) continue;
    users.sort((one, other) => one - other);
    const units = new Int32Array(jobs);
    for (const user of users) units[user] = 1;
    found.set(users.join(), { capacity: 1, users, units });
  }
  return [...found.values()];
}

/** Whether windows narrow down to nothing, or hold more work than there is room for. Never true while a schedule of the makespan exists. */
function isRefuted(trial: Trial, windows: Windows, makespan: number): boolean {
  for (let round = 0; round < NARROWINGS; round++) {
    const before = spread(windows);
    if (!byRelations(trial, windows) || !byPairs(trial, windows)) return true;
    for (const resource of trial.resources) if (!byCores(trial, windows, resource, makespan)) return true;
    for (const resource of trial.resources) if (!byEnergy(trial, windows, resource)) return true;
    if (spread(windows) === before) return false;
  }
  return false;
}

function spread({ low, high }: Windows): number {
  let sum = 0;
  for (let job = 0; job < low.length; job++) sum += high[job]! - low[job]!;
  return sum;
}

/** Each takes windows and narrows them; false when one is empty. */
function byRelations({ project, jobs }: Trial, { low, high }: Windows): boolean {
  const { outAt, outTo, outLag } = project;
  for (let job = 0; job < jobs; job++)
    for (let arc = outAt[job]!; arc < outAt[job + 1]!; arc++) {
      const next = outTo[arc]!;
      if (low[job]! + outLag[arc]! > low[next]!) low[next] = low[job]! + outLag[arc]!;
    }
  for (let job = jobs - 1; job >= 0; job--)
    for (let arc = outAt[job]!; arc < outAt[job + 1]!; arc++) {
      const latest = high[outTo[arc]!]! - outLag[arc]!;
      if (latest < high[job]!) high[job] = latest;
    }
  for (let job = 0; job < jobs; job++) if (low[job]! > high[job]!) return false;
  return true;
}

/** Of two jobs that cannot run side by side one comes first; when only one can, the other waits. */
function byPairs({ project, pairs }: Trial, { low, high }: Windows): boolean {
  const { durations } = project;
  for (const [one, other] of pairs) {
    const oneFirst = low[one]! + durations[one]! <= high[other]!;
    const otherFirst = low[other]! + durations[other]! <= high[one]!;
    if (!oneFirst && !otherFirst) return false;
    if (oneFirst && otherFirst) continue;
    const [first, second] = oneFirst ? [one, other] : [other, one];
    low[second] = Math.max(low[second]!, low[first]! + durations[first]!);
    high[first] = Math.min(high[first]!, high[second]! - durations[first]!);
    if (low[first]! > high[first]! || low[second]! > high[second]!) return false;
  }
  return true;
}

/** The days on which a job runs wherever in its window it starts are taken: the others start where there is room beside them. */
function byCores({ project }: Trial, { low, high }: Windows, { capacity, users, units: unitsOf }: Resource, makespan: number): boolean {
  const { durations } = project;
  const taken = new Int32Array(makespan + 1);
  for (const job of users)
    for (let day = high[job]!; day < low[job]! + durations[job]!; day++) {
      taken[day]! += unitsOf[job]!;
      if (taken[day]! > capacity) return false;
    }
  for (const job of users) {
    const units = unitsOf[job]!;
    const duration = durations[job]!;
    const coreFrom = high[job]!;
    const coreTo = low[job]! + duration;
    const fits = (day: number) => (day >= coreFrom && day < coreTo) || taken[day]! + units <= capacity;
    let start = low[job]!;
    for (let day = start; day < start + duration && start <= high[job]!; day++) if (!fits(day)) start = day + 1;
    let last = high[job]!;
    for (let day = last + duration - 1; day >= last && last >= start; day--) if (!fits(day)) last = day - duration;
    if (start > last) return false;
    low[job] = start;
    high[job] = last;
  }
  return true;
}

/**
 * Energetic reasoning: of every stretch of days, the work that has to be done within it however the jobs are placed, against its room; and a job that would do
 * more of its work within it by starting early than the others leave starts later, or the other way round.
 */
function byEnergy({ project }: Trial, { low, high }: Windows, { capacity, users, units: unitsOf }: Resource): boolean {
  const { durations } = project;
  const froms = [...new Set(users.flatMap((job) => [low[job]!, high[job]!, low[job]! + durations[job]!]))];
  const tos = [...new Set(users.flatMap((job) => [high[job]! + durations[job]!, low[job]! + durations[job]!, high[job]!]))];
  for (const from of froms)
    for (const to of tos) {
      if (to <= from) continue;
      const room = capacity * (to - from);
      let work = 0;
      for (const job of users) {
        const duration = durations[job]!;
        const early = Math.min(to, low[job]! + duration) - Math.max(from, low[job]!);
        const late = Math.min(to, high[job]! + duration) - Math.max(from, high[job]!);
        const least = early < late ? early : late;
        if (least > 0) work += least * unitsOf[job]!;
      }
      if (work > room) return false;
      if (work === 0) continue;
      for (const job of users) {
        const units = unitsOf[job]!;
        const duration = durations[job]!;
        const early = Math.max(0, Math.min(to, low[job]! + duration) - Math.max(from, low[job]!));
        const late = Math.max(0, Math.min(to, high[job]! + duration) - Math.max(from, high[job]!));
        const slack = Math.floor((room - work + Math.min(early, late) * units) / units);
        // Days of the job that may lie in the stretch: to keep to them it ends late enough, or starts early enough, outside.
        if (early > slack) low[job] = Math.max(low[job]!, to - slack);
        if (late > slack) high[job] = Math.min(high[job]!, from + slack - duration);
        if (low[job]! > high[job]!) return false;
      }
    }
  return true;
}
