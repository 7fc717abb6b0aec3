import type { Rule } from "#lib/core/rule.ts";
import { findCycle, type Graph, loopText, nameList, repeatedNodes, repeatedRelations } from "./logic.ts";

const nodeNames = (graph: Graph, keys: readonly string[]) =>
  nameList(keys.map((key) => graph.nodes.find((node) => node.key === key)?.name ?? ""));

/** An activity stands in a flow once: neither its name (case does not matter) nor its library activity repeats. */
export const ACTIVITY_REPEAT: Rule<Graph> = {
  code: "ACTIVITY_REPEAT",
  broken: (graph) => {
    const keys = repeatedNodes(graph.nodes);
    return keys.length > 0 && { names: nodeNames(graph, keys) };
  },
};

/** A relation always says which ends it joins. */
export const RELATION_REQUIRED: Rule<Graph> = {
  code: "RELATION_REQUIRED",
  broken: (graph) => {
    const untyped = graph.relations.filter((relation) => !relation.type);
    return untyped.length > 0 && { names: nodeNames(graph, [...new Set(untyped.map((relation) => relation.node))]) };
  },
};

/** Two activities are joined once per type. */
export const RELATION_REPEAT: Rule<Graph> = {
  code: "RELATION_REPEAT",
  broken: (graph) => {
    const repeated = repeatedRelations(graph.relations);
    return repeated.length > 0 && { names: nodeNames(graph, [...new Set(repeated.map((relation) => relation.node))]) };
  },
};

/** No activity waits for itself. */
export const CYCLE: Rule<Graph> = {
  code: "CYCLE",
  broken: (graph) => {
    const loop = findCycle(
      graph.nodes.map((node) => node.key),
      graph.relations,
    );
    return loop !== null && { loop: loopText(loop.map((key) => graph.nodes.find((node) => node.key === key)!.name)) };
  },
};

export const FLOW_EMPTY: Rule<Graph> = { code: "FLOW_EMPTY", broken: (graph) => graph.nodes.length === 0 };

/** A plan starts from an anchor. */
export const NO_ANCHOR: Rule<Graph> = {
  code: "NO_ANCHOR",
  broken: (graph) => graph.nodes.length > 0 && !graph.nodes.some((node) => node.isAnchor),
};

/** What a saved graph obeys, drafts included. */
export const saveGraphRules: readonly Rule<Graph>[] = [ACTIVITY_REPEAT, RELATION_REQUIRED, RELATION_REPEAT, CYCLE];

/** What a graph must obey to be released. */
export const releaseGraphRules: readonly Rule<Graph>[] = [
  FLOW_EMPTY,
  CYCLE,
  RELATION_REQUIRED,
  NO_ANCHOR,
  ACTIVITY_REPEAT,
  RELATION_REPEAT,
];
