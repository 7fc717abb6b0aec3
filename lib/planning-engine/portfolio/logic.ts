import type { Component } from "#lib/planning-engine/components/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Ready } from "#lib/planning-engine/normalise/logic.ts";

/** Keys are kept in quarters of a day. */
export const KEY_UNIT = 4;

/** Shares and factors of a rule are kept in sixteenths. */
export const RULE_UNIT = 16;

/** Classes a rule tells apart at most. */
export const MOST_CLASSES = 16;

/** Span of keys a sort by key has buckets for; keys beyond are taken for its ends. */
const KEY_SPAN = 1 << 15;

/**
 * A rule: job key = due date x (1 - release share) + release x release share - tail factor x tail + work factor x work of the DU + offset of its class
 * + offset of the activity's position, raised to the keys of its predecessors. The jobs with the smallest key are placed first.
 */
export type Rule = {
  releaseShare: number;
  tailFactor: number;
  workFactor: number;
  /** 1 = jobs in the order of the given plan instead. */
  byGiven: 0 | 1;
  /** In key units, by class and by position. */
  ofClass: Int32Array;
  ofPosition: Int32Array;
};

/** What rules are made of and sorts need, for one component. */
export type Keys = {
  /** Key of every job of the problem; those of the component's jobs are in use. */
  key: Int32Array;
  /** Additive key of every DU, in key units, which the order search changes. */
  ofDu: Int32Array;
  /** Class of every DU: heavier weights or earlier ranks first, joined to at most 16 by quantiles. */
  classOf: Int32Array;
  classes: number;
  positions: number;
  /** Due date of every DU (the latest one for those without) and working days of all its jobs. */
  due: Int32Array;
  work: Int32Array;
  /** Days between the earliest and the latest due date. */
  spread: number;
  count: Int32Array;
};

/** Makes the keys of a component. `key` and `ofDu` are shared by all components of a workspace. */
export function newKeys(ready: Ready, component: Component, key: Int32Array, ofDu: Int32Array): Keys {
  const { problem, flows } = ready;
  const { dus } = problem;
  const size = dus.id.length;
  const due = new Int32Array(size);
  const work = new Int32Array(size);
  let first = NO_DAY;
  let last = -NO_DAY;
  for (const du of component.dus) {
    if (dus.due[du] === NO_DAY) continue;
    first = Math.min(first, dus.due[du]!);
    last = Math.max(last, dus.due[du]!);
  }
  if (first > last) first = last = problem.horizonDays;
  let positions = 0;
  for (const du of component.dus) {
    due[du] = dus.due[du] === NO_DAY ? last : dus.due[du]!;
    const flow = dus.flow[du]!;
    positions = Math.max(positions, flows.at[flow + 1]! - flows.at[flow]!);
    for (let entry = flows.at[flow]!; entry < flows.at[flow + 1]!; entry++) work[du]! += flows.durations[entry]!;
  }
  const classOf = new Int32Array(size);
  const byWeight = component.dus.some((du) => dus.weight[du] !== dus.weight[component.dus[0]!]);
  const value = (du: number) => (byWeight ? -dus.weight[du]! : dus.rankClass[du]!);
  const values = Array.from(component.dus, value).sort((left, right) => left - right);
  const distinct = [...new Set(values)];
  const classes = Math.min(MOST_CLASSES, distinct.length);
  const place = new Map(
    distinct.map((own, at) => [own, distinct.length <= MOST_CLASSES ? at : Math.floor((values.indexOf(own) * classes) / values.length)]),
  );
  for (const du of component.dus) classOf[du] = place.get(value(du))!;
  return {
    key,
    ofDu,
    classOf,
    classes,
    positions,
    due,
    work,
    spread: last - first,
    count: new Int32Array(Math.max(KEY_SPAN, 2 * component.jobs) + 1),
  };
}

/** The order of the given plan, first with all DUs held to it where it is the base of a re-planning; nothing without such a plan. */
export function givenRules({ problem }: Ready, keys: Keys): Rule[] {
  const count = problem.base ? 2 : problem.present ? 1 : 0;
  return Array.from({ length: count }, () => ({
    releaseShare: 0,
    tailFactor: RULE_UNIT,
    workFactor: 0,
    byGiven: 1,
    ofClass: new Int32Array(keys.classes),
    ofPosition: new Int32Array(keys.positions),
  }));
}

/** The 24 rules every component begins with; the first is the latest finish (rank class first where there are classes of rank). */
export function firstRules(ready: Ready, keys: Keys): Rule[] {
  const ranked = ready.problem.objective.includes("classCompletion");
  const rules: Rule[] = [];
  for (const slope of ranked ? [8, 0, 1, 2] : [0, 1, 2, 4])
    for (const releaseShare of [0, RULE_UNIT / 2])
      for (const tailFactor of [RULE_UNIT, RULE_UNIT / 2, 0]) {
        const ofClass = new Int32Array(keys.classes);
        // A slope of 4 sets the last class back by the whole spread of due dates, one of 8 by twice as much, so that classes no longer mix.
        for (let own = 0; own < keys.classes; own++)
          ofClass[own] = Math.floor((slope * KEY_UNIT * (keys.spread + 1) * own) / (4 * Math.max(1, keys.classes - 1)));
        rules.push({
          releaseShare,
          tailFactor,
          workFactor: 0,
          byGiven: 0,
          ofClass,
          ofPosition: new Int32Array(keys.positions),
        });
      }
  return rules;
}

/** Writes the keys of all jobs of a component by a rule. */
export function writeKeys(ready: Ready, component: Component, keys: Keys, rule: Rule): void {
  const { problem, flows } = ready;
  const { dus } = problem;
  const { key, ofDu, due, work, classOf } = keys;
  const { inAt, inFrom, tail, position } = flows;
  const { ofPosition } = rule;
  const dueShare = KEY_UNIT * (RULE_UNIT - rule.releaseShare);
  const releaseShare = KEY_UNIT * rule.releaseShare;
  const tailFactor = KEY_UNIT * rule.tailFactor;
  for (const du of component.dus) {
    const own =
      ((due[du]! * dueShare + dus.release[du]! * releaseShare + work[du]! * KEY_UNIT * rule.workFactor) >> 4) +
      rule.ofClass[classOf[du]!]! +
      ofDu[du]!;
    const base = dus.firstJob[du]!;
    const from = flows.at[dus.flow[du]!]!;
    const to = flows.at[dus.flow[du]! + 1]!;
    for (let entry = from; entry < to; entry++) {
      let most = own - ((tailFactor * tail[entry]!) >> 4) + ofPosition[position[entry]!]!;
      for (let arc = inAt[entry]!; arc < inAt[entry + 1]!; arc++) {
        const before = key[base + inFrom[arc]!]!;
        if (before > most) most = before;
      }
      key[base + entry - from] = most;
    }
  }
}

/** Puts the component's free jobs in ascending order of key, equal ones by DU and place in the flow. @returns how many they are */
export function sortByKey(ready: Ready, component: Component, keys: Keys, list: Int32Array): number {
  const { firstJob } = ready.problem.dus;
  const { keptOf } = ready;
  const { key, count } = keys;
  let low = NO_DAY;
  let high = -NO_DAY;
  for (const du of component.dus)
    for (let job = firstJob[du]!; job < firstJob[du + 1]!; job++) {
      if (key[job]! < low) low = key[job]!;
      if (key[job]! > high) high = key[job]!;
    }
  // Small components use a small part of the buckets.
  const span = Math.min(KEY_SPAN, Math.max(0, high - low) + 1);
  count.fill(0, 0, span + 1);
  for (const du of component.dus)
    for (let job = firstJob[du]!; job < firstJob[du + 1]!; job++) {
      if (keptOf !== null && keptOf[job]! >= 0) continue;
      const bucket = key[job]! - low;
      count[(bucket < span ? bucket : span - 1) + 1]!++;
    }
  for (let bucket = 1; bucket <= span; bucket++) count[bucket]! += count[bucket - 1]!;
  const jobs = count[span]!;
  for (const du of component.dus)
    for (let job = firstJob[du]!; job < firstJob[du + 1]!; job++) {
      if (keptOf !== null && keptOf[job]! >= 0) continue;
      const bucket = key[job]! - low;
      list[count[bucket < span ? bucket : span - 1]!++] = job;
    }
  return jobs;
}
