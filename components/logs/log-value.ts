import type { ReadValue } from "#lib/logs/logic.ts";
import type { LogField } from "#lib/logs/plan-batches/queries.ts";
import { approvalValues, naValues, type stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { orderStatuses } from "#lib/work-orders/orders/logic.ts";

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
      .map(([bit, state]) => `${t(`bits.${bit}`)}: ${stateWord(bit as keyof typeof stateBits, state, t, common)}`)
      .join(", ");
  return field?.values?.[String(value)] ?? String(value);
}

function stateWord(bit: keyof typeof stateBits, state: number, t: Text, common: Text): string {
  if (bit === "na") return state === 0 ? common("no") : (naValues[state] ?? String(state));
  if (bit === "approval") return t(`words.approval.${approvalValues[state]}`);
  if (bit === "workOrder") return t(`words.workOrder.${orderStatuses[state]}`);
  return common(state === 0 ? "no" : "yes");
}
