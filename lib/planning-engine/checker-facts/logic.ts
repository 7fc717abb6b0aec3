import type { Plan, Problem } from "../model/logic.ts";
import { COMPLETED, DONE, describedMax, FF, FS, NONE, type Rule, SF, SS, STARTED } from "./limits.ts";

/** One broken constraint: where, what was found and what it should be. `du` and `position` are -1 where the fault is not of one job. */
export type Violation = { rule: Rule; fault: string; du: number; position: number; found: number; expected: number };

/** Collects what is broken; describes the first ones and counts all. */
export class Findings {
  readonly described: Violation[] = [];
  readonly counts = new Map<Rule, number>();

  add(rule: Rule, fault: string, du: number, position: number, found: number, expected: number): void {
    this.counts.set(rule, (this.counts.get(rule) ?? 0) + 1);
    if (this.described.length < describedMax) this.described.push({ rule, fault, du, position, found, expected });
  }
}

/** What is read of a problem once and asked for often: who a job belongs to, and whether it keeps its dates. */
export type Shape = {
  problem: Problem;
  jobs: number;
  /** DU of each job. */
  du: Int32Array;
  /** Entry of the job in `problem.kept`, -1 for a free one. */
  kept: Int32Array;
};

/** A problem with a plan, whose days are read as working-day numbers. */
export type Facts = Shape & {
  plan: Plan;
  /** Working-day numbers of first and last day; `NONE` when they bound nothing or the day is no working day. */
  first: Int32Array;
  last: Int32Array;
};

/** Number of the first working day on or after a day; the number of working days when there is none. */
export function upTo(days: Int32Array, day: number): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]! < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Number of the last working day on or before a day; -1 when there is none. */
export function downTo(days: Int32Array, day: number): number {
  return upTo(days, day + 1) - 1;
}

/** Working days of a DU. */
export function daysOf({ dus, calendars }: Problem, du: number): Int32Array {
  return calendars[dus.calendar[du]!]!.days;
}

/** The flow of a DU. */
export function flowOf({ dus, flows }: Problem, du: number) {
  return flows[dus.flow[du]!]!;
}

/** Days between first and last day of a job: a milestone lasts its day. */
export function span(duration: number): number {
  return Math.max(duration, 1) - 1;
}

/**
 * Room of a relation in working days: how far the successor lies behind what the relation asks for, negative when it is missed.
 * FS means the next working day, except into a milestone.
 */
export function room(
  kind: number,
  offset: number,
  from: { first: number; last: number },
  to: { first: number; last: number; duration: number },
): number {
  if (kind === FS) return to.first - (from.last + offset + (to.duration === 0 ? 0 : 1));
  if (kind === SS) return to.first - (from.first + offset);
  if (kind === FF) return to.last - (from.last + offset);
  if (kind === SF) return to.last - (from.first + offset);
  return Number.NEGATIVE_INFINITY;
}

/** Whether a job has its dates as a fact, so that relations into it are dropped. */
export function isFact({ problem, kept }: Shape, job: number): boolean {
  const entry = kept[job]!;
  return entry >= 0 && problem.kept.state[entry]! <= STARTED;
}

/** Whether a job takes a team: done and completed ones no longer do, milestones never. */
export function takesTeam({ problem, kept, du }: Shape, job: number): boolean {
  const flow = flowOf(problem, du[job]!);
  const position = job - problem.dus.firstJob[du[job]!]!;
  if (flow.teamClass[position]! < 0 || flow.durations[position] === 0) return false;
  const entry = kept[job]!;
  return entry < 0 || (problem.kept.state[entry] !== DONE && problem.kept.state[entry] !== COMPLETED);
}

/** The job that consumes the demand of a DU, -1 when it has none or has taken it already. */
export function consumingJob(shape: Shape, du: number): number {
  const { problem } = shape;
  const position = flowOf(problem, du).material;
  if (position < 0) return -1;
  const job = problem.dus.firstJob[du]! + position;
  return isFact(shape, job) ? -1 : job;
}

/** First day on which the job may start by the relations from the planned days of the others and by the release of its DU, as a working-day number. */
export function readyNumber(facts: Facts, job: number): number {
  const { problem, du, first, last } = facts;
  const unit = du[job]!;
  const flow = flowOf(problem, unit);
  const start = problem.dus.firstJob[unit]!;
  const position = job - start;
  let ready = upTo(daysOf(problem, unit), Math.max(0, problem.dus.release[unit]!));
  const duration = flow.durations[position]!;
  for (let entry = flow.inAt[position]!; entry < flow.inAt[position + 1]!; entry++) {
    const from = start + flow.inFrom[entry]!;
    if (first[from] === NONE) continue;
    const at = room(
      flow.inKind[entry]!,
      flow.inOffset[entry]!,
      { first: first[from]!, last: last[from]! },
      { first: 0, last: span(duration), duration },
    );
    ready = Math.max(ready, -at);
  }
  return ready;
}

/** First and end day of the anchor of a DU; of the virtual one behind all jobs, the last day there is. `NONE` while nothing has dates. */
export function anchorOf({ problem, plan }: Pick<Facts, "problem" | "plan">, du: number): { start: number; end: number } {
  const from = problem.dus.firstJob[du]!;
  const { anchor } = flowOf(problem, du);
  if (anchor >= 0) return { start: plan.start[from + anchor]!, end: plan.end[from + anchor]! };
  let end = Number.NEGATIVE_INFINITY;
  for (let job = from; job < problem.dus.firstJob[du + 1]!; job++) if (plan.end[job] !== NONE) end = Math.max(end, plan.end[job]!);
  return end === Number.NEGATIVE_INFINITY ? { start: NONE, end: NONE } : { start: end - 1, end };
}

/** Order of the positions of a flow in which every predecessor comes first; shorter than the flow when its relations go round in a circle. */
export function precedenceOrder({ inAt, inFrom, durations }: Problem["flows"][number]): number[] {
  const waits = Array.from(durations, (_, position) => inAt[position + 1]! - inAt[position]!);
  const after: number[][] = Array.from(durations, () => []);
  for (let position = 0; position < durations.length; position++)
    for (let entry = inAt[position]!; entry < inAt[position + 1]!; entry++) after[inFrom[entry]!]?.push(position);
  const order = [...waits.keys()].filter((position) => waits[position] === 0);
  for (let done = 0; done < order.length; done++)
    for (const position of after[order[done]!]!) {
      waits[position]!--;
      if (waits[position] === 0) order.push(position);
    }
  return order;
}

/** Reads whose jobs there are. */
export function readShape(problem: Problem): Shape {
  const { dus, kept: held } = problem;
  const jobs = dus.firstJob[dus.id.length]!;
  const du = new Int32Array(jobs);
  for (let unit = 0; unit < dus.id.length; unit++) du.fill(unit, dus.firstJob[unit]!, dus.firstJob[unit + 1]!);
  const kept = new Int32Array(jobs).fill(-1);
  held.job.forEach((job, entry) => {
    kept[job] = entry;
  });
  return { problem, jobs, du, kept };
}

/** Reads a plan whose arrays have the right lengths. */
export function readFacts(problem: Problem, plan: Plan): Facts {
  const shape = readShape(problem);
  const { jobs, du, kept } = shape;
  const first = new Int32Array(jobs).fill(NONE);
  const last = new Int32Array(jobs).fill(NONE);
  for (let job = 0; job < jobs; job++) {
    const entry = kept[job]!;
    if (entry >= 0) {
      first[job] = problem.kept.first[entry]!;
      last[job] = problem.kept.last[entry]!;
      continue;
    }
    const days = daysOf(problem, du[job]!);
    const from = upTo(days, plan.start[job]!);
    const to = upTo(days, plan.end[job]! - 1);
    if (days[from] === plan.start[job]) first[job] = from;
    if (days[to] === plan.end[job]! - 1) last[job] = to;
  }
  return { ...shape, plan, first, last };
}

/**
 * Earliest working-day numbers of all jobs by the longest paths of their DU alone, from its release and from what keeps its dates. No plan can be earlier.
 */
export function earliestNumbers({ problem, jobs, kept }: Shape): { first: Int32Array; last: Int32Array } {
  const { dus, flows } = problem;
  const first = new Int32Array(jobs).fill(NONE);
  const last = new Int32Array(jobs).fill(NONE);
  const orders = flows.map(precedenceOrder);
  for (let du = 0; du < dus.id.length; du++) {
    const flow = flowOf(problem, du);
    const start = dus.firstJob[du]!;
    const release = upTo(daysOf(problem, du), Math.max(0, dus.release[du]!));
    for (const position of orders[dus.flow[du]!]!) {
      const job = start + position;
      const duration = flow.durations[position]!;
      let ready = release;
      for (let entry = flow.inAt[position]!; entry < flow.inAt[position + 1]!; entry++) {
        const from = start + flow.inFrom[entry]!;
        if (first[from] === NONE) continue;
        const at = { first: first[from]!, last: last[from]! };
        ready = Math.max(ready, -room(flow.inKind[entry]!, flow.inOffset[entry]!, at, { first: 0, last: span(duration), duration }));
      }
      const held = kept[job]!;
      first[job] = held >= 0 ? problem.kept.first[held]! : ready;
      last[job] = held >= 0 ? problem.kept.last[held]! : ready + span(duration);
    }
  }
  return { first, last };
}

/**
 * Latest working-day numbers of first days of free jobs by the longest paths behind them: inside the horizon and, with `due`, the anchor by its due date.
 * Relations into jobs that keep their dates ask for nothing.
 */
export function latestNumbers({ problem, jobs, kept }: Shape, due: boolean): Int32Array {
  const { dus, flows } = problem;
  const latest = new Int32Array(jobs).fill(NONE);
  const orders = flows.map(precedenceOrder);
  for (let du = 0; du < dus.id.length; du++) {
    const flow = flowOf(problem, du);
    const start = dus.firstJob[du]!;
    const days = daysOf(problem, du);
    const end = downTo(days, problem.horizonDays - 1);
    const dueEnd = due ? Math.min(end, downTo(days, dus.due[du]!)) : end;
    for (const position of orders[dus.flow[du]!]!.toReversed()) {
      const job = start + position;
      if (kept[job]! >= 0) continue;
      const duration = flow.durations[position]!;
      const mine = flow.anchor === -1 || flow.anchor === position ? dueEnd : end;
      latest[job] = Math.min(latest[job]!, mine - span(duration));
      for (let entry = flow.inAt[position]!; entry < flow.inAt[position + 1]!; entry++) {
        const from = flow.inFrom[entry]!;
        const at = { first: 0, last: span(flow.durations[from]!) };
        const lag = -room(flow.inKind[entry]!, flow.inOffset[entry]!, at, { first: 0, last: span(duration), duration });
        latest[start + from] = Math.min(latest[start + from]!, latest[job]! - lag);
      }
    }
  }
  return latest;
}
