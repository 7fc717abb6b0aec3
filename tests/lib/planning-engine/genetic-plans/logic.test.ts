import { describe, expect, test } from "vitest";
import { findComponents } from "#lib/planning-engine/components/logic.ts";
import { LARGE_JOBS, LEAST_LARGE_LISTS, LEAST_LISTS, MOST_ENTRIES, MOST_LISTS } from "#lib/planning-engine/genetic-plans/limits.ts";
import { enter, isBred, newGenes, nextChild, turnRight } from "#lib/planning-engine/genetic-plans/logic.ts";
import { compareLevels, levelList, measure } from "#lib/planning-engine/levels/logic.ts";
import type { Problem } from "#lib/planning-engine/model/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { beginPass, orderJobs, runPass } from "#lib/planning-engine/passes/logic.ts";
import { firstRules, newKeys } from "#lib/planning-engine/portfolio/logic.ts";
import { newRandom } from "#lib/planning-engine/random/logic.ts";
import { newWorkspace } from "#lib/planning-engine/sgs/logic.ts";
import { newRun, planOf, runAll } from "#lib/planning-engine/solver/logic.ts";
import { planFaults } from "#tests/support/plan-faults.ts";
import { chance, makeProblem } from "#tests/support/planning-problem.ts";
import { rollOut } from "#tests/support/roll-out.ts";

/** A component with all its jobs in a list, and what a pass over one needs. */
function shopOf(problem: Problem) {
  const ready = normalise(problem).ready!;
  const components = findComponents(ready);
  const component = components[0]!;
  const work = newWorkspace(ready, components);
  const keys = newKeys(ready, component, new Int32Array(ready.jobs), new Int32Array(problem.dus.id.length));
  const levels = levelList(ready);
  const list = new Int32Array(component.jobs);
  const count = orderJobs(ready, work, component, keys, firstRules(ready, keys)[0]!, list);
  const pass = (order: Int32Array): Float64Array | null => {
    beginPass(ready, work, component);
    if (runPass(ready, work, component, order, 0, count) < count) return null;
    const found = new Float64Array(levels.length);
    measure(ready, work, component, levels, found);
    return found;
  };
  return { ready, component, work, keys, list, count, pass };
}

/** Three DUs whose jobs want the same few teams in different orders. */
function tinyShop(seed: number): Problem {
  const draw = chance(seed);
  const names = ["A", "B", "C"];
  return makeProblem({
    horizon: 60,
    freeDays: [[draw(7)]],
    flows: [0, 1, 2].map((flow) => ({
      name: `F${flow}`,
      // The middle one wants the same team in all, so that they are one component.
      activities: names.map((name) => ({ name, days: 1 + draw(4), team: name === "B" ? "S0" : `S${draw(3)}` })),
      relations: [
        ["A", "B", (["FS", "FS", "SS", "FF", "SF"] as const)[draw(5)]!, draw(2)],
        ["B", "C", "FS", 0],
      ],
    })),
    pools: [0, 1, 2].map((skill) => ({ skill: `S${skill}`, teams: 1 })),
    dus: [0, 1, 2].map((flow) => ({ flow: `F${flow}`, release: draw(3), due: 4 + draw(8) })),
    objective: ["lateDus", "lateDays", "makespan", "completion"],
  });
}

/** The best levels of all lists that run with the relations. */
function bestOfAll(problem: Problem): Float64Array {
  const { pass, count } = shopOf(problem);
  let best: Float64Array | null = null;
  const order = new Int32Array(count);
  const place = (at: number, next: number[]) => {
    if (at === count) {
      const levels = pass(order);
      if (levels && (best === null || compareLevels(levels, best) < 0)) best = levels;
    }
    // Three jobs of a DU stand behind one another, each leads to the next.
    for (let du = 0; du < next.length; du++) {
      if (next[du] === 3) continue;
      order[at] = 3 * du + next[du]!;
      place(at + 1, next.with(du, next[du]! + 1));
    }
  };
  place(0, [0, 0, 0]);
  return best!;
}

describe("genetic search of plans", () => {
  test("finds the best of all orders of tiny problems, and nothing better than it", () => {
    let equal = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const problem = tinyShop(seed);
      const best = bestOfAll(problem);
      const run = newRun(normalise(problem).ready!, { seed: 1, evaluationLimit: 2000, islands: 1 });
      runAll(run, () => false);
      const plan = planOf(run)!;
      expect(planFaults(problem, plan), `seed ${seed}`).toEqual([]);
      const order = compareLevels(Float64Array.from(plan.levels), best);
      expect(order, `seed ${seed}`).toBeGreaterThanOrEqual(0);
      if (order === 0) equal++;
    }
    expect(equal).toBeGreaterThanOrEqual(19);
  });

  test("children run with the relations, and a plan moved to the right is not made worse by its way back", () => {
    for (let seed = 1; seed <= 3; seed++) {
      const { problem } = rollOut(80, 12, 60, seed);
      // Material is what the way to the right does not look at; and a relation may let a job begin before what leads to it: then its list does not.
      problem.demand.at.fill(0);
      for (const flow of problem.flows) flow.inKind = flow.inKind.map((kind) => (kind > 1 ? 0 : kind));
      problem.objective = ["lateDus", "lateDays", "makespan"];
      const { ready, component, work, keys, list, count, pass } = shopOf(problem);
      const random = newRandom(seed);
      const genes = newGenes(ready, component, 3, 500, compareLevels);
      enter(genes, list, pass(list)!);
      for (let child = 0; child < 20; child++) {
        nextChild(ready, work, keys, genes, random, list, count);
        expect(list.toSorted()).toEqual(genes.lists[0]!.toSorted());
        const place = new Map(Array.from(list, (job, at) => [job, at]));
        for (const job of list) {
          const du = ready.duOfJob[job]!;
          const entry = job + work.entryShift[du]!;
          for (let arc = ready.flows.inAt[entry]!; arc < ready.flows.inAt[entry + 1]!; arc++)
            expect(place.get(problem.dus.firstJob[du]! + ready.flows.inFrom[arc]!)).toBeLessThan(place.get(job)!);
        }
        const levels = pass(list)!;
        genes.lists[genes.filled]!.set(list);
        genes.turns = genes.filled;
        turnRight(ready, work, component, keys, genes, random, count);
        expect(compareLevels(pass(genes.lists[genes.filled]!)!, levels)).toBeLessThanOrEqual(0);
        genes.levels[genes.filled]!.set(levels);
        if (genes.filled < genes.size - 1) genes.filled++;
      }
    }
  });

  test("what is planned forward is bred, of whatever size; what is planned backward or again from a base is not", () => {
    const { problem } = rollOut(10, 12, 40, 1);
    const ready = (changed: Partial<Problem>) => normalise({ ...problem, ...changed }).ready!;
    expect(isBred(ready({}))).toBe(true);
    expect(isBred(ready({ direction: "reverse" }))).toBe(false);
    const base = { start: new Int32Array(120), pool: new Int32Array(120), stabilityWeight: 1 };
    expect(isBred(ready({ base }))).toBe(false);
  });

  test("a large component has fewer lists than a small one", () => {
    const { problem } = rollOut(10, 12, 40, 1);
    const ready = normalise(problem).ready!;
    const component = findComponents(ready)[0]!;
    const sizeOf = (jobs: number) => newGenes(ready, { ...component, jobs }, 1, 200, compareLevels).size;
    expect(sizeOf(LARGE_JOBS)).toBe(LEAST_LISTS + 2);
    expect(sizeOf(LARGE_JOBS + 1)).toBe(LEAST_LARGE_LISTS + 2);
    expect(newGenes(ready, component, 1, 1_000_000, compareLevels).size).toBe(MOST_LISTS);
    const among = (jobs: number) => newGenes({ ...ready, jobs }, component, 1, 1_000_000, compareLevels).size;
    expect(among(MOST_ENTRIES / MOST_LISTS)).toBe(MOST_LISTS);
    expect(among(MOST_ENTRIES / MOST_LISTS + 1)).toBe(MOST_LISTS - 1);
    expect(among(600_000)).toBe(20);
  });
});
