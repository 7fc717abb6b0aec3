import type { Component } from "#lib/planning-engine/components/logic.ts";
import { EXACT_JOBS, LEAST_EXACT_SECONDS } from "#lib/planning-engine/exact/limits.ts";
import { answerList, componentModel, type ExactRefusal, exactRefusal } from "#lib/planning-engine/exact/logic.ts";
import { conflictModel, freeJobs, jobOfProblem } from "#lib/planning-engine/exact-conflicts/logic.ts";
import { addRule, MOST } from "#lib/planning-engine/exact-model/logic.ts";
import { bestIsland, levelsAt } from "#lib/planning-engine/incumbents/logic.ts";
import { compareLevels, measure } from "#lib/planning-engine/levels/logic.ts";
import { beginPass, runPass } from "#lib/planning-engine/passes/logic.ts";
import type { Run } from "#lib/planning-engine/searches/logic.ts";
import { newWorkspace, type Workspace } from "#lib/planning-engine/sgs/logic.ts";
import type { ExactStep } from "./planning-engine-exact.ts";

/**
 * What the exact step says of a component: how many of its levels, from the first on, are proved to be as small as can be, and the levels of the best plan it
 * knows. Only a plan all of whose levels are proved becomes part of the run's.
 */
export type ExactOutcome = {
  component: number;
  dus: number;
  jobs: number;
  refusal: ExactRefusal | "no-plan" | null;
  proved: number;
  levels: number[];
  isAdopted: boolean;
  /**
   * Where the search found no plan: the fewest jobs found (numbered as in the problem) that have no room together; null when the exact step knows of none.
   * A hint, until the checker has tried them out by itself.
   */
  conflict: number[] | null;
};

/** A component at work: the best list known of its jobs, and what each proved level may not pass any more. */
type Work = ExactOutcome & { of: Component; list: Int32Array; hint: Map<number, number>; most: number[]; isChanged: boolean };

/**
 * Asks the exact step about every component it knows, one level after the other over all of them, and makes what it proves optimal the incumbent. The makespan
 * is a maximum over components: a component may last as long as the longest one that is proved to be unable to be shorter.
 * @param seconds for all questions together
 */
export async function proveComponents(run: Run, step: ExactStep, seconds: number, signal?: AbortSignal): Promise<ExactOutcome[]> {
  const end = performance.now() + 1000 * seconds;
  const { ready, components, levels } = run;
  const work = newWorkspace(ready, components);
  const all = components.map((component) => begin(run, work, component));
  for (const one of all)
    if (one.refusal === "no-plan" && one.jobs <= EXACT_JOBS) one.conflict = await findConflict(run, work, step, one.of, end, signal);
  const alive = () => all.filter((one) => one.refusal === null && one.proved === level);
  let level = 0;
  for (; level < levels.length; level++) {
    const isMakespan = levels[level]!.level === "makespan";
    const asked = alive();
    if (isMakespan) asked.sort((one, other) => other.levels[level]! - one.levels[level]! || one.component - other.component);
    let floor = 0;
    let left = asked.length * (levels.length - level);
    for (const one of asked) {
      const rest = (end - performance.now()) / 1000;
      const share = Math.min(rest, Math.max(1, (3 * rest) / left--));
      if (rest < LEAST_EXACT_SECONDS || signal?.aborted) break;
      await proveLevel(run, work, step, one, level, isMakespan ? floor : 0, share, signal);
      if (isMakespan && one.proved > level) floor = Math.max(floor, one.levels[level]!);
    }
    if (!isMakespan) continue;
    const longest = all.reduce((most, one) => Math.max(most, one.levels[level] ?? MOST), 0);
    for (const one of asked)
      if (longest > floor) one.proved = Math.min(one.proved, level);
      else one.most[level] = longest;
  }
  for (const one of all) if (one.proved === levels.length && one.isChanged) adopt(run, work, one);
  return all.map(({ component, dus, jobs, refusal, proved, levels: values, isAdopted, conflict }) => ({
    component,
    dus,
    jobs,
    refusal,
    proved,
    levels: [...values],
    isAdopted,
    conflict,
  }));
}

function begin({ ready, incumbents }: Run, work: Workspace, of: Component): Work {
  const island = bestIsland(incumbents, of.number, compareLevels);
  const one: Work = {
    of,
    component: of.number,
    dus: of.dus.length,
    jobs: of.jobs,
    refusal: "no-plan",
    proved: 0,
    levels: [],
    isAdopted: false,
    conflict: null,
    list: new Int32Array(0),
    hint: new Map(),
    most: [],
    isChanged: false,
  };
  if (island < 0) return one;
  const search = island * incumbents.components + of.number;
  const at = incumbents.listAt[of.number]!;
  one.levels = [...levelsAt(incumbents, search)];
  if (of.jobs > EXACT_JOBS) return { ...one, refusal: "jobs" };
  one.list = incumbents.list[island]!.slice(at, at + incumbents.count[search]!);
  for (const job of one.list) one.hint.set(job, incumbents.start[island]![job]!);
  const gaps = of.dus.reduce((sum, du) => sum + (incumbents.gap[island]![du] === 1 ? 1 : 0), 0);
  one.refusal = exactRefusal(ready, work, of, gaps);
  return one;
}

/** Looks for plans with a smaller value of a level until there is none, or the time is over. */
async function proveLevel(
  { ready, levels }: Run,
  work: Workspace,
  step: ExactStep,
  one: Work,
  level: number,
  floor: number,
  seconds: number,
  signal?: AbortSignal,
): Promise<void> {
  const until = performance.now() + 1000 * seconds;
  for (;;) {
    const value = one.levels[level]!;
    one.most[level] = Math.max(value, floor);
    const made = componentModel(ready, work, one.of, levels, floor);
    const goal = made.levels[level]!;
    if (goal.vars.length === 0 || value <= floor || (value === 0 && levels[level]!.level !== "classCompletion")) break;
    for (let before = 0; before < level; before++)
      if (made.levels[before]!.vars.length > 0)
        addRule(made.model, { kind: "linear", sum: made.levels[before]!, domain: [-MOST, one.most[before]!] });
    addRule(made.model, { kind: "linear", sum: goal, domain: [-MOST, value - 1] });
    made.model.objective = goal;
    made.model.hint = made.jobs.map((job) => one.hint.get(job)!);
    const rest = (until - performance.now()) / 1000;
    if (rest < LEAST_EXACT_SECONDS / 2) return;
    const { status, values } = await step.solve(made.model, rest, signal);
    if (status === "infeasible") break;
    if (status !== "optimal" && status !== "feasible") return;
    if (!take(ready, levels, work, one, level, answerList(ready, work, made, values))) return;
    // An optimum that the pass reached needs no second question.
    const reached = goal.constant + goal.vars.reduce((sum, own, at) => sum + goal.coefficients[at]! * values[own]!, 0);
    if (status === "optimal" && one.levels[level]! <= reached) break;
  }
  one.most[level] = Math.max(one.levels[level]!, floor);
  one.proved = level + 1;
}

/** A set of jobs that have no room together, with none too many as far as the time lasts; null when none is found. */
async function findConflict(
  { ready }: Run,
  work: Workspace,
  step: ExactStep,
  component: Component,
  end: number,
  signal?: AbortSignal,
): Promise<number[] | null> {
  const ask = async (jobs: number[]): Promise<number[] | null> => {
    const rest = (end - performance.now()) / 1000;
    const made = rest < LEAST_EXACT_SECONDS ? null : conflictModel(ready, work, component, jobs);
    if (!made) return null;
    const { status, conflict } = await step.solve(made.model, rest, signal);
    if (status !== "infeasible") return null;
    const named = new Set(conflict);
    return jobs.filter((_, at) => named.has(at));
  };
  let found = await ask(freeJobs(ready, component));
  if (!found) return null;
  for (let at = 0; at < found.length; ) {
    const without: number[] = found.toSpliced(at, 1);
    const fewer: number[] | null = without.length > 0 ? await ask(without) : null;
    // Those before it were needed for what is left too: they stand first in it.
    if (fewer) found = fewer;
    else at++;
  }
  return found.map((job) => jobOfProblem(ready, job));
}

/** Runs a pass over a list; it becomes the best known when no proved level grows and this one falls. */
function take(ready: Run["ready"], levels: Run["levels"], work: Workspace, one: Work, level: number, list: Int32Array): boolean {
  beginPass(ready, work, one.of);
  if (runPass(ready, work, one.of, list, 0, list.length) < list.length) return false;
  const found = new Float64Array(levels.length);
  measure(ready, work, one.of, levels, found);
  for (let before = 0; before < level; before++) if (found[before]! > one.most[before]!) return false;
  if (found[level]! >= one.levels[level]!) return false;
  one.levels = [...found];
  one.list = list;
  one.hint = new Map(Array.from(list, (job) => [job, work.start[job]!]));
  one.isChanged = true;
  return true;
}

/** Makes the list of a component its incumbent, in the island that had the best one; the others of it count no more. */
function adopt({ ready, incumbents }: Run, work: Workspace, one: Work): void {
  const best = bestIsland(incumbents, one.component, compareLevels);
  beginPass(ready, work, one.of);
  runPass(ready, work, one.of, one.list, 0, one.list.length);
  for (let island = 0; island < incumbents.islands; island++)
    if (island !== best) incumbents.count[island * incumbents.components + one.component] = -1;
  incumbents.list[best]!.set(one.list, incumbents.listAt[one.component]!);
  for (const job of one.list) {
    incumbents.start[best]![job] = work.start[job]!;
    incumbents.pool[best]![job] = work.pool[job]!;
  }
  for (const du of one.of.dus) incumbents.gap[best]![du] = work.gap[du]!;
  levelsAt(incumbents, best * incumbents.components + one.component).set(one.levels);
  one.isAdopted = true;
}
