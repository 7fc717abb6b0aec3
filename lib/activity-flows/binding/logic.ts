import type { Filter } from "#lib/core/paging.ts";
import { searchEntries } from "#lib/core/search-entries.ts";
import { type PlanBlock, type PlanColumns, stateValue, withState } from "#lib/rollout-plan/plan-rows/logic.ts";

/** What binding needs of an activity of a flow; one without slot is not plannable. */
export type BoundActivity = { slot: number | null; needApproval: boolean; subFlowId?: number | null };

const planned = [
  "planStart",
  "planEnd",
  "baselineStart",
  "baselineEnd",
  "releasedStart",
  "releasedEnd",
] as const satisfies readonly (keyof PlanColumns)[];
const owned = ["planOwner", "actualOwner", "attrOwner"] as const satisfies readonly (keyof PlanColumns)[];
const kinds = [...planned, ...owned, "actualStart", "actualEnd", "state"] as const satisfies readonly (keyof PlanColumns)[];

const approvalNotStarted = 0;
const approvalNotRequired = 7;

/**
 * Brings one row of a plan block to a flow: the bit "in flow" stands exactly at the slots of its activities, an approval that has not begun is
 * "not started" or "not required" as the activity says, and the bit of a sub-flow stands where there is one. A slot that leaves the flow is emptied, so that nothing stands outside the flow.
 * @returns slots that were emptied
 */
export function applyFlow(block: PlanBlock, row: number, activities: readonly BoundActivity[]): number[] {
  const emptied: number[] = [];
  for (let slot = 1; slot < block.width; slot++) {
    const at = row * block.width + slot;
    const state = block.state[at]!;
    if (stateValue(state, "inFlow") === 0 || activities.some((activity) => activity.slot === slot)) continue;
    for (const kind of kinds) block[kind][at] = 0;
    emptied.push(slot);
  }
  for (const { slot, needApproval, subFlowId } of activities) {
    if (slot === null) continue;
    const at = row * block.width + slot;
    const state = block.state[at]!;
    const approval = stateValue(state, "approval");
    const begun = approval !== approvalNotStarted && approval !== approvalNotRequired;
    const next = withState(withState(state, "inFlow", 1), "subFlow", subFlowId == null ? 0 : 1);
    block.state[at] = begun ? next : withState(next, "approval", needApproval ? approvalNotStarted : approvalNotRequired);
  }
  return emptied;
}

/** As `applyFlow` for rows that hold nothing yet: they become alike. */
export function applyFlowToEmpty(block: PlanBlock, rows: readonly number[], activities: readonly BoundActivity[]): void {
  const [first, ...others] = rows;
  if (first === undefined) return;
  applyFlow(block, first, activities);
  const from = first * block.width;
  for (const row of others) block.state.copyWithin(row * block.width, from, from + block.width);
}

/** What a DU's plan holds, counted in activities: the figures shown before an unbind and the facts its guards look at. */
export type PlanFacts = {
  flowId: number;
  planDates: number;
  actualDates: number;
  approvals: number;
  workOrders: number;
  frozen: number;
  revenue: number;
  mosFrozen: number;
  owners: number;
};

/** Counts the facts of one row. A scheduled order is no fact: it follows from the plan dates and has no row. */
export function planFacts(block: PlanBlock, row: number): PlanFacts {
  const facts: PlanFacts = {
    flowId: block.flowIds[row]!,
    planDates: 0,
    actualDates: 0,
    approvals: 0,
    workOrders: 0,
    frozen: 0,
    revenue: 0,
    mosFrozen: 0,
    owners: 0,
  };
  for (let slot = 1; slot < block.width; slot++) {
    const at = row * block.width + slot;
    const state = block.state[at]!;
    if (stateValue(state, "inFlow") === 0) continue;
    const approval = stateValue(state, "approval");
    if (planned.some((kind) => block[kind][at] !== 0)) facts.planDates++;
    if (block.actualStart[at] !== 0 || block.actualEnd[at] !== 0) facts.actualDates++;
    if (approval !== approvalNotStarted && approval !== approvalNotRequired) facts.approvals++;
    if (stateValue(state, "workOrder") > 1 || stateValue(state, "naRequest") === 1) facts.workOrders++;
    if (stateValue(state, "frozen") === 1) facts.frozen++;
    if (stateValue(state, "revenue") === 1) facts.revenue++;
    if (stateValue(state, "mosFrozen") === 1) facts.mosFrozen++;
    if (owned.some((kind) => block[kind][at] !== 0)) facts.owners++;
  }
  return facts;
}

/** The condition a search box stands for: one entry is looked for in codes and names, several are codes. Null when nothing is asked for. */
export function searchCondition(text: string): Filter | null {
  const entries = searchEntries(text);
  if (entries.length === 0) return null;
  return { field: "search", type: entries.length === 1 ? "like" : "in", values: entries };
}
