import { NONE } from "../checker-facts/limits.ts";
import { anchorOf, daysOf, type Facts, type Findings, flowOf, readyNumber } from "../checker-facts/logic.ts";

/** A cutover window: open from the first start of an anchor of the cluster to the end of the one that makes it enough. */
export type Window = { from: number; to: number };

/** Gates and windows of the clusters, recomputed, and the first day on which the plan itself cuts one of their DUs over. */
export type ClusterDays = { gates: number[]; windows: Window[]; firstCutovers: number[] };

/** The n-th smallest of some days; `NONE` when there are fewer. */
function nth(days: number[], n: number): number {
  return n < 1 ? Number.NEGATIVE_INFINITY : ([...days].sort((one, other) => one - other)[n - 1] ?? NONE);
}

/** DUs of each cluster. */
export function membersOf({ problem }: Pick<Facts, "problem">): number[][] {
  const members: number[][] = Array.from(problem.clusters?.needed ?? [], () => []);
  problem.dus.cluster.forEach((cluster, du) => {
    members[cluster]?.push(du);
  });
  return members;
}

/** First day on which the anchor of a DU may start by its predecessors; of one with dates of its own, its start (a done one without dates is ready ever since). */
function readyDay(facts: Facts, du: number): number {
  const { problem, kept } = facts;
  const { anchor } = flowOf(problem, du);
  const { start } = anchorOf(facts, du);
  if (anchor < 0) return start;
  const job = problem.dus.firstJob[du]! + anchor;
  if (kept[job]! >= 0) return start === NONE ? Number.NEGATIVE_INFINITY : start;
  return daysOf(problem, du)[readyNumber(facts, job)] ?? NONE;
}

/** Recomputes gates and windows from the days of the plan. */
export function clusterDays(facts: Facts): ClusterDays {
  const { problem } = facts;
  if (!problem.clusters) return { gates: [], windows: [], firstCutovers: [] };
  const { needed } = problem.clusters;
  const members = membersOf(facts);
  const firsts = firstCutovers(facts, members);
  return {
    gates: members.map((dus, cluster) =>
      nth(
        dus.map((du) => readyDay(facts, du)),
        needed[cluster]!,
      ),
    ),
    // Where the plan cuts nothing over, only what is cut over already makes a window.
    windows: members.map((dus, cluster) =>
      firsts[cluster] === NONE ? heldWindow(facts, dus, needed[cluster]!) : windowOf(facts, dus, needed[cluster]!),
    ),
    firstCutovers: firsts,
  };
}

function windowOf(facts: Facts, dus: number[], needed: number): Window {
  const anchors = dus.map((du) => anchorOf(facts, du));
  const dated = anchors.filter(({ start }) => start !== NONE);
  return {
    from: Math.min(NONE, ...dated.map(({ start }) => start)),
    to: nth(
      anchors.map(({ end }) => (end === NONE ? Number.NEGATIVE_INFINITY : end)),
      needed,
    ),
  };
}

/** What the anchors that keep their dates hold open by themselves. */
function heldWindow(facts: Facts, dus: number[], needed: number): Window {
  const { problem, kept } = facts;
  const facing = dus.filter((du) => {
    const { anchor } = flowOf(problem, du);
    return anchor >= 0 && kept[problem.dus.firstJob[du]! + anchor]! >= 0;
  });
  return windowOf(facts, facing, Math.min(needed, facing.length));
}

/** C12 and C13: no anchor before the gate of its cluster, and no day with too many windows open. */
export function checkClusters(facts: Facts, { gates, windows }: ClusterDays, findings: Findings): void {
  const { problem, plan, kept } = facts;
  if (!problem.clusters) {
    if (plan.gates.length > 0) findings.add("C12", "gates", -1, -1, plan.gates.length, 0);
    return;
  }
  const members = membersOf(facts);
  if (plan.gates.length !== gates.length) findings.add("C12", "gates", -1, -1, plan.gates.length, gates.length);
  gates.forEach((gate, cluster) => {
    const expected = Number.isFinite(gate) ? gate : NONE;
    if (plan.gates[cluster] !== expected) findings.add("C12", "gate", -1, cluster, plan.gates[cluster] ?? NONE, expected);
    for (const du of members[cluster]!) {
      const { anchor } = flowOf(problem, du);
      const job = problem.dus.firstJob[du]! + anchor;
      if (anchor >= 0 && kept[job]! < 0 && plan.start[job]! < gate) findings.add("C12", "before-gate", du, anchor, plan.start[job]!, gate);
    }
  });
  const { limit, needed } = problem.clusters;
  if (limit < 0) return;
  // What is given is not judged: windows open since before the plan start, for as long as they stand open, and others while kept anchors alone hold them open.
  const given = members.map((dus, cluster) => (windows[cluster]!.from < 0 ? windows[cluster]! : heldWindow(facts, dus, needed[cluster]!)));
  const open = openCounts(windows);
  const givenOpen = openCounts(given);
  for (const [day, count] of open) {
    const allowed = Math.max(limit, givenOpen.get(day) ?? 0);
    if (count > allowed) findings.add("C13", "windows", -1, day, count, allowed);
  }
}

/** First day of a free anchor of each cluster; `NONE` where all keep their dates. */
function firstCutovers({ problem, plan, kept }: Facts, members: number[][]): number[] {
  return members.map((dus) =>
    dus.reduce((first, du) => {
      const { anchor } = flowOf(problem, du);
      const job = problem.dus.firstJob[du]! + anchor;
      return anchor >= 0 && kept[job]! < 0 ? Math.min(first, plan.start[job]!) : first;
    }, NONE),
  );
}

/** How many windows are open on each day on which any is. */
export function openCounts(windows: readonly Window[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { from, to } of windows)
    if (from !== NONE && to !== NONE) for (let day = from; day < to; day++) counts.set(day, (counts.get(day) ?? 0) + 1);
  return counts;
}
