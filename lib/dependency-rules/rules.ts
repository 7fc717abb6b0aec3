import type { Rule } from "#lib/core/rule.ts";
import { effectiveMax } from "./rule-set/limits.ts";

/** Rules in force with those a call adds [DEP-05]. */
export const DEP_LIMIT: Rule<{ effective: number }> = {
  code: "DEP_LIMIT",
  broken: ({ effective }) => effective > effectiveMax && { max: effectiveMax },
};

/** Why a rule cannot be put into force. */
export type EnableFault = "datePassed" | "objectInvalid" | "flowInvalid";

/** What keeps an expired rule from being enabled. */
export function enableFaults(rule: { expireDate: string | null; today: string; objectsValid: boolean; flowValid: boolean }): EnableFault[] {
  return [
    ...(rule.expireDate !== null && rule.expireDate < rule.today ? (["datePassed"] as const) : []),
    ...(rule.objectsValid ? [] : (["objectInvalid"] as const)),
    ...(rule.flowValid ? [] : (["flowInvalid"] as const)),
  ];
}
