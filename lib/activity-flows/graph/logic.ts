import { holderNames } from "#lib/attributes/config-refs/logic.ts";
import { leadTimeDaysMax, offsetDaysMax, type RelationType, relationTypes } from "./limits.ts";

/** What the calculations need of an activity; `key` is unique in the flow. */
export type GraphNode = { key: string; name: string; activityId?: number | null | undefined; isAnchor: boolean };
/** `pre` before `node`; a type is missing only while somebody is still typing. */
export type GraphRelation = { pre: string; node: string; type?: RelationType | null | undefined; offset: number };
export type Graph = { nodes: readonly GraphNode[]; relations: readonly GraphRelation[] };

/** Form in which names are compared: without case and outer space. */
export function nameKey(name: string): string {
  return name.trim().toLowerCase();
}

/** Keys of the activities whose name or library activity stands in the flow more than once, in the order of the flow. */
export function repeatedNodes(nodes: readonly GraphNode[]): string[] {
  const names = new Map<string, number>();
  const activities = new Map<number, number>();
  for (const node of nodes) {
    names.set(nameKey(node.name), (names.get(nameKey(node.name)) ?? 0) + 1);
    if (node.activityId) activities.set(node.activityId, (activities.get(node.activityId) ?? 0) + 1);
  }
  return nodes
    .filter((node) => names.get(nameKey(node.name))! > 1 || (node.activityId ? activities.get(node.activityId)! > 1 : false))
    .map((node) => node.key);
}

/** Relations that stand in the flow more than once with the same ends and type; the first of each is not in the result. */
export function repeatedRelations<R extends GraphRelation>(relations: readonly R[]): R[] {
  const seen = new Set<string>();
  return relations.filter((relation) => {
    const id = `${relation.pre}\n${relation.node}\n${relation.type ?? ""}`;
    if (seen.has(id)) return true;
    seen.add(id);
    return false;
  });
}

/**
 * The keys of one loop in the order of its relations, each once; null when the relations have no loop. Every type counts as "pre before node".
 * Relations to keys that are not in `keys` are ignored.
 */
export function findCycle(keys: readonly string[], relations: readonly Pick<GraphRelation, "pre" | "node">[]): string[] | null {
  const successors = new Map<string, string[]>(keys.map((key) => [key, []]));
  for (const { pre, node } of relations) if (successors.has(node)) successors.get(pre)?.push(node);
  const done = new Set<string>();
  for (const root of keys) {
    if (done.has(root)) continue;
    const path: string[] = [root];
    const places = new Map<string, number>([[root, 0]]);
    const next: number[] = [0];
    while (path.length > 0) {
      const key = path[path.length - 1]!;
      const following = successors.get(key)!;
      const at = next[next.length - 1]!;
      if (at === following.length) {
        done.add(key);
        places.delete(key);
        path.pop();
        next.pop();
        continue;
      }
      next[next.length - 1] = at + 1;
      const target = following[at]!;
      const place = places.get(target);
      if (place !== undefined) return path.slice(place);
      if (done.has(target)) continue;
      places.set(target, path.length);
      path.push(target);
      next.push(0);
    }
  }
  return null;
}

/** The loop as a person reads it: "A → B → A"; a long one is shortened in the middle. */
export function loopText(names: readonly string[]): string {
  const closed = [...names, names[0] ?? ""];
  return (closed.length > 9 ? [...closed.slice(0, 5), "…", ...closed.slice(-3)] : closed).join(" → ");
}

/** Keys of the activities that no chain of relations, in whatever direction, joins to an anchor: scheduling would leave them undated. */
export function unlinkedNodes(graph: Graph): string[] {
  const neighbours = new Map<string, string[]>(graph.nodes.map((node) => [node.key, []]));
  for (const { pre, node } of graph.relations) {
    neighbours.get(pre)?.push(node);
    neighbours.get(node)?.push(pre);
  }
  const reached = new Set(graph.nodes.filter((node) => node.isAnchor).map((node) => node.key));
  const queue = [...reached];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const other of neighbours.get(key) ?? []) {
      if (reached.has(other)) continue;
      reached.add(other);
      queue.push(other);
    }
  }
  return graph.nodes.filter((node) => !reached.has(node.key)).map((node) => node.key);
}

/** A relation as its arrow is labelled: "FS", "FS+2", "SS-1". */
export function relationLabel(type: RelationType, offset: number): string {
  return offset === 0 ? type : `${type}${offset > 0 ? "+" : ""}${offset}`;
}

/** The predecessors of a row as text: "3FS+2, 4SS", numbers being places in the order of the flow. */
export function predecessorsText(key: string, relations: readonly GraphRelation[], places: ReadonlyMap<string, number>): string {
  return relations
    .filter((relation) => relation.node === key && places.has(relation.pre))
    .map((relation) => ({ place: places.get(relation.pre)!, label: relationLabel(relation.type ?? "FS", relation.offset) }))
    .sort((a, b) => a.place - b.place || a.label.localeCompare(b.label))
    .map(({ place, label }) => `${place}${label}`)
    .join(", ");
}

export type PredecessorFault = { entry: string; code: "VALUE_FORMAT" | "VALUE_RANGE" | "VALUE_UNKNOWN" | "CYCLE" | "RELATION_REPEAT" };
export type ParsedPredecessors = {
  relations: { pre: string; node: string; type: RelationType; offset: number }[];
  faults: PredecessorFault[];
};

const entryForm = /^(\d+)\s*(FS|SS|FF|SF)?\s*(?:([+\-−–])\s*(\d+))?\s*(?:d|天|日)?$/i;

/**
 * Reads predecessors as text. A number alone is FS; entries are separated by comma, semicolon or their full-width forms.
 * @param order keys of the flow in their order, so that "3" is the third
 */
export function parsePredecessors(text: string, key: string, order: readonly string[]): ParsedPredecessors {
  const result: ParsedPredecessors = { relations: [], faults: [] };
  const entries = text
    .normalize("NFKC")
    .split(/[,;、，；\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  for (const entry of entries) {
    const match = entryForm.exec(entry);
    if (!match) {
      result.faults.push({ entry, code: "VALUE_FORMAT" });
      continue;
    }
    const pre = order[Number(match[1]) - 1];
    const type = (match[2]?.toUpperCase() ?? "FS") as RelationType;
    const size = Number(match[4] ?? 0);
    const offset = size === 0 ? 0 : match[3] === "+" ? size : -size;
    if (pre === undefined) result.faults.push({ entry, code: "VALUE_UNKNOWN" });
    else if (pre === key) result.faults.push({ entry, code: "CYCLE" });
    else if (!relationTypes.includes(type) || size > offsetDaysMax) result.faults.push({ entry, code: "VALUE_RANGE" });
    else if (result.relations.some((known) => known.pre === pre && known.type === type))
      result.faults.push({ entry, code: "RELATION_REPEAT" });
    else result.relations.push({ pre, node: key, type, offset });
  }
  return result;
}

/** A lead time as typed ("5", "5 d", "５天"); null when it is no whole number of days in range. */
export function parseLeadTime(text: string): number | null {
  const match = /^(\d+)\s*(?:d|天|日)?$/i.exec(text.normalize("NFKC").trim());
  const days = match ? Number(match[1]) : Number.NaN;
  return days <= leadTimeDaysMax ? days : null;
}

export type CheckFinding = {
  code: "FLOW_EMPTY" | "NO_ANCHOR" | "CYCLE" | "ACTIVITY_REPEAT" | "NAME_REQUIRED" | "RELATION_REQUIRED" | "RELATION_REPEAT" | "UNLINKED";
  /** error: the flow cannot be saved; release: it cannot be released; warning: it may stay so. */
  weight: "error" | "release" | "warning";
  /** Activities concerned, to be marked and jumped to. */
  keys: string[];
  params: Record<string, string | number>;
};

/** Everything that stands between a flow and its release, for the live check; the same functions serve the rules of the server. */
export function checkGraph(graph: Graph): CheckFinding[] {
  const findings: CheckFinding[] = [];
  const names = new Map(graph.nodes.map((node) => [node.key, node.name]));
  const list = (keys: readonly string[]) => nameList(keys.map((key) => names.get(key) ?? ""));
  const unnamed = graph.nodes.filter((node) => node.name.trim() === "").map((node) => node.key);
  const repeated = repeatedNodes(graph.nodes.filter((node) => node.name.trim() !== ""));
  const cycle = findCycle([...names.keys()], graph.relations);
  const untyped = graph.relations.filter((relation) => !relation.type);
  const doubled = repeatedRelations(graph.relations);
  if (unnamed.length > 0) findings.push({ code: "NAME_REQUIRED", weight: "error", keys: unnamed, params: {} });
  if (repeated.length > 0) findings.push({ code: "ACTIVITY_REPEAT", weight: "error", keys: repeated, params: { names: list(repeated) } });
  if (cycle)
    findings.push({ code: "CYCLE", weight: "error", keys: cycle, params: { loop: loopText(cycle.map((key) => names.get(key)!)) } });
  if (untyped.length > 0) {
    const keys = [...new Set(untyped.map((relation) => relation.node))];
    findings.push({ code: "RELATION_REQUIRED", weight: "error", keys, params: { names: list(keys) } });
  }
  if (doubled.length > 0) {
    const keys = [...new Set(doubled.map((relation) => relation.node))];
    findings.push({ code: "RELATION_REPEAT", weight: "error", keys, params: { names: list(keys) } });
  }
  if (graph.nodes.length === 0) findings.push({ code: "FLOW_EMPTY", weight: "release", keys: [], params: {} });
  else if (!graph.nodes.some((node) => node.isAnchor)) findings.push({ code: "NO_ANCHOR", weight: "release", keys: [], params: {} });
  else {
    const unlinked = unlinkedNodes(graph);
    if (unlinked.length > 0) findings.push({ code: "UNLINKED", weight: "warning", keys: unlinked, params: { names: list(unlinked) } });
  }
  return findings;
}

/** Names for a message, the first few of them. */
export function nameList(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(", ")} … (${names.length})` : names.join(", ");
}

type AuditNode = { id: number; name: string };
type AuditRelation = { pre: number; node: number; type: string; offset: number };

/** What differs between two stored graphs, old and new values side by side, for the audit log: unchanged activities and relations are left out. */
export function graphDiff<B extends AuditNode, A extends AuditNode>(
  before: { nodes: readonly B[]; relations: readonly AuditRelation[] },
  after: { nodes: readonly A[]; relations: readonly AuditRelation[] },
): { before: { nodes: Partial<B>[]; relations: AuditRelation[] }; after: { nodes: Partial<A>[]; relations: AuditRelation[] } } {
  const olds = new Map(before.nodes.map((node) => [node.id, node]));
  const news = new Map(after.nodes.map((node) => [node.id, node]));
  const nodesBefore: Partial<B>[] = [];
  const nodesAfter: Partial<A>[] = [];
  for (const node of before.nodes) if (!news.has(node.id)) nodesBefore.push(node);
  for (const node of after.nodes) {
    const old = olds.get(node.id);
    if (!old) {
      nodesAfter.push(node);
      continue;
    }
    const fields = Object.keys(node).filter((field) => field in old && old[field as keyof B] !== (node[field as keyof A] as unknown));
    if (fields.length === 0) continue;
    nodesBefore.push(pickFields(old, ["id", "name", ...fields]));
    nodesAfter.push(pickFields(node, ["id", "name", ...fields]));
  }
  const text = (relation: AuditRelation) => `${relation.pre} ${relation.node} ${relation.type} ${relation.offset}`;
  const oldTexts = new Set(before.relations.map(text));
  const newTexts = new Set(after.relations.map(text));
  return {
    before: { nodes: nodesBefore, relations: before.relations.filter((relation) => !newTexts.has(text(relation))) },
    after: { nodes: nodesAfter, relations: after.relations.filter((relation) => !oldTexts.has(text(relation))) },
  };
}

function pickFields<T extends object>(row: T, fields: readonly string[]): Partial<T> {
  return Object.fromEntries(Object.entries(row).filter(([field]) => fields.includes(field))) as Partial<T>;
}

/** What keeps an activity in its flow, for a refusal: DUs with facts, then what names it. */
export function useText({ name, dus, holders }: { name: string; dus: number; holders: readonly string[] }): string {
  return `${name} (${[...(dus > 0 ? [`${dus} DU`] : []), ...(holders.length > 0 ? [holderNames(holders)] : [])].join(", ")})`;
}
