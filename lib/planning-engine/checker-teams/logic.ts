import { FROZEN, NONE } from "../checker-facts/limits.ts";
import { type Facts, type Findings, flowOf, type Shape, takesTeam } from "../checker-facts/logic.ts";

/** Teams at work: the jobs of every team in order of their start, and how many jobs each pool has on a day. */
export type TeamWork = {
  /** First number of the teams of a pool: team n of pool q is `firstTeam[q] + n - 1`. */
  firstTeam: Int32Array;
  at: Int32Array;
  jobs: Int32Array;
  /** Day 0 of the loads, and how many days they have. */
  from: number;
  days: number;
  /** Jobs on a day, those that keep their dates without a team included. */
  load: Int32Array;
  keptLoad: Int32Array;
};

/** Pools a job may use, by its team class and the region of its DU. */
export function eligiblePools({ problem, du }: Shape, job: number): Int32Array {
  const { teams, dus } = problem;
  const unit = du[job]!;
  const teamClass = flowOf(problem, unit).teamClass[job - dus.firstJob[unit]!]!;
  const cell = teamClass * teams.regions + dus.region[unit]!;
  return teams.eligible.subarray(teams.eligibleAt[cell]!, teams.eligibleAt[cell + 1]!);
}

/** Sorts the jobs to their teams and counts loads; jobs with an impossible pool or team are left out (C5 names them). */
export function teamWork(facts: Facts): TeamWork {
  const { problem, plan, jobs, kept } = facts;
  const { count } = problem.teams;
  const firstTeam = new Int32Array(count.length + 1);
  for (let pool = 0; pool < count.length; pool++) firstTeam[pool + 1] = firstTeam[pool]! + count[pool]!;
  let from = 0;
  let to = problem.horizonDays;
  for (let job = 0; job < jobs; job++)
    if (plan.pool[job]! >= 0 && plan.start[job] !== NONE) {
      from = Math.min(from, plan.start[job]!);
      to = Math.max(to, plan.end[job]!);
    }
  const days = to - from;
  const load = new Int32Array(count.length * days);
  const keptLoad = new Int32Array(count.length * days);
  const of = new Int32Array(jobs).fill(-1);
  const at = new Int32Array(firstTeam[count.length]! + 1);
  for (let job = 0; job < jobs; job++) {
    const pool = plan.pool[job]!;
    const team = plan.team[job]!;
    if (pool < 0 || pool >= count.length || plan.start[job] === NONE || !takesTeam(facts, job)) continue;
    for (let day = plan.start[job]!; day < plan.end[job]!; day++) {
      load[pool * days + day - from]!++;
      if (kept[job]! >= 0) keptLoad[pool * days + day - from]!++;
    }
    if (team < 1 || team > count[pool]!) continue;
    of[job] = firstTeam[pool]! + team - 1;
    at[of[job]! + 1]!++;
  }
  for (let team = 1; team < at.length; team++) at[team]! += at[team - 1]!;
  const next = at.slice();
  const sorted = new Int32Array(at[at.length - 1]!);
  for (let job = 0; job < jobs; job++) if (of[job]! >= 0) sorted[next[of[job]!]!++] = job;
  for (let team = 0; team + 1 < at.length; team++)
    sorted.subarray(at[team]!, at[team + 1]!).sort((one, other) => plan.start[one]! - plan.start[other]! || one - other);
  return { firstTeam, at, jobs: sorted, from, days, load, keptLoad };
}

/** C5: who may use which team, and nobody at the same time as another. */
export function checkTeams(facts: Facts, work: TeamWork, findings: Findings): void {
  const { problem, plan, jobs, du, kept } = facts;
  const { teams, dus } = problem;
  for (let job = 0; job < jobs; job++) {
    const unit = du[job]!;
    const position = job - dus.firstJob[unit]!;
    const pool = plan.pool[job]!;
    const team = plan.team[job]!;
    if (!takesTeam(facts, job)) {
      if (pool !== -1) findings.add("C5", "pool-without-need", unit, position, pool, -1);
      if (team !== 0) findings.add("C5", "team-without-need", unit, position, team, 0);
      continue;
    }
    const pools = eligiblePools(facts, job);
    if (pool === -1 && kept[job]! >= 0 && pools.every((one) => teams.count[one] === 0)) {
      if (team !== 0) findings.add("C5", "team-number", unit, position, team, 0);
      continue;
    }
    if (!pools.includes(pool)) {
      findings.add("C5", "pool-not-eligible", unit, position, pool, pools[0] ?? -1);
      continue;
    }
    if (teams.region[pool] !== -1 && teams.region[pool] !== dus.region[unit])
      findings.add("C5", "pool-region", unit, position, teams.region[pool]!, dus.region[unit]!);
    if (teams.skill[pool] !== teams.skill[pools[0]!])
      findings.add("C5", "pool-skill", unit, position, teams.skill[pool]!, teams.skill[pools[0]!]!);
    const limit = teams.count[pool]!;
    const row = pool * work.days - work.from;
    if (team === 0 && kept[job]! >= 0) {
      let passes = false;
      for (let day = plan.start[job]!; day < plan.end[job]!; day++) passes ||= work.keptLoad[row + day]! > limit;
      if (!passes) findings.add("C5", "team-left-out", unit, position, 0, limit);
    } else if (team < 1 || team > limit) findings.add("C5", "team-number", unit, position, team, limit);
    if (kept[job]! >= 0) continue;
    for (let day = plan.start[job]!; day < plan.end[job]!; day++)
      if (work.load[row + day]! > limit) {
        findings.add("C5", "pool-overloaded", unit, position, work.load[row + day]!, limit);
        break;
      }
  }
  for (let team = 0; team + 1 < work.at.length; team++) {
    let until = Number.NEGATIVE_INFINITY;
    for (let entry = work.at[team]!; entry < work.at[team + 1]!; entry++) {
      const job = work.jobs[entry]!;
      if (plan.start[job]! < until) findings.add("C5", "overlap", du[job]!, job - dus.firstJob[du[job]!]!, plan.start[job]!, until);
      until = Math.max(until, plan.end[job]!);
    }
  }
}

/**
 * C6 and C7: jobs of a group share the resource name, or the team. Kept jobs of a group may disagree (their dates are facts); free ones follow the others:
 * each agrees with a kept one where there is any, and all free ones agree with one another.
 */
export function checkGroups(facts: Facts, findings: Findings): void {
  const { problem, plan, kept } = facts;
  const { dus, teams } = problem;
  for (let du = 0; du < dus.id.length; du++) {
    const flow = flowOf(problem, du);
    const start = dus.firstJob[du]!;
    for (const rule of ["C6", "C7"] as const) {
      const group = rule === "C6" ? flow.coResource : flow.coTeam;
      const bound = [...group.keys()].filter((position) => group[position]! >= 0 && takesTeam(facts, start + position));
      for (const number of new Set(bound.map((position) => group[position]!))) {
        const inGroup = bound.filter((position) => group[position] === number && plan.pool[start + position]! >= 0);
        const value = (position: number) => {
          const job = start + position;
          return rule === "C6" ? `${teams.resource[plan.pool[job]!]}` : `${plan.pool[job]}/${plan.team[job]}`;
        };
        const free = inGroup.filter((position) => kept[start + position]! < 0);
        const named = inGroup.filter((position) => kept[start + position]! >= 0 && plan.team[start + position]! > 0).map(value);
        const expected =
          free.length === 0 ? "" : named.length === 0 ? value(free[0]!) : (named.find((one) => one === value(free[0]!)) ?? named[0]!);
        for (const position of free)
          if (value(position) !== expected)
            findings.add(rule, "group", du, position, plan.team[start + position]!, plan.pool[start + position]!);
      }
    }
  }
}

/** C20, first half: what is frozen keeps its pool (its dates are C2). */
export function checkFrozenPools({ problem, plan, du }: Facts, findings: Findings): void {
  const { kept, dus } = problem;
  kept.job.forEach((job, entry) => {
    if (kept.state[entry] !== FROZEN || kept.pool[entry] === -1 || plan.pool[job] === kept.pool[entry]) return;
    findings.add("C20", "frozen-pool", du[job]!, job - dus.firstJob[du[job]!]!, plan.pool[job]!, kept.pool[entry]!);
  });
}
