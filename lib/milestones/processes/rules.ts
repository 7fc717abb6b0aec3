import type { Rule } from "#lib/core/rule.ts";
import type { ProcessStatus } from "./limits.ts";

/** A temporary process before a step. */
export type ProcessFacts = {
  status: ProcessStatus;
  steps: readonly unknown[];
  /** Work orders made from it, and those of them that are neither completed nor cancelled. */
  orders: number;
  openOrders: number;
};

const wrong = (...allowed: ProcessStatus[]): Rule<ProcessFacts> => ({
  code: "WRONG_STATUS",
  broken: ({ status }) => !allowed.includes(status) && { status },
});

/** What may be released, for the first time or again. */
export const releaseRules: readonly Rule<ProcessFacts>[] = [
  wrong("draft", "disabled"),
  { code: "VALUE_MISSING", broken: ({ steps }) => steps.length === 0 && { field: "steps" } },
];

export const disableRules: readonly Rule<ProcessFacts>[] = [
  wrong("released"),
  { code: "ORDERS_OPEN", broken: ({ openOrders }) => openOrders > 0 && { count: openOrders } },
];

export const deleteRules: readonly Rule<ProcessFacts>[] = [
  wrong("draft", "disabled"),
  { code: "ORDERS_EXIST", broken: ({ orders }) => orders > 0 && { count: orders } },
];
