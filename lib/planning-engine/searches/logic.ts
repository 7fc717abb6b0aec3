import type { Checkpoint } from "#lib/planning-engine/checkpoints/logic.ts";
import type { Component } from "#lib/planning-engine/components/logic.ts";
import { type Genes, isBred } from "#lib/planning-engine/genetic-plans/logic.ts";
import { type Incumbents, levelsAt } from "#lib/planning-engine/incumbents/logic.ts";
import type { Level } from "#lib/planning-engine/model/logic.ts";
import type { Ready } from "#lib/planning-engine/normalise/logic.ts";
import { MOST_MOVED } from "#lib/planning-engine/order-search/logic.ts";
import { firstRules, givenRules, type Keys, type Rule } from "#lib/planning-engine/portfolio/logic.ts";
import { newRandom, type Random } from "#lib/planning-engine/random/logic.ts";
import { copyRule } from "#lib/planning-engine/rule-search/logic.ts";
import type { Workspace } from "#lib/planning-engine/sgs/logic.ts";
import { LEAST_EVALUATIONS, MOST_BY_RULES, RULES_PERCENT } from "./limits.ts";

/** How long a run looks and from where: the same seed, limit and islands give the same plan. */
export type Budget = { seed: number; evaluationLimit: number; islands: number };

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

/** Prepares the search of one island in one component, with its share of the evaluations. */
export function newSearch(ready: Ready, component: Component, island: number, budget: Budget, keys: Keys, incumbents: Incumbents): Search {
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
