import type { Rule } from "#lib/core/rule.ts";
import type { PermitStatus } from "./limits.ts";

/** An authority answers once, and not tomorrow. */
export const answerRules = [
  { code: "WRONG_STATUS", broken: ({ status }) => status !== "submitted" && { status } },
  { code: "ACTUAL_AFTER_TODAY", broken: ({ answeredOn, today }) => answeredOn > today },
] as const satisfies readonly Rule<{ status: PermitStatus; answeredOn: string; today: string }>[];
