import type { Rule } from "#lib/core/rule.ts";
import type { TempStatus } from "./limits.ts";

/** A temporary milestone before a step. */
export type TempFacts = {
  status: TempStatus;
  product: string | null;
  deliverable: string | null;
  /** DUs it is linked to. */
  dus: number;
  /** Enabled milestones whose rows name it. */
  milestones: number;
};

/** What may be released: once, with product and deliverable. */
export const releaseRules: readonly Rule<TempFacts>[] = [
  { code: "WRONG_STATUS", broken: ({ status }) => status !== "draft" && { status } },
  { code: "VALUE_MISSING", broken: ({ product }) => product === null && { field: "product" } },
  { code: "VALUE_MISSING", broken: ({ deliverable }) => deliverable === null && { field: "deliverable" } },
];

/** Refuses to delete what a DU or a milestone in use depends on. [MDV-16] */
export const deleteRules: readonly Rule<TempFacts>[] = [{ code: "LINKED", broken: ({ dus, milestones }) => dus > 0 || milestones > 0 }];

/** A date that is to be written, as day numbers. */
export type DateFacts = { plan: number | undefined; actual: number | undefined; today: number; lastPlanDay: number; years: number };

export const dateRules: readonly Rule<DateFacts>[] = [
  { code: "PLAN_TOO_FAR", broken: ({ plan = 0, lastPlanDay, years }) => plan > lastPlanDay && { years } },
  { code: "ACTUAL_AFTER_TODAY", broken: ({ actual = 0, today }) => actual > today },
];
