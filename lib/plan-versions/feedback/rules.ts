import type { Rule } from "#lib/core/rule.ts";
import type { DistributionStatus } from "../distributions/limits.ts";
import type { Decision } from "./limits.ts";

/** A closed distribution takes no more answers. */
export const submitRules = [{ code: "DISTRIBUTION_CLOSED", broken: ({ status }) => status === "closed" }] as const satisfies readonly Rule<{
  status: DistributionStatus;
}>[];

/** What is decided is neither mapped nor decided again. */
export const openAnswerRules = [
  { code: "WRONG_STATUS", broken: ({ decision }) => decision !== "open" && { status: decision } },
] as const satisfies readonly Rule<{ decision: Decision }>[];

/** A DU and an activity stand for an answer only where the version told of them. */
export const mappingRules = [{ code: "NOT_IN_VERSION", broken: ({ told }) => !told }] as const satisfies readonly Rule<{ told: boolean }>[];
