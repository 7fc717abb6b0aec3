import { assemble } from "#lib/planning-engine/assembly/logic.ts";
import { type Component, findComponents } from "#lib/planning-engine/components/logic.ts";
import { enter, type Genes, isAhead, isBred, judge, newGenes, nextChild, turnRight } from "#lib/planning-engine/genetic-plans/logic.ts";
import { bestIsland, type Incumbents, levelsAt, newIncumbents, readRule, writeRule } from "#lib/planning-engine/incumbents/logic.ts";
import { compareLevels, levelList, measure } from "#lib/planning-engine/levels/logic.ts";
import type { Level, Plan } from "#lib/planning-engine/model/logic.ts";
import type { Ready } from "#lib/planning-engine/normalise/logic.ts";
import { MOST_MOVED, moveDus, unmoveDus } from "#lib/planning-engine/order-search/logic.ts";
import { arrangeList, beginPass, orderByForwardPlan, orderJobs, runPass } from "#lib/planning-engine/passes/logic.ts";
import { firstRules, givenRules, KEY_UNIT, type Keys, newKeys, type Rule } from "#lib/planning-engine/portfolio/logic.ts";
import { below, newRandom, type Random } from "#lib/planning-engine/random/logic.ts";
import { givenDays, heldDays, holdAll, inPassOrder, varyHeld } from "#lib/planning-engine/re-planning/logic.ts";
import { newReverseRoom } from "#lib/planning-engine/reverse-sgs/logic.ts";
import { copyRule, mixRules, varyRule } from "#lib/planning-engine/rule-search/logic.ts";
import { newWorkspace, type Workspace } from "#lib/planning-engine/sgs/logic.ts";
import { CHECKPOINTS, LEAST_EVALUATIONS, MOST_BY_RULES, ROUNDS, RULES_PERCENT, TURNS } from "./limits.ts";

/** How long a run looks and from where: the same seed, limit and islands give the same plan. */
export type Budget = { seed: number; evaluationLimit: number; islands: number };

/** What pools and lots of a component hold at a place of its list. */
type Checkpoint = { free: Int16Array; next: Int16Array; remaining: Float64Array };

/** The search of one island in one component. */
export type Search = {
  component: Component;
  island: number;
  /** Its place in `Incumbents`. */
  number: number;
  /** Evaluations it may do, and does by rules. */
  share: number;
  byRules: number;
  /** Whether what follows is the genetic search, in the place of the order search. */
  isBred: boolean;
  keys: Keys;
  random: Random;
  rules: Rule[];
  rule: Rule;
  candidate: Rule;
  /** Room for the rule of another search. */
  other: Rule;
  list: Int32Array;
  levels: Float64Array;
  /** List and levels of its incumbent: views of `Incumbents`. */
  bestList: Int32Array;
  bestLevels: Float64Array;
  /** Makespan of the other components (planned backward: earliest start) at the last barrier: better ones of this component count as much. */
  floor: number;
  ordering: boolean;
  genes: Genes | null;
  checkpoints: Checkpoint[];
  spare: Checkpoint[];
  moved: Int32Array;
  before: Int32Array;
};

/** What the searches of one island share in a thread. */
export type Island = { number: number; work: Workspace; searches: Search[] };

/** A run at work: the part of it that one thread does, and the incumbents of all. */
export type Run = {
  ready: Ready;
  components: Component[];
  levels: { level: Level; rankClass: number }[];
  islands: Island[];
  incumbents: Incumbents;
  /** The last round whose barrier has been passed: what all searches had then may be read; -1 = none yet. */
  heard: number;
};

/** Where threads wait for one another; alone there is nobody to wait for. */
export type Barrier = (incumbents: Incumbents) => void;

/**
 * Prepares the searches of a run.
 *
 * @throws RangeError when a list of eligible pools names one that is not there: a pass would look for room in it for ever
 *
 * @param mine which searches this thread does, by their place in `Incumbents`
 * @param given the incumbents all threads share
 */
export function newRun(ready: Ready, budget: Budget, mine: (search: number) => boolean = () => true, given: Incumbents | null = null): Run {
  const { count, eligible } = ready.problem.teams;
  const stranger = eligible.find((pool) => pool < 0 || pool >= count.length);
  if (stranger !== undefined) throw new RangeError(`pool ${stranger} of ${count.length} is eligible but not there`);
  const components = findComponents(ready);
  const levels = levelList(ready);
  const incumbents = given ?? newIncumbents(ready, components, levels.length, budget.islands, false);
  const islands: Island[] = [];
  for (let number = 0; number < budget.islands; number++) {
    const own = components.filter((component) => mine(number * components.length + component.number));
    if (own.length === 0) continue;
    const key = new Int32Array(ready.jobs);
    const keysOf = (component: Component) => newKeys(ready, component, key, incumbents.ofDu[number]!);
    const searches = own.map((component) => newSearch(ready, component, number, budget, keysOf(component), incumbents));
    islands.push({ number, work: workspaceOf(ready, components), searches });
  }
  return { ready, components, levels, islands, incumbents, heard: -1 };
}

/** Room for passes, with the days of the given plan where there is one. */
function workspaceOf(ready: Ready, components: Component[]): Workspace {
  const work = newWorkspace(ready, components);
  if (ready.problem.direction === "reverse") work.reverse = newReverseRoom(ready, work.whole);
  work.givenDays = givenDays(ready);
  if (ready.problem.base !== null && work.givenDays) {
    work.heldFrom = heldDays(ready, work.givenDays);
    work.givenPool = Int16Array.from(inPassOrder(ready, ready.problem.base.pool));
  }
  return work;
}

function newSearch(ready: Ready, component: Component, island: number, budget: Budget, keys: Keys, incumbents: Incumbents): Search {
  const rules = [...givenRules(ready, keys), ...firstRules(ready, keys)];
  const number = island * incumbents.components + component.number;
  const ofJobs = Math.floor((budget.evaluationLimit * component.jobs) / Math.max(1, ready.jobs * budget.islands));
  const share = budget.evaluationLimit === 1 ? 1 : Math.max(LEAST_EVALUATIONS, ofJobs);
  const listAt = incumbents.listAt[component.number]!;
  return {
    component,
    island,
    number,
    share,
    byRules: rules.length + evaluationsByRules(ready, component, share - rules.length),
    isBred: isBred(ready),
    keys,
    random: newRandom(budget.seed, component.number, island),
    rules,
    rule: copyRule(rules[0]!),
    candidate: copyRule(rules[0]!),
    other: copyRule(rules[0]!),
    list: new Int32Array(component.jobs),
    levels: new Float64Array(incumbents.levelCount),
    bestList: incumbents.list[island]!.subarray(listAt, listAt + component.jobs),
    bestLevels: levelsAt(incumbents, number),
    floor: Number.NEGATIVE_INFINITY,
    ordering: false,
    genes: null,
    checkpoints: [],
    spare: [],
    moved: new Int32Array(MOST_MOVED),
    before: new Int32Array(MOST_MOVED),
  };
}

/**
 * Evaluations by changed rules, of all that follow the first rules: where plans are bred a fixed number at most, so that breeding begins soon in a run that time
 * will end; where the order search follows, a third in components of about 100 DUs and rather more than half from 1,000 on.
 */
function evaluationsByRules(ready: Ready, component: Component, evaluations: number): number {
  if (isBred(ready)) return Math.min(MOST_BY_RULES, Math.floor((evaluations * RULES_PERCENT) / 100));
  const dus = Math.min(1000, Math.max(100, component.dus.length));
  return Math.floor((evaluations * (300 + Math.floor(((dus - 100) * 5) / 18))) / 1000);
}

/** Runs every round of every search of this thread, exchanging at the barriers, until budget or stop. @returns whether it ran to the end */
export function runAll(run: Run, stop: () => boolean, turned: () => void = () => {}, barrier: Barrier = () => {}): boolean {
  if (!runFirst(run, stop)) return false;
  turned();
  if (!runPortfolio(run, stop)) return false;
  turned();
  for (let round = 0; round < ROUNDS; round++) {
    if (!runRound(run, round, stop, turned)) return false;
    for (const { searches } of run.islands) for (const search of searches) writeRule(run.incumbents, round, search.number, search.rule);
    barrier(run.incumbents);
    if (stop()) return false;
    const best = bestIslands(run);
    // Nobody takes over anything before all have looked: what was taken over looks like what it was taken from, but has not its rule.
    barrier(run.incumbents);
    if (stop()) return false;
    exchange(run, round, best);
    run.heard = round;
    barrier(run.incumbents);
  }
  return true;
}

/** The first rule of every component: afterwards there is a plan, or none was found yet for some. */
export function runFirst(run: Run, stop: () => boolean): boolean {
  for (const island of run.islands)
    for (const search of island.searches) {
      if (stop()) return false;
      if (run.incumbents.done[search.number] === 0) evaluate(run, island, search);
    }
  return true;
}

/** The rest of the first rules, as far as the budget goes. */
export function runPortfolio(run: Run, stop: () => boolean): boolean {
  const { done } = run.incumbents;
  for (const island of run.islands)
    for (const search of island.searches)
      while (done[search.number]! < Math.min(search.rules.length, search.share)) {
        if (stop()) return false;
        evaluate(run, island, search);
      }
  return true;
}

/** One round of all searches of this thread, a few turns each. @returns false when it was stopped */
function runRound(run: Run, round: number, stop: () => boolean, turned: () => void): boolean {
  const { done } = run.incumbents;
  for (let turn = 0; turn < TURNS; turn++) {
    const part = (round * TURNS + turn + 1) / (ROUNDS * TURNS);
    for (const island of run.islands)
      for (const search of island.searches) {
        const until = Math.floor(search.share * part * part);
        while (done[search.number]! < until) {
          if (stop()) return false;
          evaluate(run, island, search);
        }
      }
    turned();
  }
  return true;
}

/** The best island of each component, the first of equals. */
function bestIslands({ components, incumbents }: Run): number[] {
  return components.map(({ number }) => bestIsland(incumbents, number, compareLevels));
}

/** What happens between two barriers: the makespan of the others becomes known to each component, and its islands go on from the best of them. */
function exchange(run: Run, round: number, best: readonly number[]): void {
  const { incumbents, components } = run;
  const makespan = run.levels.findIndex(({ level }) => isMaximum(level));
  const own = components.map(({ number }) => {
    if (makespan < 0 || best[number]! < 0) return Number.NEGATIVE_INFINITY;
    return levelsAt(incumbents, best[number]! * components.length + number)[makespan]!;
  });
  const longest = own.indexOf(own.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY));
  const second = own.reduce((most, one, at) => (at === longest ? most : Math.max(most, one)), Number.NEGATIVE_INFINITY);
  for (const island of run.islands)
    for (const search of island.searches) {
      search.floor = search.component.number === longest ? second : own[longest]!;
      const from = best[search.component.number]!;
      if (from < 0 || from === search.island) continue;
      const source = from * components.length + search.component.number;
      if (incumbents.count[search.number]! >= 0 && compareLevels(levelsAt(incumbents, source), search.bestLevels) >= 0) continue;
      adopt(run, round, search, from, source);
    }
}

function adopt({ incumbents, ready }: Run, round: number, search: Search, from: number, source: number): void {
  const { dus } = ready.problem;
  const { start, pool, gap, held, ofDu, list, listAt, count } = incumbents;
  for (const du of search.component.dus) {
    const first = dus.firstJob[du]!;
    const last = dus.firstJob[du + 1]!;
    start[search.island]!.set(start[from]!.subarray(first, last), first);
    pool[search.island]!.set(pool[from]!.subarray(first, last), first);
    gap[search.island]![du] = gap[from]![du]!;
    held[search.island]![du] = held[from]![du]!;
    ofDu[search.island]![du] = ofDu[from]![du]!;
  }
  const at = listAt[search.component.number]!;
  search.bestList.set(list[from]!.subarray(at, at + search.component.jobs));
  search.bestLevels.set(levelsAt(incumbents, source));
  count[search.number] = count[source]!;
  readRule(incumbents, round, source, search.rule);
  // Its own checkpoints are of another list: the next step in order search begins anew.
  search.ordering = false;
  if (search.genes) enter(search.genes, search.bestList, search.bestLevels);
}

/** Whether the components of a plan share a level as the largest of theirs instead of as a sum. */
function isMaximum(level: Level): boolean {
  return level === "makespan" || level === "earliestStart";
}

/** Levels of the plan so far over all components; null while a component has none. */
export function levelsOf(run: Run): Float64Array | null {
  const { incumbents, components, levels } = run;
  const sum = Float64Array.from(levels, ({ level }) => (isMaximum(level) && level !== "makespan" ? Number.NEGATIVE_INFINITY : 0));
  for (const { number } of components) {
    const island = bestIsland(incumbents, number, compareLevels);
    if (island < 0) return null;
    const own = levelsAt(incumbents, island * components.length + number);
    for (let at = 0; at < sum.length; at++) sum[at] = isMaximum(levels[at]!.level) ? Math.max(sum[at]!, own[at]!) : sum[at]! + own[at]!;
  }
  // Without any free job there is no earliest start.
  for (let at = 0; at < sum.length; at++) if (sum[at] === Number.NEGATIVE_INFINITY) sum[at] = 0;
  return sum;
}

/** Evaluations done by all searches. */
export function evaluationsOf(run: Run): number {
  return run.incumbents.done.reduce((sum, own) => sum + own, 0);
}

/** The complete plan of the best incumbents; null while a component has none. Their passes are run once more, for what they take of which lot. */
export function planOf(run: Run): Plan | null {
  const sum = levelsOf(run);
  if (!sum) return null;
  const { ready, components, incumbents } = run;
  const work = workspaceOf(ready, components);
  work.takes = [...work.keptTakes];
  for (const component of components) {
    const island = bestIsland(incumbents, component.number, compareLevels);
    const at = incumbents.listAt[component.number]!;
    if (work.heldFrom) for (const du of component.dus) work.heldDu[du] = incumbents.held[island]![du]!;
    beginPass(ready, work, component);
    const list = incumbents.list[island]!.subarray(at);
    runPass(ready, work, component, list, 0, incumbents.count[island * components.length + component.number]!);
  }
  return assemble(ready, { ...work, takes: work.takes ?? [], levels: [...sum] }, components);
}

/** One evaluation: the next first rule, a changed rule, moved DUs, or a pass of the genetic search. */
function evaluate(run: Run, island: Island, search: Search): void {
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
  else restore(work, component, search.checkpoints[from]!);
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

function partAt(jobs: number, part: number): number {
  return Math.ceil((jobs * part) / CHECKPOINTS);
}

function passInParts(ready: Ready, work: Workspace, search: Search, jobs: number, from: number, into: Checkpoint[]): boolean {
  if (isWhole(work, search.component)) return runPass(ready, work, search.component, search.list, 0, jobs) === jobs;
  for (let part = from; part < CHECKPOINTS; part++) {
    if (part > from) store(work, search.component, into[part]!);
    const to = partAt(jobs, part + 1);
    if (runPass(ready, work, search.component, search.list, partAt(jobs, part), to) < to) return false;
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
