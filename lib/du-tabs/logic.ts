import type { AttributeType } from "#lib/rollout-plan/columns/limits.ts";
import type { Fault } from "#lib/rollout-plan/columns/logic.ts";
import { canonicalValue } from "#lib/rollout-plan/columns/logic.ts";
import { cellChars, type FixedColumn, fixedColumns, type KeyMode, stateCountry, type TabMode, writingRoles } from "./limits.ts";

/** What a tab says of people: an account or a role, and what it may do. */
export type TabUser = { userId: number | null; role: string | null; mode: TabMode };

/** What a person may do with a tab: the line of the account, else the most of those of his roles, else what the roles may anyway. Without the right to write nobody writes. */
export function tabMode(users: readonly TabUser[], person: { id: number; roles: readonly string[]; mayWrite: boolean }): TabMode {
  const own = users.find(({ userId }) => userId === person.id);
  const ofRoles = users.filter(({ role }) => role !== null && person.roles.includes(role));
  const given = own ? [own.mode] : ofRoles.map(({ mode }) => mode);
  const mode = given.length > 0 ? given.includes("RW") : person.roles.some((role) => (writingRoles as readonly string[]).includes(role));
  return mode && person.mayWrite ? "RW" : "RO";
}

/** The columns a tab begins with. */
export const fixedColumnsOf = (keyMode: KeyMode, country: string): FixedColumn[] =>
  fixedColumns.filter((key) => (key !== "sn" || keyMode === "SN") && (!key.startsWith("state") || country === stateCountry));

/** A value people choose; of a list of two levels the one it stands below. A retired one is stored here and there, and no longer offered. */
export type Choice = { id: number; value: string; parent?: number; isRetired?: true };

/** What a value of a tab is checked with. `parentKey` is the attribute whose value in the same row says which choices are offered. */
export type TabForm = {
  id: number;
  name: string;
  type: AttributeType;
  limit: Parameters<typeof canonicalValue>[0]["limit"];
  enumIds: readonly number[];
  required: boolean;
  parentKey?: string;
  choices?: readonly Choice[];
};

/** Whether a choice may stand beside the value of the attribute it depends on. */
export function fitsParent({ choices = [] }: Pick<TabForm, "choices">, value: unknown, parent: unknown): boolean {
  const chosen = choices.find(({ id }) => String(id) === String(value));
  return chosen?.parent === undefined || String(chosen.parent) === String(parent ?? "");
}

const typeCodes: Partial<Record<AttributeType, Fault["code"]>> = {
  ENUM: "NOT_A_CHOICE",
  LOOKUP_ENUM: "NOT_A_CHOICE",
  DATE: "NOT_A_DATE",
  DATETIME: "NOT_A_DATE",
  TIME: "NOT_A_TIME",
  NUMBER: "NOT_A_NUMBER",
};

/** A value of a tab in the form it is stored, null for a blank, or what is wrong with it; each type has a refusal of its own. [DUT-08] [DUT-09] [DUT-11] */
export function tabValue(form: TabForm, given: unknown): { value: string | number | null } | Fault {
  const field = form.name;
  if (typeof given === "string" && [...given].length > cellChars) return { code: "LENGTH_OVER", params: { field, max: cellChars } };
  const blank = given === null || given === undefined || (typeof given === "string" && given.trim() === "");
  if (blank) return form.required ? { code: "EMPTY_CONTENT", params: { field } } : { value: null };
  if (form.type === "READ_ONLY") return { code: "NO_PERMISSION", params: { right: field } };
  const code = typeCodes[form.type];
  // Texts of tabs have one bound, that of the cell; a pattern holds everywhere.
  if (!code) {
    const value = String(given).trim();
    const pattern = form.limit?.pattern;
    const max = form.limit?.maxLength;
    if (max !== undefined && [...value].length > max) return { code: "VALUE_TOO_LONG", params: { field, max } };
    return pattern && !new RegExp(`^(?:${pattern})$`, "u").test(value) ? { code: "VALUE_FORMAT", params: { field, value } } : { value };
  }
  const found = canonicalValue(form, given);
  if (!("code" in found)) return found;
  const wrongType = found.code === "VALUE_FORMAT" || found.code === "DATE_FORMAT" || found.code === "VALUE_UNKNOWN";
  return { code: wrongType ? code : found.code, params: { field, ...found.params } };
}
