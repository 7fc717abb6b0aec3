import type { Cell } from "#lib/core/workbook-cell.ts";
import { type CheckedRow, type FieldProblem, type ImportRow, rowMark } from "#lib/imports/kind/logic.ts";
import { activityCodeChars, leadTimeDaysMax, nodeNameChars, nodesMax, relationsMax } from "../graph/limits.ts";
import { findCycle, loopText, nameKey, repeatedNodes } from "../graph/logic.ts";
import { flowNameChars } from "../limits.ts";
import { rowNumberMax, type SheetColumn, sheetFlowsMax } from "./limits.ts";
import {
  describeChanges,
  type FlowPlan,
  isOutdated,
  type Line,
  leavingKey,
  numberLines,
  type PlannedNode,
  planNodes,
  planRelations,
  type Relation,
  type SheetFacts,
  type SheetFlow,
  type SheetNode,
  type SheetPlan,
  type SheetTexts,
  textOf,
} from "./logic.ts";

/**
 * What rows of a file do to the flows they name. The rows of a flow are taken together: it is written as they say or not at all.
 * @param removeLeftOut activities the rows do not name leave their flow
 */
export function planSheet(rows: readonly ImportRow[], facts: SheetFacts, removeLeftOut: boolean, texts: SheetTexts): SheetPlan {
  const checked = new Map<number, CheckedRow>();
  const groups = new Map<string, { name: string; rows: ImportRow[] }>();
  for (const row of rows) {
    const name = textOf(row, "flow");
    const problems = [...row.problems];
    if (name === "" && !problems.some(({ path }) => path === "flow")) problems.push({ path: "flow", code: "VALUE_MISSING" });
    if (name.length > flowNameChars) problems.push({ path: "flow", code: "VALUE_TOO_LONG", params: { max: flowNameChars } });
    const group = groups.get(nameKey(name));
    if (name === "" || name.length > flowNameChars) checked.set(row.no, rejected(row, problems));
    else if (group) group.rows.push(row);
    else if (groups.size < sheetFlowsMax) groups.set(nameKey(name), { name, rows: [row] });
    else checked.set(row.no, rejected(row, [...problems, { path: "flow", code: "TOO_MANY", params: { max: sheetFlowsMax } }]));
  }
  // A row whose flow cannot be told may be any activity: nothing is taken for left out.
  const remove = removeLeftOut && checked.size === 0;
  const flows = [...groups].map(([key, group]) => planFlow(group, facts.flows.get(key) ?? null, facts, remove, texts, checked));
  const leftOut = flows.flatMap(({ name, leftOut: nodes }) =>
    nodes.map((node): Record<string, Cell> => ({ flow: name, code: node.code, name: node.name, remove: true })),
  );
  return { checked: rows.map((row) => checked.get(row.no) as CheckedRow), flows, leftOut };
}

const rejected = (row: ImportRow, problems: FieldProblem[]): CheckedRow => ({ no: row.no, outcome: "rejected", changes: [], problems });

function planFlow(
  group: { name: string; rows: readonly ImportRow[] },
  flow: SheetFlow | null,
  facts: SheetFacts,
  remove: boolean,
  texts: SheetTexts,
  checked: Map<number, CheckedRow>,
): FlowPlan {
  const lines = group.rows.map(readLine);
  if (flow?.status === "disabled")
    for (const { problems } of lines) problems.push({ path: "flow", code: "WRONG_STATUS", params: { status: flow.status } });
  checkPlaces(lines);
  matchNodes(lines, flow?.nodes ?? []);
  const named = new Set(lines.flatMap(({ node }) => node?.id ?? []));
  const others = (flow?.nodes ?? []).filter((node) => !named.has(node.id));
  const staying = lines.filter((line) => !line.removed);
  const numbers = numberLines(staying);
  const leftOut = remove ? others : [];
  const nodes = planNodes(staying, remove ? [] : others, flow, facts);
  const relations = planRelations(staying, nodes, numbers, flow);
  checkLimits(staying, nodes, relations);
  checkRepeats(lines, nodes);
  checkCycle(lines, nodes, relations);
  const leaving = findLeaving(flow, nodes);
  const held = checkLeaving(lines, flow, leaving, leftOut, facts);

  const changesOf = describeChanges(flow, numbers, staying, relations, texts);
  const changes = lines.map((line): CheckedRow["changes"] => (line.removed ? [["remove", null, texts.flag(true)]] : changesOf(line)));
  if (leftOut.length > 0 || changes.some((list) => list.length > 0)) checkRevision(lines, flow);
  const refused = held || lines.some(({ problems }) => problems.length > 0);
  const results = lines.map((line, at) => checkedLine(line, refused, changes[at]!));
  for (const result of results) checked.set(result.no, result);
  const changed = leftOut.length > 0 || results.some(({ outcome }) => outcome === "new" || outcome === "changed");
  return {
    name: flow?.name ?? group.name,
    flow,
    rows: lines.map(({ row }) => row.no),
    refused,
    changed,
    nodes,
    relations,
    leaving,
    leftOut,
  };
}

function readLine(row: ImportRow): Line {
  const problems = [...row.problems];
  const removed = row.values.remove === true;
  const refuse = (path: SheetColumn, code: FieldProblem["code"], params?: FieldProblem["params"]) =>
    problems.push({ path, code, ...(params && { params }) });
  const name = textOf(row, "name");
  const code = textOf(row, "code");
  if (name === "" && !problems.some(({ path }) => path === "name")) refuse("name", "VALUE_MISSING");
  if (name.length > nodeNameChars) refuse("name", "VALUE_TOO_LONG", { max: nodeNameChars });
  if (code.length > activityCodeChars) refuse("code", "VALUE_TOO_LONG", { max: activityCodeChars });
  const whole = (path: "no" | "leadTimeDays", min: number, max: number): number | null => {
    const value = row.values[path];
    if (removed || value === undefined) return null;
    if (value === null) refuse(path, "VALUE_MISSING");
    else if (!Number.isInteger(value) || Number(value) < min || Number(value) > max) refuse(path, "VALUE_RANGE", { min, max });
    else return Number(value);
    return null;
  };
  whole("leadTimeDays", 0, leadTimeDaysMax);
  const place = whole("no", 1, rowNumberMax);
  return { row, key: `row ${row.no}`, name, code, place, removed, node: null, problems, planned: null, relations: null };
}

function checkPlaces(lines: readonly Line[]): void {
  const first = new Map<number, number>();
  for (const { place, row, problems } of lines) {
    if (place === null) continue;
    const before = first.get(place);
    if (before !== undefined) problems.push({ path: "no", code: "REPEATED_IN_FILE", params: { row: before } });
    else first.set(place, row.no);
  }
}

const meantTwice = (line: Line): boolean => line.problems.some(({ path, code }) => path === "code" && code === "REPEATED_IN_FILE");

/** Which stored activity a line means: the one with its code, else the one with its name that no code has claimed. */
function matchNodes(lines: readonly Line[], nodes: readonly SheetNode[]): void {
  const byCode = new Map(nodes.flatMap((node) => (node.code === null ? [] : [[nameKey(node.code), node] as const])));
  const byName = new Map(nodes.map((node) => [nameKey(node.name), node]));
  const taken = new Map<number, number>();
  const take = (line: Line, node: SheetNode | undefined): boolean => {
    const before = node && taken.get(node.id);
    if (!node || before !== undefined) return false;
    taken.set(node.id, line.row.no);
    line.node = node;
    line.key = String(node.id);
    return true;
  };
  for (const line of lines) {
    const node = line.code === "" ? undefined : byCode.get(nameKey(line.code));
    if (node && !take(line, node))
      line.problems.push({ path: "code", code: "REPEATED_IN_FILE", params: { row: taken.get(node.id) as number } });
  }
  for (const line of lines) {
    if (line.node || line.name === "" || meantTwice(line)) continue;
    const found = take(line, byName.get(nameKey(line.name)));
    if (line.removed && !found) line.problems.push({ path: "name", code: "VALUE_UNKNOWN", params: { value: line.name } });
  }
}

function checkLimits(staying: readonly Line[], nodes: readonly PlannedNode[], relations: readonly Relation<string>[]): void {
  const places = new Map(nodes.map((node, at) => [node.key, at]));
  for (const line of staying)
    if ((places.get(line.key) ?? 0) >= nodesMax) line.problems.push({ path: "name", code: "TOO_MANY", params: { max: nodesMax } });
  let count = relations.length - staying.reduce((sum, line) => sum + (line.relations?.length ?? 0), 0);
  for (const line of staying) {
    count += line.relations?.length ?? 0;
    if (count > relationsMax && line.relations?.length)
      line.problems.push({ path: "predecessors", code: "TOO_MANY", params: { max: relationsMax } });
  }
}

/** An activity stands in a flow once: every line but the first of those that mean the same one is refused. */
function checkRepeats(lines: readonly Line[], nodes: readonly PlannedNode[]): void {
  const repeated = new Set(repeatedNodes(nodes.filter((node) => node.name !== "")));
  if (repeated.size === 0) return;
  const inFile = new Set(lines.map(({ key }) => key));
  const met = new Set<string>();
  for (const { key } of nodes) if (repeated.has(key) && !inFile.has(key)) markMet(met, nodes, key);
  for (const line of lines) {
    if (!line.planned || !repeated.has(line.key)) continue;
    const { name, activityId } = line.planned;
    const again = met.has(`name ${nameKey(name)}`) || (activityId != null && met.has(`activity ${activityId}`));
    if (again && !meantTwice(line)) line.problems.push({ path: "name", code: "ACTIVITY_REPEAT", params: { names: name } });
    else markMet(met, nodes, line.key);
  }
}

function markMet(met: Set<string>, nodes: readonly PlannedNode[], key: string): void {
  const node = nodes.find((one) => one.key === key);
  if (!node) return;
  met.add(`name ${nameKey(node.name)}`);
  if (node.activityId != null) met.add(`activity ${node.activityId}`);
}

function checkCycle(lines: readonly Line[], nodes: readonly PlannedNode[], relations: readonly Relation<string>[]): void {
  if (lines.some(({ problems }) => problems.length > 0)) return;
  const names = new Map(nodes.map((node) => [node.key, node.name]));
  const cycle = findCycle([...names.keys()], relations);
  if (!cycle) return;
  const loop = loopText(cycle.map((key) => names.get(key) as string));
  const round = new Set(cycle);
  for (const line of lines) if (round.has(line.key)) line.problems.push({ path: "predecessors", code: "CYCLE", params: { loop } });
}

function findLeaving(flow: SheetFlow | null, nodes: readonly PlannedNode[]): number[] {
  const stays = new Set(nodes.map((node) => node.activityId));
  return (flow?.nodes ?? []).flatMap(({ released, activityId }) =>
    released && activityId !== null && !stays.has(activityId) ? activityId : [],
  );
}

/** Marks the lines that would take a released activity out although they must not; true when one that is left out must stay. */
function checkLeaving(
  lines: readonly Line[],
  flow: SheetFlow | null,
  leaving: readonly number[],
  leftOut: readonly SheetNode[],
  facts: SheetFacts,
): boolean {
  if (!flow || leaving.length === 0) return false;
  const problemOf = (node: SheetNode): FieldProblem | null => {
    if (node.activityId === null || !leaving.includes(node.activityId)) return null;
    if (!facts.mayRemoveReleased) return { path: "name", code: "NO_PERMISSION", params: { right: "flow.releaseNodeDelete" } };
    const by = facts.used.get(leavingKey(flow.flowId, node.activityId));
    return by === undefined ? null : { path: "name", code: "ACTIVITY_REFERENCED", params: { by } };
  };
  for (const line of lines) {
    const problem = line.node && problemOf(line.node);
    if (problem) line.problems.push(line.removed ? problem : { ...problem, path: "code" });
  }
  return leftOut.some((node) => problemOf(node) !== null);
}

/** Nothing is written over what somebody changed in the flow since its rows were exported. */
function checkRevision(lines: readonly Line[], flow: SheetFlow | null): void {
  if (!flow) return;
  for (const { row, problems } of lines) if (isOutdated(row.values[rowMark], flow)) problems.push({ path: "", code: "STALE" });
}

function checkedLine({ row, node, problems }: Line, refused: boolean, changes: CheckedRow["changes"]): CheckedRow {
  if (refused) return rejected(row, problems.length > 0 ? problems : [{ path: "", code: "FLOW_ROWS_REFUSED" }]);
  const outcome = node === null ? "new" : changes.length === 0 ? "unchanged" : "changed";
  return { no: row.no, outcome, changes, problems };
}
