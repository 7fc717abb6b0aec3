import type { Rule } from "#lib/core/rule.ts";
import type { VersionKind } from "../snapshots/limits.ts";
import type { DistributionStatus } from "./limits.ts";

/** Only what is published and in force is told to others. */
export const sendRules = [
  { code: "WRONG_STATUS", broken: ({ kind }) => kind !== "published" && { status: kind } },
  { code: "END_PAST", broken: ({ dueDate, today }) => dueDate !== null && dueDate < today },
] as const satisfies readonly Rule<{ kind: VersionKind; dueDate: string | null; today: string }>[];

/** What is closed is not closed again, and nobody is reminded of it. */
export const openRules = [{ code: "DISTRIBUTION_CLOSED", broken: ({ status }) => status === "closed" }] as const satisfies readonly Rule<{
  status: DistributionStatus;
}>[];
