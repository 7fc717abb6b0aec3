import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";

/** A job (by position of the flow) that a re-planning moved: its days and its pools. */
export type Move = { job: number; from: number; to: number; fromPool: number; toPool: number };

/** What differs between the inputs of a base and those of now. */
export const changes = ["newDu", "actualDate", "duration", "relation", "calendar", "teamCount", "lot", "rank"] as const;

/** Why a job moved: an input of its own, the consequence of one of another DU, or only a better plan. */
export type Cause = { change: (typeof changes)[number] | "betterPlan"; du: number };

const predecessor = 1;
const team = 2;
const frozen = 5;

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
 * than it was. Flows are matched by name with their activities, DUs by id, pools and items by number.
 * @param before the problem the base was planned from
 */
export function causesOf(problem: Problem, plan: Plan, moves: Move[], before: Problem): Cause[] {
  const changed = changedInputs(problem, before);
  const duOf = ownersOf(problem);
  const last = lastOnTeams(problem, plan);
  return moves.map(({ job }) => {
    const seen = new Set<number>();
    let at = job;
    while (at >= 0 && !seen.has(at)) {
      seen.add(at);
      const own = changed(at);
      if (own) return { change: own, du: duOf[at]! };
      if (plan.binding[at] === predecessor) at = problem.dus.firstJob[duOf[at]!]! + plan.bindingRef[at]!;
      else if (plan.binding[at] === team) at = last(at);
      else at = -1;
    }
    return { change: "betterPlan", du: duOf[job]! };
  });
}

function ownersOf({ dus }: Problem): Int32Array {
  const owner = new Int32Array(dus.firstJob[dus.id.length]!);
  for (let du = 0; du < dus.id.length; du++) owner.fill(du, dus.firstJob[du]!, dus.firstJob[du + 1]!);
  return owner;
}

/** The job that has the team of a job before it. */
function lastOnTeams({ teams }: Problem, plan: Plan): (job: number) => number {
  const byPool: number[][] = Array.from(teams.count, () => []);
  plan.pool.forEach((pool, job) => {
    if (pool >= 0 && plan.team[job]! > 0) byPool[pool]!.push(job);
  });
  const previous = new Map<number, number>();
  for (const jobs of byPool) {
    jobs.sort((one, other) => plan.start[one]! - plan.start[other]! || one - other);
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
      same = now.length === old.length && now.every((day, at) => day === old[at]);
      sameDays.set(calendars, same);
    }
    if (!same) return "calendar";
    const own = flow.teamClass[position]!;
    if (own >= 0) {
      const list = own * teams.regions + dus.region[du]!;
      for (let at = teams.eligibleAt[list]!; at < teams.eligibleAt[list + 1]!; at++)
        if (teams.count[teams.eligible[at]!] !== before.teams.count[teams.eligible[at]!]) return "teamCount";
    }
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
