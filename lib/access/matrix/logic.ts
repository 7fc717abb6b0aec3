import type { PermissionCode, Role } from "#lib/permissions.ts";
import { type Grant, givenByDelegation, grantOf, grantsFor, type Overrides, overrideKey } from "../logic.ts";

/** What one role contributes to the answer. */
export type Reason = {
  role: Role;
  grant: Grant;
  /** Whether the project's own word decided, and what the default table says. */
  fromProject: boolean;
  byDefault: Grant;
};

/** Whether a person has a code, and what gives or withholds it. */
export type Verdict = {
  code: PermissionCode;
  held: boolean;
  /** Held for every row of the project; otherwise for own rows only. */
  all: boolean;
  /** The valid roles, each with what it says. */
  reasons: Reason[];
  /** Held because of a delegation. */
  byDelegation: boolean;
  /** A restriction: it holds only while every role carries it. */
  restricting: boolean;
  /** Roles that would give the code in this project. */
  givers: { role: Role; grant: Grant }[];
};

/**
 * Judges one code for somebody.
 * @param held valid roles, derived ones included
 * @param delegated roles delegated to him
 */
export function judge(
  code: PermissionCode,
  held: readonly Role[],
  delegated: readonly Role[],
  overrides: Overrides,
  everyRole: readonly Role[],
): Verdict {
  const { all, own } = grantsFor(held, code, overrides);
  const byDelegation = givenByDelegation(delegated, code, overrides);
  const none: Overrides = new Map();
  return {
    code,
    held: all || own.length > 0 || byDelegation,
    all: all || byDelegation,
    reasons: held.map((role) => ({
      role,
      grant: grantOf(role, code, overrides),
      fromProject: overrides.has(overrideKey(role, code)),
      byDefault: grantOf(role, code, none),
    })),
    byDelegation,
    restricting: code === "rollout.duCountHide",
    givers: everyRole.map((role) => ({ role, grant: grantOf(role, code, overrides) })).filter(({ grant }) => grant !== ""),
  };
}
