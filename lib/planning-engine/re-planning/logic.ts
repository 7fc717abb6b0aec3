import type { Component } from "#lib/planning-engine/components/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Kept, Problem } from "#lib/planning-engine/model/logic.ts";
import { firstWorkAt, lagOf, lengthOf, normalise, type Ready } from "#lib/planning-engine/normalise/logic.ts";
import { KEY_UNIT, type Keys, type Rule } from "#lib/planning-engine/portfolio/logic.ts";
import { below, type Random } from "#lib/planning-engine/random/logic.ts";
import { coverDay, newWorkspace, takeMaterial, type Workspace } from "#lib/planning-engine/sgs/logic.ts";

/** Place of frozen jobs in `keptStates`. */
const FROZEN = 5;

/** DUs whose mark one step changes at most. */
const MOST_MARKED = 4;

/** Whether a problem has a plan to begin with, and that plan: the base of a re-planning, else the present one. */
export function givenPlan({ base, present }: Problem): Int32Array | null {
  return base?.start ?? present ?? null;
}

/** Days of the given plan by job in the order of passes, `NO_DAY` where it says nothing; null without such a plan. */
export function givenDays(ready: Ready): Int32Array | null {
  const given = givenPlan(ready.problem);
  return given === null ? null : inPassOrder(ready, given);
}

/** Values by position of the flow, in the order of passes. */
export function inPassOrder(ready: Ready, given: Int32Array): Int32Array {
  const { problem, flows } = ready;
  const { dus } = problem;
  const days = new Int32Array(ready.jobs);
  for (let du = 0; du < dus.id.length; du++)
    for (let job = dus.firstJob[du]!, entry = flows.at[dus.flow[du]!]!; job < dus.firstJob[du + 1]!; job++, entry++)
      days[job] = given[dus.firstJob[du]! + flows.position[entry]!]!;
  return days;
}

/** First working day of every job while its DU is held: that of its base, below all where there is none to keep. */
export function heldDays({ calendars, duOfJob, problem }: Ready, days: Int32Array): Int32Array {
  return days.map((day, job) => {
    if (day === NO_DAY || day < 0) return -NO_DAY;
    const calendar = calendars[problem.dus.calendar[duOfJob[job]!]!]!;
    const own = firstWorkAt(calendar, day);
    return calendar.days[own] === day ? own : -NO_DAY;
  });
}

/** Writes the keys of a component in the order of the given plan: each job at its start there, those it does not know by their latest finish. */
export function writeGivenKeys({ problem, flows }: Ready, component: Component, keys: Keys, rule: Rule, days: Int32Array): void {
  const { dus } = problem;
  const { key, ofDu, due, classOf } = keys;
  for (const du of component.dus) {
    const base = dus.firstJob[du]!;
    const from = flows.at[dus.flow[du]!]!;
    const shift = ofDu[du]! + rule.ofClass[classOf[du]!]!;
    for (let job = base, entry = from; job < dus.firstJob[du + 1]!; job++, entry++) {
      const own = days[job] === NO_DAY ? due[du]! - flows.tail[entry]! : days[job]!;
      let most = own * KEY_UNIT + shift + rule.ofPosition[flows.position[entry]!]!;
      for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) {
        const before = key[base + flows.inFrom[arc]!]!;
        if (before > most) most = before;
      }
      key[job] = most;
    }
  }
}

/** Marks all DUs of a component as held, or none. */
export function holdAll(work: Workspace, component: Component, held: 0 | 1): void {
  for (const du of component.dus) work.heldDu[du] = held;
}

/** Takes the marks of the best plan over, every other time with a few of them changed. @returns whether any was */
export function varyHeld(work: Workspace, component: Component, best: Uint8Array, random: Random): boolean {
  for (const du of component.dus) work.heldDu[du] = best[du]!;
  if (below(random, 2) === 0) return false;
  const count = 1 + below(random, MOST_MARKED);
  for (let at = 0; at < count; at++) {
    const du = component.dus[below(random, component.dus.length)]!;
    work.heldDu[du] = 1 - work.heldDu[du]!;
  }
  return true;
}

/**
 * Fixes the jobs of a base that begin within the frozen days at their dates and pools, in order of start, as far as relations, teams and material still let
 * them. @returns the problem with them among its kept jobs, and the jobs (by position of the flow) that could not be kept
 */
export function freezeBase(problem: Problem, frozenDays: number): { problem: Problem; broken: number[] } {
  const { base, dus } = problem;
  if (base === null || frozenDays === 0) return { problem, broken: [] };
  const { ready } = normalise(problem);
  if (!ready) return { problem, broken: [] };
  const days = givenDays(ready)!;
  const positionOf = (job: number) => {
    const du = ready.duOfJob[job]!;
    return dus.firstJob[du]! + ready.flows.position[ready.flows.at[dus.flow[du]!]! + job - dus.firstJob[du]!]!;
  };
  const wanted = Array.from(days.keys())
    .filter((job) => days[job]! < frozenDays && (ready.keptOf?.[job] ?? -1) < 0)
    .sort((one, other) => days[one]! - days[other]! || one - other);
  const work = newWorkspace(ready, []);
  const broken = new Set<number>();
  // What leads to a job may break behind it: then it is looked at again.
  for (let before = -1; before !== broken.size; ) {
    before = broken.size;
    const frozen = new Map<number, number>();
    const free = work.keptFree.slice();
    const lots = work.keptRemaining.slice();
    for (const job of wanted) {
      if (broken.has(job)) continue;
      const pool = keeps(ready, work, job, days, base.pool[positionOf(job)]!, free, lots, (one) => broken.has(one));
      if (pool === null) broken.add(job);
      else frozen.set(job, pool);
    }
    if (before === broken.size)
      return { problem: withFrozen(ready, days, frozen, positionOf), broken: [...broken].map(positionOf).sort((a, b) => a - b) };
  }
  return { problem, broken: [] };
}

/** Pool with which a job can keep its day (-1 without a team), null when it cannot; takes team and material for it. */
function keeps(
  ready: Ready,
  work: Workspace,
  job: number,
  base: Int32Array,
  wanted: number,
  free: Int16Array,
  lots: Float64Array,
  isBroken: (job: number) => boolean,
): number | null {
  const { problem, duOfJob, flows, calendars, keptOf, releaseWork, endWork } = ready;
  const { dus, teams, kept } = problem;
  const du = duOfJob[job]!;
  const first = dus.firstJob[du]!;
  const entry = job + work.entryShift[du]!;
  const calendar = calendars[dus.calendar[du]!]!;
  const at = firstWorkAt(calendar, base[job]!);
  const length = lengthOf(flows.durations[entry]!);
  if (calendar.days[at] !== base[job] || at < releaseWork[du]! || at + length > endWork[du]!) return null;
  for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) {
    const from = first + flows.inFrom[arc]!;
    const own = keptOf?.[from] ?? -1;
    if (own >= 0) {
      if (kept.first[own] === NO_DAY) continue;
      const lasts = kept.last[own]! - kept.first[own]! + 1;
      if (kept.first[own]! + lagOf(flows.inKind[arc]!, flows.inOffset[arc]!, lasts, flows.durations[entry]!) > at) return null;
    } else if (base[from] === NO_DAY || isBroken(from) || firstWorkAt(calendar, base[from]!) + flows.inLag[arc]! > at) return null;
  }
  const material = job - first === flows.material[dus.flow[du]!];
  if (material) {
    // What stays short anyway does not keep a job from its day; what would come later does.
    const short = coverDay(ready, lots, du, base[job]!).short;
    const latest = Math.max(at, endWork[du]! - flows.reach[entry]!);
    if (short > coverDay(ready, lots, du, calendar.days[latest]!).short) return null;
  }
  let pool = -1;
  if (flows.teamClass[entry]! >= 0) {
    const list = flows.teamClass[entry]! * teams.regions + dus.region[du]!;
    const eligible = teams.eligible.subarray(teams.eligibleAt[list]!, teams.eligibleAt[list + 1]!);
    const to = calendar.days[at + length - 1]! + 1;
    const hasRoom = (one: number) => {
      for (let day = base[job]!; day < to; day++) if (free[one * (work.days + 1) + day]! <= 0) return false;
      return true;
    };
    const found = wanted >= 0 ? (eligible.includes(wanted) && hasRoom(wanted) ? wanted : undefined) : eligible.find(hasRoom);
    if (found === undefined) return null;
    pool = found;
    for (let day = base[job]!; day < to; day++) free[pool * (work.days + 1) + day]!--;
  }
  if (material) takeMaterial(ready, lots, du, base[job]!, null);
  return pool;
}

function withFrozen(ready: Ready, base: Int32Array, frozen: Map<number, number>, positionOf: (job: number) => number): Problem {
  const { problem, calendars, duOfJob, flows } = ready;
  const { kept, dus } = problem;
  const rows = Array.from(kept.job, (job, at) => ({
    job,
    state: kept.state[at]!,
    start: kept.start[at]!,
    end: kept.end[at]!,
    first: kept.first[at]!,
    last: kept.last[at]!,
    pool: kept.pool[at]!,
  }));
  for (const [job, pool] of frozen) {
    const du = duOfJob[job]!;
    const calendar = calendars[dus.calendar[du]!]!;
    const first = firstWorkAt(calendar, base[job]!);
    const last = first + lengthOf(flows.durations[flows.at[dus.flow[du]!]! + job - dus.firstJob[du]!]!) - 1;
    rows.push({ job: positionOf(job), state: FROZEN, start: base[job]!, end: calendar.days[last]! + 1, first, last, pool });
  }
  rows.sort((one, other) => one.job - other.job);
  const column = (read: (row: (typeof rows)[number]) => number) => Int32Array.from(rows, read);
  const all: Kept = {
    job: column(({ job }) => job),
    state: Uint8Array.from(rows, ({ state }) => state),
    start: column(({ start }) => start),
    end: column(({ end }) => end),
    first: column(({ first }) => first),
    last: column(({ last }) => last),
    pool: column(({ pool }) => pool),
  };
  return { ...problem, kept: all };
}
