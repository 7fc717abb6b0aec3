import { membersOf } from "../checker-clusters/logic.ts";
import { NONE, REUSE } from "../checker-facts/limits.ts";
import {
  consumingJob,
  daysOf,
  downTo,
  earliestNumbers,
  flowOf,
  isFact,
  latestNumbers,
  precedenceOrder,
  readShape,
  room,
  type Shape,
  span,
  takesTeam,
  upTo,
} from "../checker-facts/logic.ts";
import { poolWork, supplyOf, unitsByItem, workedDays, workWithin } from "../checker-levels/logic.ts";
import { mayMoveDirectly } from "../checker-material/logic.ts";
import { eligiblePools } from "../checker-teams/logic.ts";
import type { Certificate, Problem } from "../model/logic.ts";

/** Figures of a certificate as the checker works them out; null when what it names proves nothing. */
export type Proof = { needed: number; available: number } | null;

/**
 * C18: whether a certificate proves that there is no plan. Everything is worked out from the problem again, and the figures that people will read have to be
 * the ones that come out.
 */
export function isProved(problem: Problem, certificate: Certificate): boolean {
  const proof = proofOf(problem, certificate);
  return (
    proof !== null && proof.needed > proof.available && proof.needed === certificate.needed && proof.available === certificate.available
  );
}

/** Works the figures of a certificate out again. */
export function proofOf(problem: Problem, certificate: Certificate): Proof {
  const shape = readShape(problem);
  switch (certificate.code) {
    case "LOOP":
      return loopOf(shape, certificate.flow, certificate.positions);
    case "NO_TEAM":
      return noTeam(shape, certificate.du, certificate.position);
    case "NO_COMMON_RESOURCE":
    case "NO_COMMON_TEAM":
      return noCommon(shape, certificate.code, certificate.du, certificate.positions);
    case "WINDOW_TOO_TIGHT":
    case "HORIZON":
      return windowOf(shape, certificate.code, certificate.du, certificate.position);
    case "TEAM_OVERLOAD":
      return overloadOf(shape, certificate.pools, certificate.from, certificate.to);
    case "MATERIAL_GAP":
    case "MATERIAL_LATE":
      return shortageOf(shape, certificate);
    case "CLUSTER_UNREACHABLE":
      return clusterOf(shape, certificate.cluster);
  }
}

/** Sum of the start-start lags round a circle of relations, all of which hold for some DU. */
function loopOf(shape: Shape, number: number, positions: readonly number[]): Proof {
  const { problem, kept } = shape;
  const flow = problem.flows[number];
  if (!flow || positions.length === 0 || new Set(positions).size !== positions.length) return null;
  const { dus } = problem;
  const concerned = dus.id.findIndex(
    (_, du) => dus.flow[du] === number && positions.every((position) => kept[dus.firstJob[du]! + position] === -1),
  );
  if (concerned < 0) return null;
  let needed = 0;
  for (let step = 0; step < positions.length; step++) {
    const lag = lagBetween(flow, positions[step]!, positions[(step + 1) % positions.length]!);
    if (lag === null) return null;
    needed += lag;
  }
  return { needed, available: 0 };
}

/** Largest start-start lag that the relations from one position to another ask for; null without a relation. */
function lagBetween(flow: Problem["flows"][number], from: number, to: number): number | null {
  let lag: number | null = null;
  const duration = flow.durations[to];
  if (duration === undefined) return null;
  for (let entry = flow.inAt[to]!; entry < flow.inAt[to + 1]!; entry++) {
    if (flow.inFrom[entry] !== from) continue;
    const at = { first: 0, last: span(flow.durations[from]!) };
    const one = -room(flow.inKind[entry]!, flow.inOffset[entry]!, at, { first: 0, last: span(duration), duration });
    lag = lag === null ? one : Math.max(lag, one);
  }
  return lag;
}

/** The job of a position of a DU, -1 where there is none. */
function jobAt({ problem }: Shape, du: number, position: number): number {
  const { dus } = problem;
  if (!(du >= 0 && du < dus.id.length && position >= 0)) return -1;
  const job = dus.firstJob[du]! + position;
  return job < dus.firstJob[du + 1]! ? job : -1;
}

function noTeam(shape: Shape, du: number, position: number): Proof {
  const job = jobAt(shape, du, position);
  if (job < 0 || shape.kept[job]! >= 0 || !takesTeam(shape, job)) return null;
  const teams = [...eligiblePools(shape, job)].filter((pool) => shape.problem.teams.count[pool]! > 0);
  return { needed: 1, available: teams.length };
}

/** Resource names, or pools, that could serve all free jobs of a group. */
function noCommon(shape: Shape, code: "NO_COMMON_RESOURCE" | "NO_COMMON_TEAM", du: number, positions: readonly number[]): Proof {
  const { problem, kept } = shape;
  if (positions.length === 0 || jobAt(shape, du, 0) < 0) return null;
  const flow = flowOf(problem, du);
  const group = code === "NO_COMMON_TEAM" ? flow.coTeam : flow.coResource;
  const number = group[positions[0]!];
  if (number === undefined || number < 0) return null;
  const choices: Set<number>[] = [];
  for (const position of positions) {
    const job = jobAt(shape, du, position);
    if (job < 0 || kept[job]! >= 0 || !takesTeam(shape, job) || group[position] !== number) return null;
    const pools = [...eligiblePools(shape, job)].filter((pool) => problem.teams.count[pool]! > 0);
    choices.push(new Set(code === "NO_COMMON_TEAM" ? pools : pools.map((pool) => problem.teams.resource[pool]!)));
  }
  const common = [...choices[0]!].filter((value) => choices.every((values) => values.has(value)));
  return { needed: 1, available: common.length };
}

/** Working days from the release of a DU to the end of the longest path to a position, and those up to its due date or the end of the horizon. */
function windowOf(shape: Shape, code: "WINDOW_TOO_TIGHT" | "HORIZON", du: number, position: number): Proof {
  const { problem, kept } = shape;
  const job = jobAt(shape, du, position);
  if (job < 0 || kept[job]! >= 0) return null;
  const flow = flowOf(problem, du);
  if (precedenceOrder(flow).length !== flow.durations.length) return null;
  const days = daysOf(problem, du);
  const due = code === "WINDOW_TOO_TIGHT";
  if (due && (problem.direction !== "reverse" || problem.dus.due[du] === NONE || !(flow.anchor === -1 || flow.anchor === position)))
    return null;
  const end = due ? Math.min(problem.horizonDays - 1, problem.dus.due[du]!) : problem.horizonDays - 1;
  const release = upTo(days, Math.max(0, problem.dus.release[du]!));
  return {
    needed: earliestNumbers(shape).last[job]! - release + 1,
    available: Math.max(0, downTo(days, end) - release + 1),
  };
}

/** Team days of free jobs that have to lie in a window and can use no other pools, against the team days there are. */
function overloadOf(shape: Shape, pools: readonly number[], from: number, to: number): Proof {
  const { problem, du } = shape;
  if (!(from >= 0 && to <= problem.horizonDays) || pools.some((pool) => problem.teams.count[pool] === undefined)) return null;
  const latest = latestNumbers(shape, problem.direction === "reverse");
  const inWindow = (job: number, firstDay: number) => {
    const unit = du[job]!;
    const days = daysOf(problem, unit);
    const duration = flowOf(problem, unit).durations[job - problem.dus.firstJob[unit]!]!;
    const end = days[latest[job]! + span(duration)];
    return firstDay >= from && end !== undefined && end + 1 <= to;
  };
  const { work, calendars } = workWithin(poolWork(shape, inWindow), pools);
  const worked = workedDays(problem, calendars)
    .subarray(from, to)
    .reduce((sum, one) => sum + one, 0);
  const teams = [...new Set(pools)].reduce((sum, pool) => sum + problem.teams.count[pool]!, 0);
  return { needed: work, available: teams * worked };
}

/** Demand of DUs of a region that must have an item by a day, against what lots they may use could cover by then. */
function shortageOf(shape: Shape, { code, item, region, day }: Extract<Certificate, { item: number }>): Proof {
  const { problem } = shape;
  const { dus, demand, lots } = problem;
  if (code === "MATERIAL_GAP" ? !problem.strictGaps : problem.direction !== "reverse" || !problem.strictGaps) return null;
  if (!(item >= 0 && item < problem.items)) return null;
  const latest = latestNumbers(shape, problem.direction === "reverse");
  const concerned: number[] = [];
  let needed = 0;
  for (let du = 0; du < dus.id.length; du++) {
    const job = consumingJob(shape, du);
    if (job < 0 || (region !== -1 && dus.region[du] !== region)) continue;
    const entry = shape.kept[job]!;
    const by = entry >= 0 ? problem.kept.start[entry]! : (daysOf(problem, du)[latest[job]!] ?? -1);
    if (day !== NONE && by > day) continue;
    concerned.push(du);
    for (let row = demand.at[du]!; row < demand.at[du + 1]!; row++) if (demand.item[row] === item) needed += demand.quantity[row]!;
  }
  const units = unitsByItem(
    problem,
    (lot) =>
      (lots.source[lot] === REUSE || lots.day[lot]! <= day) &&
      (region === -1 ||
        lots.region[lot] === -1 ||
        lots.region[lot] === region ||
        concerned.some((du) => mayMoveDirectly(problem, du, lot))),
  );
  return { needed, available: supplyOf(problem, item, units) };
}

/**
 * Clusters: of one, the DUs its gate asks for against those it has. Of all (-1), the days their cutover windows need at least, one after the other, against
 * the days of the horizon times the windows that may be open.
 */
function clusterOf(shape: Shape, cluster: number): Proof {
  const { problem, kept } = shape;
  if (!problem.clusters) return null;
  const { needed, limit } = problem.clusters;
  const members = membersOf(shape);
  if (cluster >= 0) {
    const dus = members[cluster];
    return dus ? { needed: needed[cluster]!, available: dus.length } : null;
  }
  if (limit < 0) return null;
  let days = 0;
  for (const [number, dus] of members.entries()) {
    const anchors = dus.map((du) => {
      const { anchor } = flowOf(problem, du);
      return anchor < 0 ? -1 : problem.dus.firstJob[du]! + anchor;
    });
    // What keeps its dates may hold a window open for as long as it likes, or need no team: such a cluster is left out.
    if (anchors.some((job) => job < 0 || kept[job]! >= 0 || isFact(shape, job))) continue;
    const lengths = anchors.map((job, index) => flowOf(problem, dus[index]!).durations[job - problem.dus.firstJob[dus[index]!]!]!);
    const shortest = lengths.reduce((least, one) => Math.min(least, one), NONE);
    if (anchors.length === 0) continue;
    const pools = new Set(anchors.flatMap((job) => (takesTeam(shape, job) ? [...eligiblePools(shape, job)] : [])));
    const teams = [...pools].reduce((sum, pool) => sum + problem.teams.count[pool]!, 0);
    const byTeams = anchors.every((job) => takesTeam(shape, job)) && teams > 0 ? Math.ceil((needed[number]! * shortest) / teams) : 0;
    days += Math.max(1, shortest, byTeams);
  }
  return { needed: days, available: limit * problem.horizonDays };
}
