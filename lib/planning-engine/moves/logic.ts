import { dayNumber } from "#lib/core/clock.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";

/** A job (by position of the flow) that a re-planning moved: its days and its pools. */
export type Move = { job: number; from: number; to: number; fromPool: number; toPool: number };

/** What differs between the inputs of a base and those of now. */
export const changes = ["newDu", "actualDate", "duration", "relation", "calendar", "teamCount", "lot", "rank"] as const;

/** Why a job moved: an input of its own, the consequence of one of another DU, or only a better plan. A DU that is no longer there is named by its id. */
export type Cause = { change: (typeof changes)[number] | "removedDu" | "betterPlan"; du: number; removed?: number };

const predecessor = 1;
const team = 2;
const successor = 8;
const frozen = 5;
const completed = 1;

/** Jobs whose day or pool is not that of the base; kept ones count only where they are frozen. */
export function movesOf(problem: Problem, plan: Plan): Move[] {
  const { base, kept } = problem;
  if (!base) return [];
  const keeps = new Set(kept.job.filter((_, at) => kept.state[at] !== frozen));
  const moves: Move[] = [];
  for (let job = 0; job < plan.start.length; job++) {
    const from = base.start[job]!;
    if (from === NO_DAY || keeps.has(job)) continue;
    const [to, fromPool, toPool] = [plan.start[job]!, base.pool[job]!, plan.pool[job]!];
    if (to !== from || (fromPool !== -1 && toPool !== fromPool)) moves.push({ job, from, to, fromPool, toPool });
  }
  return moves;
}

/**
 * Why each of the moves was made: from the job along what its start is tight against, over predecessors and teams, to the first job whose own input is another
 * than it was; where there is none, to the first DU that is no longer there and would have had the job's team or material. Flows are matched by name with their
 * activities, DUs by id, pools and items by number.
 * @param before the problem the base was planned from
 */
export function causesOf(problem: Problem, plan: Plan, moves: Move[], before: Problem): Cause[] {
  const changed = changedInputs(problem, before);
  const duOf = ownersOf(problem);
  const next = nextOnTeams(problem, plan);
  const removed = removedDus(problem, before);
  return moves.map(({ job }) => {
    const seen = new Set<number>();
    let at = job;
    while (at >= 0 && !seen.has(at)) {
      seen.add(at);
      const own = changed(at);
      if (own) return { change: own, du: duOf[at]! };
      if (plan.binding[at] === predecessor) at = problem.dus.firstJob[duOf[at]!]! + plan.bindingRef[at]!;
      else if (plan.binding[at] === successor) at = problem.dus.firstJob[duOf[at]!]! + plan.bindingRef[at]!;
      else if (plan.binding[at] === team) at = next(at);
      else at = -1;
    }
    for (const one of seen) {
      const gone = removed(one, duOf[one]!);
      if (gone >= 0) return { change: "removedDu", du: duOf[job]!, removed: gone };
    }
    return { change: "betterPlan", du: duOf[job]! };
  });
}

type Named = {
  planStart: string;
  pools: readonly { skill: string; resource: string; region: string | null }[];
  items: readonly string[];
  regions: readonly (string | null)[];
};

/**
 * The problem of a base with the numbers and days of another one, as causes want it: every input is numbered anew by what it holds, and its days count
 * from its own plan start. What is gone has numbers behind all others. Regions of DUs and lists of eligible pools stay as they are among themselves.
 */
export function inNumbersOf(now: Named, then: Named, before: Problem): Problem {
  const shift = dayNumber(now.planStart) - dayNumber(then.planStart);
  const [pool, item, region] = [renumber(then.pools, now.pools), renumber(then.items, now.items), renumber(then.regions, now.regions)];
  const day = (own: number) => (own === NO_DAY ? NO_DAY : own - shift);
  const { teams, lots, demand, dus, kept, calendars } = before;
  const count = new Int32Array(Math.max(0, ...pool.map((own) => own + 1)));
  pool.forEach((own, place) => {
    count[own] = teams.count[place]!;
  });
  return {
    ...before,
    teams: { ...teams, count, eligible: teams.eligible.map((own) => pool[own]!) },
    lots: {
      ...lots,
      item: lots.item.map((own) => item[own]!),
      region: lots.region.map((own) => (own < 0 ? -1 : region[own]!)),
      // What has come before the plan starts is there on its first day.
      day: lots.day.map((own) => Math.max(0, day(own))),
    },
    demand: { ...demand, item: demand.item.map((own) => item[own]!) },
    dus: { ...dus, due: dus.due.map(day) },
    kept: { ...kept, start: kept.start.map(day), end: kept.end.map(day) },
    calendars: calendars.map(({ days }) => ({ days: days.map(day) })),
  };
}

/** The place of each entry in another list; those that are not there come behind its end. */
function renumber(own: readonly unknown[], other: readonly unknown[]): number[] {
  const places = new Map(other.map((one, place) => [JSON.stringify(one), place]));
  let behind = other.length;
  return own.map((one) => places.get(JSON.stringify(one)) ?? behind++);
}

function ownersOf({ dus }: Problem): Int32Array {
  const owner = new Int32Array(dus.firstJob[dus.id.length]!);
  for (let du = 0; du < dus.id.length; du++) owner.fill(du, dus.firstJob[du]!, dus.firstJob[du + 1]!);
  return owner;
}

/** DUs that are no longer there, by what they would have used: id of the first one in the way of a job, -1 without. */
function removedDus(problem: Problem, before: Problem): (job: number, du: number) => number {
  const { dus, flows, demand } = problem;
  const now = new Set(dus.id);
  const byPool = new Map<number, number>();
  const byItem = new Map<number, number>();
  const add = (known: Map<number, number>, key: number, du: number) => {
    if (!known.has(key)) known.set(key, before.dus.id[du]!);
  };
  const over = new Set(before.kept.job.filter((_, at) => before.kept.state[at]! <= completed));
  for (let du = 0; du < before.dus.id.length; du++) {
    if (now.has(before.dus.id[du]!)) continue;
    const { teamClass, material } = before.flows[before.dus.flow[du]!]!;
    const first = before.dus.firstJob[du]!;
    for (const [position, own] of teamClass.entries())
      if (!over.has(first + position)) for (const pool of eligible(before, own, du)) add(byPool, pool, du);
    if (material < 0 || over.has(first + material)) continue;
    for (let at = before.demand.at[du]!; at < before.demand.at[du + 1]!; at++) add(byItem, before.demand.item[at]!, du);
  }
  return (job, du) => {
    const { teamClass, material } = flows[dus.flow[du]!]!;
    const position = job - dus.firstJob[du]!;
    for (const pool of eligible(problem, teamClass[position]!, du)) {
      const gone = byPool.get(pool);
      if (gone !== undefined) return gone;
    }
    if (position === material)
      for (let at = demand.at[du]!; at < demand.at[du + 1]!; at++) {
        const gone = byItem.get(demand.item[at]!);
        if (gone !== undefined) return gone;
      }
    return -1;
  };
}

/** Pools that jobs of a class may use in the region of a DU. */
function eligible({ teams, dus }: Problem, own: number, du: number): Int32Array {
  if (own < 0) return new Int32Array(0);
  const list = own * teams.regions + dus.region[du]!;
  return teams.eligible.subarray(teams.eligibleAt[list]!, teams.eligibleAt[list + 1]!);
}

/** The job that has the team of a job before it; planned backward, behind it. */
function nextOnTeams({ teams, direction }: Problem, plan: Plan): (job: number) => number {
  const byPool: number[][] = Array.from(teams.count, () => []);
  plan.pool.forEach((pool, job) => {
    if (pool >= 0 && plan.team[job]! > 0) byPool[pool]!.push(job);
  });
  const previous = new Map<number, number>();
  for (const jobs of byPool) {
    const turn = direction === "reverse" ? -1 : 1;
    jobs.sort((one, other) => turn * (plan.start[one]! - plan.start[other]!) || one - other);
    const holder = new Map<number, number>();
    for (const job of jobs) {
      previous.set(job, holder.get(plan.team[job]!) ?? -1);
      holder.set(plan.team[job]!, job);
    }
  }
  return (job) => previous.get(job) ?? -1;
}

/** What of a job's own input differs, null when nothing does. */
function changedInputs(problem: Problem, before: Problem): (job: number) => (typeof changes)[number] | null {
  const { dus, flows, teams, demand } = problem;
  const owner = ownersOf(problem);
  const duBefore = new Map(Array.from(before.dus.id, (id, du) => [id, du]));
  const flowBefore = new Map(before.flows.map((flow) => [flow.name, flow]));
  const keptOf = ({ kept }: Problem) =>
    new Map(Array.from(kept.job, (job, at) => [job, `${kept.state[at] === frozen ? "" : `${kept.start[at]} ${kept.end[at]}`}`]));
  const [keptNow, keptThen] = [keptOf(problem), keptOf(before)];
  const [lotsNow, lotsThen] = [suppliesOf(problem), suppliesOf(before)];
  const relations = (flow: Problem["flows"][number], position: number) =>
    Array.from({ length: flow.inAt[position + 1]! - flow.inAt[position]! }, (_, step) => {
      const arc = flow.inAt[position]! + step;
      return `${flow.activities[flow.inFrom[arc]!]} ${flow.inKind[arc]} ${flow.inOffset[arc]}`;
    })
      .sort()
      .join();
  const sameDays = new Map<string, boolean>();
  const demandOf = (of: Problem["demand"], du: number) =>
    Array.from({ length: of.at[du + 1]! - of.at[du]! }, (_, row) => `${of.item[of.at[du]! + row]} ${of.quantity[of.at[du]! + row]}`).join();
  return (job) => {
    const du = owner[job]!;
    const then = duBefore.get(dus.id[du]!);
    if (then === undefined) return "newDu";
    const flow = flows[dus.flow[du]!]!;
    const position = job - dus.firstJob[du]!;
    const oldFlow = flowBefore.get(flow.name);
    const oldPosition = oldFlow?.activities.indexOf(flow.activities[position]!) ?? -1;
    if (!oldFlow || oldPosition < 0) return "relation";
    const oldJob = before.dus.firstJob[then]! + oldPosition;
    if ((keptNow.get(job) ?? "") !== (keptThen.get(oldJob) ?? "")) return "actualDate";
    if (flow.durations[position] !== oldFlow.durations[oldPosition]) return "duration";
    if (relations(flow, position) !== relations(oldFlow, oldPosition)) return "relation";
    const calendars = `${dus.calendar[du]} ${before.dus.calendar[then]}`;
    let same = sameDays.get(calendars);
    if (same === undefined) {
      const [now, old] = [problem.calendars[dus.calendar[du]!]!.days, before.calendars[before.dus.calendar[then]!]!.days];
      same = agree(now, old);
      sameDays.set(calendars, same);
    }
    if (!same) return "calendar";
    const own = flow.teamClass[position]!;
    const old = oldFlow.teamClass[oldPosition]!;
    if (own >= 0 && old >= 0 && teamsFor(teams, own, dus.region[du]!) !== teamsFor(before.teams, old, before.dus.region[then]!))
      return "teamCount";
    if (position === flow.material) {
      if (demandOf(demand, du) !== demandOf(before.demand, then)) return "lot";
      for (let at = demand.at[du]!; at < demand.at[du + 1]!; at++)
        for (const region of [-1, dus.region[du]!]) {
          const key = `${demand.item[at]} ${region}`;
          if ((lotsNow.get(key) ?? "") !== (lotsThen.get(key) ?? "")) return "lot";
        }
    }
    if (
      dus.rankClass[du] !== before.dus.rankClass[then] ||
      dus.due[du] !== before.dus.due[then] ||
      dus.release[du] !== before.dus.release[then]
    )
      return "rank";
    return null;
  };
}

/** Whether two calendars have the same working days wherever both reach. */
function agree(one: Int32Array, other: Int32Array): boolean {
  const [first, last] = [Math.max(one[0] ?? 0, other[0] ?? 0), Math.min(one.at(-1) ?? 0, other.at(-1) ?? 0)];
  const within = (days: Int32Array) => days.filter((own) => own >= first && own <= last);
  const [left, right] = [within(one), within(other)];
  return left.length === right.length && left.every((own, at) => own === right[at]);
}

/** Pools a class of jobs may use in a region, with their teams. */
function teamsFor({ eligible, eligibleAt, regions, count }: Problem["teams"], own: number, region: number): string {
  const list = own * regions + region;
  return Array.from(eligible.subarray(eligibleAt[list]!, eligibleAt[list + 1]!), (pool) => `${pool} ${count[pool]}`)
    .sort()
    .join();
}

/** Supply of every item by region, as days with their quantities. */
function suppliesOf({ lots }: Problem): Map<string, string> {
  const rows = new Map<string, string[]>();
  lots.item.forEach((item, lot) => {
    const key = `${item} ${lots.region[lot]}`;
    const own = rows.get(key) ?? [];
    rows.set(key, own);
    own.push(`${lots.day[lot]} ${lots.quantity[lot]}`);
  });
  return new Map([...rows].map(([key, own]) => [key, own.sort().join()]));
}
