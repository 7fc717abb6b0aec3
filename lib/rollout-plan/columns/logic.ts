import { isIsoDay } from "#lib/core/clock.ts";
import type { Params } from "#lib/core/error.ts";
import { numberFault } from "#lib/core/number-fault.ts";
import type { ErrorCode } from "#lib/errors.ts";
import {
  type AttributeType,
  attributeNumberDecimals,
  attributeNumberMax,
  type ColumnType,
  longTextBytes,
  longTextChars,
  textChars,
} from "./limits.ts";

/** Bounds of an attribute's values: numbers, decimals and step, first and last day or time, length and form of a text, allowed enumeration values. */
export type ValueLimit = {
  min?: number | string;
  max?: number | string;
  decimals?: number;
  step?: number;
  maxLength?: number;
  pattern?: string;
  allowed?: number[];
};

/** What the value of an attribute is checked with; `enumIds` are the ids it may choose, of a lookup attribute those of its list. */
export type AttributeForm = { type: AttributeType; limit: ValueLimit | null; enumIds: readonly number[] };

export type Fault = { code: ErrorCode; params: Params };
export type Canonical = { value: string | number | null } | Fault;

const fault = (code: ErrorCode, params: Params = {}): Fault => ({ code, params });
const clock = /^([01]\d|2[0-3]):[0-5]\d$/;

/** The value in the form it is stored, null for a blank, or what is wrong with it. */
export function canonicalValue(form: AttributeForm, given: unknown): Canonical {
  if (given === null || given === undefined || (typeof given === "string" && given.trim() === "")) return { value: null };
  if (typeof given !== "string" && typeof given !== "number") return fault("VALUE_FORMAT", { value: String(given) });
  switch (form.type) {
    case "NUMBER":
      return numberValue(form.limit, given);
    case "DATE":
      return momentValue(form.limit, String(given), isIsoDay(String(given)));
    case "TIME":
      return momentValue(form.limit, String(given), clock.test(String(given)));
    case "DATETIME": {
      const [day = "", time = ""] = String(given).split("T");
      return momentValue(
        form.limit,
        String(given),
        isIsoDay(day) && /:[0-5]\d$/.test(time) && clock.test(time.slice(0, 5)) && time.length === 8,
      );
    }
    case "ENUM":
    case "LOOKUP_ENUM":
      return form.enumIds.includes(Number(given)) && (form.limit?.allowed?.includes(Number(given)) ?? true)
        ? { value: String(Number(given)) }
        : fault("VALUE_UNKNOWN", { value: String(given) });
    case "READ_ONLY":
      return fault("NO_PERMISSION");
    default:
      return textValue(form, String(given));
  }
}

function numberValue(limit: ValueLimit | null, given: string | number): Canonical {
  if (typeof given === "string" && !/^-?\d+(\.\d+)?$/.test(given.trim())) return fault("VALUE_FORMAT", { value: given });
  const value = Number(given);
  const min = Number(limit?.min ?? -attributeNumberMax);
  const max = Number(limit?.max ?? attributeNumberMax);
  const decimals = limit?.decimals ?? attributeNumberDecimals;
  return numberFault(value, { min, max, decimals, step: limit?.step }) ?? { value };
}

function momentValue(limit: ValueLimit | null, given: string, formed: boolean): Canonical {
  if (!formed) return fault("DATE_FORMAT", { value: given });
  const { min, max } = limit ?? {};
  if ((min !== undefined && given < String(min)) || (max !== undefined && given > String(max)))
    return fault("VALUE_RANGE", { min: String(min ?? ""), max: String(max ?? "") });
  return { value: given };
}

function textValue({ type, limit }: AttributeForm, given: string): Canonical {
  const value = given.trim();
  const long = type === "LONG_TEXT" || type === "TEXT_AREA";
  const max = Math.min(limit?.maxLength ?? longTextChars, long ? longTextChars : textChars);
  if ([...value].length > max) return fault("VALUE_TOO_LONG", { max });
  if (long && new TextEncoder().encode(value).length > longTextBytes) return fault("VALUE_TOO_LONG", { max: longTextBytes });
  if (limit?.pattern && !new RegExp(`^(?:${limit.pattern})$`, "u").test(value)) return fault("VALUE_FORMAT", { value });
  return { value };
}

/** Key of an attribute in `du.ext`: activity-level values carry their slot. */
export function attributeKey(attributeId: number, slot?: number): string {
  return slot === undefined ? `a${attributeId}` : `a${attributeId}@${slot}`;
}

/** Attribute id and slot of a key of `du.ext`, or null when it is none. */
export function parseAttributeKey(key: string): { attributeId: number; slot: number | null } | null {
  const found = /^a(\d{1,15})(?:@(\d{1,4}))?$/.exec(key);
  return found ? { attributeId: Number(found[1]), slot: found[2] === undefined ? null : Number(found[2]) } : null;
}

const columnTypes: Record<AttributeType, ColumnType> = {
  TEXT: "text",
  LONG_TEXT: "text",
  TEXT_AREA: "text",
  READ_ONLY: "text",
  NUMBER: "number",
  DATE: "date",
  TIME: "time",
  DATETIME: "datetime",
  ENUM: "choice",
  LOOKUP_ENUM: "choice",
};

/** Whether the stored values of an attribute are ids of choices. */
export const isChoice = (type: string): boolean => type === "ENUM" || type === "LOOKUP_ENUM";

/** Column type of an attribute. */
export function attributeColumnType(type: AttributeType): ColumnType {
  return columnTypes[type];
}
