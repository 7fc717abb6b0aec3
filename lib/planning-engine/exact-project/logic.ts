import { pathsOf } from "#lib/planning-engine/bounds/logic.ts";
import { addGap, addRule, addVariable, constantSum, type Model, newModel, sumOf } from "#lib/planning-engine/exact-model/logic.ts";
import type { Project } from "#lib/planning-engine/model/logic.ts";

/**
 * Whether the project has a schedule with a makespan of at most `makespan`, as a model: the start of job j is variable j. Asked for one day less than the best
 * schedule known, "infeasible" proves that one optimal; this is decided far sooner than the same question with an objective. Relations run from a smaller to a
 * larger job, and the makespan is not below the longest path.
 */
export function projectModel(project: Project, makespan: number): Model {
  const { durations, capacities, demands, outAt, outTo, outLag } = project;
  const { head, tail } = pathsOf(project);
  const model = newModel();
  for (let job = 0; job < durations.length; job++) addVariable(model, head[job]!, makespan - tail[job]! - durations[job]!);
  for (let job = 0; job < durations.length; job++)
    for (let arc = outAt[job]!; arc < outAt[job + 1]!; arc++) addGap(model, sumOf(job), outLag[arc]!, sumOf(outTo[arc]!));
  const interval = Array.from(durations, (duration, job) =>
    duration === 0 ? -1 : addRule(model, { kind: "interval", start: sumOf(job), size: constantSum(duration), end: sumOf(job, duration) }),
  );
  for (let resource = 0; resource < capacities.length; resource++) {
    const users = interval.flatMap((at, job) => (at >= 0 && demands[job * capacities.length + resource]! > 0 ? [job] : []));
    if (users.length < 2) continue;
    addRule(model, {
      kind: "cumulative",
      capacity: capacities[resource]!,
      intervals: users.map((job) => interval[job]!),
      demands: users.map((job) => demands[job * capacities.length + resource]!),
    });
  }
  return model;
}
