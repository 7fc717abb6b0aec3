import { roleName } from "#lib/core/format.ts";
import { isErrorCell } from "#lib/core/workbook-cell.ts";
import type { DateFormat } from "#lib/imports/kind/limits.ts";
import {
  type CellProblem,
  type CheckedRow,
  dayOf,
  type FieldProblem,
  type ImportField,
  type ImportRow,
  isChangedSince,
  rowMark,
  rowMarkField,
} from "#lib/imports/kind/logic.ts";
import { type Role, roles } from "#lib/permissions.ts";
import { derivedRoles } from "../limits.ts";
import { validityOf } from "../logic.ts";
import { readColumns, type SheetColumn, sheetRolesMax } from "./limits.ts";
import type { MemberImportOptions } from "./schema.ts";

/** Titles of the columns in the reader's language, and their names in all. */
export type SheetTexts = { title: (column: SheetColumn) => string; names: (column: SheetColumn) => string[] };

/** Further names a head may carry. */
const otherNames: Partial<Record<SheetColumn, readonly string[]>> = {
  account: ["user", "user account", "login", "工号", "用户", "ユーザー"],
  from: ["from", "start", "start date", "开始日期", "有効開始日"],
  to: ["to", "until", "end", "end date", "结束日期", "有効終了日"],
};

/** Fields a column of a file can be mapped to, and the hidden mark of an exported row. */
export function memberFields(texts: SheetTexts): ImportField[] {
  const values = roles.map((role) => ({ value: role, title: roleName(role), names: [] }));
  return [
    ...readColumns.map(
      (key): ImportField => ({
        key,
        title: texts.title(key),
        type: key === "role" ? "choice" : key === "account" ? "text" : "day",
        group: "member",
        names: [...texts.names(key), ...(otherNames[key] ?? [])],
        required: key === "account" || key === "role",
        // A validity may lie outside the days of a plan.
        ...(key === "from" || key === "to" ? { raw: true } : {}),
        ...(key === "role" && { values }),
      }),
    ),
    rowMarkField,
  ];
}

export type Person = { id: number; account: string; active: boolean };
export type Held = { id: number; userId: number; role: string; validFrom: string; validTo: string | null; rowVersion: number };
/** What the rows name, as far as it exists: people by account in lower case, roles by `heldKey`, and the ids of the managers who are valid today. */
export type MemberFacts = { people: Map<string, Person>; held: Map<string, Held>; managers: ReadonlySet<number>; today: string };
export const heldKey = (userId: number, role: string): string => `${userId} ${role}`;

/** What one row wants: a role for a person, from its first to its last day. */
export type RoleWork = {
  row: ImportRow;
  person: Person | null;
  held: Held | null;
  role: Role | null;
  validFrom: string;
  validTo: string | null;
  changes: CheckedRow["changes"];
  problems: FieldProblem[];
};

/** What earlier rows of the file have said: the row of each role of each person, and their number. */
export type SeenRoles = { rows: Map<string, number>; count: number };
export const nothingSeen = (): SeenRoles => ({ rows: new Map(), count: 0 });

/** What a row wants of the role it names, with everything that is wrong about it. */
export function roleWork(row: ImportRow, facts: MemberFacts, options: MemberImportOptions, format: DateFormat, seen: SeenRoles): RoleWork {
  const problems: FieldProblem[] = [...row.problems];
  const work: RoleWork = { row, person: null, held: null, role: null, validFrom: "", validTo: null, changes: [], problems };
  const refuse = (path: string, problem: CellProblem) => problems.push({ path, ...problem });
  if (++seen.count > sheetRolesMax) refuse("", { code: "TOO_MANY", params: { max: sheetRolesMax } });
  const { account, role } = row.values as { account?: string | null; role?: Role | null };
  const unread = new Set(problems.map(({ path }) => path));
  if (!account && !unread.has("account")) refuse("account", { code: "VALUE_MISSING" });
  if (!role && !unread.has("role")) refuse("role", { code: "VALUE_MISSING" });
  work.person = account ? (facts.people.get(account.toLowerCase()) ?? null) : null;
  work.role = role ?? null;
  if (account && !work.person) refuse("account", { code: "ACCOUNT_MISSING", params: { account } });
  const days = { from: readDay(row, "from", format, refuse), to: readDay(row, "to", format, refuse) };
  if (!work.person || !role) return work;
  const key = heldKey(work.person.id, role);
  const first = seen.rows.get(key);
  if (first !== undefined) refuse("role", { code: "REPEATED_IN_FILE", params: { row: first } });
  else seen.rows.set(key, row.no);
  const held = facts.held.get(key) ?? null;
  work.held = held;
  const ended = held !== null && validityOf(held, facts.today) === "ended";
  if (days.from === null && held === null && !problems.some(({ path }) => path === "from")) refuse("from", { code: "VALUE_MISSING" });
  work.validFrom = days.from ?? held?.validFrom ?? "";
  // A role that begins again after its end is a new one: the end of before says nothing about it.
  const anew = held === null || (held.validTo !== null && work.validFrom > held.validTo);
  work.validTo = days.to ?? (anew || (days.to === null && options.blanks === "clear") ? null : held.validTo);
  if (work.validTo !== null && work.validTo < work.validFrom) refuse("to", { code: "DATE_ORDER" });
  if (problems.length > 0) return work;
  if (held?.validFrom !== work.validFrom) work.changes.push(["from", held?.validFrom ?? null, work.validFrom]);
  if ((held?.validTo ?? null) !== work.validTo) work.changes.push(["to", held?.validTo ?? null, work.validTo]);
  if (held && work.changes.length === 0) return work;
  if ((derivedRoles as readonly string[]).includes(role)) refuse("role", { code: "ROLE_DERIVED", params: { role: roleName(role) } });
  if (!work.person.active && (held === null || ended))
    refuse("account", { code: "ACCOUNT_MISSING", params: { account: work.person.account } });
  if (held && isChangedSince(row.values[rowMark], held)) refuse("", { code: "STALE" });
  return work;
}

// Undefined where the file has no such column or its cell is refused, null where the cell is empty.
function readDay(
  row: ImportRow,
  key: "from" | "to",
  format: DateFormat,
  refuse: (path: string, problem: CellProblem) => void,
): string | null | undefined {
  const cell = row.values[key];
  if (cell === undefined) return key === "from" ? null : undefined;
  if (cell === null || (typeof cell === "string" && cell.trim() === "")) return null;
  const value = Array.isArray(cell) ? null : cell;
  if (isErrorCell(value)) refuse(key, { code: "CELL_ERROR" });
  else {
    const day = dayOf(value, format);
    if (day !== null) return day;
    refuse(key, { code: "DATE_FORMAT", params: { value: String(value) } });
  }
  return undefined;
}

/** Refuses the rows that would leave a project that has valid managers without one: those that take the role from a manager of today. */
export function keepManager(works: readonly RoleWork[], { managers, today }: Pick<MemberFacts, "managers" | "today">): void {
  const after = new Set(managers);
  const taking: RoleWork[] = [];
  for (const work of works) {
    const { person, role, validFrom, validTo } = work;
    if (!person || role !== "PM" || work.problems.length > 0 || work.changes.length === 0) continue;
    const valid = person.active && validFrom <= today && (validTo === null || validTo >= today);
    if (valid) after.add(person.id);
    else if (after.delete(person.id)) taking.push(work);
  }
  if (managers.size > 0 && after.size === 0) for (const work of taking) work.problems.push({ path: "to", code: "LAST_PM" });
}

/** What would become of a row. */
export function checkedRow({ row, held, changes, problems }: RoleWork): CheckedRow {
  const outcome = problems.length > 0 ? "rejected" : held === null ? "new" : changes.length > 0 ? "changed" : "unchanged";
  return { no: row.no, outcome, changes: problems.length > 0 ? [] : changes, problems };
}
