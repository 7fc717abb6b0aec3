import type { Params } from "#lib/core/error.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { nameSigns, type TemplateKind, templateLimits } from "./limits.ts";

const signs = new Set(nameSigns.split(" "));

/** What is wrong with the name of a template of a kind, or null. Used while typing and again by the server. */
export function nameFault(kind: TemplateKind, name: string): { code: ErrorCode; params: Params } | null {
  const given = name.trim();
  const max = templateLimits[kind].nameChars;
  if (given === "") return { code: "NAME_REQUIRED", params: {} };
  if ([...given].length > max) return { code: "NAME_TOO_LONG", params: { max } };
  const isRefused = (sign: string) => signs.has(sign) || /[\p{Cc}\p{Cs}]/u.test(sign);
  return [...given].some(isRefused) ? { code: "NAME_INVALID", params: { signs: nameSigns } } : null;
}
