import type { Rule } from "#lib/core/rule.ts";
import { isApplicable, stateValue, workOrderStatus } from "#lib/rollout-plan/plan-rows/logic.ts";
import { nextStatus, type OrderEvent, type OrderStatus } from "./orders/logic.ts";

/** One activity of one DU as it is before the step. */
export type StepFacts = {
  state: number;
  planStart: number;
  planEnd: number;
  actualStart: number;
  actualEnd: number;
  planOwner: number;
  actualOwner: number;
  /** Status the order keeps for its way back. */
  before: OrderStatus | null;
  /** Kind of the activity, and whether it is an automatic one. */
  kind: string;
  automatic: boolean;
  /** The call holds more than one activity. */
  batch: boolean;
  today: number;
  /** workOrder.redoAfterRevenue of the person. */
  redoAfterRevenue: boolean;
};

const status = ({ state }: StepFacts) => workOrderStatus(state);
const has = (state: number, bit: Parameters<typeof stateValue>[1]) => stateValue(state, bit) !== 0;

const NO_ACTIVITY: Rule<StepFacts> = { code: "NO_ACTIVITY", broken: ({ state }) => !has(state, "inFlow") };
const NA_OR_INV: Rule<StepFacts> = { code: "NA_OR_INV", broken: ({ state }) => has(state, "inFlow") && !isApplicable(state) };

/** Refuses an event the status of the order does not allow. */
export const wrongStatus = (event: OrderEvent): Rule<StepFacts> => ({
  code: "WRONG_STATUS",
  broken: (facts) => nextStatus(event, status(facts), facts.before) === null && { status: status(facts) },
});

/** What can be dispatched, in the order the reasons are told [WOR-11] [WOR-12]. */
export const dispatchRules: readonly Rule<StepFacts>[] = [
  NO_ACTIVITY,
  NA_OR_INV,
  { code: "NOT_SCHEDULED", broken: (facts) => nextStatus("dispatch", status(facts)) === null },
  { code: "NO_OWNER", broken: ({ planOwner }) => planOwner === 0 },
  { code: "PLAN_EMPTY", broken: ({ planStart, planEnd }) => planStart === 0 || planEnd === 0 },
  {
    code: "DATE_BEFORE_TODAY",
    broken: ({ planStart, planEnd, today }) => (planStart !== 0 && planStart < today) || (planEnd !== 0 && planEnd < today),
  },
  { code: "IN_APPROVAL", broken: ({ state }) => stateValue(state, "approval") === 2 },
  { code: "ACTIVITY_COMPLETED", broken: ({ actualEnd }) => actualEnd !== 0 },
  {
    code: "MATERIAL_DISMANTLE_BATCH",
    broken: ({ kind, automatic, batch }) => batch && kind === "material_dismantle" && !automatic,
  },
];

export const startRules: readonly Rule<StepFacts>[] = [
  wrongStatus("start"),
  { code: "OWNER_REQUIRED", broken: ({ planOwner, actualOwner }) => planOwner === 0 && actualOwner === 0 },
  { code: "TOOL_LOCKED", broken: ({ state }) => has(state, "toolLocked") },
];

export const rollbackRules: readonly Rule<StepFacts>[] = [
  wrongStatus("rollback"),
  { code: "ALREADY_STARTED", broken: ({ actualStart }) => actualStart !== 0 },
];

export const reactivateRules: readonly Rule<StepFacts>[] = [NO_ACTIVITY, NA_OR_INV, wrongStatus("reactivate")];

export const cancelRules: readonly Rule<StepFacts>[] = [NO_ACTIVITY, wrongStatus("cancel")];

/** What can be redone: not what was never begun, nor what others already build on. */
export const redoRules: readonly Rule<StepFacts>[] = [
  NO_ACTIVITY,
  NA_OR_INV,
  { code: "INITIAL_STATUS", broken: (facts) => status(facts) === "none" || status(facts) === "scheduled" },
  { code: "WRONG_STATUS", broken: (facts) => status(facts) === "cancelled" && { status: "cancelled" } },
  { code: "REVENUE_TRIGGERED", broken: ({ state, redoAfterRevenue }) => has(state, "revenue") && !redoAfterRevenue },
  { code: "SIGN_VERIFY_INTEGRATED", broken: ({ state }) => has(state, "signVerify") },
];
