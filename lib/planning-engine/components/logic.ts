import { findGroups } from "#lib/planning-engine/co-groups/logic.ts";
import { REUSE } from "#lib/planning-engine/lots/limits.ts";
import { lotsByItem, servesDirectly, servesRegion } from "#lib/planning-engine/lots/logic.ts";
import type { Ready } from "#lib/planning-engine/normalise/logic.ts";

/**
 * DUs that compete for nothing with the DUs of any other component. All in ascending order; `number` is the component's place by its smallest DU. `grouped`
 * ones have jobs that share a team or a resource name, clusters or a base plan: what their pass looks at beside teams, relations and material. DUs of
 * `stored` ones may use reuse lots or substitutes, which asks for a store.
 */
export type Component = {
  number: number;
  dus: Int32Array;
  pools: Int32Array;
  lots: Int32Array;
  jobs: number;
  grouped: boolean;
  stored: boolean;
};

/** Connected components over shared pools, lots and, when clusters are on, clusters and the limit of cutover windows. */
export function findComponents(ready: Ready): Component[] {
  const { problem, flows, supplyAt, supply } = ready;
  const { dus, teams, lots, demand, clusters, substitutes } = problem;
  const count = dus.id.length;
  const poolAt = count;
  const lotAt = poolAt + teams.count.length;
  const clusterAt = lotAt + lots.item.length;
  const parent = new Int32Array(clusterAt + (clusters ? clusters.needed.length : 0));
  for (let node = 0; node < parent.length; node++) parent[node] = node;
  const rootOf = (node: number) => {
    let root = node;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]!]!;
      root = parent[root]!;
    }
    return root;
  };
  const join = (left: number, right: number) => {
    const a = rootOf(left);
    const b = rootOf(right);
    if (a !== b) parent[Math.max(a, b)] = Math.min(a, b);
  };
  const reuse = lots.source.some((source) => source === REUSE) ? lotsByItem(problem) : null;
  // DUs of a workflow in a region share their pools, and those that need an item there its lots: the first of them stands for all.
  const firstOfFlow = new Int32Array(problem.flows.length * teams.regions).fill(-1);
  const firstOfItem = new Int32Array(problem.items * teams.regions).fill(-1);
  const joinPools = (du: number) => {
    const flow = dus.flow[du]!;
    const own = flow * teams.regions + dus.region[du]!;
    if (firstOfFlow[own]! >= 0) {
      join(du, firstOfFlow[own]!);
      return;
    }
    for (let entry = flows.at[flow]!; entry < flows.at[flow + 1]!; entry++) {
      if (flows.teamClass[entry]! < 0) continue;
      const list = flows.teamClass[entry]! * teams.regions + dus.region[du]!;
      for (let at = teams.eligibleAt[list]!; at < teams.eligibleAt[list + 1]!; at++) {
        join(du, poolAt + teams.eligible[at]!);
        firstOfFlow[own] = du;
      }
    }
  };
  const takeItem = (du: number, item: number) => {
    const list = item * teams.regions + dus.region[du]!;
    if (supplyAt[list] !== supplyAt[list + 1]) {
      if (firstOfItem[list]! >= 0) join(du, firstOfItem[list]!);
      else for (let at = supplyAt[list]!; at < supplyAt[list + 1]!; at++) join(du, lotAt + supply[at]!);
      firstOfItem[list] = du;
    }
    if (reuse === null) return;
    for (let at = reuse.at[item]!; at < reuse.at[item + 1]!; at++) {
      const lot = reuse.list[at]!;
      if (lots.source[lot] === REUSE && (servesRegion(problem, du, lot) || servesDirectly(problem, du, lot))) join(du, lotAt + lot);
    }
  };
  for (let lot = 0; lot < lots.item.length; lot++) if (lots.source[lot] === REUSE) join(lots.donor[lot]!, lotAt + lot);
  for (let du = 0; du < count; du++) {
    joinPools(du);
    for (let at = demand.at[du]!; at < demand.at[du + 1]!; at++) {
      const item = demand.item[at]!;
      takeItem(du, item);
      for (let group = substitutes.at[item]!; group < substitutes.at[item + 1]!; group++)
        for (let part = substitutes.partAt[group]!; part < substitutes.partAt[group + 1]!; part++)
          takeItem(du, substitutes.partItem[part]!);
    }
    if (clusters && dus.cluster[du]! >= 0) join(du, clusterAt + (clusters.limit < 0 ? dus.cluster[du]! : 0));
  }
  for (let at = 0; at < problem.kept.job.length; at++) {
    // A kept job may hold a team of a pool its class could not use.
    const pool = problem.kept.pool[at]!;
    if (pool >= 0) join(duOf(dus.firstJob, problem.kept.job[at]!), poolAt + pool);
  }
  const members = new Map<number, { dus: number[]; pools: number[]; lots: number[]; jobs: number }>();
  for (let du = 0; du < count; du++) {
    const root = rootOf(du);
    const own = members.get(root) ?? { dus: [], pools: [], lots: [], jobs: 0 };
    own.dus.push(du);
    own.jobs += dus.firstJob[du + 1]! - dus.firstJob[du]!;
    members.set(root, own);
  }
  for (let pool = 0; pool < teams.count.length; pool++) members.get(rootOf(poolAt + pool))?.pools.push(pool);
  for (let lot = 0; lot < lots.item.length; lot++) members.get(rootOf(lotAt + lot))?.lots.push(lot);
  const mayReplace = (du: number) =>
    substitutes.covers.length > 0 &&
    demand.item.subarray(demand.at[du]!, demand.at[du + 1]!).some((item) => substitutes.at[item]! < substitutes.at[item + 1]!);
  const { teamGroup, nameGroup } = findGroups(ready);
  const shares = problem.flows.map((_, flow) => {
    const groups = [teamGroup, nameGroup].map((group) => group.subarray(flows.at[flow]!, flows.at[flow + 1]!));
    return groups.some((group) => group.some((own) => own >= 0));
  });
  const isGrouped = (du: number) => problem.base !== null || shares[dus.flow[du]!]! || (clusters !== null && dus.cluster[du]! >= 0);
  return [...members.values()].map((own, number) => ({
    number,
    dus: Int32Array.from(own.dus),
    pools: Int32Array.from(own.pools),
    lots: Int32Array.from(own.lots),
    jobs: own.jobs,
    stored: own.lots.some((lot) => lots.source[lot] === REUSE) || own.dus.some(mayReplace),
    grouped: own.dus.some(isGrouped),
  }));
}

function duOf(firstJob: Int32Array, job: number): number {
  let low = 0;
  let high = firstJob.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (firstJob[middle]! <= job) low = middle;
    else high = middle;
  }
  return low;
}
