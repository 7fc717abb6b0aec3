import { CHECKPOINTS } from "#lib/planning-engine/checkpoints/limits.ts";
import { type Checkpoint, newCheckpoints, partAt, restoreCheckpoint, storeCheckpoint } from "#lib/planning-engine/checkpoints/logic.ts";
import type { Component } from "#lib/planning-engine/components/logic.ts";
import { enter, isAhead, judge, newGenes, nextChild, turnRight } from "#lib/planning-engine/genetic-plans/logic.ts";
import { type Incumbents, readRule } from "#lib/planning-engine/incumbents/logic.ts";
import { isMaximum, measure } from "#lib/planning-engine/levels/logic.ts";
import type { Level } from "#lib/planning-engine/model/logic.ts";
import type { Ready } from "#lib/planning-engine/normalise/logic.ts";
import { moveDus, unmoveDus } from "#lib/planning-engine/order-search/logic.ts";
import { arrangeList, beginPass, orderByForwardPlan, orderJobs, runPass } from "#lib/planning-engine/passes/logic.ts";
import { KEY_UNIT, type Rule } from "#lib/planning-engine/portfolio/logic.ts";
import { below } from "#lib/planning-engine/random/logic.ts";
import { holdAll, varyHeld } from "#lib/planning-engine/re-planning/logic.ts";
import { copyRule, mixRules, varyRule } from "#lib/planning-engine/rule-search/logic.ts";
import type { Island, Run, Search } from "#lib/planning-engine/searches/logic.ts";
import type { Workspace } from "#lib/planning-engine/sgs/logic.ts";

/** One evaluation: the next first rule, a changed rule, moved DUs, or a pass of the genetic search. */
export function evaluate(run: Run, island: Island, search: Search): void {
  const { rules, number } = search;
  const { done } = run.incumbents;
  const { work } = island;
  if (done[number]! < rules.length) {
    // A re-planning begins with all DUs held in the order of the base, then with none.
    if (work.heldFrom) holdAll(work, search.component, done[number] === 0 ? 1 : 0);
    tryRule(run, island, search, rules[done[number]!]!);
  } else if (done[number]! < search.byRules) {
    changeRule(run, search);
    if (work.heldFrom) varyHeld(work, search.component, run.incumbents.held[island.number]!, search.random);
    tryRule(run, island, search, search.candidate);
  } else if (search.isBred) breed(run, island, search);
  else if (!search.ordering) beginOrdering(run, island, search);
  else tryMoves(run, island, search);
  done[number]!++;
}

/** Writes the candidate of a search: its rule with one parameter changed or, as often, mixed with that of another component or island at the last barrier. */
function changeRule({ incumbents, heard }: Run, search: Search): void {
  const { keys, rule, random, other, candidate } = search;
  const searches = incumbents.components * incumbents.islands;
  if (heard < 0 || searches === 1 || below(random, 2) === 0) {
    varyRule(keys, rule, random, candidate);
    return;
  }
  const at = below(random, searches - 1);
  readRule(incumbents, heard, at < search.number ? at : at + 1, other);
  mixRules(rule, other, random, candidate);
}

function tryRule({ ready, levels, incumbents }: Run, island: Island, search: Search, rule: Rule): void {
  const { component, keys, list } = search;
  const { work } = island;
  let count = orderJobs(ready, work, component, keys, rule, list);
  beginPass(ready, work, component);
  if (runPass(ready, work, component, list, 0, count) < count) {
    if (!work.reverse || incumbents.count[search.number]! >= 0) return;
    // Who found no room comes earlier the next time, with the cluster it is placed with; until then a forward plan may keep the due dates.
    const { failed } = work.reverse;
    const { cluster } = ready.problem.dus;
    for (const du of component.dus)
      if (du === failed || (cluster[failed]! >= 0 && cluster[du] === cluster[failed]))
        keys.ofDu[du]! -= KEY_UNIT * (1 + (keys.spread >> 2));
    count = orderByForwardPlan(ready, work, component, keys, rule, list);
    beginPass(ready, work, component);
    if (count === 0 || runPass(ready, work, component, list, 0, count) < count) return;
  }
  measure(ready, work, component, levels, search.levels);
  const order = incumbents.count[search.number]! < 0 ? -1 : compare(levels, search, search.levels, search.bestLevels);
  if (order > 0) return;
  search.rule = copyRule(rule);
  if (order < 0) keep(ready, incumbents, island, search, count);
}

/** Compares levels with the makespan of other components as the least that counts. */
function compare(levels: { level: Level }[], search: Search, left: Float64Array, right: Float64Array): number {
  for (let at = 0; at < left.length; at++) {
    let a = left[at]!;
    let b = right[at]!;
    if (isMaximum(levels[at]!.level)) {
      a = Math.max(a, search.floor);
      b = Math.max(b, search.floor);
    }
    if (a !== b) return a - b;
  }
  return 0;
}

/** Makes the plan in the work space the incumbent. */
function keep(ready: Ready, incumbents: Incumbents, { work, number }: Island, search: Search, count: number): void {
  const { dus } = ready.problem;
  for (const du of search.component.dus) {
    const first = dus.firstJob[du]!;
    const last = dus.firstJob[du + 1]!;
    incumbents.start[number]!.set(work.start.subarray(first, last), first);
    incumbents.pool[number]!.set(work.pool.subarray(first, last), first);
    incumbents.gap[number]![du] = work.gap[du]!;
    if (work.heldFrom) incumbents.held[number]![du] = work.heldDu[du]!;
  }
  search.bestList.set(search.list);
  search.bestLevels.set(search.levels);
  incumbents.count[search.number] = count;
}

/** The pass of the best rule once more, with checkpoints: moved DUs start from these. */
function beginOrdering({ ready, levels, incumbents }: Run, island: Island, search: Search): void {
  const { component, keys, list } = search;
  const { work } = island;
  if (search.checkpoints.length === 0) {
    search.checkpoints = newCheckpoints(work, component);
    search.spare = newCheckpoints(work, component);
  }
  const count = orderJobs(ready, work, component, keys, search.rule, list);
  if (work.heldFrom) for (const du of component.dus) work.heldDu[du] = incumbents.held[island.number]![du]!;
  beginPass(ready, work, component);
  search.ordering = true;
  if (!passInParts(ready, work, search, count, 0, search.checkpoints)) return;
  measure(ready, work, component, levels, search.levels);
  keep(ready, incumbents, island, search, count);
}

function tryMoves({ ready, levels, incumbents }: Run, island: Island, search: Search): void {
  const { component, keys, list, bestList, bestLevels, random, moved, before } = search;
  const start = incumbents.start[island.number]!;
  const pool = incumbents.pool[island.number]!;
  const gap = incumbents.gap[island.number]!;
  const { work } = island;
  const marked = work.heldFrom !== null && varyHeld(work, component, incumbents.held[island.number]!, random);
  const count = moveDus(ready, component, keys, work.start, random, moved, before, work);
  if ((count === 0 && !marked) || incumbents.count[search.number]! < 0) return;
  const jobs = orderJobs(ready, work, component, keys, search.rule, list);
  let same = 0;
  while (same < jobs && list[same] === bestList[same]) same++;
  if (same === jobs && !marked) return;
  const from = isWhole(work, component) ? 0 : Math.floor((same * CHECKPOINTS) / jobs);
  if (from === 0) beginPass(ready, work, component);
  else restoreCheckpoint(work, component, search.checkpoints[from]!);
  const first = partAt(jobs, from);
  const complete = passInParts(ready, work, search, jobs, from, search.spare);
  if (complete) measure(ready, work, component, levels, search.levels);
  if (complete && compare(levels, search, search.levels, bestLevels) <= 0) {
    for (let part = from + 1; part < CHECKPOINTS; part++) {
      const kept = search.checkpoints[part]!;
      search.checkpoints[part] = search.spare[part]!;
      search.spare[part] = kept;
    }
    for (let place = first; place < jobs; place++) {
      const job = list[place]!;
      start[job] = work.start[job]!;
      pool[job] = work.pool[job]!;
    }
    for (const du of component.dus) {
      gap[du] = work.gap[du]!;
      if (work.heldFrom) incumbents.held[island.number]![du] = work.heldDu[du]!;
    }
    bestList.set(list);
    bestLevels.set(search.levels);
    return;
  }
  unmoveDus(keys, moved, before, count);
  for (let place = first; place < jobs; place++) {
    const job = list[place]!;
    work.start[job] = start[job]!;
    work.pool[job] = pool[job]!;
  }
  for (const du of component.dus) work.gap[du] = gap[du]!;
}

/** One pass of the genetic search: that of a child, or the one back of a child that was taken. */
function breed(run: Run, island: Island, search: Search): void {
  const { ready, levels, incumbents } = run;
  const { component, keys, random, list } = search;
  const { work } = island;
  const count = incumbents.count[search.number]!;
  if (count < 1) return;
  if (search.genes === null) {
    const better = (left: Float64Array, right: Float64Array) => compare(levels, search, left, right);
    search.genes = newGenes(ready, component, levels.length, search.share - search.byRules, better);
    enter(search.genes, search.bestList, search.bestLevels);
  }
  const { genes } = search;
  if (genes.turns >= 0) {
    turnRight(ready, work, component, keys, genes, random, count);
    return;
  }
  nextChild(ready, work, keys, genes, random, list, count);
  arrangeList(ready, work, component, list, count);
  beginPass(ready, work, component);
  const isComplete = runPass(ready, work, component, list, 0, count) === count;
  if (isComplete) measure(ready, work, component, levels, search.levels);
  judge(work, genes, list, count, isComplete ? search.levels : null);
  if (!isComplete) return;
  const order = compare(levels, search, search.levels, search.bestLevels);
  if (order < 0 || (order === 0 && isAhead(ready, genes, work.start, incumbents.start[island.number]!)))
    keep(ready, incumbents, island, search, count);
}

/** Whether the passes of a component always begin anew. */
function isWhole(work: Workspace, { grouped, stored }: Component): boolean {
  return grouped || stored || work.reverse !== null;
}

function passInParts(ready: Ready, work: Workspace, search: Search, jobs: number, from: number, into: Checkpoint[]): boolean {
  if (isWhole(work, search.component)) return runPass(ready, work, search.component, search.list, 0, jobs) === jobs;
  for (let part = from; part < CHECKPOINTS; part++) {
    if (part > from) storeCheckpoint(work, search.component, into[part]!);
    const to = partAt(jobs, part + 1);
    if (runPass(ready, work, search.component, search.list, partAt(jobs, part), to) < to) return false;
  }
  return true;
}
