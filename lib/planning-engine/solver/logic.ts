import { assemble, type Incumbent } from "#lib/planning-engine/assembly/logic.ts";
import { type Component, findComponents } from "#lib/planning-engine/components/logic.ts";
import { compareLevels, levelList, measure } from "#lib/planning-engine/levels/logic.ts";
import type { Level, Plan } from "#lib/planning-engine/model/logic.ts";
import type { Ready } from "#lib/planning-engine/normalise/logic.ts";
import { MOST_MOVED, moveDus, unmoveDus } from "#lib/planning-engine/order-search/logic.ts";
import { firstRules, type Keys, newKeys, type Rule, sortByKey, writeKeys } from "#lib/planning-engine/portfolio/logic.ts";
import { newRandom, type Random } from "#lib/planning-engine/random/logic.ts";
import { copyRule, varyRule } from "#lib/planning-engine/rule-search/logic.ts";
import { clearComponent, newWorkspace, passForward, type Workspace } from "#lib/planning-engine/sgs/logic.ts";
import { CHECKPOINTS, LEAST_EVALUATIONS, ROUNDS, TURNS } from "./limits.ts";

/** How long a run looks and from where: the same seed, limit and islands give the same plan. */
export type Budget = { seed: number; evaluationLimit: number; islands: number };

/** What pools and lots of a component hold at a place of its list. */
type Checkpoint = { free: Int16Array; next: Int16Array; remaining: Float64Array };

/** The search of one island in one component. */
export type Search = {
  component: Component;
  island: number;
  /** Evaluations it may do, does by rules, and has done. */
  share: number;
  byRules: number;
  done: number;
  keys: Keys;
  random: Random;
  rules: Rule[];
  rule: Rule;
  candidate: Rule;
  list: Int32Array;
  /** The incumbent: list, levels; null before the first plan. Its starts and pools stand in `Island.start` and `pool`. */
  best: { list: Int32Array; count: number; levels: Float64Array } | null;
  levels: Float64Array;
  /** Overall makespan at the last barrier: shorter ones of this component count as much. */
  floor: number;
  ordering: boolean;
  checkpoints: Checkpoint[];
  spare: Checkpoint[];
  moved: Int32Array;
  before: Int32Array;
  failed: number;
};

/** What the searches of one island share: room for passes and their incumbents, one entry per job or DU. */
export type Island = { work: Workspace; start: Int32Array; pool: Int16Array; gap: Uint8Array; searches: Search[] };

/** A run at work: the islands a thread holds, all of them with one thread. */
export type Run = { ready: Ready; components: Component[]; levels: { level: Level; rankClass: number }[]; islands: Island[] };

/**
 * Prepares the searches of a run.
 * @param mine which (component, island) this thread works on; the others are left out
 */
export function newRun(ready: Ready, budget: Budget, mine: (component: number, island: number) => boolean = () => true): Run {
  const components = findComponents(ready);
  const levels = levelList(ready);
  const islands: Island[] = [];
  for (let number = 0; number < budget.islands; number++) {
    const work = newWorkspace(ready);
    const key = new Int32Array(ready.jobs);
    const ofDu = new Int32Array(ready.problem.dus.id.length);
    const island: Island = { work, start: work.start.slice(), pool: work.pool.slice(), gap: work.gap.slice(), searches: [] };
    for (const component of components)
      if (mine(component.number, number)) island.searches.push(newSearch(ready, component, levels.length, budget, number, key, ofDu));
    islands.push(island);
  }
  return { ready, components, levels, islands };
}

function newSearch(
  ready: Ready,
  component: Component,
  levels: number,
  budget: Budget,
  island: number,
  key: Int32Array,
  ofDu: Int32Array,
): Search {
  const keys = newKeys(ready, component, key, ofDu);
  const rules = firstRules(ready, keys);
  const ofJobs = Math.floor((budget.evaluationLimit * component.jobs) / Math.max(1, ready.jobs * budget.islands));
  const share = budget.evaluationLimit === 1 ? 1 : Math.max(LEAST_EVALUATIONS, ofJobs);
  // A third by rules in components of about 100 DUs, nine tenths from 1,000 on.
  const dus = Math.min(1000, Math.max(100, component.dus.length));
  const byRules = rules.length + Math.floor(((share - rules.length) * (300 + Math.floor(((dus - 100) * 2) / 3))) / 1000);
  return {
    component,
    island,
    share,
    byRules,
    done: 0,
    keys,
    random: newRandom(budget.seed, component.number, island),
    rules,
    rule: copyRule(rules[0]!),
    candidate: copyRule(rules[0]!),
    list: new Int32Array(component.jobs),
    best: null,
    levels: new Float64Array(levels),
    floor: 0,
    ordering: false,
    checkpoints: [],
    spare: [],
    moved: new Int32Array(MOST_MOVED),
    before: new Int32Array(MOST_MOVED),
    failed: 0,
  };
}

/** Runs every round of every search in turn, exchanging at the barriers, until budget or stop. @returns whether it ran to the end */
export function runAll(run: Run, stop: () => boolean, turned: () => void = () => {}): boolean {
  if (!runFirst(run, stop)) return false;
  turned();
  for (let round = 0; round < ROUNDS; round++) {
    if (!runRound(run, round, stop, turned)) return false;
    exchange(run);
  }
  return true;
}

/** The first rule of every component: afterwards there is a plan, or none was found yet for some. */
export function runFirst(run: Run, stop: () => boolean): boolean {
  for (const island of run.islands)
    for (const search of island.searches) {
      if (stop()) return false;
      if (search.done === 0) evaluate(run, island, search);
    }
  return true;
}

/** One round of all searches of this thread, a few turns each. @returns false when it was stopped */
export function runRound(run: Run, round: number, stop: () => boolean, turned: () => void): boolean {
  for (let turn = 0; turn < TURNS; turn++) {
    for (const island of run.islands)
      for (const search of island.searches) {
        const until = Math.floor((search.share * (round * TURNS + turn + 1)) / (ROUNDS * TURNS));
        while (search.done < until) {
          if (stop()) return false;
          evaluate(run, island, search);
        }
      }
    turned();
  }
  return true;
}

/** The barrier: the overall makespan becomes known to all, and the islands of a component go on from the best of them, the first of equals. */
export function exchange(run: Run): void {
  const makespan = run.levels.findIndex(({ level }) => level === "makespan");
  let overall = 0;
  if (makespan >= 0) for (const { search } of bestSearches(run)) overall = Math.max(overall, search.best?.levels[makespan] ?? 0);
  for (const { search, island } of bestSearches(run))
    for (const other of run.islands)
      for (const own of other.searches) {
        own.floor = overall;
        if (own.component.number !== search.component.number || own === search || !search.best) continue;
        if (own.best && compareLevels(search.best.levels, own.best.levels) >= 0) continue;
        adopt(run, other, own, island, search);
      }
}

/** The best island of every component, in order of number. */
export function bestSearches(run: Run): { search: Search; island: Island }[] {
  return run.components.flatMap(({ number }) => {
    let best: { search: Search; island: Island } | null = null;
    for (const island of run.islands)
      for (const search of island.searches)
        if (
          search.component.number === number &&
          (!best || (search.best && (!best.search.best || compareLevels(search.best.levels, best.search.best.levels) < 0)))
        )
          best = { search, island };
    return best ? [best] : [];
  });
}

/** Levels of the plan so far over all components of this thread; null while a component has none. */
export function levelsOf(run: Run): Float64Array | null {
  const sum = new Float64Array(run.levels.length);
  for (const { search } of bestSearches(run)) {
    if (!search.best) return null;
    for (let at = 0; at < sum.length; at++)
      sum[at] = run.levels[at]!.level === "makespan" ? Math.max(sum[at]!, search.best.levels[at]!) : sum[at]! + search.best.levels[at]!;
  }
  return sum;
}

/** The complete plan of the best incumbents; null while a component has none. The passes of the incumbents are run once more, for what they take of which lot. */
export function planOf(run: Run): Plan | null {
  const sum = levelsOf(run);
  if (!sum) return null;
  const { ready, components } = run;
  const { dus } = ready.problem;
  const incumbent: Incumbent = { start: new Int32Array(ready.jobs), pool: new Int16Array(ready.jobs), takes: [], levels: [...sum] };
  for (const { search, island } of bestSearches(run)) {
    const { work } = island;
    const { list, count } = search.best!;
    beginPass(work, search.component, ready);
    work.takes = incumbent.takes;
    passForward(ready, work, list, 0, count);
    work.takes = null;
    // The work space no longer holds what the next step of order search goes on from.
    search.ordering = false;
    for (const du of search.component.dus)
      for (let job = dus.firstJob[du]!; job < dus.firstJob[du + 1]!; job++) {
        incumbent.start[job] = work.start[job]!;
        incumbent.pool[job] = work.pool[job]!;
      }
  }
  incumbent.takes.push(...(run.islands[0]?.work.keptTakes ?? []));
  return assemble(ready, incumbent, components);
}

/** Evaluations done by all searches of this thread. */
export function evaluationsOf(run: Run): number {
  return run.islands.reduce((sum, island) => sum + island.searches.reduce((own, { done }) => own + done, 0), 0);
}

function adopt(run: Run, island: Island, search: Search, from: Island, source: Search): void {
  const { dus } = run.ready.problem;
  for (const du of search.component.dus) {
    const first = dus.firstJob[du]!;
    const last = dus.firstJob[du + 1]!;
    island.start.set(from.start.subarray(first, last), first);
    island.pool.set(from.pool.subarray(first, last), first);
    island.gap[du] = from.gap[du]!;
    search.keys.ofDu[du] = source.keys.ofDu[du]!;
  }
  search.best = { list: source.best!.list.slice(), count: source.best!.count, levels: source.best!.levels.slice() };
  search.rule = copyRule(source.rule);
  // Its own checkpoints are of another list: the next step in order search begins anew.
  search.ordering = false;
}

/** One evaluation: the next first rule, a changed rule, or moved DUs. */
function evaluate(run: Run, island: Island, search: Search): void {
  const { rules } = search;
  if (search.done < rules.length) tryRule(run, island, search, rules[search.done]!);
  else if (search.done < search.byRules) {
    varyRule(search.keys, search.rule, search.random, search.candidate);
    tryRule(run, island, search, search.candidate);
  } else if (!search.ordering) beginOrdering(run, island, search);
  else tryMoves(run, island, search);
  search.done++;
}

function tryRule({ ready, levels }: Run, island: Island, search: Search, rule: Rule): void {
  const { component, keys, list } = search;
  const { work } = island;
  writeKeys(ready, component, keys, rule);
  const count = sortByKey(ready, component, keys, list);
  beginPass(work, component, ready);
  if (passForward(ready, work, list, 0, count) < count) {
    search.failed++;
    return;
  }
  measure(ready, work, component, levels, search.levels);
  const order = search.best ? compare(levels, search, search.levels, search.best.levels) : -1;
  if (order > 0) return;
  search.rule = copyRule(rule);
  if (order < 0) keep(ready, island, search, count);
}

/** Compares levels with the makespan of other components as the least that counts. */
function compare(levels: { level: Level }[], search: Search, left: Float64Array, right: Float64Array): number {
  for (let at = 0; at < left.length; at++) {
    let a = left[at]!;
    let b = right[at]!;
    if (levels[at]!.level === "makespan") {
      a = Math.max(a, search.floor);
      b = Math.max(b, search.floor);
    }
    if (a !== b) return a - b;
  }
  return 0;
}

/** Makes the plan in the work space the incumbent. */
function keep(ready: Ready, island: Island, search: Search, count: number): void {
  const { dus } = ready.problem;
  const { work } = island;
  for (const du of search.component.dus) {
    const first = dus.firstJob[du]!;
    const last = dus.firstJob[du + 1]!;
    island.start.set(work.start.subarray(first, last), first);
    island.pool.set(work.pool.subarray(first, last), first);
    island.gap[du] = work.gap[du]!;
  }
  const best = search.best ?? { list: new Int32Array(search.list.length), count, levels: new Float64Array(search.levels.length) };
  best.list.set(search.list);
  best.count = count;
  best.levels.set(search.levels);
  search.best = best;
}

function beginPass(work: Workspace, component: Component, ready: Ready): void {
  clearComponent(work, component);
  if (!work.coResource) return;
  const { firstJob } = ready.problem.dus;
  for (const du of component.dus) work.resourceOf.fill(-1, firstJob[du]!, firstJob[du + 1]!);
}

/** The pass of the best rule once more, with checkpoints: moved DUs start from these. */
function beginOrdering({ ready, levels }: Run, island: Island, search: Search): void {
  const { component, keys, list } = search;
  const { work } = island;
  if (search.checkpoints.length === 0) {
    search.checkpoints = newCheckpoints(work, component);
    search.spare = newCheckpoints(work, component);
  }
  writeKeys(ready, component, keys, search.rule);
  const count = sortByKey(ready, component, keys, list);
  beginPass(work, component, ready);
  search.ordering = true;
  if (!passInParts(ready, work, search, count, 0, search.checkpoints)) {
    search.failed++;
    return;
  }
  measure(ready, work, component, levels, search.levels);
  keep(ready, island, search, count);
}

function tryMoves({ ready, levels }: Run, island: Island, search: Search): void {
  const { component, keys, list, best, random, moved, before } = search;
  const { work } = island;
  const count = moveDus(ready, component, keys, work.start, random, moved, before, work);
  if (count === 0 || !best) return;
  writeKeys(ready, component, keys, search.rule);
  const jobs = sortByKey(ready, component, keys, list);
  let same = 0;
  while (same < jobs && list[same] === best.list[same]) same++;
  if (same === jobs) return;
  const from = work.coResource ? 0 : Math.floor((same * CHECKPOINTS) / jobs);
  if (from === 0) beginPass(work, component, ready);
  else restore(work, component, search.checkpoints[from]!);
  const first = partAt(jobs, from);
  const complete = passInParts(ready, work, search, jobs, from, search.spare);
  if (complete) measure(ready, work, component, levels, search.levels);
  if (complete && compare(levels, search, search.levels, best.levels) <= 0) {
    for (let part = from + 1; part < CHECKPOINTS; part++) {
      const kept = search.checkpoints[part]!;
      search.checkpoints[part] = search.spare[part]!;
      search.spare[part] = kept;
    }
    for (let place = first; place < jobs; place++) {
      const job = list[place]!;
      island.start[job] = work.start[job]!;
      island.pool[job] = work.pool[job]!;
    }
    for (const du of component.dus) island.gap[du] = work.gap[du]!;
    best.list.set(list);
    best.levels.set(search.levels);
    return;
  }
  if (!complete) search.failed++;
  unmoveDus(keys, moved, before, count);
  for (let place = first; place < jobs; place++) {
    const job = list[place]!;
    work.start[job] = island.start[job]!;
    work.pool[job] = island.pool[job]!;
  }
  for (const du of component.dus) work.gap[du] = island.gap[du]!;
}

function partAt(jobs: number, part: number): number {
  return Math.ceil((jobs * part) / CHECKPOINTS);
}

function passInParts(ready: Ready, work: Workspace, search: Search, jobs: number, from: number, into: Checkpoint[]): boolean {
  for (let part = from; part < CHECKPOINTS; part++) {
    if (part > from) store(work, search.component, into[part]!);
    const to = partAt(jobs, part + 1);
    if (passForward(ready, work, search.list, partAt(jobs, part), to) < to) return false;
  }
  return true;
}

function newCheckpoints(work: Workspace, { pools, lots }: Component): Checkpoint[] {
  const size = pools.length * (work.days + 1);
  return Array.from({ length: CHECKPOINTS }, () => ({
    free: new Int16Array(size),
    next: new Int16Array(size),
    remaining: new Float64Array(lots.length),
  }));
}

function store(work: Workspace, { pools, lots }: Component, into: Checkpoint): void {
  const stride = work.days + 1;
  for (let at = 0; at < pools.length; at++) {
    const row = pools[at]! * stride;
    into.free.set(work.free.subarray(row, row + stride), at * stride);
    into.next.set(work.next.subarray(row, row + stride), at * stride);
  }
  for (let at = 0; at < lots.length; at++) into.remaining[at] = work.remaining[lots[at]!]!;
}

function restore(work: Workspace, { pools, lots }: Component, from: Checkpoint): void {
  const stride = work.days + 1;
  for (let at = 0; at < pools.length; at++) {
    const row = pools[at]! * stride;
    work.free.set(from.free.subarray(at * stride, (at + 1) * stride), row);
    work.next.set(from.next.subarray(at * stride, (at + 1) * stride), row);
  }
  for (let at = 0; at < lots.length; at++) work.remaining[lots[at]!] = from.remaining[at]!;
}
