import type { Component } from "#lib/planning-engine/components/logic.ts";
import { addTeams, Days } from "#lib/planning-engine/exact/logic.ts";
import { addGap, addVariable, type Model, newModel, sumOf } from "#lib/planning-engine/exact-model/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Ready } from "#lib/planning-engine/normalise/logic.ts";
import { boundAmongKept, type Workspace } from "#lib/planning-engine/sgs/logic.ts";

/** Whether jobs have dates and teams together: job at place j of `jobs` is there while variable j is 1, which the model assumes of all. */
export type ConflictModel = { model: Model; jobs: number[] };

/** Free jobs of a component. */
export function freeJobs({ problem, keptOf }: Ready, component: Component): number[] {
  const { firstJob } = problem.dus;
  return [...component.dus].flatMap((du) =>
    Array.from({ length: firstJob[du + 1]! - firstJob[du]! }, (_, at) => firstJob[du]! + at).filter((job) => (keptOf?.[job] ?? -1) < 0),
  );
}

/**
 * Makes the model of some free jobs of a component alone: relations, also those that lead over jobs left out, windows and teams. Material is left out, so that
 * more fits than really does. Null when one of them has no day at all: that is a certificate of its own.
 */
export function conflictModel(ready: Ready, work: Workspace, component: Component, jobs: number[]): ConflictModel | null {
  const { problem, flows, releaseWork, endWork } = ready;
  const { dus } = problem;
  const model = newModel();
  const literal = new Map<number, number>();
  for (const job of jobs) literal.set(job, addVariable(model, 0, 1));
  const all = freeJobs(ready, component);
  const low = new Map<number, number>();
  for (const job of all) work.start[job] = -NO_DAY;
  for (const job of all) {
    const du = ready.duOfJob[job]!;
    const entry = job + work.entryShift[du]!;
    let own = work.keptDu?.[du] === 1 ? boundAmongKept(ready, work, dus.firstJob[du]!, entry, releaseWork[du]!) : releaseWork[du]!;
    for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) {
      const from = low.get(dus.firstJob[du]! + flows.inFrom[arc]!);
      if (from !== undefined) own = Math.max(own, from + flows.inLag[arc]!);
    }
    low.set(job, own);
  }
  const variable = new Map<number, number>();
  for (const job of jobs) {
    const du = ready.duOfJob[job]!;
    const high = endWork[du]! - flows.reach[job + work.entryShift[du]!]!;
    if (high < low.get(job)!) return null;
    variable.set(job, addVariable(model, low.get(job)!, high));
  }
  for (const job of jobs)
    for (const [other, lag] of reachedFrom(ready, work, job))
      if (variable.has(other))
        addGap(model, sumOf(variable.get(job)!), lag, sumOf(variable.get(other)!), [literal.get(job)!, literal.get(other)!]);
  addTeams(ready, work, component, model, jobs, new Days(ready, work, model, variable), literal);
  model.assumptions = jobs.map((job) => literal.get(job)!);
  return { model, jobs };
}

/** Jobs behind a job with the longest start-start lag by relations of free jobs. */
function reachedFrom({ flows, problem, duOfJob, keptOf }: Ready, work: Workspace, job: number): Map<number, number> {
  const du = duOfJob[job]!;
  const base = problem.dus.firstJob[du]!;
  const reached = new Map<number, number>([[job, 0]]);
  // Jobs of a DU stand in an order that runs with the relations.
  for (let next = job + 1; next < problem.dus.firstJob[du + 1]!; next++) {
    if ((keptOf?.[next] ?? -1) >= 0) continue;
    const entry = next + work.entryShift[du]!;
    for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) {
      const so = reached.get(base + flows.inFrom[arc]!);
      if (so === undefined) continue;
      reached.set(next, Math.max(reached.get(next) ?? -NO_DAY, so + flows.inLag[arc]!));
    }
  }
  reached.delete(job);
  return reached;
}

/** Number of a job in the problem, where it is counted by its position in the flow. */
export function jobOfProblem({ problem, flows, duOfJob }: Ready, job: number): number {
  const du = duOfJob[job]!;
  const base = problem.dus.firstJob[du]!;
  return base + flows.position[flows.at[problem.dus.flow[du]!]! + job - base]!;
}
