import { narrowWindows } from "#lib/planning-engine/destructive-bounds/logic.ts";
import { addGap, addRule, addVariable, constantSum, type Model, newModel, sumOf } from "#lib/planning-engine/exact-model/logic.ts";
import type { Project } from "#lib/planning-engine/model/logic.ts";

/**
 * Whether the project has a schedule with a makespan of at most `makespan`, as a model: the start of job j is variable j. Asked for one day less than the best
 * schedule known, "infeasible" proves that one optimal; this is decided far sooner than the same question with an objective. Windows are narrowed before, and
 * sets of jobs that cannot run side by side, over all resources, are told: the solver sees them for a resource at a time only.
 * Relations run from a smaller to a larger job. Null when there is no such schedule.
 */
export function projectModel(project: Project, makespan: number): Model | null {
  const { durations, capacities, demands, outAt, outTo, outLag } = project;
  const narrowed = narrowWindows(project, makespan);
  if (!narrowed) return null;
  const { low, high, apart } = narrowed;
  const model = newModel();
  for (let job = 0; job < durations.length; job++) addVariable(model, low[job]!, high[job]!);
  for (let job = 0; job < durations.length; job++)
    for (let arc = outAt[job]!; arc < outAt[job + 1]!; arc++) addGap(model, sumOf(job), outLag[arc]!, sumOf(outTo[arc]!));
  const interval = Array.from(durations, (duration, job) =>
    duration === 0 ? -1 : addRule(model, { kind: "interval", start: sumOf(job), size: constantSum(duration), end: sumOf(job, duration) }),
  );
  const share = (capacity: number, users: number[], units: (job: number) => number) => {
    const intervals = users.map((job) => interval[job]!);
    if (users.length > 1) addRule(model, { kind: "cumulative", capacity, intervals, demands: users.map(units) });
  };
  capacities.forEach((capacity, resource) => {
    const units = (job: number) => demands[job * capacities.length + resource]!;
    const users = interval.flatMap((at, job) => (at >= 0 && units(job) > 0 ? [job] : []));
    share(capacity, users, units);
  });
  for (const users of apart) share(1, users, () => 1);
  return model;
}
