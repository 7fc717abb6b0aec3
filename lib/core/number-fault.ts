import type { ErrorCode } from "#lib/errors.ts";
import type { Params } from "./error.ts";

/** What a number has to keep to; `step`: of what it has to be a multiple. */
export type NumberBounds = { min: number; max: number; decimals: number; step?: number | undefined };

// Noise of the binary form (0.3 / 0.1) is no remainder.
const quotientDecimals = 9;

/** What is wrong with a number, worst first; null when nothing is. OPS-26 */
export function numberFault(value: number, { min, max, decimals, step }: NumberBounds): { code: ErrorCode; params: Params } | null {
  if (min === 0 && value < 0) return { code: "NUMBER_NEGATIVE", params: {} };
  if (!(value >= min && value <= max)) return { code: "NUMBER_RANGE", params: { min, max, decimals } };
  if (step !== undefined && !Number.isInteger(Number((value / step).toFixed(quotientDecimals))))
    return { code: "STEP_HALF", params: { step } };
  if (Number(value.toFixed(decimals)) === value) return null;
  return decimals === 0 ? { code: "NUMBER_INTEGER", params: {} } : { code: "NUMBER_DECIMALS", params: { decimals } };
}
