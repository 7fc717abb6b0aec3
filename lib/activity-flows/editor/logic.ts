import { nodeNameChars, type RelationType } from "../graph/limits.ts";
import {
  type CheckFinding,
  checkGraph,
  type GraphRelation,
  type PredecessorFault,
  parseLeadTime,
  parsePredecessors,
} from "../graph/logic.ts";
import { layoutGraph, nodeHeight } from "../layout/logic.ts";
import { settleNodesMax, undoSteps } from "./limits.ts";

/** An activity as the editor holds it; new ones have no id yet. */
export type EditorNode = {
  key: string;
  id?: number | undefined;
  activityId?: number | null | undefined;
  /** The released activity it stands for, in a working copy: its library activity never changes. */
  originNodeId?: number | null | undefined;
  name: string;
  leadTimeDays: number;
  isAnchor: boolean;
  isMilestone: boolean;
  needDeliverable: boolean;
  needApproval: boolean;
  naNeedsApproval: boolean;
  docPdMayCancelNa: boolean;
  subFlowId: number | null;
  x: number;
  y: number;
};
export type EditorRelation = { pre: string; node: string; type: RelationType; offset: number };
export type EditorGraph = { nodes: EditorNode[]; relations: EditorRelation[] };
/**
 * The graph on screen with the steps that lead back and forward. `byHand`: somebody has placed activities, so the picture is no longer
 * arranged by itself when the graph changes elsewhere.
 */
export type EditorState = {
  graph: EditorGraph;
  past: EditorGraph[];
  future: EditorGraph[];
  saved: EditorGraph;
  nextKey: number;
  byHand: boolean;
};

export type NodeFlag = "isAnchor" | "isMilestone" | "needDeliverable" | "needApproval" | "naNeedsApproval" | "docPdMayCancelNa";
export type NodePatch = Partial<Omit<EditorNode, "key" | "id" | "originNodeId">>;

export type EditorEvent =
  | { do: "load"; graph: EditorGraph }
  | { do: "saved"; graph: EditorGraph; nodes: readonly { key: string; id: number; activityId: number | null }[] }
  | { do: "add"; after?: string | undefined; link?: boolean; node?: NodePatch; relations?: readonly EditorRelation[] }
  | { do: "patch"; keys: readonly string[]; patch: NodePatch }
  | { do: "rename"; key: string; name: string; activityId: number | null }
  | { do: "move"; positions: readonly { key: string; x: number; y: number }[] }
  | { do: "remove"; keys: readonly string[]; relations?: readonly Pick<EditorRelation, "pre" | "node" | "type">[] }
  | { do: "reorder"; key: string; by: number }
  | { do: "relate"; relation: EditorRelation; replaces?: Pick<EditorRelation, "pre" | "node" | "type"> }
  | { do: "predecessors"; key: string; relations: readonly EditorRelation[] }
  | { do: "arrange" }
  | { do: "settle" }
  | { do: "replace"; graph: EditorGraph; added: number }
  | { do: "undo" }
  | { do: "redo" };

/** State of an editor that has just read a graph; activities without a position are laid out. */
export function openEditor(graph: EditorGraph): EditorState {
  const unplaced = graph.nodes.every((node) => node.x === 0 && node.y === 0);
  const laidOut = unplaced || graph.nodes.length <= settleNodesMax ? arranged(graph) : null;
  const placed = unplaced && laidOut ? laidOut : graph;
  return { graph: placed, past: [], future: [], saved: placed, nextKey: 1, byHand: laidOut === null || !samePlaces(placed, laidOut) };
}

/** The state after an event. Events that change nothing leave the very same state, so they are no step to undo. */
export function editGraph(state: EditorState, event: EditorEvent): EditorState {
  switch (event.do) {
    case "load":
      return openEditor(event.graph);
    case "saved":
      return saved(state, event.graph, event.nodes);
    case "undo": {
      const graph = state.past.at(-1);
      return graph ? { ...state, graph, past: state.past.slice(0, -1), future: [state.graph, ...state.future] } : state;
    }
    case "redo": {
      const graph = state.future[0];
      return graph ? { ...state, graph, past: [...state.past, state.graph], future: state.future.slice(1) } : state;
    }
    case "replace":
      return { ...step(state, event.graph), nextKey: state.nextKey + event.added };
    case "settle": {
      const graph = arranged(state.graph);
      return state.byHand || samePlaces(graph, state.graph) ? state : { ...state, graph };
    }
    case "move":
      return { ...step(state, changed(state.graph, event)), byHand: true };
    case "arrange":
      return { ...step(state, changed(state.graph, event)), byHand: false };
    case "add": {
      const key = `new${state.nextKey}`;
      return { ...step(state, added(state.graph, key, event)), nextKey: state.nextKey + 1 };
    }
    default:
      return step(state, changed(state.graph, event));
  }
}

/** Key the next added activity will have. */
export function upcomingKey(state: EditorState): string {
  return `new${state.nextKey}`;
}

/** Whether the graph differs from what is saved. */
export function isEdited(state: EditorState): boolean {
  return state.graph !== state.saved && JSON.stringify(state.graph) !== JSON.stringify(state.saved);
}

/**
 * The state after a save of `sent`, which may be behind what is on screen by now. The steps stay, so what was saved can still be taken back: every
 * graph among them learns the ids that now exist, and an activity that is stored no more loses its id, so that bringing it back makes a new one.
 */
function saved(
  state: EditorState,
  sent: EditorGraph,
  nodes: readonly { key: string; id: number; activityId: number | null }[],
): EditorState {
  const stored = new Map(nodes.map((node) => [node.key, node]));
  const names = new Map(sent.nodes.map((node) => [node.key, node.name]));
  const learn = (graph: EditorGraph): EditorGraph => ({
    ...graph,
    nodes: graph.nodes.map((node) => {
      const known = stored.get(node.key);
      const activityId = node.activityId ?? (known && names.get(node.key) === node.name ? known.activityId : null);
      return { ...node, id: known?.id, activityId };
    }),
  });
  return { ...state, graph: learn(state.graph), saved: learn(sent), past: state.past.map(learn), future: state.future.map(learn) };
}

function step(state: EditorState, graph: EditorGraph): EditorState {
  if (graph === state.graph) return state;
  return { ...state, graph, past: [...state.past, state.graph].slice(-undoSteps), future: [] };
}

function added(graph: EditorGraph, key: string, event: Extract<EditorEvent, { do: "add" }>): EditorGraph {
  const at = event.after === undefined ? graph.nodes.length - 1 : graph.nodes.findIndex((node) => node.key === event.after);
  const previous = graph.nodes[at];
  const node: EditorNode = {
    key,
    name: "",
    leadTimeDays: 1,
    isAnchor: false,
    isMilestone: false,
    needDeliverable: false,
    needApproval: false,
    naNeedsApproval: false,
    docPdMayCancelNa: false,
    subFlowId: null,
    ...freePlace(graph, previous),
    ...event.node,
  };
  const relations =
    event.link && previous ? [...graph.relations, { pre: previous.key, node: key, type: "FS" as const, offset: 0 }] : graph.relations;
  return { nodes: graph.nodes.toSpliced(at + 1, 0, node), relations: [...relations, ...(event.relations ?? [])] };
}

/** A place right of the previous activity that no other one covers. */
export function freePlace(
  graph: { nodes: readonly { x: number; y: number }[] },
  previous: { x: number; y: number } | undefined,
): { x: number; y: number } {
  const place = previous ? { x: previous.x + 248, y: previous.y } : { x: 16, y: 16 };
  while (graph.nodes.some((node) => Math.abs(node.x - place.x) < 180 && Math.abs(node.y - place.y) < nodeHeight))
    place.y += nodeHeight + 28;
  return place;
}

function changed(
  graph: EditorGraph,
  event: Exclude<EditorEvent, { do: "load" | "saved" | "undo" | "redo" | "add" | "replace" | "settle" }>,
): EditorGraph {
  switch (event.do) {
    case "patch":
      return patched(graph, new Map(event.keys.map((key) => [key, event.patch])));
    case "rename": {
      const node = graph.nodes.find((one) => one.key === event.key);
      if (!node || node.name === event.name) return graph;
      return patched(
        graph,
        new Map([[event.key, { name: event.name, activityId: node.originNodeId ? node.activityId : event.activityId }]]),
      );
    }
    case "move":
      return patched(graph, new Map(event.positions.map(({ key, x, y }) => [key, { x: Math.round(x), y: Math.round(y) }])));
    case "remove": {
      const gone = new Set(event.keys);
      const cut = new Set((event.relations ?? []).map(relationId));
      const nodes = graph.nodes.filter((node) => !gone.has(node.key));
      const relations = graph.relations.filter(
        (relation) => !gone.has(relation.pre) && !gone.has(relation.node) && !cut.has(relationId(relation)),
      );
      return nodes.length === graph.nodes.length && relations.length === graph.relations.length ? graph : { nodes, relations };
    }
    case "reorder": {
      const from = graph.nodes.findIndex((node) => node.key === event.key);
      const to = Math.max(0, Math.min(graph.nodes.length - 1, from + event.by));
      if (from < 0 || from === to) return graph;
      return { ...graph, nodes: graph.nodes.toSpliced(from, 1).toSpliced(to, 0, graph.nodes[from]!) };
    }
    case "relate": {
      const { relation } = event;
      if (relation.pre === relation.node) return graph;
      const replaced = event.replaces ? relationId(event.replaces) : relationId(relation);
      const present = graph.relations.findIndex((one) => relationId(one) === replaced);
      const clash = graph.relations.findIndex((one) => relationId(one) === relationId(relation));
      if (present < 0) return { ...graph, relations: [...graph.relations, relation] };
      if (clash >= 0 && clash !== present) return graph;
      const before = graph.relations[present]!;
      if (relationId(before) === relationId(relation) && before.offset === relation.offset) return graph;
      return { ...graph, relations: graph.relations.with(present, relation) };
    }
    case "predecessors": {
      const kept = graph.relations.filter((relation) => relation.node !== event.key);
      const before = graph.relations.filter((relation) => relation.node === event.key);
      return sameRelations(before, event.relations) ? graph : { ...graph, relations: [...kept, ...event.relations] };
    }
    case "arrange": {
      const next = arranged(graph);
      return samePlaces(next, graph) ? graph : next;
    }
  }
}

function patched(graph: EditorGraph, patches: ReadonlyMap<string, NodePatch>): EditorGraph {
  let different = false;
  const nodes = graph.nodes.map((node) => {
    const patch = patches.get(node.key);
    if (!patch || Object.entries(patch).every(([field, value]) => node[field as keyof EditorNode] === value)) return node;
    different = true;
    return { ...node, ...patch };
  });
  return different ? { ...graph, nodes } : graph;
}

function arranged(graph: EditorGraph): EditorGraph {
  const places = layoutGraph(
    graph.nodes.map((node) => node.key),
    graph.relations,
  );
  return { ...graph, nodes: graph.nodes.map((node) => ({ ...node, ...places.get(node.key)! })) };
}

function samePlaces(left: EditorGraph, right: EditorGraph): boolean {
  return left.nodes.every((node, at) => node.x === right.nodes[at]?.x && node.y === right.nodes[at]?.y);
}

function relationId(relation: Pick<GraphRelation, "pre" | "node" | "type">): string {
  return `${relation.pre}\n${relation.node}\n${relation.type}`;
}

function sameRelations(left: readonly EditorRelation[], right: readonly EditorRelation[]): boolean {
  const text = (relations: readonly EditorRelation[]) => relations.map((relation) => `${relationId(relation)}\n${relation.offset}`).sort();
  return left.length === right.length && text(left).join() === text(right).join();
}

/** Findings of the live check. */
export function checkEditor(graph: EditorGraph): CheckFinding[] {
  return checkGraph(graph);
}

/** Columns a block from a spreadsheet may fill, in their order on screen. */
export const tableColumns = ["name", "leadTimeDays", "predecessors", "isAnchor", "isMilestone"] as const;
export type TableColumn = (typeof tableColumns)[number];
export type PasteFault = { row: number; column: TableColumn; text: string; code: PredecessorFault["code"] | "VALUE_TOO_LONG" };

const yes = new Set(["1", "y", "yes", "true", "x", "✓", "是", "はい", "○"]);

/**
 * The graph after a block of tab-separated rows was pasted at a row and column. Rows past the end are appended; a cell that cannot be read
 * is left as it was and listed. Predecessors are read last, so that they may name rows of the same block.
 */
export function pasteRows(
  state: EditorState,
  at: { row: number; column: TableColumn },
  text: string,
): { graph: EditorGraph; added: number; faults: PasteFault[] } {
  const lines = text.replace(/\r/g, "").replace(/\n$/, "").split("\n");
  const first = tableColumns.indexOf(at.column);
  const faults: PasteFault[] = [];
  let { graph } = state;
  let fresh = 0;
  const pending: { key: string; text: string; row: number }[] = [];
  lines.forEach((line, number) => {
    const row = at.row + number;
    if (row >= graph.nodes.length) {
      graph = added(graph, `new${state.nextKey + fresh}`, { do: "add" });
      fresh++;
    }
    const node = graph.nodes[row]!;
    const patch: NodePatch = {};
    line.split("\t").forEach((raw, place) => {
      const column = tableColumns[first + place];
      const cell = raw.trim();
      if (column === undefined) return;
      if (column === "name") {
        if (cell.length > nodeNameChars) faults.push({ row, column, text: cell, code: "VALUE_TOO_LONG" });
        else if (cell !== node.name) {
          patch.name = cell;
          if (!node.originNodeId) patch.activityId = null;
        }
      } else if (column === "leadTimeDays") {
        const days = parseLeadTime(cell);
        if (days !== null) patch.leadTimeDays = days;
        else if (cell !== "") faults.push({ row, column, text: cell, code: /^\d+\D*$/.test(cell) ? "VALUE_RANGE" : "VALUE_FORMAT" });
      } else if (column === "predecessors") pending.push({ key: node.key, text: cell, row });
      else patch[column] = yes.has(cell.toLowerCase());
    });
    graph = patched(graph, new Map([[node.key, patch]]));
  });
  const order = graph.nodes.map((node) => node.key);
  for (const { key, text: cell, row } of pending) {
    const parsed = parsePredecessors(cell, key, order);
    for (const fault of parsed.faults) faults.push({ row, column: "predecessors", text: fault.entry, code: fault.code });
    if (parsed.faults.length === 0) graph = changed(graph, { do: "predecessors", key, relations: parsed.relations });
  }
  return { graph, added: fresh, faults };
}
