import { type RelationType, relationTypes } from "#lib/activity-flows/graph/limits.ts";
import { findCycle } from "#lib/activity-flows/graph/logic.ts";

/** A step of a flow as scheduling needs it; without library activity it has no slot and stops every DU of the flow. */
export type FlowNode = { nodeId: number; slot: number | null; leadTime: number; anchor: boolean };
/** `pre` before `node`; the offset is a whole number of working days, negative = overlap. */
export type FlowRelation = { pre: number; node: number; type: RelationType; offset: number };

/** Why no DU of a flow can be scheduled, with the nodes concerned (a loop in the order of its relations). */
export type FlowFault = { code: "LIBRARY_ID_MISSING" | "CYCLE"; nodeIds: number[] };

/**
 * A flow version ready for runs: steps in topological order (equal ones in the order of the flow) and the relations of each step in one flat table.
 * Relations of step j are the entries `at[j] .. at[j + 1]` of the table, three numbers each: other step, type (place in `relationTypes`), offset.
 */
export type CompiledFlow = {
  fault: FlowFault | null;
  size: number;
  slots: Int32Array;
  leadTimes: Int32Array;
  anchors: Uint8Array;
  /** Step of each slot, -1 when the flow does not contain it. */
  stepOfSlot: Int16Array;
  predecessorsAt: Int32Array;
  predecessors: Int32Array;
  successorsAt: Int32Array;
  successors: Int32Array;
};

/** Numbers per relation in the flat tables. */
export const relationWidth = 3;

/**
 * Compiles one flow version. Relations to nodes that are not in the list are ignored.
 * @param nodes in the order of the flow
 */
export function compileFlow(nodes: readonly FlowNode[], relations: readonly FlowRelation[]): CompiledFlow {
  const places = new Map(nodes.map((node, place) => [node.nodeId, place]));
  const known = relations.filter(({ pre, node }) => places.has(pre) && places.has(node));
  const missing = nodes.filter((node) => node.slot === null).map((node) => node.nodeId);
  if (missing.length > 0) return faulty({ code: "LIBRARY_ID_MISSING", nodeIds: missing });
  const loop = findCycle(
    nodes.map((node) => String(node.nodeId)),
    known.map(({ pre, node }) => ({ pre: String(pre), node: String(node) })),
  );
  if (loop) return faulty({ code: "CYCLE", nodeIds: loop.map(Number) });

  const order = topologicalOrder(
    nodes.length,
    known.map(({ pre, node }) => [places.get(pre)!, places.get(node)!]),
  );
  const steps = new Int32Array(nodes.length);
  order.forEach((place, step) => {
    steps[place] = step;
  });
  const stepOf = (nodeId: number) => steps[places.get(nodeId)!]!;
  const ordered = order.map((place) => nodes[place]!);
  const slots = Int32Array.from(ordered, (node) => node.slot!);
  const stepOfSlot = new Int16Array(Math.max(0, ...slots) + 1).fill(-1);
  slots.forEach((slot, step) => {
    stepOfSlot[slot] = step;
  });
  const edges = known.map(({ pre, node, type, offset }) => ({
    pre: stepOf(pre),
    node: stepOf(node),
    type: relationTypes.indexOf(type),
    offset,
  }));
  const [predecessorsAt, predecessors] = table(nodes.length, edges, (edge) => [edge.node, edge.pre]);
  const [successorsAt, successors] = table(nodes.length, edges, (edge) => [edge.pre, edge.node]);
  return {
    fault: null,
    size: nodes.length,
    slots,
    leadTimes: Int32Array.from(ordered, (node) => node.leadTime),
    anchors: Uint8Array.from(ordered, (node) => (node.anchor ? 1 : 0)),
    stepOfSlot,
    predecessorsAt,
    predecessors,
    successorsAt,
    successors,
  };
}

function faulty(fault: FlowFault): CompiledFlow {
  const none = new Int32Array(0);
  const bounds = new Int32Array(1);
  return {
    fault,
    size: 0,
    slots: none,
    leadTimes: none,
    anchors: new Uint8Array(0),
    stepOfSlot: new Int16Array(1).fill(-1),
    predecessorsAt: bounds,
    predecessors: none,
    successorsAt: bounds,
    successors: none,
  };
}

/** Places so that each comes after its predecessors; of those that could come next, the first in the flow does. */
function topologicalOrder(size: number, edges: readonly (readonly [number, number])[]): number[] {
  const open = new Int32Array(size);
  const successors: number[][] = Array.from({ length: size }, () => []);
  for (const [pre, node] of edges) {
    open[node]!++;
    successors[pre]!.push(node);
  }
  const ready = new Set<number>();
  const order: number[] = [];
  for (let place = 0; place < size; place++) if (open[place] === 0) ready.add(place);
  while (ready.size > 0) {
    const place = Math.min(...ready);
    ready.delete(place);
    order.push(place);
    for (const next of successors[place]!) if (--open[next]! === 0) ready.add(next);
  }
  return order;
}

type Edge = { pre: number; node: number; type: number; offset: number };

function table(size: number, edges: readonly Edge[], ends: (edge: Edge) => [step: number, other: number]): [Int32Array, Int32Array] {
  const rows: number[][] = Array.from({ length: size }, () => []);
  for (const edge of edges) {
    const [step, other] = ends(edge);
    rows[step]!.push(other, edge.type, edge.offset);
  }
  const at = new Int32Array(size + 1);
  rows.forEach((row, step) => {
    at[step + 1] = at[step]! + row.length / relationWidth;
  });
  return [at, Int32Array.from(rows.flat())];
}
