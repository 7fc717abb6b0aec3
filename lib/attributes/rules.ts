import type { Rule } from "#lib/core/rule.ts";

/** Attributes of a project after another one is added. */
export type RoomFacts = { count: number; max: number };

/** Refuses an attribute more than the project may have, in all or of those appended in dialogs. [ATT-18] */
export const ATTRIBUTE_LIMIT: Rule<RoomFacts> = { code: "ATTRIBUTE_LIMIT", broken: ({ count, max }) => count >= max && { max } };

/** Who may add attributes, and who wants to. */
export type GrantFacts = { grants: readonly { role: string | null; userId: number | null }[]; roles: readonly string[]; userId: number };

/** Refuses a new attribute by somebody who is not among those the project has named; without names everybody who may edit may add. [ATT-27] */
export const NO_ADD_GRANT: Rule<GrantFacts> = {
  code: "NO_ADD_GRANT",
  broken: ({ grants, roles, userId }) =>
    grants.length > 0 && !grants.some((grant) => grant.userId === userId || (grant.role !== null && roles.includes(grant.role))),
};
