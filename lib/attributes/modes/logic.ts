import { type AttributeMode, attributeModes } from "./limits.ts";

/** What is said of an attribute and one person. */
export type ModeFacts = {
  type: string;
  visibleCustomer: boolean;
  visibleSubcon: boolean;
  editableSubcon: boolean;
  /** The person's own row of read-only and read-write users. */
  own: "RO" | "RW" | null;
  /** The attribute names read-write users. */
  hasWriters: boolean;
  personControl: boolean;
  /** The person is one of those who alone may edit it. */
  listed: boolean;
};

/** One line of a permission: an attribute, or all that have no line of their own. */
export type PermissionEntry = { attributeId: number | "*"; mode: AttributeMode };
/** What permissions say to a person: the row of the account, and that of each of the person's roles, null where a role has none. */
export type Permissions = { account: readonly PermissionEntry[] | null; roles: readonly (readonly PermissionEntry[] | null)[] };
export type PersonKind = "employee" | "subcontractor" | "customer";

const lowest = (modes: readonly AttributeMode[]): AttributeMode =>
  attributeModes[Math.min(...modes.map((mode) => attributeModes.indexOf(mode)))] as AttributeMode;
const highest = (modes: readonly AttributeMode[]): AttributeMode =>
  attributeModes[Math.max(...modes.map((mode) => attributeModes.indexOf(mode)))] as AttributeMode;

/** What entries say of an attribute: its own line goes before `*`; null when they say nothing. */
export function entryMode(entries: readonly PermissionEntry[], attributeId: number): AttributeMode | null {
  const own = entries.find((entry) => entry.attributeId === attributeId) ?? entries.find((entry) => entry.attributeId === "*");
  return own?.mode ?? null;
}

/** What the permissions of a person let do with an attribute: the account's row, else the most permissive of all roles. */
export function permittedMode({ account, roles }: Permissions, attributeId: number): AttributeMode {
  if (account) return entryMode(account, attributeId) ?? "RW";
  return roles.length === 0 ? "RW" : highest(roles.map((entries) => (entries && entryMode(entries, attributeId)) ?? "RW"));
}

/** The mode of an attribute for a person: the lowest of all that is said. */
export function effectiveMode(attributeId: number, facts: ModeFacts, kind: PersonKind, permissions: Permissions): AttributeMode {
  const said: AttributeMode[] = [permittedMode(permissions, attributeId)];
  if (facts.type === "READ_ONLY") said.push("RO");
  if (kind === "customer") said.push(facts.visibleCustomer ? "RO" : "HIDDEN");
  if (kind === "subcontractor") said.push(facts.visibleSubcon ? (facts.editableSubcon ? "RW" : "RO") : "HIDDEN");
  if (facts.own) said.push(facts.own);
  else if (facts.hasWriters) said.push("RO");
  if (facts.personControl && !facts.listed) said.push("RO");
  return lowest(said);
}
