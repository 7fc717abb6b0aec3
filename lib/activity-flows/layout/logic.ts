import { Graph, layout } from "@dagrejs/dagre";

/** Size an activity takes in the diagram. */
export const nodeWidth = 176;
export const nodeHeight = 56;

/**
 * Positions (top left corners) that draw the relations from left to right with few crossings. The result depends on the input alone;
 * loops are drawn backwards rather than refused.
 */
export function layoutGraph(
  keys: readonly string[],
  relations: readonly { pre: string; node: string }[],
): Map<string, { x: number; y: number }> {
  const graph = new Graph();
  // A relation that passes other activities gets a row of its own.
  graph.setGraph({ rankdir: "LR", nodesep: 28, edgesep: nodeHeight + 28, ranksep: 72, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const key of keys) graph.setNode(key, { width: nodeWidth, height: nodeHeight });
  for (const { pre, node } of relations) if (pre !== node && graph.hasNode(pre) && graph.hasNode(node)) graph.setEdge(pre, node);
  layout(graph);
  return new Map(
    keys.map((key) => {
      const { x, y } = graph.node(key) as { x: number; y: number };
      return [key, { x: Math.round(x - nodeWidth / 2), y: Math.round(y - nodeHeight / 2) }];
    }),
  );
}

/** An end of an arrow: where it touches the activity, and whether that is its start (left) or its end (right). */
export type ArrowEnd = { x: number; y: number; side: "start" | "end" };

const stub = 14;
const row = nodeHeight + 28;

/**
 * Right-angled way of an arrow and the place of its label on a level part. Arrows that would run back or through an activity go around below the row.
 * @param detour an activity stands in the direct way
 */
export function relationPath(source: ArrowEnd, target: ArrowEnd, detour: boolean): { path: string; labelX: number; labelY: number } {
  const out = source.x + (source.side === "end" ? stub : -stub);
  const into = target.x + (target.side === "end" ? stub : -stub);
  if (source.side === "end" && target.side === "start" && out <= into && !detour) {
    const middle = (source.x + target.x) / 2;
    if (source.y === target.y) return { path: `M${source.x},${source.y} H${target.x}`, labelX: middle, labelY: source.y };
    return { path: `M${source.x},${source.y} H${middle} V${target.y} H${target.x}`, labelX: middle, labelY: (source.y + target.y) / 2 };
  }
  const apart = Math.abs(source.y - target.y);
  const level = apart >= row ? target.y + (source.y < target.y ? -row / 2 : row / 2) : Math.max(source.y, target.y) + row / 2;
  return {
    path: `M${source.x},${source.y} H${out} V${level} H${into} V${target.y} H${target.x}`,
    labelX: (out + into) / 2,
    labelY: level,
  };
}

/** Forward relations whose direct way another activity covers. */
export function coveredRelations<R extends { pre: string; node: string; type: string }>(graph: {
  nodes: readonly { key: string; x: number; y: number }[];
  relations: readonly R[];
}): R[] {
  const places = new Map(graph.nodes.map((node) => [node.key, node]));
  return graph.relations.filter((relation) => {
    const from = places.get(relation.pre);
    const to = places.get(relation.node);
    if (relation.type !== "FS" || !from || !to) return false;
    const [left, right] = [from.x + nodeWidth, to.x];
    const middle = (left + right) / 2;
    // The level parts lie on the rows of both ends, each up to the middle, the upright part between them.
    return graph.nodes.some((node) => {
      if (node === from || node === to || node.x >= right || node.x + nodeWidth <= left) return false;
      const crosses = (y: number) => y + nodeHeight / 2 > node.y && y + nodeHeight / 2 < node.y + nodeHeight;
      const upright = node.x < middle && node.x + nodeWidth > middle;
      const between = Math.min(from.y, to.y) < node.y + nodeHeight / 2 && Math.max(from.y, to.y) + nodeHeight > node.y + nodeHeight / 2;
      return (crosses(from.y) && node.x < middle) || (crosses(to.y) && node.x + nodeWidth > middle) || (upright && between);
    });
  });
}
