import { assemble } from "#lib/planning-engine/assembly/logic.ts";
import { type Component, findComponents } from "#lib/planning-engine/components/logic.ts";
import { evaluate } from "#lib/planning-engine/evaluations/logic.ts";
import { enter } from "#lib/planning-engine/genetic-plans/logic.ts";
import { bestIsland, type Incumbents, levelsAt, newIncumbents, readRule, writeRule } from "#lib/planning-engine/incumbents/logic.ts";
import { compareLevels, isMaximum, levelList } from "#lib/planning-engine/levels/logic.ts";
import type { Plan } from "#lib/planning-engine/model/logic.ts";
import type { Ready } from "#lib/planning-engine/normalise/logic.ts";
import { beginPass, runPass } from "#lib/planning-engine/passes/logic.ts";
import { newKeys } from "#lib/planning-engine/portfolio/logic.ts";
import { givenDays, heldDays, inPassOrder } from "#lib/planning-engine/re-planning/logic.ts";
import { newReverseRoom } from "#lib/planning-engine/reverse-sgs/logic.ts";
import { type Budget, type Island, newSearch, type Run, type Search } from "#lib/planning-engine/searches/logic.ts";
import { newWorkspace, type Workspace } from "#lib/planning-engine/sgs/logic.ts";
import { ROUNDS, TURNS } from "./limits.ts";

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
