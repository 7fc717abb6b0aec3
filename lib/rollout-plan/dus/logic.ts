import { dateFields } from "#lib/rollout-plan/plan-rows/limits.ts";
import { bitMask, type PlanBlock, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";

/** Name of a field in the database. */
export const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

// What the binding itself sets: in the flow, its approval (not started or not required), its sub-flow.
const boundBits = bitMask("inFlow") | bitMask("approval") | bitMask("subFlow");
const approvalAtBinding = [0, 1, 7];

/** Whether a plan row holds anything beyond the binding: a date, an order, a lock, a note or an approval that has begun. */
export function hasPlan(block: PlanBlock, row: number): boolean {
  for (let at = row * block.width + 1, end = (row + 1) * block.width; at < end; at++) {
    if (dateFields.some((field) => block[field][at] !== 0)) return true;
    const state = block.state[at] as number;
    if ((state & ~boundBits) !== 0 || !approvalAtBinding.includes(stateValue(state, "approval"))) return true;
  }
  return false;
}

/** Fields of `next` that differ from `now`, with both values. */
export function changedFields(now: Record<string, unknown>, next: Record<string, unknown>): Record<string, [unknown, unknown]> {
  const changes: Record<string, [unknown, unknown]> = {};
  for (const field in next) {
    const value = next[field];
    if (value !== undefined && value !== now[field]) changes[field] = [now[field] ?? null, value];
  }
  return changes;
}
