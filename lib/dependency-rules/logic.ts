import { isApplicable, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";
import type { DependencyEvent, DependencyNode, DependencyRow, ObjectEvent } from "./rule-set/logic.ts";

/** Columns of the plan that dependency rules look at, row-major as `plan-rows` reads them. */
export type EventColumns = {
  width: number;
  actualStart: ArrayLike<number>;
  actualEnd: ArrayLike<number>;
  state: ArrayLike<number>;
};

/** A row of the plan as dependency rules look at it. */
export function dependencyRow(columns: EventColumns, row: number, maintained: (attributeId: number) => boolean): DependencyRow {
  const at = (slot: number) => row * columns.width + slot;
  const state = (slot: number) => columns.state[at(slot)] ?? 0;
  return {
    inFlow: (slot) => stateValue(state(slot), "inFlow") === 1,
    applicable: (slot) => isApplicable(state(slot)),
    closed: (slot) => stateValue(state(slot), "closed") === 1,
    actualStart: (slot) => columns.actualStart[at(slot)] ?? 0,
    actualEnd: (slot) => columns.actualEnd[at(slot)] ?? 0,
    maintained,
  };
}

/** An event with the name of what it happens to; null: not shown to the reader. */
export type NamedEvent = { activityId?: number; attributeId?: number; event: DependencyEvent; name: string | null };

/** The object of an event as the database keeps it. */
export function storedObject(node: ObjectEvent): { kind: "ACTIVITY" | "ATTRIBUTE"; id: number; event: DependencyEvent } {
  return node.event === "MAINTAIN"
    ? { kind: "ATTRIBUTE", id: node.attributeId, event: node.event }
    : { kind: "ACTIVITY", id: node.activityId, event: node.event };
}

/** The event of a stored object. */
export function objectOf({ kind, id, event }: { kind: string; id: number; event: DependencyEvent }): ObjectEvent {
  return kind === "ATTRIBUTE" ? { attributeId: id, event: "MAINTAIN" } : { activityId: id, event: event as "START" | "COMPLETE" | "CLOSE" };
}

/** The activity or attribute a node of a row stands for. */
export function idsOf(node: DependencyNode, activityOf: ReadonlyMap<number, number>): { activityId?: number; attributeId?: number } {
  return node.event === "MAINTAIN" ? { attributeId: node.attributeId } : { activityId: activityOf.get(node.slot) as number };
}
