import { expect } from "vitest";
import type { Name } from "#db/seed/names.ts";

const isName = (value: unknown): value is Name =>
  Array.isArray(value) && value.length === 3 && value.every((form) => typeof form === "string");

/** Every name in a value, however deep. */
export const namesIn = (value: unknown): Name[] =>
  isName(value) ? [value] : value !== null && typeof value === "object" ? Object.values(value).flatMap(namesIn) : [];

/** Asks that a name has a form of each language; letters and numbers that all three write alike (5G, RFI, MOS, PAC) stand for all. */
export function expectForms([zh, en, ja]: Name): void {
  expect(en).toMatch(/^[\x20-\x7e]+$/);
  if (zh !== en) expect(zh).toMatch(/^[\p{Script=Han}\d\sG]+$/u);
  if (ja !== en) expect(ja).toMatch(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u);
}
