import { arrange, arrangeBackward, clearWindows } from "#lib/planning-engine/clusters/logic.ts";
import type { Component } from "#lib/planning-engine/components/logic.ts";
import { passWithDonors } from "#lib/planning-engine/donors/logic.ts";
import { passGrouped } from "#lib/planning-engine/grouped-sgs/logic.ts";
import type { Ready } from "#lib/planning-engine/normalise/logic.ts";
import { type Keys, type Rule, sortByKey, writeKeys } from "#lib/planning-engine/portfolio/logic.ts";
import { writeGivenKeys } from "#lib/planning-engine/re-planning/logic.ts";
import { putDonorsLast } from "#lib/planning-engine/reverse-reuse/logic.ts";
import {
  passBackward,
  sortBackward,
  writeGivenKeysBackward,
  writeKeysOfEnds,
  writeReverseKeys,
} from "#lib/planning-engine/reverse-sgs/logic.ts";
import { clearComponent, passForward, type Workspace } from "#lib/planning-engine/sgs/logic.ts";
import { clearStore } from "#lib/planning-engine/store/logic.ts";

/** Puts the free jobs of a component in the order of a rule, as its pass takes them. @returns how many they are */
export function orderJobs(ready: Ready, work: Workspace, component: Component, keys: Keys, rule: Rule, list: Int32Array): number {
  if (work.reverse) {
    if (rule.byGiven === 1 && work.givenDays) writeGivenKeysBackward(ready, work.reverse, component, keys, rule, work.givenDays);
    else writeReverseKeys(ready, work.reverse, component, keys, rule);
    return orderBackward(ready, work, component, keys, list);
  }
  if (rule.byGiven === 1 && work.givenDays) writeGivenKeys(ready, component, keys, rule, work.givenDays);
  else writeKeys(ready, component, keys, rule);
  const count = sortByKey(ready, component, keys, list);
  arrangeList(ready, work, component, list, count);
  return count;
}

/** Puts the free jobs of a component in the order of their keys, as a pass backward takes them. @returns how many they are */
function orderBackward(ready: Ready, work: Workspace, component: Component, keys: Keys, list: Int32Array): number {
  const count = sortBackward(ready, component, keys, list);
  const promises = work.reverse?.promises ?? null;
  if (component.stored && promises !== null) putDonorsLast(promises, list, count);
  if (component.grouped && work.clusters) arrangeBackward(ready, work.clusters, list, count);
  return count;
}

/** Makes a list that runs with the relations one that a pass forward may take: the anchors of a cluster come as a block. */
export function arrangeList(ready: Ready, work: Workspace, component: Component, list: Int32Array, count: number): void {
  if (component.grouped && work.clusters) arrange(ready, work.clusters, list, count);
}

/** Puts back what the free jobs of a component hold. */
export function beginPass(ready: Ready, work: Workspace, component: Component): void {
  clearComponent(work, component);
  work.groupedNow = component.grouped;
  work.store = component.stored ? work.whole : null;
  if (work.store) clearStore(ready, work, work.store, component);
  const { groups, clusters } = work;
  if (!component.grouped || !groups) return;
  const { firstJob } = ready.problem.dus;
  for (const pool of component.pools) {
    const from = groups.firstTeam[pool]! * groups.words;
    groups.busy.set(groups.keptBusy.subarray(from, groups.firstTeam[pool + 1]! * groups.words), from);
  }
  for (const du of component.dus)
    for (let job = firstJob[du]!; job < firstJob[du + 1]!; job++) {
      groups.teamOf[job] = groups.keptTeamOf[job]!;
      groups.nameOf[job] = groups.keptNameOf[job]!;
      work.placed[job] = 0;
    }
  if (clusters) clearWindows(clusters);
}

/** A pass over places `from` to `to` of a list; components with groups or clusters only know whole ones. @returns the first place without room, else `to` */
export function runPass(ready: Ready, work: Workspace, component: Component, list: Int32Array, from: number, to: number): number {
  if (work.reverse) return passBackward(ready, work, work.reverse, component, list, to, () => beginPass(ready, work, component));
  return passAhead(ready, work, component, list, from, to);
}

function passAhead(ready: Ready, work: Workspace, component: Component, list: Int32Array, from: number, to: number): number {
  if (component.grouped) return passGrouped(ready, work, component, list, to);
  return work.store ? passWithDonors(ready, work, work.store, list, from, to) : passForward(ready, work, list, from, to);
}

/**
 * Plans a component forward and puts its jobs in the order of their ends, the last first: where the forward plan keeps the due dates, the pass backward in
 * this order does too. @returns how many jobs they are, 0 where there is no room forward
 */
export function orderByForwardPlan(ready: Ready, work: Workspace, component: Component, keys: Keys, rule: Rule, list: Int32Array): number {
  const { reverse } = work;
  writeKeys(ready, component, keys, rule);
  const count = sortByKey(ready, component, keys, list);
  if (component.grouped && work.clusters) arrange(ready, work.clusters, list, count);
  beginPass(ready, work, component);
  if (passAhead(ready, work, component, list, 0, count) < count || reverse === null) return 0;
  writeKeysOfEnds(ready, work, reverse, component, keys.key);
  return orderBackward(ready, work, component, keys, list);
}
