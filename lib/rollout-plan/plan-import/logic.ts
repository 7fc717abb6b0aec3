import { type Cell, cellText, dayOfSerial, isErrorCell } from "#lib/core/workbook-cell.ts";
import type { DateFormat } from "#lib/imports/kind/limits.ts";
import { type FieldType, type FieldValue, nameKey, parseDay, readCell } from "#lib/imports/kind/logic.ts";
import { type DuColumn, type DuColumnKey, duColumns } from "#lib/rollout-plan/columns/limits.ts";
import { type Fault, isChoice } from "#lib/rollout-plan/columns/logic.ts";
import { sameValue, type Target } from "#lib/rollout-plan/edits/logic.ts";

/** Value of a plan cell as an edit takes it: ISO day, number, text, choice, list of people, null for empty. */
export type PlanValue = string | number | boolean | number[] | null;

/** A column of the workbook that can be changed: what its edits point at, and where its changes stand in the log. */
export type PlanColumn = {
  key: string;
  field: string;
  activityId: number | undefined;
  target: Target;
  /** Number of the plan cell, or key of the attribute, note or DU field in the log. */
  log: number | string;
  enums: readonly { id: number; value: string; parentId?: number | null }[];
  /** Key of the column whose value in the same row says which choices are meant: equal words may stand below several. */
  parentKey?: string;
};

export type Person = { id: number; name: string; account: string };
/** Things a cell names: id by name in match form, and titles by id. */
export type Named = { ids: ReadonlyMap<string, number>; titles: ReadonlyMap<number, string> };

/** What cells refer to, and the words they use. */
export type CellWorld = {
  format: DateFormat;
  accounts: ReadonlyMap<string, Person>;
  people: ReadonlyMap<number, Person>;
  named: { region: Named; subcontractor: Named; directMigrationSite: Named; decomSite: Named };
  /** Values of a DU column's choices with the words that mean them, in all languages. */
  choices: (field: string) => readonly { value: string; names: readonly string[] }[];
  /** Words of a choice and of a flag in the reader's language. */
  choiceTitle: (field: string, value: string) => string;
  flag: (value: boolean) => string;
};

const separators = /[,;，；、\n]+/;
const blank: { value: PlanValue } = { value: null };
const fault = (code: Fault["code"], params: Fault["params"] = {}): Fault => ({ code, params });
const tidy = (text: string): string => text.replace(/\r\n?/g, "\n").trim();

/**
 * The value a cell of the workbook stands for.
 * @param given the cell as it stands in the file, days as ISO texts
 * @param base value of the cell at the export: its own text means that value, even where the name it shows is gone by now
 * @param above what the row says in the column named by `parentKey`; undefined where it is not known
 */
export function readPlanCell(
  column: PlanColumn,
  given: FieldValue,
  base: PlanValue,
  world: CellWorld,
  above?: PlanValue,
): { value: PlanValue } | Fault {
  const cell: Cell = typeof given === "string" ? tidy(given) : (given as Cell);
  if (cell === null || cell === "") return blank;
  if (typeof cell === "string" && cell === shownCell(column, base, world) && standsBelow(column, base, above)) return { value: base };
  if (isErrorCell(cell)) return fault("CELL_ERROR");
  const { target } = column;
  switch (target.kind) {
    case "date":
      return readDate(cell, world.format);
    case "owner":
      return readPeople(cellText(cell), world);
    case "note":
      return target.field === "score" ? plain(cell, "number", world.format) : { value: tidy(cellText(cell)) };
    case "attribute":
      return readAttribute(column, target.form.type, cell, world.format, above);
    default:
      return readDuField(column.field, cell, world);
  }
}

// The words NA and INV are left to the rules of the plan: they say for which dates they may stand.
function readDate(cell: Cell, format: DateFormat): { value: PlanValue } | Fault {
  const word = typeof cell === "string" ? cell.toUpperCase() : "";
  return word === "NA" || word === "INV" ? { value: word } : plain(cell, "day", format);
}

function plain(cell: Cell, type: FieldType, format: DateFormat, values?: Parameters<typeof readCell>[1]["values"]) {
  const read = readCell(cell, { type, ...(values && { values }) }, format);
  return read.problem ? fault(read.problem.code, { value: cellText(cell), ...read.problem.params }) : { value: read.value as PlanValue };
}

/** People by account, alone or in brackets behind their name: a name may hold a comma. */
function readPeople(text: string, { accounts, people }: CellWorld): { value: PlanValue } | Fault {
  const found: number[] = [];
  const known = (account: string) => accounts.get(account.toLowerCase());
  for (const part of text.split(/(?<=[)）])\s*[,;，；、\n]+/)) {
    const named = /^(.*?)[(（]([^()（）]+)[)）]\s*$/s.exec(part.trim());
    const person = named && known((named[2] as string).trim());
    const name = named ? (named[1] as string).trim() : "";
    // In front of a name other accounts may stand without a name of theirs.
    const alone = named
      ? person && people.get(person.id)?.name === name
        ? []
        : name.split(separators).slice(0, -1)
      : part.split(separators);
    for (const account of alone.map((one) => one.trim()).filter(Boolean)) {
      const other = known(account);
      if (!other) return fault("ACCOUNT_MISSING", { account });
      found.push(other.id);
    }
    if (named && !person) return fault("ACCOUNT_MISSING", { account: (named[2] as string).trim() });
    if (person) found.push(person.id);
  }
  return { value: found.length > 0 ? [...new Set(found)] : null };
}

/** Whether a choice may stand beside the value of the column above it; one that is no choice any more may. */
function standsBelow({ enums }: PlanColumn, value: PlanValue, above: PlanValue | undefined): boolean {
  const parent = above === undefined ? null : enums.find(({ id }) => String(id) === String(value))?.parentId;
  return parent === null || parent === undefined || String(parent) === String(above);
}

function readAttribute(
  column: PlanColumn,
  type: string,
  cell: Cell,
  format: DateFormat,
  above: PlanValue | undefined,
): { value: PlanValue } | Fault {
  const text = tidy(cellText(cell));
  switch (type) {
    case "NUMBER":
      return plain(cell, "number", format);
    case "DATE": {
      const day = typeof cell === "number" ? dayOfSerial(cell) : parseDay(text, format);
      return day === null ? fault("DATE_FORMAT", { value: text }) : { value: day };
    }
    case "DATETIME": {
      const moment = momentOf(cell, text, format);
      return moment === null ? fault("DATE_FORMAT", { value: text }) : { value: moment };
    }
    case "TIME": {
      const time = timeOf(cell, text);
      return time === null ? fault("DATE_FORMAT", { value: text }) : { value: time };
    }
    case "ENUM":
    case "LOOKUP_ENUM": {
      const offered = above === undefined ? column.enums : column.enums.filter(({ id }) => standsBelow(column, id, above));
      const found = offered.find((one) => one.value === text) ?? offered.find((one) => nameKey(one.value) === nameKey(text));
      return found ? { value: String(found.id) } : fault("VALUE_UNKNOWN", { value: text });
    }
    default:
      return { value: text };
  }
}

const secondsPerDay = 86_400;

function momentOf(cell: Cell, text: string, format: DateFormat): string | null {
  if (typeof cell === "number") {
    const seconds = Math.round((cell % 1) * secondsPerDay);
    return seconds < secondsPerDay ? `${dayOfSerial(cell)}T${clockText(seconds)}` : `${dayOfSerial(cell + 1)}T00:00:00`;
  }
  const parts = /^(.+?)(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/.exec(text);
  const day = parseDay(parts?.[1] ?? "", format);
  const [hour = "0", minute = "00", second = "00"] = [parts?.[2], parts?.[3], parts?.[4]];
  return day === null ? null : `${day}T${hour.padStart(2, "0")}:${minute}:${second}`;
}

// Spreadsheets keep a time as a part of a day, and give it back as a moment of their first day.
function timeOf(cell: Cell, text: string): string | null {
  if (typeof cell === "number") return cell >= 0 && cell < 1 ? clockText(Math.round(cell * secondsPerDay)).slice(0, 5) : null;
  const parts = /^(?:1(?:899|900)-\d\d-\d\d[T ])?(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(text);
  return parts ? `${(parts[1] as string).padStart(2, "0")}:${parts[2]}` : null;
}

function clockText(seconds: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${two(seconds / 3600)}:${two((seconds % 3600) / 60)}:${two(seconds % 60)}`;
}

const fieldTypes: Partial<Record<DuColumn["type"], FieldType>> = { integer: "number", number: "number", boolean: "flag", month: "month" };

function readDuField(field: string, cell: Cell, world: CellWorld): { value: PlanValue } | Fault {
  const { type } = duColumns[field as DuColumnKey] as DuColumn;
  if (type === "choice") return plain(cell, "choice", world.format, world.choices(field));
  if (type === "reference") {
    const text = tidy(cellText(cell));
    const id = world.named[field as keyof CellWorld["named"]].ids.get(nameKey(text));
    return id === undefined ? fault(unknownCodes[field as keyof typeof unknownCodes], { value: text, code: text }) : { value: id };
  }
  // A spreadsheet takes a month that is typed for its first day.
  if (type === "month" && (typeof cell === "number" || /^\d{4}-\d{2}-\d{2}/.test(String(cell))))
    return { value: (typeof cell === "number" ? dayOfSerial(cell) : String(cell)).slice(0, 7) };
  const read = fieldTypes[type];
  return read ? plain(cell, read, world.format) : { value: tidy(cellText(cell)) };
}

const unknownCodes = {
  region: "REGION_UNKNOWN",
  subcontractor: "SUBCONTRACTOR_UNKNOWN",
  directMigrationSite: "DU_NOT_FOUND",
  decomSite: "DU_NOT_FOUND",
} as const;

/** A value as the export shows it, so as a person reads it. */
export function shownCell(column: PlanColumn, value: PlanValue, world: CellWorld): string {
  if (value === null) return "";
  if (Array.isArray(value))
    return value
      .map((id) => world.people.get(id))
      .map((person) => (person ? `${person.name} (${person.account})` : "?"))
      .join(", ");
  if (typeof value === "boolean") return world.flag(value);
  const { target } = column;
  if (target.kind === "attribute" && isChoice(target.form.type))
    return column.enums.find((one) => String(one.id) === String(value))?.value ?? String(value);
  if (target.kind === "du") {
    const { type } = duColumns[column.field as DuColumnKey] as DuColumn;
    if (type === "choice") return world.choiceTitle(column.field, String(value));
    if (type === "reference") return world.named[column.field as keyof CellWorld["named"]].titles.get(Number(value)) ?? String(value);
  }
  return typeof value === "number" ? cellText(value) : tidy(value);
}

/** Accounts a cell of owners may name. */
export function namedAccounts(text: string): string[] {
  const inside = [...text.matchAll(/[(（]([^()（）]+)[)）]/g)].map((found) => (found[1] as string).trim());
  const alone = text.split(separators).map((part) => part.trim());
  return [...inside, ...alone].filter(Boolean).map((account) => account.toLowerCase());
}

/** The value a cell had before it was changed, and who changed it last. */
export type Before = { value: unknown; by: string | null; at: Date };

/** A logged row as far as earlier values follow from it. */
export type LoggedChange = {
  duId: number;
  cells: readonly number[];
  old: readonly number[];
  attrs: Record<string, unknown> | null;
  by: string | null;
  at: Date;
};

/**
 * What was changed by DU and place: the old value of the first change of each cell, which is the one it had before all of them, and who changed it last.
 * @param log changes, oldest first
 * @param wanted places asked for: numbers of plan cells, keys of everything else
 */
export function valuesBefore(
  log: readonly LoggedChange[],
  wanted: ReadonlySet<number | string>,
): Map<number, Map<number | string, Before>> {
  const changed = new Map<number, Map<number | string, Before>>();
  for (const { duId, cells, old, attrs, by, at } of log) {
    const places = changed.get(duId) ?? new Map<number | string, Before>();
    changed.set(duId, places);
    const note = (place: number | string, value: unknown) => {
      if (!wanted.has(place)) return;
      const known = places.get(place);
      places.set(place, { value: known ? known.value : value, by, at });
    };
    for (const [i, cell] of cells.entries()) note(cell, old[i]);
    for (const [key, value] of Object.entries(attrs ?? {})) if (Array.isArray(value)) note(key, value[0]);
  }
  return changed;
}

/** One cell with its value at the export, the present one and the one of the workbook. */
export type ThreeSides = { base: PlanValue; ours: PlanValue; theirs: PlanValue };

/**
 * What the workbook asks of a cell: nothing where it was not changed there or stands in the project already, an edit where only the workbook changed it,
 * a decision where both did.
 */
export function mergeCell({ base, ours, theirs }: ThreeSides): "keep" | "edit" | "conflict" {
  if (same(theirs, base) || same(theirs, ours)) return "keep";
  return same(ours, base) ? "edit" : "conflict";
}

/** Whether a cell holds just what it held, to the letter: most cells do, and need no reading. */
export function untouched(given: FieldValue, base: PlanValue): boolean {
  return given === base || (given === "" && base === null);
}

// Texts differ by what a person sees: line ends and outer blanks do not count.
function same(left: PlanValue, right: PlanValue): boolean {
  return sameValue(typeof left === "string" ? tidy(left) : left, typeof right === "string" ? tidy(right) : right);
}
