import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import { lagOf, type Ready } from "#lib/planning-engine/normalise/logic.ts";

/** First of the states whose jobs can miss what leads to them: relations into done, completed and started ones are dropped. */
const FIRST_MISSING = 3;

/** Working days by which a kept job misses the relations of free ones into it. @param at its entry in `problem.kept` @param start working-day starts of all jobs */
export function missedDays({ problem, flows, keptOf, keptJob, duOfJob }: Ready, start: Int32Array, at: number): number {
  const { kept, dus } = problem;
  if (kept.state[at]! < FIRST_MISSING || kept.first[at] === NO_DAY) return 0;
  const job = keptJob[at]!;
  const du = duOfJob[job]!;
  const base = dus.firstJob[du]!;
  const first = flows.at[dus.flow[du]!]!;
  const entry = first + job - base;
  const length = kept.last[at]! - kept.first[at]! + 1;
  let days = 0;
  for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]!; arc++) {
    const from = flows.inFrom[arc]!;
    if (keptOf![base + from]! >= 0) continue;
    const kind = flows.inKind[arc]!;
    // What the relation asks of the end is compared with the end the job has.
    const after = kind < 2 ? flows.durations[entry]! : length;
    const short = start[base + from]! + lagOf(kind, flows.inOffset[arc]!, flows.durations[first + from]!, after) - kept.first[at]!;
    if (short > days) days = short;
  }
  return days;
}
