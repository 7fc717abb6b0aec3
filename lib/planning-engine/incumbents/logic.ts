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
  rules: Int32Array;
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
  const ruleSize = 4 + MOST_CLASSES + positions;
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
    rules: new Int32Array(room(4 * searches * ruleSize)),
    done: new Int32Array(room(4 * searches)),
    signals: new Int32Array(room(12)),
  };
}

/** Levels of a search's incumbent, a view. */
export function levelsAt({ levels, levelCount }: Incumbents, search: number): Float64Array {
  return levels.subarray(search * levelCount, (search + 1) * levelCount);
}

/** Writes a search's rule. */
export function writeRule({ rules, ruleSize }: Incumbents, search: number, rule: Rule): void {
  rules.set([rule.releaseShare, rule.tailFactor, rule.workFactor, rule.byGiven, ...rule.ofClass, ...rule.ofPosition], search * ruleSize);
}

/** Reads another search's rule into one of the same component. */
export function readRule({ rules, ruleSize }: Incumbents, search: number, into: Rule): void {
  let at = search * ruleSize;
  into.releaseShare = rules[at++]!;
  into.tailFactor = rules[at++]!;
  into.workFactor = rules[at++]!;
  into.byGiven = rules[at++] === 1 ? 1 : 0;
  for (const offsets of [into.ofClass, into.ofPosition]) {
    offsets.set(rules.subarray(at, at + offsets.length));
    at += offsets.length;
  }
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
