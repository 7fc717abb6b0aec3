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
import { materialNumber, mayMoveDirectly, partsOf, type Supply } from "../checker-material/logic.ts";
import { eligiblePools, type TeamWork } from "../checker-teams/logic.ts";

/** Who takes what, and what comes of whom. */
type Reuse = { takers: Takers; lotsOf: Map<number, number[]> };

/** C19: what every job says it is held by does hold it: recomputed, it gives just the day the job has. */
export function checkBindings(facts: Facts, work: TeamWork, supply: Supply, clusters: ClusterDays, findings: Findings): void {
  const { problem, plan, jobs, du, kept, first } = facts;
  const reuse = { takers: takersOf(facts), lotsOf: lotsOfDonors(problem) };
  for (let job = 0; job < jobs; job++) {
    const unit = du[job]!;
    const position = job - problem.dus.firstJob[unit]!;
    const binding = plan.binding[job]!;
    if (kept[job]! >= 0) {
      if (binding !== BY_KEPT) findings.add("C19", "binding-of-kept", unit, position, binding, BY_KEPT);
      continue;
    }
    if (first[job] === NONE) continue;
    if (!holds(facts, job, work, supply, clusters, reuse)) findings.add("C19", "binding", unit, position, binding, plan.bindingRef[job]!);
  }
}

function holds(facts: Facts, job: number, work: TeamWork, supply: Supply, clusters: ClusterDays, reuse: Reuse): boolean {
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
      if (problem.direction === "reverse") return flow.disassembly[position] === 1 && isAwaited(facts, reuse, unit, last[job]!);
      return consumingJob(facts, unit) === job && materialNumber(facts, supply, unit) === first[job];
    case BY_GATE: {
      if (problem.direction === "reverse") return leadsToFirst(facts, job, clusters.firstCutovers[cluster] ?? NONE);
      const gate = clusters.gates[cluster] ?? NONE;
      return anchors && Number.isFinite(gate) && upTo(days, gate) === first[job];
    }
    case BY_CUTOVER:
      return (
        anchors &&
        cluster >= 0 &&
        (problem.clusters?.limit ?? -1) >= 0 &&
        clusters.windows.some(({ from, to }, other) => {
          if (other === cluster) return false;
          // Planned backward it has to end before another window opens.
          if (problem.direction === "reverse") return from !== NONE && downTo(days, from - 1) === last[job];
          return to !== NONE && upTo(days, to) === first[job];
        })
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

/**
 * Planned backward: whether a job leads to the anchor of its DU in such a way that this could not begin by the first day of a free anchor of its cluster if the
 * job were a working day later.
 */
function leadsToFirst({ problem, du, kept, first, last }: Facts, job: number, day: number): boolean {
  const unit = du[job]!;
  const { anchor, inAt, inFrom, inKind, inOffset, durations } = flowOf(problem, unit);
  const start = problem.dus.firstJob[unit]!;
  if (day === NONE || anchor < 0 || kept[start + anchor]! >= 0) return false;
  const at = downTo(daysOf(problem, unit), day);
  const duration = durations[anchor]!;
  const to = { first: at, last: at + span(duration), duration };
  for (let entry = inAt[anchor]!; entry < inAt[anchor + 1]!; entry++)
    if (start + inFrom[entry]! === job && room(inKind[entry]!, inOffset[entry]!, { first: first[job]!, last: last[job]! }, to) === 0)
      return true;
  return false;
}

/** Who takes an item, itself or to make another one of it, in order of the first days of the material jobs. */
type Takers = Map<number, { du: number; start: number }[]>;

/** Planned backward: takers of every item. */
function takersOf(facts: Facts): Takers {
  const { problem, plan } = facts;
  const { dus, demand, substitutes } = problem;
  const takers: Takers = new Map();
  if (problem.direction !== "reverse") return takers;
  for (let du = 0; du < dus.id.length; du++) {
    const job = consumingJob(facts, du);
    if (job < 0) continue;
    const items = new Set<number>();
    for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++) {
      const item = demand.item[entry]!;
      items.add(item);
      for (let group = substitutes.at[item]!; group < substitutes.at[item + 1]!; group++)
        for (const part of partsOf(substitutes, group).keys()) items.add(part);
    }
    for (const item of items) {
      const own = takers.get(item) ?? [];
      takers.set(item, own);
      own.push({ du, start: plan.start[job]! });
    }
  }
  for (const own of takers.values()) own.sort((one, other) => one.start - other.start);
  return takers;
}

/** Lots by the DU they come from. */
function lotsOfDonors({ lots }: Facts["problem"]): Map<number, number[]> {
  const given = new Map<number, number[]>();
  lots.donor.forEach((donor, lot) => {
    if (donor < 0) return;
    const own = given.get(donor) ?? [];
    given.set(donor, own);
    own.push(lot);
  });
  return given;
}

/** Planned backward: whether a DU begins on a day by which something a donor yields can be used, and could not if the donor were dismantled a working day later. */
function isAwaited({ problem }: Facts, { takers, lotsOf }: Reuse, donor: number, last: number): boolean {
  const { lots, dus } = problem;
  const days = daysOf(problem, donor);
  const usable = (at: number, turnaround: number) => (days[at + turnaround] ?? NONE) + 1;
  return (lotsOf.get(donor) ?? []).some((lot) =>
    [true, false].some((direct) => {
      const turnaround = direct ? 0 : lots.turnaround[lot]!;
      const own = takers.get(lots.item[lot]!) ?? [];
      let [low, high] = [0, own.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (own[middle]!.start < usable(last, turnaround)) low = middle + 1;
        else high = middle;
      }
      for (; low < own.length && own[low]!.start < usable(last + 1, turnaround); low++) {
        const { du } = own[low]!;
        if (direct ? mayMoveDirectly(problem, du, lot) : lots.region[lot] === -1 || lots.region[lot] === dus.region[du]) return true;
      }
      return false;
    }),
  );
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
    group[position]! < 0
      ? []
      : [...group.keys()].filter((one) => one !== position && group[one] === group[position] && plan.team[start + one]! > 0);
  const teamMates = mates(flow.coTeam);
  const nameMates = mates(flow.coResource);
  const pools = eligiblePools(facts, job);
  for (const pool of pools) {
    const limit = problem.teams.count[pool]!;
    if (isFull(work, pool, limit, from, to, job, plan)) continue;
    if (nameMates.length > 0 && nameMates.every((one) => problem.teams.resource[plan.pool[start + one]!] !== problem.teams.resource[pool]))
      continue;
    for (let team = 1; team <= limit; team++) {
      if (teamMates.length > 0 && teamMates.every((one) => plan.pool[start + one] !== pool || plan.team[start + one] !== team)) continue;
      if (!isHeld(facts, work, pool, team, from, to, job)) return false;
    }
  }
  if (ref === -1) return true;
  for (let other = problem.dus.firstJob[ref] ?? 0; other < (problem.dus.firstJob[ref + 1] ?? 0); other++)
    if (other !== job && pools.includes(plan.pool[other]!) && plan.start[other]! < to && plan.end[other]! > from) return true;
  return false;
}

/** Whether a day in between has no room in the pool, kept jobs beyond its teams counted. */
function isFull(work: TeamWork, pool: number, limit: number, from: number, to: number, job: number, plan: Facts["plan"]): boolean {
  for (let day = from; day < to; day++) {
    const mine = plan.pool[job] === pool && plan.start[job]! <= day && day < plan.end[job]! ? 1 : 0;
    if (work.load[pool * work.days + day - work.from]! - mine >= limit) return true;
  }
  return false;
}

/** Whether the team has another job between two days. */
function isHeld({ plan }: Facts, work: TeamWork, pool: number, team: number, from: number, to: number, except: number): boolean {
  const cell = work.firstTeam[pool]! + team - 1;
  let low = work.at[cell]!;
  let high = work.at[cell + 1]!;
  // Jobs of a team do not overlap, so the first that ends after `from` is found by halving.
  while (low < high) {
    const middle = (low + high) >> 1;
    if (plan.end[work.jobs[middle]!]! <= from) low = middle + 1;
    else high = middle;
  }
  for (; low < work.at[cell + 1]! && plan.start[work.jobs[low]!]! < to; low++) if (work.jobs[low] !== except) return true;
  return false;
}
