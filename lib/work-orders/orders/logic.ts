/** States of a work order in the order of their bits; "none": nothing is scheduled yet. */
export const orderStatuses = ["none", "scheduled", "assigned", "accepted", "started", "suspended", "completed", "cancelled"] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** What an order's next status depends on when the dates of its activity change. */
export type OrderFacts = {
  status: OrderStatus;
  applicable: boolean;
  planStart: number;
  planEnd: number;
  actualStart: number;
  actualEnd: number;
  actualStartBefore: number;
  actualEndBefore: number;
  /** The change comes from scheduling or release, which offer an activity for dispatch. */
  scheduling: boolean;
};

/** Status of an order after dates of its activity changed, whatever made the change; a cancelled order stays cancelled. */
export function orderAfterDates(facts: OrderFacts): OrderStatus {
  const { status, planStart, planEnd, actualStart, actualEnd } = facts;
  const planned = planStart > 0 && planEnd > 0;
  if (status === "cancelled" || status === "suspended") return status;
  if (actualEnd > 0) return facts.actualEndBefore === 0 && facts.applicable ? "completed" : status;
  if (status === "completed") {
    if (facts.actualEndBefore === 0) return status;
    return planned ? "scheduled" : "none";
  }
  if (status === "accepted" && actualStart > 0 && facts.actualStartBefore === 0) return "started";
  if (status === "started" && actualStart === 0 && facts.actualStartBefore > 0) return "accepted";
  if (status === "scheduled" && !planned) return "none";
  if (status === "none" && facts.scheduling && planned && facts.applicable) return "scheduled";
  return status;
}
