import { NONE } from "../checker-facts/limits.ts";
import { daysOf, type Facts, type Findings, flowOf, isFact, room, span } from "../checker-facts/logic.ts";
import type { Plan, Problem } from "../model/logic.ts";

/** C1: every job stands in the plan once, and has dates unless it is a done one without. False when the plan cannot be read any further. */
export function checkComplete(problem: Problem, plan: Plan, findings: Findings): boolean {
  const { dus, kept } = problem;
  const jobs = dus.firstJob[dus.id.length]!;
  const columns = [plan.start, plan.end, plan.pool, plan.team, plan.binding, plan.bindingRef];
  const short = columns.find((column) => column.length !== jobs);
  if (short) {
    findings.add("C1", "jobs", -1, -1, short.length, jobs);
    return false;
  }
  const undated = new Uint8Array(jobs);
  kept.job.forEach((job, entry) => {
    if (kept.start[entry] === NONE) undated[job] = 1;
  });
  for (let du = 0; du < dus.id.length; du++)
    for (let job = dus.firstJob[du]!; job < dus.firstJob[du + 1]!; job++) {
      const dates = (plan.start[job] === NONE ? 0 : 1) + (plan.end[job] === NONE ? 0 : 1);
      const expected = undated[job] ? 0 : 2;
      if (dates !== expected) findings.add("C1", "dates", du, job - dus.firstJob[du]!, dates, expected);
    }
  return true;
}

/** C2 and C3: lengths by the calendar, dates that are kept, working days, and the horizon. */
export function checkDates({ problem, plan, jobs, du, kept, first, last }: Facts, findings: Findings): void {
  for (let job = 0; job < jobs; job++) {
    const unit = du[job]!;
    const position = job - problem.dus.firstJob[unit]!;
    const start = plan.start[job]!;
    const end = plan.end[job]!;
    const entry = kept[job]!;
    if (entry >= 0) {
      if (start !== problem.kept.start[entry]) findings.add("C2", "kept-start", unit, position, start, problem.kept.start[entry]!);
      if (end !== problem.kept.end[entry]) findings.add("C2", "kept-end", unit, position, end, problem.kept.end[entry]!);
      continue;
    }
    if (start === NONE || end === NONE) continue;
    if (start < 0) findings.add("C3", "before-plan-start", unit, position, start, 0);
    if (start < problem.dus.release[unit]!) findings.add("C3", "before-release", unit, position, start, problem.dus.release[unit]!);
    if (end > problem.horizonDays) findings.add("C3", "beyond-horizon", unit, position, end, problem.horizonDays);
    if (first[job] === NONE) findings.add("C3", "start-on-free-day", unit, position, start, NONE);
    if (last[job] === NONE) findings.add("C3", "end-on-free-day", unit, position, end, NONE);
    if (first[job] === NONE) continue;
    const days = daysOf(problem, unit);
    const due = days[first[job]! + span(flowOf(problem, unit).durations[position]!)];
    if (due === undefined || end !== due + 1) findings.add("C2", "length", unit, position, end, due === undefined ? NONE : due + 1);
  }
}

/** C4: every relation into a free job; what fixed ones miss has to stand in the list of conflicts, with the right number of days. */
export function checkRelations(facts: Facts, findings: Findings): void {
  const { problem, plan, jobs, du, kept, first, last } = facts;
  const missed = new Int32Array(jobs);
  for (let job = 0; job < jobs; job++) {
    if (isFact(facts, job)) continue;
    const unit = du[job]!;
    const start = problem.dus.firstJob[unit]!;
    const flow = flowOf(problem, unit);
    const position = job - start;
    const to = { first: first[job]!, last: last[job]!, duration: flow.durations[position]! };
    if (to.first === NONE || to.last === NONE) continue;
    for (let entry = flow.inAt[position]!; entry < flow.inAt[position + 1]!; entry++) {
      const from = start + flow.inFrom[entry]!;
      if (first[from] === NONE || last[from] === NONE) continue;
      const left = room(flow.inKind[entry]!, flow.inOffset[entry]!, { first: first[from]!, last: last[from]! }, to);
      if (left >= 0) continue;
      if (kept[job]! < 0) findings.add("C4", "relation", unit, position, left, 0);
      else if (kept[from]! < 0) missed[job] = Math.max(missed[job]!, -left);
    }
  }
  const listed = new Int32Array(jobs);
  plan.conflicts.job.forEach((job, row) => {
    if (listed[job] || !plan.conflicts.days[row])
      findings.add("C4", "conflict-row", du[job] ?? -1, job, plan.conflicts.days[row] ?? 0, missed[job] ?? 0);
    listed[job] = plan.conflicts.days[row]!;
  });
  for (let job = 0; job < jobs; job++)
    if (listed[job] !== missed[job])
      findings.add("C4", "conflict-days", du[job]!, job - problem.dus.firstJob[du[job]!]!, listed[job]!, missed[job]!);
}
