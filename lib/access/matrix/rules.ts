import type { Rule } from "#lib/core/rule.ts";
import { type PermissionCode, permissions, type Role } from "#lib/permissions.ts";
import { businessApprovals, keptByManager } from "../limits.ts";
import { type Grant, isViewing } from "../logic.ts";

/** What a change of the matrix is judged by. */
export type MatrixFacts = { role: string; code: string; scope: Grant };

const hasByDefault = (role: string, code: string) => permissions[code as PermissionCode].roles[role as Role] !== undefined;

/** The administrator of the system approves nothing, COMMON VIEW changes nothing, and the manager keeps what is needed to give rights back. */
export const matrixRules: readonly Rule<MatrixFacts>[] = [
  {
    code: "ADMIN_APPROVES_NOTHING",
    broken: ({ role, code, scope }) => role === "SYS_ADMIN" && scope !== "" && (businessApprovals as readonly string[]).includes(code),
  },
  {
    code: "VIEW_ROLE",
    broken: ({ role, code, scope }) => role === "COMMON_VIEW" && scope !== "" && !isViewing(code) && !hasByDefault(role, code),
  },
  {
    code: "MANAGER_KEEPS",
    broken: ({ role, code, scope }) => role === "PM" && scope !== "Y" && (keptByManager as readonly string[]).includes(code),
  },
];
