import type { Project } from "#lib/planning-engine/model/logic.ts";

/** What is wrong with a schedule of a project, by the plain definition: every relation, every resource on every day. */
export function scheduleFaults(project: Project, start: Int32Array, makespan: number): string[] {
  const { durations, capacities, demands, outAt, outTo, outLag } = project;
  const faults: string[] = [];
  const use = capacities.reduce((all, _, at) => all.set(at, new Int32Array(makespan + 1)), new Map<number, Int32Array>());
  let end = 0;
  for (let job = 0; job < durations.length; job++) {
    if (start[job]! < 0) faults.push(`job ${job} starts before day 0`);
    end = Math.max(end, start[job]! + durations[job]!);
    for (let arc = outAt[job]!; arc < outAt[job + 1]!; arc++)
      if (start[outTo[arc]!]! < start[job]! + outLag[arc]!) faults.push(`job ${outTo[arc]} starts too early after ${job}`);
    for (let day = start[job]!; day < start[job]! + durations[job]!; day++)
      for (const [resource, days] of use) days[day]! += demands[job * capacities.length + resource]!;
  }
  for (const [resource, days] of use)
    if (days.some((units) => units > capacities[resource]!)) faults.push(`resource ${resource} is overloaded`);
  if (end !== makespan) faults.push(`the last job ends on day ${end}, not ${makespan}`);
  return faults;
}
