import {
  daysOf,
  earliestNumbers,
  flowOf,
  latestNumbers,
  precedenceOrder,
  readShape,
  room,
  type Shape,
  span,
  takesTeam,
} from "../checker-facts/logic.ts";
import { eligiblePools } from "../checker-teams/logic.ts";
import type { Problem } from "../model/logic.ts";
import { CONFLICT_JOBS, CONFLICT_NODES } from "./limits.ts";

/** A named job with what it may be given. */
type Named = { job: number; du: number; low: number; high: number; span: number; pools: number[]; days: Int32Array };

/**
 * Whether free jobs (numbered as in the problem) can have no dates and teams together, whatever becomes of all others: all of their starts and pools are tried,
 * by relations within their DU, releases, the horizon (in reverse the due dates too) and teams. Not confirmed where that would take too long.
 */
export function confirmsConflict(problem: Problem, jobs: readonly number[]): boolean {
  const shape = readShape(problem);
  if (jobs.length === 0 || jobs.length > CONFLICT_JOBS || new Set(jobs).size < jobs.length) return false;
  if (jobs.some((job) => !(job >= 0 && job < shape.jobs) || shape.kept[job]! >= 0)) return false;
  if (problem.flows.some((flow) => precedenceOrder(flow).length < flow.durations.length)) return false;
  const { first } = earliestNumbers(shape);
  const latest = latestNumbers(shape, problem.direction === "reverse");
  const named = jobs
    .map((job): Named => {
      const du = shape.du[job]!;
      const pools = takesTeam(shape, job) ? [...new Set(eligiblePools(shape, job))] : [];
      const duration = flowOf(problem, du).durations[job - problem.dus.firstJob[du]!]!;
      return { job, du, low: first[job]!, high: latest[job]!, span: span(duration), pools, days: daysOf(problem, du) };
    })
    .sort((one, other) => one.high - one.low - (other.high - other.low) || one.job - other.job);
  const lags = named.map((one) => named.map((other) => (one.du === other.du && one !== other ? lagWithin(shape, one, other) : null)));
  const held = new Map<number, Int32Array>();
  for (const { pools } of named) for (const pool of pools) held.set(pool, new Int32Array(problem.horizonDays + 1));
  const start: number[] = [];
  let nodes = 0;
  /** Whether the jobs from a place on can be added; false too when there is no telling. */
  const fits = (place: number): boolean => {
    if (place === named.length) return true;
    const one = named[place]!;
    let low = one.low;
    let high = one.high;
    for (let other = 0; other < place; other++) {
      const before = lags[other]![place];
      const behind = lags[place]![other];
      if (before != null) low = Math.max(low, start[other]! + before);
      if (behind != null) high = Math.min(high, start[other]! - behind);
    }
    for (let at = low; at <= high; at++) {
      if (++nodes > CONFLICT_NODES) return true;
      start[place] = at;
      if (!takesTeam(shape, one.job)) {
        if (fits(place + 1)) return true;
        continue;
      }
      const from = one.days[at]!;
      const to = one.days[at + one.span]! + 1;
      for (const pool of one.pools) {
        const days = held.get(pool)!;
        const most = problem.teams.count[pool]!;
        let day = from;
        while (day < to && days[day]! < most) day++;
        if (day < to) continue;
        for (day = from; day < to; day++) days[day]!++;
        const possible = fits(place + 1);
        for (day = from; day < to; day++) days[day]!--;
        if (possible) return true;
      }
    }
    return false;
  };
  return !fits(0);
}

/** Longest start-start lag by relations of free jobs from one job to another of its DU; null when none leads there. */
function lagWithin({ problem, kept }: Shape, one: Named, other: Named): number | null {
  const flow = flowOf(problem, one.du);
  const base = problem.dus.firstJob[one.du]!;
  const reached = new Map<number, number>([[one.job - base, 0]]);
  for (const position of precedenceOrder(flow)) {
    const duration = flow.durations[position]!;
    if (kept[base + position]! >= 0) continue;
    for (let entry = flow.inAt[position]!; entry < flow.inAt[position + 1]!; entry++) {
      const from = flow.inFrom[entry]!;
      const so = reached.get(from);
      if (so === undefined) continue;
      const at = { first: 0, last: span(flow.durations[from]!) };
      const lag = so - room(flow.inKind[entry]!, flow.inOffset[entry]!, at, { first: 0, last: span(duration), duration });
      reached.set(position, Math.max(reached.get(position) ?? lag, lag));
    }
  }
  return reached.get(other.job - base) ?? null;
}
