import type { Params } from "#lib/core/error.ts";
import type { CellProblem, CheckedRow, FieldProblem, ImportField, ImportRow } from "#lib/imports/kind/logic.ts";
import { ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";

/** What the rows of a workbook name: DUs by code or regions by name, in lower case, with the people of each field. */
export type SheetFacts = {
  targets: ReadonlyMap<string, { id: number; held: ReadonlyMap<string, readonly number[]> }>;
  /** Accounts of people who are owners of something the file names. */
  accounts: ReadonlyMap<number, string>;
  /** People who may be owners, by account as it is written. */
  ids: ReadonlyMap<string, number>;
  refuse: (accounts: readonly string[]) => Params | null;
};

/** What one row wants: the people of each field it speaks of. */
export type OwnerWork = {
  row: ImportRow;
  id: number;
  people: Map<string, number[]>;
  changes: CheckedRow["changes"];
  problems: FieldProblem[];
};

/** Accounts a cell names; null for an empty cell, undefined where the file has no such column. */
export function cellAccounts(row: ImportRow, field: string): string[] | null | undefined {
  const value = row.values[field];
  if (value === undefined) return undefined;
  return Array.isArray(value) && value.length > 0 ? value : null;
}

/** What a row wants of the owners it names, with everything that is wrong about it. */
export function ownerWork(
  row: ImportRow,
  { key, fields, unknown }: { key: string; fields: readonly string[]; unknown: (name: string) => CellProblem },
  facts: SheetFacts,
  blanks: "keep" | "clear",
  seen: Map<number, number>,
): OwnerWork {
  const work: OwnerWork = { row, id: 0, people: new Map(), changes: [], problems: [...row.problems] };
  const refuse = (path: string, problem: CellProblem) => work.problems.push({ path, ...problem });
  const name = row.values[key];
  if (typeof name !== "string" || name === "") {
    refuse(key, { code: "VALUE_MISSING" });
    return work;
  }
  const target = facts.targets.get(name.toLowerCase());
  if (!target) {
    refuse(key, unknown(name));
    return work;
  }
  work.id = target.id;
  const first = seen.get(target.id);
  if (first !== undefined) refuse(key, { code: "REPEATED_IN_FILE", params: { row: first } });
  else seen.set(target.id, row.no);
  for (const field of fields) {
    const given = cellAccounts(row, field);
    if (given === undefined || (given === null && blanks === "keep")) continue;
    const held = target.held.get(field) ?? [];
    const before = held.map((id) => facts.accounts.get(id)!);
    const lower = new Map(held.map((id) => [facts.accounts.get(id)!.toLowerCase(), id]));
    const accounts = given ?? [];
    if (accounts.length > ownersMax) refuse(field, { code: "TOO_MANY", params: { max: ownersMax } });
    const bad = facts.refuse(accounts.filter((account) => !lower.has(account.toLowerCase())));
    if (bad) refuse(field, { code: "OWNER_NOT_RESOURCE", params: bad });
    if (bad || accounts.length > ownersMax) continue;
    const people = [...new Set(accounts.map((account) => lower.get(account.toLowerCase()) ?? facts.ids.get(account)!))];
    if (people.length === held.length && people.every((id) => held.includes(id))) continue;
    work.people.set(field, people);
    work.changes.push([field, before, accounts]);
  }
  return work;
}

/** What would become of a row. */
export function checkedRow({ row, changes, problems }: OwnerWork): CheckedRow {
  const outcome = problems.length > 0 ? "rejected" : changes.length > 0 ? "changed" : "unchanged";
  return { no: row.no, outcome, changes: problems.length > 0 ? [] : changes, problems };
}

/** Fields of a workbook of owners: what names the row, then the columns of people. */
export function ownerFields(
  key: string,
  fields: readonly string[],
  texts: { title: (column: string) => string; names: (column: string) => string[] },
  group: string,
): ImportField[] {
  return [
    { key, title: texts.title(key), type: "text", group, names: texts.names(key), required: true },
    ...fields.map((field): ImportField => ({ key: field, title: texts.title(field), type: "accounts", group, names: texts.names(field) })),
  ];
}
