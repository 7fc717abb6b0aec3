import { isIncomplete, type PlanBlock, workOrderStatus } from "#lib/rollout-plan/plan-rows/logic.ts";
import type { OrderStatus } from "#lib/work-orders/orders/logic.ts";
import { type RuleField, ruleFields } from "../owner-rules/limits.ts";

/** The people of a list with one replaced at his place by others; who is there already stays where he is first. */
export function replacePerson(list: readonly number[], old: number, others: readonly number[]): number[] {
  return [...new Set(list.flatMap((id) => (id === old ? others : [id])))];
}

/** States of an order that somebody has been sent. */
const sent: readonly OrderStatus[] = ["assigned", "accepted", "started", "suspended"];

/** Whether the order of an activity has been dispatched. */
export const isDispatched = (state: number): boolean => sent.includes(workOrderStatus(state));

/** A cell that names the old owner. */
export type NamedCell = { row: number; slot: number; field: RuleField; set: number; dispatched: boolean };

/** Cells of unfinished activities whose owners are one of the sets, row by row. */
export function namedCells(block: PlanBlock, fields: readonly RuleField[], sets: ReadonlySet<number>): NamedCell[] {
  const cells: NamedCell[] = [];
  for (let row = 0; row < block.duIds.length; row++)
    for (let slot = 1; slot < block.width; slot++) {
      const at = row * block.width + slot;
      const state = block.state[at]!;
      for (const field of fields) {
        const set = block[ruleFields[field]][at]!;
        if (set !== 0 && sets.has(set) && isIncomplete(state, block.actualEnd[at]!))
          cells.push({ row, slot, field, set, dispatched: isDispatched(state) });
      }
    }
  return cells;
}
