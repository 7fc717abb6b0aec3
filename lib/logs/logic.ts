import { isoDay } from "#lib/core/clock.ts";
import { dateFields, ownerFields, type PlanField, type StateBit, stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";

/** A logged value as people read it: an ISO day, names of owners, the changed state groups, or the value itself. */
export type ReadValue = string | number | boolean | null | string[] | Record<string, number>;

/** State groups that differ between two states, with their values in the first. */
export function changedBits(state: number, other: number): Record<string, number> {
  const bits = Object.keys(stateBits) as StateBit[];
  return Object.fromEntries(
    bits.filter((bit) => stateValue(state, bit) !== stateValue(other, bit)).map((bit) => [bit, stateValue(state, bit)]),
  );
}

/**
 * Value of a logged plan cell as people read it.
 * @param other the other value of the same change
 * @param names names of the members of an owner set
 */
export function readCell(field: PlanField, value: number, other: number, names: (setId: number) => string[]): ReadValue {
  if ((dateFields as readonly string[]).includes(field)) return isoDay(value);
  if ((ownerFields as readonly string[]).includes(field)) return value === 0 ? null : names(value);
  return changedBits(value, other);
}
