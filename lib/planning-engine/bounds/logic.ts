import type { Project } from "#lib/planning-engine/model/logic.ts";

/** Longest paths before each job (to its start) and behind it (from its end), by minimal lags. Jobs stand in an order that runs with the relations. */
export type Paths = { head: Int32Array; tail: Int32Array };

/** Heads and tails of a project whose relations all run from a smaller to a larger job. */
export function pathsOf({ durations, outAt, outTo, outLag }: Project): Paths {
  const head = new Int32Array(durations.length);
  const tail = new Int32Array(durations.length);
  for (let job = 0; job < durations.length; job++)
    for (let arc = outAt[job]!; arc < outAt[job + 1]!; arc++) head[outTo[arc]!] = Math.max(head[outTo[arc]!]!, head[job]! + outLag[arc]!);
  for (let job = durations.length - 1; job >= 0; job--)
    for (let arc = outAt[job]!; arc < outAt[job + 1]!; arc++) {
      const next = outTo[arc]!;
      tail[job] = Math.max(tail[job]!, outLag[arc]! + durations[next]! + tail[next]! - durations[job]!);
    }
  return { head, tail };
}

/**
 * A makespan no schedule is below: the longest path, and for every resource and every pair of a head and a tail the work of the jobs that lie between them.
 */
export function makespanBound(project: Project, { head, tail }: Paths): number {
  const { durations, capacities, demands } = project;
  const resources = capacities.length;
  let bound = 0;
  for (let job = 0; job < durations.length; job++) bound = Math.max(bound, head[job]! + durations[job]! + tail[job]!);
  const heads = [...new Set(head)].sort((a, b) => b - a);
  for (let resource = 0; resource < resources; resource++) {
    const users = Array.from(durations, (_, job) => job)
      .filter((job) => durations[job]! > 0 && demands[job * resources + resource]! > 0)
      .sort((a, b) => tail[b]! - tail[a]!);
    for (const from of heads) {
      let energy = 0;
      for (const job of users) {
        if (head[job]! < from) continue;
        energy += durations[job]! * demands[job * resources + resource]!;
        // Users come with the largest tail first: this one has the smallest of those counted.
        bound = Math.max(bound, from + Math.ceil(energy / capacities[resource]!) + tail[job]!);
      }
    }
  }
  return bound;
}
