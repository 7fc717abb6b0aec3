import { findComponents } from "#lib/planning-engine/components/logic.ts";
import type { Problem } from "#lib/planning-engine/model/logic.ts";
import { lengthOf, normalise } from "#lib/planning-engine/normalise/logic.ts";
import { clearComponent, newWorkspace, passForward } from "#lib/planning-engine/sgs/logic.ts";

/** The reference every improvement is measured against: one pass in order of due date less tail, with what identifies the generated instance. */
export function latestFinishReference(problem: Problem): {
  weighted: number;
  late: number;
  end: number;
  starts: number;
  pass: () => number;
} {
  const ready = normalise(problem).ready!;
  const components = findComponents(ready);
  const work = newWorkspace(ready, components);
  const { dus } = problem;
  const { flows, jobs } = ready;
  const key = new Int32Array(jobs);
  for (let du = 0; du < dus.id.length; du++) {
    const base = dus.firstJob[du]!;
    for (let job = base; job < dus.firstJob[du + 1]!; job++) {
      const entry = job + work.entryShift[du]!;
      key[job] = dus.due[du]! + 1 - flows.tail[entry]!;
      for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++)
        key[job] = Math.max(key[job]!, key[base + flows.inFrom[arc]!]!);
    }
  }
  const list = Int32Array.from(key.keys()).sort((left, right) => key[left]! - key[right]! || left - right);
  const pass = () => {
    for (const component of components) clearComponent(work, component);
    return passForward(ready, work, list, 0, jobs);
  };
  if (pass() < jobs) throw new Error("the reference finds no room inside the horizon");
  const sums = { weighted: 0, late: 0, end: 0, starts: 0 };
  for (let du = 0; du < dus.id.length; du++) {
    let last = 0;
    for (let job = dus.firstJob[du]!; job < dus.firstJob[du + 1]!; job++) {
      sums.starts += work.start[job]!;
      last = Math.max(last, work.start[job]! + lengthOf(flows.durations[job + work.entryShift[du]!]!));
    }
    sums.end = Math.max(sums.end, last);
    const late = last - 1 - dus.due[du]!;
    if (late <= 0) continue;
    sums.late++;
    sums.weighted += late * dus.weight[du]!;
  }
  return { ...sums, pass };
}
