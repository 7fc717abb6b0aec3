import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { allCalls } from "#lib/calls.ts";
import { locales } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { errorText } from "#lib/core/texts.ts";

type Parts = Record<string, unknown> & { shape?: Record<string, z.core.$ZodType>; getter?: () => z.core.$ZodType };

/** The names of all fields of an input, at any depth. */
function namesOf(schema: z.core.$ZodType, names = new Set<string>(), seen = new Set<z.core.$ZodType>()): Set<string> {
  if (seen.has(schema)) return names;
  seen.add(schema);
  const parts = schema._zod.def as unknown as Parts;
  for (const name of Object.keys(parts.shape ?? {})) names.add(name);
  const { innerType, element, valueType, in: taken, out, left, right, options, items, rest } = parts;
  const below = [
    innerType,
    element,
    valueType,
    taken,
    out,
    left,
    right,
    options,
    items,
    rest,
    parts.getter?.(),
    Object.values(parts.shape ?? {}),
  ];
  for (const part of below.flat()) if (part && typeof part === "object" && "_zod" in part) namesOf(part as z.core.$ZodType, names, seen);
  return names;
}

describe("a refusal names the field in words", () => {
  it("every field of every changing call, in every language", async () => {
    const changing = (await allCalls()).filter(({ declaration }) => declaration.kind !== "read");
    const names = [...new Set(changing.flatMap(({ declaration }) => [...namesOf(declaration.input)]))].sort();
    expect(names.length).toBeGreaterThan(500);
    for (const locale of locales) expect(Object.keys(loadMessages(locale).fields ?? {}), `messages/${locale}/fields.json`).toEqual(names);
  });

  it.each([
    ["zh", "请填写 名称"],
    ["en", "Name is missing"],
    ["ja", "名称 を入力してください"],
  ] as const)("%s", (locale, text) => expect(errorText(locale, "VALUE_MISSING", { field: "name" })).toBe(text));

  it("with the row as people count, and what lies within it", () => {
    expect(errorText("en", "VALUE_MISSING", { field: "rows.0.code" })).toBe("Rows 1 · Code is missing");
    expect(errorText("en", "VALUE_TOO_LARGE", { field: "nodes.11.leadTimeDays", max: 1000 })).toBe(
      "Activities 12 · Lead time (working days) may be 1,000 at most",
    );
  });

  it("and leaves alone what is no path of known fields", () => {
    for (const field of ["Ship date", "act.7.PLAN_END", "Clutter. Name", "7", "name.a17", "", "toString"])
      expect(errorText("en", "VALUE_MISSING", { field })).toBe(`${field} is missing`);
  });
});
