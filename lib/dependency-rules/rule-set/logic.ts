/** Events of an activity a rule can name. */
export type DependencyEvent = "START" | "COMPLETE" | "CLOSE";
export type DependencyNode = { slot: number; event: DependencyEvent };

/** An effective rule: the event of the target needs the events of all prerequisites; flow null = every flow that contains the activities. */
export type DependencyRule = { flowId: number | null; target: DependencyNode; prerequisites: readonly DependencyNode[] };

/** The plan of one DU as far as dependency rules look at it. */
export type DependencyRow = {
  inFlow: (slot: number) => boolean;
  applicable: (slot: number) => boolean;
  actualStart: (slot: number) => number;
  actualEnd: (slot: number) => number;
  closed: (slot: number) => boolean;
};

export type Unmet = { target: DependencyNode; prerequisite: DependencyNode };

function happened(row: DependencyRow, node: DependencyNode): boolean {
  if (node.event === "CLOSE") return row.closed(node.slot);
  const ended = row.actualEnd(node.slot) > 0;
  return node.event === "COMPLETE" ? ended : ended || row.actualStart(node.slot) > 0;
}

/**
 * Prerequisites that are missing for events newly caused by a write. An old violation is not reported; a prerequisite outside the flow is ignored, an NA one counts as met.
 * @param before the row as read
 * @param after the row as it would be after the whole save
 */
export function findUnmet(rules: readonly DependencyRule[], flowId: number, before: DependencyRow, after: DependencyRow): Unmet[] {
  const unmet: Unmet[] = [];
  for (const rule of rules) {
    if (rule.flowId !== null && rule.flowId !== flowId) continue;
    const { target } = rule;
    if (!after.inFlow(target.slot) || happened(before, target) || !happened(after, target)) continue;
    for (const prerequisite of rule.prerequisites) {
      if (after.inFlow(prerequisite.slot) && after.applicable(prerequisite.slot) && !happened(after, prerequisite))
        unmet.push({ target, prerequisite });
    }
  }
  return unmet;
}
