import type { Component } from "#lib/planning-engine/components/logic.ts";
import type { Ready } from "#lib/planning-engine/normalise/logic.ts";
import { MOST_CLASSES, type Rule } from "#lib/planning-engine/portfolio/logic.ts";

/**
 * The best plan of every (component, island), in memory that threads can share: each writes its own, and reads others' between two barriers only.
 * Arrays of an island have one entry per job or DU; those of a search stand at `island * components + component`.
 */
export type Incumbents = {
  components: number;
  islands: number;
  levelCount: number;
  ruleSize: number;
  start: Int32Array[];
  pool: Int16Array[];
  gap: Uint8Array[];
  /** 1 = no job of the DU begins before its base. */
  held: Uint8Array[];
  /** Keys of the order search. */
  ofDu: Int32Array[];
  /** Free jobs in the order of their pass: those of component c from `listAt[c]` on. */
  list: Int32Array[];
  listAt: Int32Array;
  /** Jobs in the list; -1 = no plan yet. */
  count: Int32Array;
  levels: Float64Array;
  /** Rules of all searches as the last barrier found them, twice: what is written for the next barrier does not disturb who reads those of the last. */
  rules: Int32Array[];
  /** Evaluations done. */
  done: Int32Array;
  /** Threads that have arrived, times all have, and 1 when the run is to stop. */
  signals: Int32Array;
};

/** Empty incumbents. @param shared whether other threads are to see them */
export function newIncumbents(ready: Ready, components: Component[], levelCount: number, islands: number, shared: boolean): Incumbents {
  const room = (bytes: number) => (shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
  const each = <T>(make: () => T): T[] => Array.from({ length: islands }, make);
  const dus = ready.problem.dus.id.length;
  const searches = components.length * islands;
  const positions = ready.problem.flows.reduce((most, flow) => Math.max(most, flow.durations.length), 0);
  const ruleSize = POSITIONS_AT + positions;
  const listAt = new Int32Array(components.length);
  for (let at = 1; at < components.length; at++) listAt[at] = listAt[at - 1]! + components[at - 1]!.jobs;
  return {
    components: components.length,
    islands,
    levelCount,
    ruleSize,
    start: each(() => new Int32Array(room(4 * ready.jobs))),
    pool: each(() => new Int16Array(room(2 * ready.jobs))),
    gap: each(() => new Uint8Array(room(dus))),
    held: each(() => new Uint8Array(room(dus))),
    ofDu: each(() => new Int32Array(room(4 * dus))),
    list: each(() => new Int32Array(room(4 * ready.jobs))),
    listAt,
    count: new Int32Array(room(4 * searches)).fill(-1),
    levels: new Float64Array(room(8 * searches * levelCount)),
    rules: [0, 1].map(() => new Int32Array(room(4 * searches * ruleSize))),
    done: new Int32Array(room(4 * searches)),
    signals: new Int32Array(room(12)),
  };
}

/** Levels of a search's incumbent, a view. */
export function levelsAt({ levels, levelCount }: Incumbents, search: number): Float64Array {
  return levels.subarray(search * levelCount, (search + 1) * levelCount);
}

/** Places of a rule's parts among the incumbents' rules: four numbers, offsets of classes, offsets of positions. */
const CLASSES_AT = 4;
const POSITIONS_AT = CLASSES_AT + MOST_CLASSES;

/** Writes a search's rule for a barrier. */
export function writeRule({ rules, ruleSize }: Incumbents, round: number, search: number, rule: Rule): void {
  const at = search * ruleSize;
  const into = rules[round & 1]!;
  into.set([rule.releaseShare, rule.tailFactor, rule.workFactor, rule.byGiven], at);
  into.set(rule.ofClass, at + CLASSES_AT);
  into.set(rule.ofPosition, at + POSITIONS_AT);
}

/** Reads the rule a search had at a barrier; classes and positions it does not know of count 0. */
export function readRule({ rules, ruleSize }: Incumbents, round: number, search: number, into: Rule): void {
  const at = search * ruleSize;
  const from = rules[round & 1]!;
  into.releaseShare = from[at]!;
  into.tailFactor = from[at + 1]!;
  into.workFactor = from[at + 2]!;
  into.byGiven = from[at + 3] === 1 ? 1 : 0;
  for (let own = 0; own < into.ofClass.length; own++) into.ofClass[own] = from[at + CLASSES_AT + own]!;
  for (let own = 0; own < into.ofPosition.length; own++) into.ofPosition[own] = from[at + POSITIONS_AT + own]!;
}

/** The best island of a component, the first of equals; -1 while none has a plan. */
export function bestIsland(
  incumbents: Incumbents,
  component: number,
  compare: (left: Float64Array, right: Float64Array) => number,
): number {
  let best = -1;
  for (let island = 0; island < incumbents.islands; island++) {
    const search = island * incumbents.components + component;
    if (incumbents.count[search]! < 0) continue;
    if (best < 0 || compare(levelsAt(incumbents, search), levelsAt(incumbents, best * incumbents.components + component)) < 0)
      best = island;
  }
  return best;
}
