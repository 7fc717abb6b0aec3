import type { Cell } from "#lib/core/workbook-cell.ts";
import type { CheckedRow, FieldProblem, FieldValue, ImportField, ImportRow } from "#lib/imports/kind/logic.ts";
import { freePlace } from "../editor/logic.ts";
import { offsetDaysMax, positionMax, type RelationType } from "../graph/limits.ts";
import { loopText, nameKey, type PredecessorFault, parsePredecessors, predecessorsText } from "../graph/logic.ts";
import type { FlowStatus } from "../limits.ts";
import { type SheetColumn, type SheetFlag, sheetColumns, sheetFlags } from "./limits.ts";

/** Words of the workbook in the language of the person, and of its columns in all languages for reading. */
export type SheetTexts = {
  column: (key: SheetColumn | "library") => string;
  columnNames: (key: SheetColumn) => string[];
  flag: (value: boolean) => string;
  /** Said of an activity that the library does not know. */
  unlinked: string;
};

/** An activity of a flow as the workbook sees it. */
export type SheetNode = {
  id: number;
  activityId: number | null;
  code: string | null;
  name: string;
  leadTimeDays: number;
  x: number;
  y: number;
  /** Stands in the released flow, so that DUs may hold facts on it. */
  released: boolean;
} & Record<SheetFlag, boolean>;
export type Relation<Key> = { pre: Key; node: Key; type: RelationType; offset: number };

/** A flow of the project as it is being edited. */
export type SheetFlow = {
  flowId: number;
  name: string;
  status: FlowStatus;
  /** Raised by every change of the flow or its working copy. */
  revision: string;
  nodes: readonly SheetNode[];
  relations: readonly Relation<number>[];
};

const fieldTypes: Partial<Record<SheetColumn, ImportField["type"]>> = { no: "number", leadTimeDays: "number" };
const flagColumns: ReadonlySet<string> = new Set([...sheetFlags, "remove"]);

/** Fields a column of a file can be mapped to, and the one that only says what the library does not know. */
export function flowFields(texts: SheetTexts): ImportField[] {
  const fields = sheetColumns.map((key): ImportField => {
    const type = flagColumns.has(key) ? "flag" : (fieldTypes[key] ?? "text");
    return {
      key,
      title: texts.column(key),
      type,
      group: "flow",
      required: key === "flow" || key === "name",
      names: texts.columnNames(key),
    };
  });
  return [...fields, { key: "library", title: texts.column("library"), type: "text", group: "flow", names: [], shownOnly: true }];
}

/** Rows of the workbook: the activities of each flow in its order, predecessors by the numbers beside them. */
export function sheetRows(flows: readonly SheetFlow[], texts: Pick<SheetTexts, "flag">): Cell[][] {
  return flows.flatMap(({ name, nodes, relations }) => {
    const places = new Map(nodes.map((node, at) => [String(node.id), at + 1]));
    const keyed = relations.map(keyedRelation);
    return nodes.map((node, at): Cell[] => [
      name,
      at + 1,
      node.code,
      node.name,
      node.leadTimeDays,
      predecessorsText(String(node.id), keyed, places) || null,
      ...sheetFlags.map((flag) => texts.flag(node[flag])),
      null,
    ]);
  });
}

const keyedRelation = (relation: Relation<number>): Relation<string> => ({
  ...relation,
  pre: String(relation.pre),
  node: String(relation.node),
});

/** A cell of a row as text. */
export const textOf = (row: ImportRow, key: SheetColumn): string => String(row.values[key] ?? "").trim();
const isGiven = (row: ImportRow, key: SheetColumn): boolean => key in row.values;

/** What a check of rows needs to know of the project. */
export type SheetFacts = {
  /** Flows by `nameKey`. */
  flows: ReadonlyMap<string, SheetFlow>;
  /** Library activities by `code …` and `name …` in the form of `nameKey`. */
  library: ReadonlyMap<string, number>;
  /** The same of the standard library: what is there is copied when it is used. */
  standard: ReadonlySet<string>;
  mayRemoveReleased: boolean;
  /** Activities that cannot leave their flow, by `leavingKey`, with what holds them. */
  used: ReadonlyMap<string, string>;
};

export const leavingKey = (flowId: number, activityId: number): string => `${flowId} ${activityId}`;

/** An activity as a flow will have it; one without id is new. `activityId` undefined: it is copied from the standard library. */
export type PlannedNode = Omit<SheetNode, "id" | "activityId" | "code" | "released"> & {
  key: string;
  id?: number;
  activityId: number | null | undefined;
  code?: string;
};

/** What becomes of a flow. */
export type FlowPlan = {
  name: string;
  /** Null for a flow the file makes. */
  flow: SheetFlow | null;
  rows: number[];
  /** Some row of it is refused, and with it all. */
  refused: boolean;
  changed: boolean;
  nodes: PlannedNode[];
  relations: Relation<string>[];
  /** Released library activities that would leave. */
  leaving: number[];
  /** Activities the file does not name and which therefore leave. */
  leftOut: SheetNode[];
};
export type SheetPlan = { checked: CheckedRow[]; flows: FlowPlan[]; leftOut: Record<string, Cell>[] };

/** A row of a flow while it is being checked. */
export type Line = {
  row: ImportRow;
  key: string;
  name: string;
  code: string;
  place: number | null;
  removed: boolean;
  node: SheetNode | null;
  problems: FieldProblem[];
  planned: PlannedNode | null;
  /** Predecessors as the file says, null where it does not. */
  relations: Relation<string>[] | null;
};

/** The number each line is called by: the one it carries, else its place among the lines of the flow. */
export function numberLines(lines: readonly Line[]): Map<string, number> {
  return new Map(lines.map((line, at) => [line.key, isGiven(line.row, "no") ? (line.place ?? 0) : at + 1]));
}

/**
 * The activities a flow will have, in their order.
 * @param others activities the lines do not name and which stay
 */
export function planNodes(
  staying: readonly Line[],
  others: readonly SheetNode[],
  flow: SheetFlow | null,
  facts: SheetFacts,
): PlannedNode[] {
  const sorted = staying.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0));
  const nodes = sorted.map((line) => {
    const { node, code } = line;
    if (node?.activityId != null && meansOther(node, code) && !facts.library.has(`code ${nameKey(code)}`))
      line.problems.push({ path: "code", code: "VALUE_UNKNOWN", params: { value: code } });
    line.planned = planNode(line, facts);
    return line.planned;
  });
  // What the file does not name stays behind the activity it stood behind.
  let after: string | null = null;
  const unnamed = new Set(others.map((node) => node.id));
  for (const node of flow?.nodes ?? []) {
    const key = String(node.id);
    if (unnamed.has(node.id)) {
      const { released: _released, code: _code, ...kept } = node;
      nodes.splice(after === null ? 0 : nodes.findIndex((one) => one.key === after) + 1, 0, { ...kept, key });
    } else if (!nodes.some((one) => one.key === key)) continue;
    after = key;
  }
  placeNew(nodes);
  return nodes;
}

function planNode({ row, key, name, code, node }: Line, facts: SheetFacts): PlannedNode {
  const lead = row.values.leadTimeDays;
  const flags = Object.fromEntries(
    sheetFlags.map((flag) => [flag, isGiven(row, flag) ? row.values[flag] === true : (node?.[flag] ?? false)]),
  ) as Record<SheetFlag, boolean>;
  return {
    key,
    ...(node && { id: node.id }),
    ...libraryLink(node, name, code, facts),
    name,
    leadTimeDays: typeof lead === "number" ? lead : (node?.leadTimeDays ?? 1),
    ...flags,
    x: node?.x ?? 0,
    y: node?.y ?? 0,
  };
}

/** Whether a code is not that of the activity. */
function meansOther(node: SheetNode, code: string): boolean {
  return code !== "" && (node.code === null || nameKey(node.code) !== nameKey(code));
}

/** Library activity of a line: that of its code, for a new activity without code that of its name; null where the library does not know it. */
function libraryLink(node: SheetNode | null, name: string, code: string, facts: SheetFacts): Pick<PlannedNode, "activityId" | "code"> {
  if (node) return { activityId: (meansOther(node, code) ? facts.library.get(`code ${nameKey(code)}`) : null) ?? node.activityId };
  const key = code === "" ? `name ${nameKey(name)}` : `code ${nameKey(code)}`;
  const found = facts.library.get(key);
  if (found !== undefined || !facts.standard.has(key)) return { activityId: found ?? null };
  return { activityId: undefined, ...(code !== "" && { code }) };
}

/** Gives new activities a place beside the one before them, unless nobody has arranged the flow yet: then the editor does. */
function placeNew(nodes: PlannedNode[]): void {
  if (nodes.every(({ x, y }) => x === 0 && y === 0)) return;
  nodes.forEach((node, at) => {
    if (node.id !== undefined) return;
    const { x, y } = freePlace({ nodes: nodes.filter((one) => one !== node) }, nodes[at - 1]);
    node.x = Math.min(x, positionMax);
    node.y = Math.min(y, positionMax);
  });
}

/** The relations a flow will have; predecessors that cannot be read are marked at their lines. */
export function planRelations(
  staying: readonly Line[],
  nodes: readonly PlannedNode[],
  numbers: ReadonlyMap<string, number>,
  flow: SheetFlow | null,
): Relation<string>[] {
  const order: string[] = [];
  for (const [key, number] of numbers) if (number > 0) order[number - 1] = key;
  for (const line of staying) {
    if (!isGiven(line.row, "predecessors")) continue;
    const parsed = parsePredecessors(textOf(line.row, "predecessors"), line.key, order);
    for (const fault of parsed.faults) line.problems.push({ path: "predecessors", ...faultText(fault, line.name) });
    line.relations = parsed.relations;
  }
  const said = new Set(staying.filter((line) => line.relations !== null).map(({ key }) => key));
  const present = new Set(nodes.map(({ key }) => key));
  const kept = (flow?.relations ?? [])
    .map(keyedRelation)
    .filter(({ pre, node }) => present.has(pre) && present.has(node) && !said.has(node));
  return [...kept, ...staying.flatMap((line) => line.relations ?? [])];
}

function faultText({ code, entry }: PredecessorFault, name: string): Pick<FieldProblem, "code" | "params"> {
  if (code === "VALUE_RANGE") return { code, params: { min: -offsetDaysMax, max: offsetDaysMax } };
  if (code === "CYCLE") return { code, params: { loop: loopText([name]) } };
  return { code, params: code === "RELATION_REPEAT" ? { names: entry } : { value: entry } };
}

/** What a line changes, as a person reads it. */
export function lineChanges(
  line: Line,
  flow: SheetFlow | null,
  numbers: ReadonlyMap<string, number>,
  staying: readonly Line[],
  relations: readonly Relation<string>[],
  texts: SheetTexts,
): CheckedRow["changes"] {
  const { row, node, planned } = line;
  const changes: CheckedRow["changes"] = [];
  const add = (key: SheetColumn | "library", before: FieldValue, after: FieldValue) => {
    if (before !== after) changes.push([key, before, after]);
  };
  if (!planned) return changes;
  if (node && flow) add("no", ...movedPlace(line, flow, staying, numbers));
  else if (isGiven(row, "no")) add("no", null, line.place);
  if (!node || planned.activityId !== node.activityId) add("code", node?.code ?? null, line.code || null);
  add("name", node?.name ?? null, planned.name);
  add("leadTimeDays", node?.leadTimeDays ?? null, planned.leadTimeDays);
  const places = new Map(flow?.nodes.map((one, at) => [String(one.id), at + 1]));
  for (const [key, number] of numbers) places.set(key, number);
  const stored = (flow?.relations ?? []).map(keyedRelation);
  const before = relationSet(line.key, stored);
  if (before !== relationSet(line.key, relations))
    add("predecessors", predecessorsText(line.key, stored, places) || null, predecessorsText(line.key, relations, places) || null);
  for (const flag of sheetFlags)
    if (!node || node[flag] !== planned[flag]) add(flag, node ? texts.flag(node[flag]) : null, texts.flag(planned[flag]));
  if (!node && planned.activityId === null) add("library", null, texts.unlinked);
  return changes;
}

/** Old and new number of an activity whose rank among those that were there before and stay has changed; else twice the same. */
function movedPlace(
  line: Line,
  flow: SheetFlow,
  staying: readonly Line[],
  numbers: ReadonlyMap<string, number>,
): [number | null, number | null] {
  const stay = new Set(staying.flatMap(({ node }) => node?.id ?? []));
  const before = flow.nodes.filter((node) => stay.has(node.id)).findIndex((node) => node.id === line.node?.id);
  const after = staying
    .filter((one) => one.node !== null)
    .toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0))
    .indexOf(line);
  if (before === after) return [null, null];
  return [flow.nodes.findIndex((node) => node.id === line.node?.id) + 1, numbers.get(line.key) ?? null];
}

function relationSet(key: string, relations: readonly Relation<string>[]): string {
  return relations
    .filter(({ node }) => node === key)
    .map(({ pre, type, offset }) => `${pre} ${type} ${offset}`)
    .sort()
    .join("\n");
}
