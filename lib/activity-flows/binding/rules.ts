import type { Rule } from "#lib/core/rule.ts";
import type { PlanFacts } from "./logic.ts";

export const NOT_BOUND: Rule<PlanFacts> = { code: "NOT_BOUND", broken: (facts) => facts.flowId === 0 };

export const REVENUE_TRIGGERED: Rule<PlanFacts> = { code: "REVENUE_TRIGGERED", broken: (facts) => facts.revenue > 0 };

export const MOS_FROZEN: Rule<PlanFacts> = { code: "MOS_FROZEN", broken: (facts) => facts.mosFrozen > 0 };

/** Work that was done or promised is not thrown away here: a DU change does that, with approval where it is due. */
export const HAS_FACTS: Rule<PlanFacts> = {
  code: "HAS_FACTS",
  broken: ({ actualDates, approvals, workOrders, frozen }) =>
    actualDates + approvals + workOrders + frozen > 0 && { actualDates, approvals, workOrders, frozen },
};

/** What keeps a DU from being unbound at once. */
export const unbindRules: readonly Rule<PlanFacts>[] = [NOT_BOUND, REVENUE_TRIGGERED, MOS_FROZEN, HAS_FACTS];
