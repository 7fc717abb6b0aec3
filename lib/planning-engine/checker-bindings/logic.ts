import type { ClusterDays } from "../checker-clusters/logic.ts";
import {
  BY_CUTOVER,
  BY_DUE,
  BY_GATE,
  BY_HOLD,
  BY_KEPT,
  BY_MATERIAL,
  BY_PREDECESSOR,
  BY_RELEASE,
  BY_SUCCESSOR,
  BY_TEAM,
  NONE,
} from "../checker-facts/limits.ts";
import { consumingJob, daysOf, downTo, type Facts, type Findings, flowOf, room, span, takesTeam, upTo } from "../checker-facts/logic.ts";
import { materialNumber, type Supply } from "../checker-material/logic.ts";
import { eligiblePools, type TeamWork } from "../checker-teams/logic.ts";

/** C19: what every job says it is held by does hold it: recomputed, it gives just the day the job has. */
export function checkBindings(facts: Facts, work: TeamWork, supply: Supply, clusters: ClusterDays, findings: Findings): void {
  const { problem, plan, jobs, du, kept, first } = facts;
  for (let job = 0; job < jobs; job++) {
    const unit = du[job]!;
    const position = job - problem.dus.firstJob[unit]!;
    const binding = plan.binding[job]!;
    if (kept[job]! >= 0) {
      if (binding !== BY_KEPT) findings.add("C19", "binding-of-kept", unit, position, binding, BY_KEPT);
      continue;
    }
    if (first[job] === NONE) continue;
    if (!holds(facts, job, work, supply, clusters)) findings.add("C19", "binding", unit, position, binding, plan.bindingRef[job]!);
  }
}

function holds(facts: Facts, job: number, work: TeamWork, supply: Supply, clusters: ClusterDays): boolean {
  const { problem, plan, du, first, last } = facts;
  const { dus } = problem;
  const unit = du[job]!;
  const flow = flowOf(problem, unit);
  const start = dus.firstJob[unit]!;
  const position = job - start;
  const days = daysOf(problem, unit);
  const ref = plan.bindingRef[job]!;
  const anchors = flow.anchor === position;
  const cluster = dus.cluster[unit]!;
  switch (plan.binding[job]) {
    case BY_RELEASE:
      return first[job] === upTo(days, Math.max(0, dus.release[unit]!));
    case BY_PREDECESSOR:
      return isTight(facts, start, ref, position);
    case BY_SUCCESSOR:
      return problem.direction === "reverse" && isTight(facts, start, position, ref);
    case BY_TEAM:
      return takesTeam(facts, job) && isBusy(facts, work, job, ref);
    case BY_MATERIAL:
      return consumingJob(facts, unit) === job && materialNumber(facts, supply, unit) === first[job];
    case BY_GATE: {
      const gate = clusters.gates[cluster] ?? NONE;
      return anchors && Number.isFinite(gate) && upTo(days, gate) === first[job];
    }
    case BY_CUTOVER:
      return (
        anchors &&
        cluster >= 0 &&
        (problem.clusters?.limit ?? -1) >= 0 &&
        clusters.windows.some((window, other) => other !== cluster && window.to !== NONE && upTo(days, window.to) === first[job])
      );
    case BY_HOLD:
      return plan.start[job] === problem.base?.start[job];
    case BY_DUE:
      return (
        problem.direction === "reverse" &&
        dus.due[unit] !== NONE &&
        (anchors || flow.anchor === -1) &&
        last[job] === downTo(days, dus.due[unit]!)
      );
    default:
      return false;
  }
}

/** Whether a relation between two positions leaves no room. */
function isTight({ problem, du, first, last }: Facts, start: number, from: number, to: number): boolean {
  const flow = flowOf(problem, du[start]!);
  if (!(from >= 0 && from < flow.durations.length && to >= 0 && to < flow.durations.length)) return false;
  const [one, other] = [start + from, start + to];
  if (first[one] === NONE || first[other] === NONE) return false;
  for (let entry = flow.inAt[to]!; entry < flow.inAt[to + 1]!; entry++) {
    if (flow.inFrom[entry] !== from) continue;
    const left = room(
      flow.inKind[entry]!,
      flow.inOffset[entry]!,
      { first: first[one]!, last: last[one]! },
      { first: first[other]!, last: last[other]!, duration: flow.durations[to]! },
    );
    if (left === 0) return true;
  }
  return false;
}

/** Whether no team the job may have is free for it one working day earlier (planned backward: later), and the DU it names has one of them then. */
function isBusy(facts: Facts, work: TeamWork, job: number, ref: number): boolean {
  const { problem, plan, du, first } = facts;
  const unit = du[job]!;
  const flow = flowOf(problem, unit);
  const start = problem.dus.firstJob[unit]!;
  const position = job - start;
  const days = daysOf(problem, unit);
  const at = first[job]! + (problem.direction === "reverse" ? 1 : -1);
  const from = days[at] ?? -1;
  const lastDay = days[at + span(flow.durations[position]!)];
  if (from < 0 || lastDay === undefined) return false;
  const to = lastDay + 1;
  // A group has the team, or the resource name, of its other jobs.
  const mates = (group: Int32Array) =>
    [...group.keys()].filter(
      (one) => one !== position && group[one]! >= 0 && group[one] === group[position] && plan.team[start + one]! > 0,
    );
  const teamMates = mates(flow.coTeam);
  const nameMates = mates(flow.coResource);
  let named = false;
  for (const pool of eligiblePools(facts, job)) {
    if (nameMates.length > 0 && nameMates.every((one) => problem.teams.resource[plan.pool[start + one]!] !== problem.teams.resource[pool]))
      continue;
    const limit = problem.teams.count[pool]!;
    for (let team = 1; team <= limit; team++) {
      if (teamMates.length > 0 && teamMates.every((one) => plan.pool[start + one] !== pool || plan.team[start + one] !== team)) continue;
      const holder = holderOf(facts, work, pool, team, from, to, job, ref);
      if (holder === -1 && !isFull(work, pool, limit, from, to, job, plan)) return false;
      if (holder >= 0 && du[holder] === ref) named = true;
    }
  }
  return ref === -1 || named;
}

/** Whether a day in between is taken by jobs that keep their dates beyond the teams of the pool. */
function isFull(work: TeamWork, pool: number, limit: number, from: number, to: number, job: number, plan: Facts["plan"]): boolean {
  for (let day = from; day < to; day++) {
    const mine = plan.pool[job] === pool && plan.start[job]! <= day && day < plan.end[job]! ? 1 : 0;
    if (work.load[pool * work.days + day - work.from]! - mine >= limit) return true;
  }
  return false;
}

/** A job of the team at work between two days, one of the DU asked for where there is one; -1 when the team is free. */
function holderOf(
  { plan, du }: Facts,
  work: TeamWork,
  pool: number,
  team: number,
  from: number,
  to: number,
  except: number,
  wanted: number,
): number {
  const cell = work.firstTeam[pool]! + team - 1;
  let low = work.at[cell]!;
  let high = work.at[cell + 1]!;
  // Jobs of a team do not overlap, so the first that ends after `from` is found by halving.
  while (low < high) {
    const middle = (low + high) >> 1;
    if (plan.end[work.jobs[middle]!]! <= from) low = middle + 1;
    else high = middle;
  }
  let holder = -1;
  for (; low < work.at[cell + 1]! && plan.start[work.jobs[low]!]! < to; low++) {
    const job = work.jobs[low]!;
    if (job === except) continue;
    if (du[job] === wanted) return job;
    holder = job;
  }
  return holder;
}
