import type { Rule } from "#lib/core/rule.ts";
import type { PlanFacts } from "../binding/logic.ts";

/** What the guards of a change or unbind look at, per DU. */
export type ChangeFacts = PlanFacts & {
  /** Flow the DU had when the change was submitted; null while it is being submitted. */
  expectedFlowId: number | null;
  /** The new flow, null for an unbind; `released` false when DUs cannot be bound to it. */
  target: { id: number; name: string; released: boolean } | null;
  /** Another change of the DU is open. */
  inProgress: boolean;
  /** The mapping that was chosen leads from another flow or to another one; its name. */
  misfit: string | null;
};

export const NOT_BOUND: Rule<ChangeFacts> = { code: "NOT_BOUND", broken: ({ flowId }) => flowId === 0 };

export const CHANGE_IN_PROGRESS: Rule<ChangeFacts> = { code: "CHANGE_IN_PROGRESS", broken: ({ inProgress }) => inProgress };

/** The DU follows the wanted flow already, or no longer the one it was to leave. */
export const ALREADY_CHANGED: Rule<ChangeFacts> = {
  code: "ALREADY_CHANGED",
  broken: ({ flowId, target, expectedFlowId }) =>
    flowId !== 0 && ((target !== null && flowId === target.id) || (expectedFlowId !== null && flowId !== expectedFlowId)),
};

export const FLOW_NOT_RELEASED: Rule<ChangeFacts> = {
  code: "FLOW_NOT_RELEASED",
  broken: ({ target }) => target !== null && !target.released && { name: target.name },
};

export const MAPPING_MISFIT: Rule<ChangeFacts> = {
  code: "MAPPING_MISFIT",
  broken: ({ misfit, flowId }) => misfit !== null && flowId !== 0 && { name: misfit },
};

export const REVENUE_TRIGGERED: Rule<ChangeFacts> = { code: "REVENUE_TRIGGERED", broken: ({ revenue }) => revenue > 0 };

export const MOS_FROZEN: Rule<ChangeFacts> = { code: "MOS_FROZEN", broken: ({ mosFrozen }) => mosFrozen > 0 };

/** Work that was done or promised is not thrown away at once: a change does that, with approval where it is due. */
export const HAS_FACTS: Rule<ChangeFacts> = {
  code: "HAS_FACTS",
  broken: ({ actualDates, approvals, workOrders, frozen }) =>
    actualDates + approvals + workOrders + frozen > 0 && { actualDates, approvals, workOrders, frozen },
};

/** What keeps the flow of a DU from being changed or taken away. */
export const changeRules: readonly Rule<ChangeFacts>[] = [
  NOT_BOUND,
  CHANGE_IN_PROGRESS,
  ALREADY_CHANGED,
  FLOW_NOT_RELEASED,
  MAPPING_MISFIT,
  REVENUE_TRIGGERED,
  MOS_FROZEN,
];

/** What keeps a DU from being unbound at once. */
export const unbindRules: readonly Rule<ChangeFacts>[] = [...changeRules, HAS_FACTS];
