import type { Rule } from "#lib/core/rule.ts";

/** What a change of members' roles is judged by. */
export type RoleFacts = {
  validFrom: string | null;
  validTo: string | null;
  /** Valid project managers before and after the change. */
  managersBefore: number;
  managersAfter: number;
};

/** A validity ends on or after its first day; a project that has a manager keeps one. */
export const roleRules: readonly Rule<RoleFacts>[] = [
  { code: "DATE_ORDER", broken: ({ validFrom, validTo }) => validFrom !== null && validTo !== null && validTo < validFrom },
  { code: "LAST_PM", broken: ({ managersBefore, managersAfter }) => managersBefore > 0 && managersAfter === 0 },
];
