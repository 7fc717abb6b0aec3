import type { Params } from "#lib/core/error.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { specialCharacters } from "#lib/plan-rules/conditions/limits.ts";
import { hasSpecialCharacter } from "#lib/plan-rules/conditions/logic.ts";
import {
  type AttributeType,
  attributeNumberDecimals,
  attributeNumberMax,
  longTextChars,
  textChars,
} from "#lib/rollout-plan/columns/limits.ts";
import { canonicalValue, type ValueLimit } from "#lib/rollout-plan/columns/logic.ts";
import { decimalsMax, nameChars, patternChars, remarkBytes, remarkChars } from "./limits.ts";

export type Fault = { code: ErrorCode; params?: Params };

/** What is wrong with the name of an attribute, or null. Used while typing and again by the server. */
export function nameFault(name: string): Fault | null {
  const given = name.trim();
  if (given === "") return { code: "NAME_REQUIRED" };
  if ([...given].length > nameChars) return { code: "NAME_TOO_LONG", params: { max: nameChars } };
  return hasSpecialCharacter(given) ? { code: "NAME_INVALID", params: { signs: [...specialCharacters].join(" ") } } : null;
}

/** What is wrong with a long text, or null: characters and bytes are both counted. */
export function remarkFault(text: string): Fault | null {
  if ([...text].length > remarkChars) return { code: "VALUE_TOO_LONG", params: { max: remarkChars } };
  const bytes = new TextEncoder().encode(text).length;
  return bytes > remarkBytes ? { code: "VALUE_TOO_LONG", params: { max: remarkBytes } } : null;
}

/** Which bounds the values of a type may have. */
export const limitKeys = {
  TEXT: ["maxLength", "pattern"],
  LONG_TEXT: ["maxLength", "pattern"],
  TEXT_AREA: ["maxLength", "pattern"],
  NUMBER: ["min", "max", "decimals", "step"],
  DATE: ["min", "max"],
  TIME: ["min", "max"],
  DATETIME: ["min", "max"],
  ENUM: ["allowed"],
  LOOKUP_ENUM: [],
  READ_ONLY: [],
} as const satisfies Record<AttributeType, readonly (keyof ValueLimit)[]>;

/** Longest text a kind of attribute can hold. */
export const textMax = (type: AttributeType): number => (type === "LONG_TEXT" || type === "TEXT_AREA" ? longTextChars : textChars);

/** Faults of a value limit at its keys; none when it fits the type. */
export function limitFaults(type: AttributeType, limit: ValueLimit): { key: keyof ValueLimit; fault: Fault }[] {
  const faults: { key: keyof ValueLimit; fault: Fault }[] = [];
  const add = (key: keyof ValueLimit, code: ErrorCode, params: Params = {}) => faults.push({ key, fault: { code, params } });
  const keys: readonly string[] = limitKeys[type];
  for (const key of Object.keys(limit) as (keyof ValueLimit)[])
    if (limit[key] !== undefined && !keys.includes(key)) add(key, "VALUE_UNKNOWN", { field: key, value: String(limit[key]) });
  if (faults.length > 0) return faults;
  const { min, max, decimals, step, maxLength, pattern } = limit;
  if (type === "NUMBER") {
    for (const [key, value] of [
      ["min", min],
      ["max", max],
    ] as const)
      if (value !== undefined && (typeof value !== "number" || !Number.isFinite(value)))
        add(key, "NUMBER_FORMAT", { value: String(value) });
    if (decimals !== undefined && (!Number.isInteger(decimals) || decimals < 0 || decimals > decimalsMax))
      add("decimals", "VALUE_RANGE", { min: 0, max: decimalsMax });
    if (step !== undefined && !(step > 0)) add("step", "VALUE_RANGE", { min: 0, max: attributeNumberMax });
  } else {
    const bound = { type, limit: null, enumIds: [] };
    for (const [key, value] of [
      ["min", min],
      ["max", max],
    ] as const)
      if (value !== undefined && "code" in canonicalValue(bound, value)) add(key, "DATE_FORMAT", { value: String(value) });
  }
  if (faults.length === 0 && min !== undefined && max !== undefined && min > max) add("max", "VALUE_RANGE", { min, max: "" });
  if (maxLength !== undefined && (!Number.isInteger(maxLength) || maxLength < 1 || maxLength > textMax(type)))
    add("maxLength", "VALUE_RANGE", { min: 1, max: textMax(type) });
  if (pattern !== undefined && !isSafePattern(pattern)) add("pattern", "VALUE_FORMAT");
  return faults;
}

// A repeated group that repeats inside, or a reference back, can take for ever on a text that does not fit.
const endless = /\([^()]*[+*{][^()]*\)\s*[+*{]|\\[1-9k]/;

/** Whether a pattern can be read and does not run away. */
export function isSafePattern(pattern: string): boolean {
  if (pattern === "" || [...pattern].length > patternChars || endless.test(pattern) || /\([^)]*\([^)]*\)[^)]*\)[+*{]/.test(pattern))
    return false;
  try {
    new RegExp(`^(?:${pattern})$`, "u");
    return true;
  } catch {
    return false;
  }
}

/** A limit without what says nothing; null when nothing is left. */
export function tidyLimit(limit: ValueLimit | null | undefined): ValueLimit | null {
  const entries = Object.entries(limit ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return entries.length > 0 ? (Object.fromEntries(entries) as ValueLimit) : null;
}

/** Bounds of numbers that have none of their own. */
export const numberBounds = { min: -attributeNumberMax, max: attributeNumberMax, decimals: attributeNumberDecimals };

/** Whether a change can make what names an attribute wrong: it leaves the plan, or belongs to fewer flows. */
export function isNarrowed(
  before: { inRolloutPlan: boolean; flowIds: readonly number[] },
  after: { inRolloutPlan: boolean; flowIds: readonly number[] },
): boolean {
  if (before.inRolloutPlan && !after.inRolloutPlan) return true;
  if (after.flowIds.length === 0) return false;
  return before.flowIds.length === 0 || before.flowIds.some((id) => !after.flowIds.includes(id));
}
