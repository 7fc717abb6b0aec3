import { addDays } from "#lib/core/clock.ts";
import { type PermissionCode, permissions, type Role, roles } from "#lib/permissions.ts";
import { endingDays } from "./limits.ts";

/** A right of a role: every row, own rows, none. */
export type Grant = "Y" | "O" | "";
/** Overrides of one project: role and code to grant. */
export type Overrides = ReadonlyMap<string, Grant>;

/** Key of an override. */
export function overrideKey(role: string, code: string): string {
  return `${role} ${code}`;
}

/** A role's name as code: upper case, underscores for spaces; null when there is no such role. */
export function roleCode(name: string): Role | null {
  const code = name.trim().toUpperCase().replaceAll(" ", "_");
  return (roles as readonly string[]).includes(code) ? (code as Role) : null;
}

/**
 * The role that labels a person in a project: the first of PM, PCM, TD, TL, else COMMON VIEW, else the first valid role, in upper case; null without a role.
 * @param valid valid roles in the order they were granted
 */
export function currentRole(valid: readonly string[]): string | null {
  const codes = valid.map((name) => name.trim().toUpperCase().replaceAll(" ", "_"));
  for (const role of ["PM", "PCM", "TD", "TL"]) if (codes.includes(role)) return role;
  if (codes.includes("COMMON_VIEW")) return "COMMON_VIEW";
  return codes[0] ?? null;
}

/** What one role may do for a code: the project's override, else the default table. */
export function grantOf(role: Role, code: PermissionCode, overrides: Overrides): Grant {
  const override = overrides.get(overrideKey(role, code));
  if (override !== undefined) return override;
  return permissions[code].roles[role] ?? "";
}

/** The restricting code: it counts only when every valid role holds it. */
const restricting: readonly PermissionCode[] = ["rollout.duCountHide"];

/**
 * The union over all valid roles: which roles give the code on all rows and which on own rows.
 * A restricting code is held only when every role holds it.
 */
export function grantsFor(held: readonly Role[], code: PermissionCode, overrides: Overrides): { all: boolean; own: Role[] } {
  const grants = held.map((role) => ({ role, grant: grantOf(role, code, overrides) }));
  if (restricting.includes(code)) return { all: held.length > 0 && grants.every(({ grant }) => grant !== ""), own: [] };
  return { all: grants.some(({ grant }) => grant === "Y"), own: grants.filter(({ grant }) => grant === "O").map(({ role }) => role) };
}

/** Rights that show the project whole, row by row or in counts, or say who sees what of it; the account of a subcontractor never holds them. */
export const wholeCodes: readonly PermissionCode[] = [
  "audit.view",
  "dataControl.edit",
  "notice.edit",
  "notice.find",
  "project.close",
  "subcon.isolation",
  "task.viewAll",
];

/** What an active delegation of a role lets its delegate do everywhere; every other delegation counts for records addressed to the delegator alone. */
export const delegatedCodes: Partial<Record<Role, readonly PermissionCode[]>> = { PD: ["plan.frozenChange"] };

/** Whether delegations of these roles give a code: as far as the roles themselves have it in the project. */
export function givenByDelegation(delegated: readonly Role[], code: PermissionCode, overrides: Overrides): boolean {
  return delegated.some((role) => delegatedCodes[role]?.includes(code) && grantOf(role, code, overrides) === "Y");
}

/** Where the validity of a role stands on a day: not begun, valid, valid and about to end, ended. */
export type Validity = "future" | "valid" | "ending" | "ended";

/**
 * Validity of a role or delegation on a day.
 * @param today the project's day
 */
export function validityOf(period: { validFrom: string; validTo: string | null }, today: string): Validity {
  if (period.validFrom > today) return "future";
  if (period.validTo === null) return "valid";
  if (period.validTo < today) return "ended";
  return period.validTo <= addDays(today, endingDays) ? "ending" : "valid";
}

/** Whether a right only shows something: what a role for looking may be given. */
export function isViewing(code: string): boolean {
  return /\.(view\w*|enter|find|lockQuery|multiPlan|listPlan|duCountHide|patAcceptance)$|View$|export\w*$|Export$/.test(code);
}
