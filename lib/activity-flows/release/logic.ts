type VersionNode = { id: number; activityId: number | null };
type CopyNode = VersionNode & { originNodeId: number | null };
type Relation = { pre: number; node: number; type: string; offset: number };

/** How a working copy maps onto the released flow it replaces. */
export type VersionPlan = {
  /** Node of the copy → released node that takes its values. */
  kept: Map<number, number>;
  /** Nodes of the copy that are new. */
  added: number[];
  /** Released nodes that go. */
  removed: number[];
  /** Library activities that leave the flow: none of its DUs may hold facts on them. */
  leaving: number[];
  /** Library activities that come in. */
  entering: number[];
  relationsChanged: boolean;
};

/**
 * Compares a working copy with its flow. A node of the copy stands for the released node it was made from, else for the one of the same library
 * activity, so that taking an activity out and back in keeps its node.
 */
export function planVersion(
  released: { nodes: readonly VersionNode[]; relations: readonly Relation[] },
  copy: { nodes: readonly CopyNode[]; relations: readonly Relation[] },
): VersionPlan {
  const free = new Map(released.nodes.map((node) => [node.id, node]));
  const kept = new Map<number, number>();
  for (const node of copy.nodes) {
    if (node.originNodeId === null || !free.has(node.originNodeId)) continue;
    kept.set(node.id, node.originNodeId);
    free.delete(node.originNodeId);
  }
  for (const node of copy.nodes) {
    if (kept.has(node.id) || node.activityId === null) continue;
    const same = [...free.values()].find((other) => other.activityId === node.activityId);
    if (!same) continue;
    kept.set(node.id, same.id);
    free.delete(same.id);
  }
  const before = new Set(released.nodes.map((node) => node.activityId));
  const after = new Set(copy.nodes.map((node) => node.activityId));
  return {
    kept,
    added: copy.nodes.filter((node) => !kept.has(node.id)).map((node) => node.id),
    removed: [...free.keys()],
    leaving: [...before].filter((id) => id !== null && !after.has(id)) as number[],
    entering: [...after].filter((id) => id !== null && !before.has(id)) as number[],
    relationsChanged: relationTexts(released) !== relationTexts(copy),
  };
}

/** Relations by library activity, so that two versions can be compared. */
function relationTexts({ nodes, relations }: { nodes: readonly VersionNode[]; relations: readonly Relation[] }): string {
  const activities = new Map(nodes.map((node) => [node.id, node.activityId]));
  return relations
    .map((relation) => `${activities.get(relation.pre)} ${activities.get(relation.node)} ${relation.type} ${relation.offset}`)
    .sort()
    .join("\n");
}
