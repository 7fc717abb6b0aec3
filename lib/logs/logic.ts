import { isoDay } from "#lib/core/clock.ts";
import {
  approvalValues,
  dateFields,
  naValues,
  ownerFields,
  type PlanField,
  type StateBit,
  stateBits,
} from "#lib/rollout-plan/plan-rows/limits.ts";
import { stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";
import { orderStatuses } from "#lib/work-orders/orders/logic.ts";

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

/** A field the log names, with its title and the words of its values. */
export type LogField = { key: string; title: string; values?: Record<string, string> };

type Text = (key: string) => string;

/**
 * A logged value in words: days as they are, owners by name, ids and choices by their names, the changed state groups one by one. Empty = nothing there.
 * @param t texts of `logs`
 * @param common texts of `common`, for yes and no
 */
export function logValue(value: ReadValue, field: LogField | undefined, t: Text, common: Text): string {
  if (value === null || value === "") return "";
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return common(value ? "yes" : "no");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([bit, state]) => `${t(`bits.${bit}`)}: ${stateWord(bit as StateBit, state, t, common)}`)
      .join(", ");
  return field?.values?.[String(value)] ?? String(value);
}

function stateWord(bit: StateBit, state: number, t: Text, common: Text): string {
  if (bit === "na") return state === 0 ? common("no") : (naValues[state] ?? String(state));
  if (bit === "approval") return t(`words.approval.${approvalValues[state]}`);
  if (bit === "workOrder") return t(`words.workOrder.${orderStatuses[state]}`);
  return common(state === 0 ? "no" : "yes");
}

/** Whether a logged value is a day. */
export const isLoggedDay = (field: string, value: ReadValue): value is string =>
  typeof value === "string" && (dateFields as readonly string[]).includes(field);

const noted = "note.";

/** Column of the plan a logged cell stands in, as an address names it (`code`, `a12`, `7:planEnd`); fields of the DU and states have none of their own. */
export function loggedColumn({ field, activityId }: { field: string; activityId: number | null }): string {
  const column = field.startsWith(noted) ? field.slice(noted.length) : field;
  const isColumn = ([...dateFields, ...ownerFields] as readonly string[]).includes(column) || /^a\d+$/.test(column) || column !== field;
  if (!isColumn) return "code";
  return activityId === null ? column : `${activityId}:${column}`;
}
