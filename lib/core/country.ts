import { z } from "zod";

const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
/** What stands for a country nobody knows. */
const unknown = "ZZ";

/** Whether a text is the ISO 3166 code of a country, two capital letters. Former codes and other names of a country are none. */
export function isCountry(text: string): boolean {
  return /^[A-Z]{2}$/.test(text) && text !== unknown && names.of(text) !== undefined && new Intl.Locale(`und-${text}`).region === text;
}

/** A country by its ISO 3166 code, in any letter case. */
export const Country = z
  .string()
  .trim()
  .toUpperCase()
  .refine(isCountry, { params: { code: "VALUE_UNKNOWN" } });
