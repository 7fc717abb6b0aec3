import { type Cell, cellText, dayOfSerial, isBlank } from "#lib/core/workbook-cell.ts";
import { nameText, type Predecessor, predecessorText, readNames, readPredecessors } from "../activity-relations/logic.ts";
import type { InputBlock } from "../input-check/limits.ts";
import { duTypes } from "../inputs/limits.ts";
import { type Block, type BlockName, blocks } from "../inputs/logic.ts";
import { currencies, directions, gapPolicies } from "../versions/limits.ts";

type ColumnType = "text" | "number" | "date" | "boolean" | "names" | "predecessors";
/** A column of a workbook: the field it holds, and for whom it is a name. */
export type SheetColumn = { key: string; type: ColumnType; list?: readonly string[]; hidden?: boolean };

/** The rows an input is kept as; the settings are none. */
export const rowsOfBlock: Record<Exclude<InputBlock, "setting">, BlockName> = {
  du: "du",
  activity: "activity",
  skill_resource: "skillResource",
  du_material: "duMaterial",
  inventory: "inventory",
  substitution: "itemSubstitute",
  reuse: "reuseMaterial",
};

/** Fields whose rows a workbook calls by name. */
export const namedFields: Record<string, string> = { duId: "duCode", warehouseId: "warehouseName" };

/** What tells the rows of an input apart; stock has nothing but its number. */
export const keyFields: Partial<Record<BlockName, readonly string[]>> = {
  du: ["duId"],
  activity: ["workflowName", "activityName"],
  skillResource: ["skillType", "resourceName", "region"],
  duMaterial: ["duId", "itemCode", "isDecom"],
  itemSubstitute: ["designItemCode", "groupName", "warehouseItemCode"],
  reuseMaterial: ["itemCode"],
};

const settingColumns: readonly SheetColumn[] = [
  { key: "direction", type: "text", list: directions },
  { key: "planStartDate", type: "date" },
  { key: "horizonDays", type: "number" },
  { key: "sortByRfi", type: "boolean" },
  { key: "enableEomonth", type: "boolean" },
  { key: "enableCluster", type: "boolean" },
  { key: "clusteringRate", type: "number" },
  { key: "maxClusterCutover", type: "number" },
  { key: "activityAnchor", type: "text" },
  { key: "targetAzimuth", type: "number" },
  { key: "damageRate", type: "number" },
  { key: "reuseRate", type: "number" },
  { key: "bufferRate", type: "number" },
  { key: "gapPolicy", type: "text", list: gapPolicies },
  { key: "currency", type: "text", list: currencies },
  { key: "evaluationLimit", type: "number" },
  { key: "timeBudgetS", type: "number" },
  { key: "seed", type: "number" },
  { key: "islands", type: "number" },
  { key: "useExact", type: "boolean" },
];

const types: Record<string, ColumnType> = {
  int: "number",
  numeric: "number",
  bigint: "number",
  text: "text",
  date: "date",
  boolean: "boolean",
};

/** Columns of the workbook of an input; what a row is known by is hidden. */
export function columnsOfSheet(block: InputBlock): SheetColumn[] {
  const own: SheetColumn[] = [
    { key: "id", type: "number", hidden: true },
    { key: "rowVersion", type: "number", hidden: true },
  ];
  if (block === "setting") return [...own, ...settingColumns];
  const { fields, lists = [] }: Block = blocks[rowsOfBlock[block]];
  for (const [field, [, type]] of Object.entries(fields)) {
    const named = namedFields[field];
    own.push(named ? { key: named, type: "text" } : { key: field, type: types[type]!, ...(field === "duType" && { list: duTypes }) });
  }
  for (const list of lists) own.push({ key: list, type: list === "predecessors" ? "predecessors" : "names" });
  return own;
}

/** Cells of a row in the order of the columns. */
export function cellsOfRow(columns: readonly SheetColumn[], row: Readonly<Record<string, unknown>>): Cell[] {
  return columns.map(({ key, type }): Cell => {
    const value = row[key] ?? null;
    if (value === null) return null;
    if (type === "predecessors") return predecessorText(value as Predecessor[]);
    if (type === "names") return nameText(value as string[]);
    return value as Cell;
  });
}

const yes = /^(true|yes|y|1|是|はい)$/i;
const no = /^(false|no|n|0|否|いいえ)$/i;

/** What the cells of a row say, by field; what cannot be read stays as it is written, for the check to refuse. Columns the file does not have are left out. */
export function valuesOfCells(columns: readonly SheetColumn[], cells: Readonly<Record<string, Cell>>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { key, type } of columns) {
    if (!(key in cells)) continue;
    const value = valueOfCell(type, cells[key] ?? null);
    // An empty yes or no is what a row begins with.
    if (value !== null || type !== "boolean") values[key] = value;
  }
  return values;
}

function valueOfCell(type: ColumnType, cell: Cell): unknown {
  if (type === "names") return readNames(cellText(cell));
  if (type === "predecessors") return readPredecessors(cellText(cell));
  if (isBlank(cell)) return null;
  const text = cellText(cell).trim();
  if (type === "text") return text;
  if (type === "number") return typeof cell === "number" ? cell : text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === "boolean") return typeof cell === "boolean" ? cell : yes.test(text) ? true : no.test(text) ? false : text;
  return typeof cell === "number" ? dayOfSerial(cell) : text;
}

/** The row a line of the workbook stands for, by what tells rows apart. */
export function keyOfRow(name: BlockName, row: Readonly<Record<string, unknown>>): string | null {
  const fields = keyFields[name];
  if (!fields) return null;
  return JSON.stringify(fields.map((field) => (field === "isDecom" ? (row.decomQty ?? null) !== null : (row[field] ?? null))));
}
