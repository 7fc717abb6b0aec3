import type { Component } from "#lib/planning-engine/components/logic.ts";
import { missedDays } from "#lib/planning-engine/conflicts/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Level } from "#lib/planning-engine/model/logic.ts";
import { lengthOf, type Ready } from "#lib/planning-engine/normalise/logic.ts";
import type { Workspace } from "#lib/planning-engine/sgs/logic.ts";

/** End of what has no dates. */
const NO_BOUND = -NO_DAY;

/** Names of the numbers of an objective, `classCompletion` once per rank class. */
export function levelList({ problem }: Ready): { level: Level; rankClass: number }[] {
  const classes = problem.dus.rankClass.reduce((most, rank) => Math.max(most, rank), -1) + 1;
  return problem.objective.flatMap((level): { level: Level; rankClass: number }[] =>
    level === "classCompletion" ? Array.from({ length: classes }, (_, rankClass) => ({ level, rankClass })) : [{ level, rankClass: -1 }],
  );
}

/** Whether the components of a plan share a level as the largest of theirs instead of as a sum. */
export function isMaximum(level: Level): boolean {
  return level === "makespan" || level === "earliestStart";
}

/** Values of the levels over one component after a pass, written into `into`. */
export function measure(
  ready: Ready,
  work: Workspace,
  component: Component,
  list: { level: Level; rankClass: number }[],
  into: Float64Array,
): void {
  const { problem, flows, calendars, keptOf } = ready;
  const { dus, kept } = problem;
  const { start, entryShift } = work;
  const substitutedOf = work.store?.substituted ?? null;
  let gapDus = 0;
  let substituted = 0;
  let lateDus = 0;
  let lateDays = 0;
  let weighted = 0;
  let makespan = 0;
  let completion = 0;
  into.fill(0);
  for (const du of component.dus) {
    const days = calendars[dus.calendar[du]!]!.days;
    const anchor = flows.anchor[dus.flow[du]!]!;
    const base = dus.firstJob[du]!;
    const to = dus.firstJob[du + 1]!;
    const shift = entryShift[du]!;
    let end = NO_BOUND;
    let anchorEnd = NO_BOUND;
    let missed = 0;
    if (keptOf !== null && work.keptDu![du] === 1) {
      for (let job = base; job < to; job++) {
        const at = keptOf[job]!;
        let own: number;
        if (at >= 0) own = kept.end[at] === NO_DAY ? NO_BOUND : kept.end[at]!;
        else own = days[start[job]! + lengthOf(flows.durations[job + shift]!) - 1]! + 1;
        if (own > end) end = own;
        if (job - base === anchor) anchorEnd = own;
        if (at >= 0) missed += missedDays(ready, start, at);
      }
    } else {
      let last = 0;
      for (let job = base; job < to; job++) {
        const own = start[job]! + lengthOf(flows.durations[job + shift]!);
        if (own > last) last = own;
      }
      end = to > base ? days[last - 1]! + 1 : NO_BOUND;
      if (anchor >= 0) anchorEnd = days[start[base + anchor]! + lengthOf(flows.durations[base + anchor + shift]!) - 1]! + 1;
    }
    if (anchor < 0) anchorEnd = end;
    if (end > makespan) makespan = end;
    if (work.gap[du]! > 0) gapDus++;
    if (substitutedOf !== null) substituted += substitutedOf[du]!;
    let late = dus.due[du] === NO_DAY || anchorEnd === NO_BOUND ? 0 : anchorEnd - 1 - dus.due[du]!;
    // What was done without a date counts as nothing.
    if (anchorEnd === NO_BOUND) anchorEnd = 0;
    completion += anchorEnd;
    if (missed > 0) late = missed + (late > 0 ? late : 0);
    if (late > 0) {
      lateDus++;
      lateDays += late;
      weighted += late * dus.weight[du]!;
    }
    if (list.length > 1) for (let at = 0; at < list.length; at++) if (list[at]!.rankClass === dus.rankClass[du]) into[at]! += anchorEnd;
  }
  for (let at = 0; at < list.length; at++)
    switch (list[at]!.level) {
      case "gapDus":
        into[at] = gapDus;
        break;
      case "lateDus":
        into[at] = lateDus;
        break;
      case "lateDays":
        into[at] = lateDays;
        break;
      case "weightedLateDays":
        into[at] = weighted;
        break;
      case "makespan":
        into[at] = makespan;
        break;
      case "completion":
        into[at] = completion;
        break;
      case "substituted":
        into[at] = substituted;
        break;
      case "earliestStart":
        into[at] = -firstStarts(ready, work, component).least;
        break;
      case "duStarts":
        into[at] = -firstStarts(ready, work, component).sum;
        break;
      case "stability":
        into[at] = 100 * lateDays + (problem.base?.stabilityWeight ?? 0) * movedDays(ready, work, component);
        break;
      default:
        break;
    }
}

const begins = { least: 0, sum: 0 };

/** Earliest start of a free job of a component (above all numbers without one), and the sum over its DUs. The answer is overwritten by the next call. */
function firstStarts({ problem, calendars, keptOf }: Ready, { start }: Workspace, component: Component): { least: number; sum: number } {
  const { dus } = problem;
  begins.least = Number.POSITIVE_INFINITY;
  begins.sum = 0;
  for (const du of component.dus) {
    let first = NO_DAY;
    for (let job = dus.firstJob[du]!; job < dus.firstJob[du + 1]!; job++)
      if ((keptOf === null || keptOf[job]! < 0) && start[job]! < first) first = start[job]!;
    if (first === NO_DAY) continue;
    const day = calendars[dus.calendar[du]!]!.days[first]!;
    begins.sum += day;
    if (day < begins.least) begins.least = day;
  }
  return begins;
}

/** Calendar days by which free jobs of a component lie apart from their base. */
function movedDays({ problem, calendars, keptOf }: Ready, { givenDays, start }: Workspace, component: Component): number {
  const { dus } = problem;
  let moved = 0;
  if (problem.base === null || givenDays === null) return 0;
  for (const du of component.dus) {
    const { days } = calendars[dus.calendar[du]!]!;
    for (let job = dus.firstJob[du]!; job < dus.firstJob[du + 1]!; job++) {
      if (givenDays[job] === NO_DAY || (keptOf !== null && keptOf[job]! >= 0)) continue;
      const by = days[start[job]!]! - givenDays[job]!;
      moved += by < 0 ? -by : by;
    }
  }
  return moved;
}

/** Below 0 when left is better, 0 when equal: the first level that differs decides. */
export function compareLevels(left: Float64Array, right: Float64Array): number {
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return left[at]! - right[at]!;
  return 0;
}
