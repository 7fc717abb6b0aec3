import type { Project, Schedule } from "../model/logic.ts";

/** What is wrong with a schedule of a project with cumulative resources; null when nothing is. */
export type ProjectFault =
  | { fault: "jobs"; found: number; expected: number }
  | { fault: "start"; job: number; found: number }
  | { fault: "lag"; job: number; to: number; found: number; expected: number }
  | { fault: "capacity"; resource: number; day: number; found: number; expected: number }
  | { fault: "makespan"; found: number; expected: number };

/** Checks a schedule of the benchmarks: whole starts from 0, every distance of starts, every resource day by day, and the makespan it says it has. */
export function projectFault(project: Project, { start, makespan }: Schedule): ProjectFault | null {
  const { durations, capacities, demands, outAt, outTo, outLag } = project;
  const jobs = durations.length;
  if (start.length !== jobs) return { fault: "jobs", found: start.length, expected: jobs };
  let end = 0;
  for (let job = 0; job < jobs; job++) {
    if (!(Number.isInteger(start[job]) && start[job]! >= 0)) return { fault: "start", job, found: start[job]! };
    end = Math.max(end, start[job]! + durations[job]!);
  }
  for (let job = 0; job < jobs; job++)
    for (let arc = outAt[job]!; arc < outAt[job + 1]!; arc++) {
      const to = outTo[arc]!;
      if (start[to]! - start[job]! < outLag[arc]!)
        return { fault: "lag", job, to, found: start[to]! - start[job]!, expected: outLag[arc]! };
    }
  for (let resource = 0; resource < capacities.length; resource++) {
    const used = new Int32Array(end);
    for (let job = 0; job < jobs; job++)
      for (let day = start[job]!; day < start[job]! + durations[job]!; day++) used[day]! += demands[job * capacities.length + resource]!;
    const day = used.findIndex((units) => units > capacities[resource]!);
    if (day >= 0) return { fault: "capacity", resource, day, found: used[day]!, expected: capacities[resource]! };
  }
  return makespan === end ? null : { fault: "makespan", found: makespan, expected: end };
}
