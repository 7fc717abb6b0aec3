import { zodProblems } from "#lib/core/zod-problems.ts";
import {
  type CheckedRow,
  type FieldProblem,
  type FieldValue,
  type ImportField,
  type ImportRow,
  isChangedSince,
  rowMark,
  rowMarkField,
} from "#lib/imports/kind/logic.ts";
import { peoplePerCall, type ResourceType, resourceTypes } from "../pool/limits.ts";
import { type ResourceInput, ResourceRow } from "../pool/schema.ts";
import { dayColumns, type ReadColumn, readColumns, type SheetColumn, sheetPeopleMax } from "./limits.ts";
import type { PoolImportOptions } from "./schema.ts";

/** Titles of the columns in the reader's language, their names in all, and the words of a type. */
export type SheetTexts = {
  title: (column: SheetColumn) => string;
  names: (column: SheetColumn) => string[];
  typeNames: (type: ResourceType) => string[];
};

/** Fields a column of a file can be mapped to, and the hidden mark of an exported row. */
export const poolFields = (texts: SheetTexts): ImportField[] => [
  ...readColumns.map(
    (key): ImportField => ({
      key,
      title: texts.title(key),
      type: key === "type" ? "choice" : dayColumns.includes(key) ? "day" : "text",
      group: "resource",
      names: texts.names(key),
      required: key === "account",
      ...(key === "type" && { values: resourceTypes.map((value) => ({ value, names: texts.typeNames(value) })) }),
    }),
  ),
  rowMarkField,
];

/** A person of the pool as far as a file can change him. */
export type StoredPerson = { id: number; rowVersion: number; editable: boolean } & Record<Exclude<ReadColumn, "account">, FieldValue>;
/** Who the rows name: accounts that exist, and people of the pool, by account in lower case. */
export type PoolFacts = { accounts: ReadonlySet<string>; people: ReadonlyMap<string, StoredPerson>; mayAdd: boolean };

/** What one row wants of the person it names. */
export type PersonWork = {
  row: ImportRow;
  stored: StoredPerson | null;
  input: ResourceInput | null;
  changes: CheckedRow["changes"];
  problems: FieldProblem[];
};
/** What earlier rows of the file have said: the row of each account, and how many people come in. */
export type SeenPeople = { rows: Map<string, number>; added: number };
export const nobodySeen = (): SeenPeople => ({ rows: new Map(), added: 0 });

const splitSkills = (value: FieldValue): string[] =>
  String(value ?? "")
    .split(/[,;，；、\n]+/)
    .map((skill) => skill.trim())
    .filter(Boolean);
const shownValue = (value: FieldValue): FieldValue => (Array.isArray(value) ? value.join(", ") : value);

/** What a row wants, with everything that is wrong about it. [RES-18] [RES-19] [RES-21] */
export function personWork(row: ImportRow, facts: PoolFacts, { blanks }: PoolImportOptions, seen: SeenPeople): PersonWork {
  const problems: FieldProblem[] = [...row.problems];
  const account = String(row.values.account ?? "").trim();
  const key = account.toLowerCase();
  const stored = facts.people.get(key) ?? null;
  const work: PersonWork = { row, stored, input: null, changes: [], problems };
  const refuse = (path: string, problem: Omit<FieldProblem, "path">) => problems.push({ path, ...problem });
  if (account === "") {
    if (problems.length === 0) refuse("account", { code: "VALUE_MISSING" });
    return work;
  }
  const first = seen.rows.get(key);
  if (first !== undefined) refuse("account", { code: "REPEATED_IN_FILE", params: { row: first } });
  seen.rows.set(key, row.no);
  if (seen.rows.size > sheetPeopleMax) refuse("", { code: "TOO_MANY", params: { max: sheetPeopleMax } });
  if (!stored && !facts.accounts.has(key)) refuse("account", { code: "ACCOUNT_MISSING", params: { account } });
  if (stored ? !stored.editable : !facts.mayAdd) refuse("account", { code: "NO_PERMISSION", params: { right: "resource.edit" } });
  if (!stored && ++seen.added > peoplePerCall) refuse("", { code: "TOO_MANY", params: { max: peoplePerCall } });
  const fields: Record<string, unknown> = {};
  for (const column of readColumns) {
    const value = row.values[column];
    if (column === "account" || value === undefined || (value === null && blanks === "keep")) continue;
    fields[column] = column === "skills" ? splitSkills(value) : value === "" ? null : value;
  }
  // A period is judged as it will be: what the file leaves out of it is what is there.
  for (const [start, end] of [
    ["authStart", "authEnd"],
    ["visaStart", "visaEnd"],
  ] as const)
    if (start in fields !== end in fields) fields[start in fields ? end : start] = stored?.[start in fields ? end : start] ?? null;
  if (fields.type === null || (stored && fields.type === stored.type)) delete fields.type;
  // A crew member stays with his company: he is introduced, not made one by a file.
  if ("type" in fields && (fields.type === "SUBCONTRACT" || stored?.type === "SUBCONTRACT")) {
    refuse("type", { code: "INTRODUCED_ONLY" });
    delete fields.type;
  }
  const parsed = ResourceRow.safeParse(
    stored ? { id: stored.id, rowVersion: stored.rowVersion, ...fields } : { account, type: "OWN", ...fields },
  );
  if (!parsed.success)
    for (const { path, code, params } of zodProblems(parsed.error, fields))
      refuse(path.split(".")[0] ?? "", { code, ...(params && { params }) });
  if (problems.length > 0 || !parsed.success) return work;
  for (const column of readColumns) {
    if (column === "account" || !(column in fields)) continue;
    const [old, next] = [shownValue(stored?.[column] ?? null), shownValue((parsed.data as Record<string, FieldValue>)[column] ?? null)];
    if ((old || null) !== (next || null)) work.changes.push([column, old, next]);
  }
  if (stored && work.changes.length > 0 && isChangedSince(row.values[rowMark], stored)) {
    refuse("", { code: "STALE" });
    return work;
  }
  work.input = parsed.data;
  return work;
}

/** What would become of a row. */
export function checkedRow({ row, stored, changes, problems }: PersonWork): CheckedRow {
  const outcome = problems.length > 0 ? "rejected" : stored === null ? "new" : changes.length > 0 ? "changed" : "unchanged";
  return { no: row.no, outcome, changes: problems.length > 0 ? [] : changes, problems };
}
