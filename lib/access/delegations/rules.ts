import { addMonths } from "#lib/core/clock.ts";
import type { Rule } from "#lib/core/rule.ts";
import { delegationMonths } from "../limits.ts";

/** What a new delegation is judged by. */
export type DelegationFacts = {
  role: string;
  /** Roles the delegator validly holds. */
  ownRoles: readonly string[];
  isSelf: boolean;
  /** Account of the delegate, and whether he holds a valid role in the project. */
  delegate: { account: string; isMember: boolean };
  validFrom: string;
  validTo: string;
  today: string;
};

/** Only an own role, to another member, for a year at most, not wholly in the past. */
export const delegationRules: readonly Rule<DelegationFacts>[] = [
  { code: "ROLE_NOT_HELD", broken: ({ role, ownRoles }) => (ownRoles.includes(role) ? false : { role }) },
  { code: "DELEGATE_SELF", broken: ({ isSelf }) => isSelf },
  { code: "NOT_MEMBER", broken: ({ delegate }) => (delegate.isMember ? false : { account: delegate.account }) },
  { code: "DATE_ORDER", broken: ({ validFrom, validTo }) => validTo < validFrom },
  { code: "END_PAST", broken: ({ validTo, today }) => validTo < today },
  { code: "OVER_ONE_YEAR", broken: ({ validFrom, validTo }) => validTo > addMonths(validFrom, delegationMonths) },
];
