import type { Moment } from "#lib/plan-rules/limits.ts";
import type { RuleEvent } from "#lib/plan-rules/logic.ts";
import type { PlanField } from "#lib/rollout-plan/plan-rows/limits.ts";
import { cellField, cellSlot } from "#lib/rollout-plan/plan-rows/logic.ts";

/** One DU of a batch of the plan log. */
export type LoggedDu = {
  seq: number;
  duId: number;
  cells: readonly number[];
  old: readonly number[];
  now: readonly number[];
  keys: readonly string[];
};

const setFields: Partial<Record<Moment, PlanField>> = { ACTUAL_START_SET: "actualStart", ACTUAL_END_SET: "actualEnd" };

/** Whether what was logged of a DU is one of the events a rule waits for. */
export function isEvent(events: readonly RuleEvent[], { cells, old, now, keys }: LoggedDu, slots: ReadonlyMap<number, number>): boolean {
  return events.some(({ moment, activityId, attributeId }) => {
    if (moment === "ATTRIBUTE_CHANGED") return keys.some((key) => key === `a${attributeId}` || key.startsWith(`a${attributeId}@`));
    const slot = activityId === undefined ? undefined : slots.get(activityId);
    return cells.some((cell, at) => {
      if (cellSlot(cell) !== slot) return false;
      const field = cellField(cell);
      if (moment === "PLAN_CHANGED") return field === "planStart" || field === "planEnd";
      return field === setFields[moment] && old[at] === 0 && now[at] !== 0;
    });
  });
}
