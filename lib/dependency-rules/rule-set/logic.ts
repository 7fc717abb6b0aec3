import type { activityEvents, dependencyEvents, ruleStatuses } from "./limits.ts";

/** Events of an activity a rule can name. */
export type ActivityEvent = (typeof activityEvents)[number];
export type DependencyEvent = (typeof dependencyEvents)[number];
export type RuleStatus = (typeof ruleStatuses)[number];

/** An event of an activity by its slot, or the maintenance of an attribute of the DU. */
export type DependencyNode = { slot: number; event: ActivityEvent } | { attributeId: number; event: "MAINTAIN" };

/** An effective rule: the event of the target needs the events of all prerequisites; flow null = every flow that contains the activities. */
export type DependencyRule = {
  id?: number;
  flowId: number | null;
  target: DependencyNode;
  prerequisites: readonly DependencyNode[];
};

/** The plan of one DU as far as dependency rules look at it. */
export type DependencyRow = {
  inFlow: (slot: number) => boolean;
  applicable: (slot: number) => boolean;
  actualStart: (slot: number) => number;
  actualEnd: (slot: number) => number;
  closed: (slot: number) => boolean;
  /** Whether an attribute of the DU holds a value; asked only where rules name attributes. */
  maintained?: (attributeId: number) => boolean;
};

/** A target with one prerequisite of it that has not happened. */
export type Unmet = { target: DependencyNode; prerequisite: DependencyNode };

function happened(row: DependencyRow, node: DependencyNode): boolean {
  if (node.event === "MAINTAIN") return row.maintained?.(node.attributeId) ?? false;
  if (node.event === "CLOSE") return row.closed(node.slot);
  const ended = row.actualEnd(node.slot) > 0;
  return node.event === "COMPLETE" ? ended : ended || row.actualStart(node.slot) > 0;
}

const isInFlow = (row: DependencyRow, node: DependencyNode): boolean => node.event === "MAINTAIN" || row.inFlow(node.slot);
/** A prerequisite that the flow does not contain, or that is NA or INV, is not waited for. */
const isAwaited = (row: DependencyRow, node: DependencyNode): boolean =>
  node.event === "MAINTAIN" || (row.inFlow(node.slot) && row.applicable(node.slot));

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
    if (!isInFlow(after, target) || happened(before, target) || !happened(after, target)) continue;
    for (const prerequisite of rule.prerequisites)
      if (isAwaited(after, prerequisite) && !happened(after, prerequisite)) unmet.push({ target, prerequisite });
  }
  return unmet;
}

/** Prerequisites that a write takes away from targets that had happened before it and still have. */
export function findCleared(rules: readonly DependencyRule[], flowId: number, before: DependencyRow, after: DependencyRow): Unmet[] {
  const cleared: Unmet[] = [];
  for (const rule of rules) {
    if (rule.flowId !== null && rule.flowId !== flowId) continue;
    const { target } = rule;
    if (!isInFlow(after, target) || !happened(before, target) || !happened(after, target)) continue;
    for (const prerequisite of rule.prerequisites)
      if (isAwaited(after, prerequisite) && happened(before, prerequisite) && !happened(after, prerequisite))
        cleared.push({ target, prerequisite });
  }
  return cleared;
}

/** A target with what it still waits for; `happened`: it did not wait. */
export type Violation = { rule: DependencyRule; target: DependencyNode; happened: boolean; unmet: DependencyNode[] };

/** Targets of a row whose prerequisites have not all happened, whether the target itself has or not. */
export function findViolations(rules: readonly DependencyRule[], flowId: number, row: DependencyRow): Violation[] {
  const found: Violation[] = [];
  for (const rule of rules) {
    if (rule.flowId !== null && rule.flowId !== flowId) continue;
    if (!isInFlow(row, rule.target)) continue;
    const unmet = rule.prerequisites.filter((prerequisite) => isAwaited(row, prerequisite) && !happened(row, prerequisite));
    if (unmet.length > 0) found.push({ rule, target: rule.target, happened: happened(row, rule.target), unmet });
  }
  return found;
}

/** Attributes that rules name: the values to be read beside the plan. */
export function namedAttributes(rules: readonly DependencyRule[]): number[] {
  return [...new Set(rules.flatMap(({ target, prerequisites }) => [target, ...prerequisites]).flatMap(attributeOf))];
}

const attributeOf = (node: DependencyNode): number[] => (node.event === "MAINTAIN" ? [node.attributeId] : []);

/** An object with one of its events, as rules are stored. */
export type ObjectEvent = { activityId: number; event: ActivityEvent } | { attributeId: number; event: "MAINTAIN" };
/** A rule by the objects it names. */
export type ObjectRule = { flowId: number | null; target: ObjectEvent; prerequisites: readonly ObjectEvent[] };

/** Name of an event that is equal for equal ones. */
export function eventKey(node: ObjectEvent): string {
  return node.event === "MAINTAIN" ? `a${node.attributeId}` : `${node.activityId}.${node.event}`;
}

/** Name of a rule that is equal for rules that say the same, whatever the order of their prerequisites [DEP-09]. */
export function ruleKey({ flowId, target, prerequisites }: ObjectRule): string {
  return `${flowId ?? ""}|${eventKey(target)}|${prerequisites.map(eventKey).sort().join(",")}`;
}

/**
 * A circle that one of the new rules closes together with those in force, as the events along it, the first again at the end; null when there is none.
 * Rules of different flows never meet; a rule of every flow meets all of them.
 */
export function findLoop(inForce: readonly ObjectRule[], added: readonly ObjectRule[]): ObjectEvent[] | null {
  const all = [...inForce, ...added];
  for (const rule of added) {
    // A rule of every flow may close a circle in any of them.
    const flows = rule.flowId === null ? [...new Set(all.map(({ flowId }) => flowId))] : [rule.flowId];
    for (const flowId of flows) {
      const loop = loopThrough(
        rule,
        all.filter((other) => other.flowId === null || other.flowId === flowId),
      );
      if (loop) return loop;
    }
  }
  return null;
}

/** The way from the target of a rule back to one of its own prerequisites. */
function loopThrough(rule: ObjectRule, rules: readonly ObjectRule[]): ObjectEvent[] | null {
  const next = new Map<string, ObjectEvent[]>();
  for (const { target, prerequisites } of rules)
    for (const prerequisite of prerequisites) {
      const key = eventKey(prerequisite);
      next.set(key, [...(next.get(key) ?? []), target]);
    }
  const ends = new Map(rule.prerequisites.map((node) => [eventKey(node), node]));
  const seen = new Set<string>();
  const path: ObjectEvent[] = [];
  const walk = (node: ObjectEvent): boolean => {
    const key = eventKey(node);
    if (seen.has(key)) return false;
    seen.add(key);
    path.push(node);
    if (ends.has(key)) return true;
    for (const follower of [...(next.get(key) ?? []), ...laterEvents(node)]) if (walk(follower)) return true;
    path.pop();
    return false;
  };
  return walk(rule.target) ? [...path, rule.target] : null;
}

/** What is completed has been started before, what is closed has been completed. */
function laterEvents(node: ObjectEvent): ObjectEvent[] {
  if (node.event === "START") return [{ activityId: node.activityId, event: "COMPLETE" }];
  return node.event === "COMPLETE" ? [{ activityId: node.activityId, event: "CLOSE" }] : [];
}

/** Findings with their targets, each target once with all it misses. */
export function byTarget(found: readonly Unmet[]): { target: DependencyNode; unmet: DependencyNode[] }[] {
  const targets = new Map<string, { target: DependencyNode; unmet: DependencyNode[] }>();
  for (const { target, prerequisite } of found) {
    const key = JSON.stringify(target);
    const known = targets.get(key) ?? { target, unmet: [] };
    targets.set(key, known);
    known.unmet.push(prerequisite);
  }
  return [...targets.values()];
}
