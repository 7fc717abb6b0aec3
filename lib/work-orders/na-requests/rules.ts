import type { Rule } from "#lib/core/rule.ts";
import { stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";

/** One activity of one DU a request is about. */
export type NaFacts = {
  state: number;
  actualEnd: number;
  /** The activity is of kind mos. */
  mos: boolean;
  /** The person may take NA back everywhere; else only where the node of the flow is marked for DOC_PD. */
  mayCancel: boolean;
  marked: boolean;
};

const has = (state: number, bit: Parameters<typeof stateValue>[1]) => stateValue(state, bit) !== 0;

const NO_ACTIVITY: Rule<NaFacts> = { code: "NO_ACTIVITY", broken: ({ state }) => !has(state, "inFlow") };
const REQUEST_OPEN: Rule<NaFacts> = { code: "REQUEST_OPEN", broken: ({ state }) => has(state, "naRequest") };

/** Asked again when a request is carried out. */
export const setRules: readonly Rule<NaFacts>[] = [
  NO_ACTIVITY,
  { code: "NA_OR_INV", broken: ({ state }) => has(state, "inFlow") && has(state, "na") },
  { code: "ACTIVITY_COMPLETED", broken: ({ actualEnd }) => actualEnd !== 0 },
  { code: "TASK_CLOSED", broken: ({ state }) => has(state, "closed") },
  { code: "FROZEN", broken: ({ state }) => has(state, "frozen") },
  { code: "MOS_FROZEN", broken: ({ state, mos }) => mos && has(state, "mosFrozen") },
];
export const cancelRules: readonly Rule<NaFacts>[] = [NO_ACTIVITY, { code: "NOT_NA", broken: ({ state }) => !has(state, "na") }];

/** Asked when a request is made. */
export const requestSetRules: readonly Rule<NaFacts>[] = [...setRules, REQUEST_OPEN];
export const requestCancelRules: readonly Rule<NaFacts>[] = [
  ...cancelRules,
  { code: "NO_PERMISSION", broken: ({ mayCancel, marked }) => !mayCancel && !marked && { right: "activity.naCancel" } },
  REQUEST_OPEN,
];
