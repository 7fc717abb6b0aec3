import { describe, expect, test } from "vitest";
import { dayNumber } from "#lib/core/clock.ts";
import { conversions, valueKinds } from "#lib/plan-rules/limits.ts";
import { convertValue, planDay, type RunAttribute } from "#lib/plan-rules/programs/logic.ts";
import { outcomes } from "#lib/plan-rules/runs/limits.ts";

const make = (type: RunAttribute["type"], more: Partial<RunAttribute> = {}): RunAttribute => ({
  id: 1,
  type,
  limit: null,
  enums: [],
  ...more,
});
const words = (...values: string[]) => values.map((value, at) => ({ id: at + 1, value, active: true }));
const forms = {
  DATE: make("DATE"),
  DATETIME: make("DATETIME"),
  TIME: make("TIME"),
  NUMBER: make("NUMBER"),
  TEXT: make("TEXT"),
  ENUM: make("ENUM", { enums: words("Roof", "Pole") }),
};
const day = dayNumber("2025-03-03");
const told = (made: ReturnType<typeof convertValue>) => (typeof made === "number" ? outcomes[-made] : made.value);

describe("a value passes from its source to the target [RUL-03] [RUL-33]", () => {
  // A date of the plan comes as a day number, everything else as it is stored.
  test.each([
    ["plan", "DATE", day, 14, "2025-03-17"],
    ["plan", "DATETIME", day, 1, "2025-03-04T00:00:00"],
    ["plan", "TEXT", day, 0, "2025-03-03"],
    ["DATE", "TEXT", "2025-03-03", 28, "2025-03-31"],
    ["DATE", "DATETIME", "2025-03-03", 0, "2025-03-03T00:00:00"],
    ["DATETIME", "DATE", "2025-03-03T09:30:00", 2, "2025-03-05"],
    ["DATETIME", "DATETIME", "2025-03-03T09:30:00", 1095, "2028-03-02T09:30:00"],
    ["DATETIME", "TIME", "2025-03-03T09:30:00", 0, "09:30"],
    ["DATETIME", "TEXT", "2025-03-03T09:30:00", 0, "2025-03-03 09:30:00"],
    ["NUMBER", "NUMBER", 7.5, 0, 7.5],
    ["NUMBER", "TEXT", 7.5, 0, "7.5"],
    ["TEXT", "TEXT", "ready", 0, "ready"],
    ["TEXT", "ENUM", "  pOLE ", 0, "2"],
    ["TEXT", "ENUM", "Mast", 0, "ENUM_MISMATCH"],
    ["ENUM", "TEXT", "1", 0, "Roof"],
    ["ENUM", "ENUM", "2", 0, "2"],
  ] as const)("%s to %s: %s + %s is %s", (from, to, value, offset, made) => {
    expect(told(convertValue(value, from === "plan" ? null : forms[from], forms[to], offset))).toBe(made);
  });

  test("a choice passes into another list by its words, if they are in use there", () => {
    const other = make("ENUM", { id: 2, enums: words("pole", "ROOF").map((one) => ({ ...one, id: one.id + 10 })) });
    expect(told(convertValue("1", forms.ENUM, other, 0))).toBe("12");
    const unused = make("ENUM", { enums: other.enums.map((one) => ({ ...one, active: false })) });
    expect(told(convertValue("1", forms.ENUM, unused, 0))).toBe("ENUM_MISMATCH");
    expect(told(convertValue("9", forms.ENUM, other, 0))).toBe("ENUM_MISMATCH");
  });

  test("what the target does not take is told: a bound of a number, the length of a text, the last day of the plan", () => {
    const few = make("NUMBER", { limit: { min: 0, max: 10, decimals: 0 } });
    expect([10, 11, 7.5].map((value) => told(convertValue(value, forms.NUMBER, few, 0)))).toEqual([10, "VALUE_LIMIT", "VALUE_LIMIT"]);
    const short = make("TEXT", { limit: { maxLength: 5 } });
    expect(["ready", "steady"].map((value) => told(convertValue(value, forms.TEXT, short, 0)))).toEqual(["ready", "TOO_LONG"]);
    expect([0, 1, 32_767, 32_768].map(planDay).map((made) => (made < 0 ? outcomes[-made] : made))).toEqual([
      "DATE_OUT_OF_RANGE",
      1,
      32_767,
      "DATE_OUT_OF_RANGE",
    ]);
  });

  test("the table says for every pair of kinds whether a rule may join them", () => {
    const allowed = valueKinds.flatMap((from) => conversions[from].map((to) => `${from} ${to}`));
    expect(allowed).toEqual([
      "day day",
      "day datetime",
      "day text",
      "datetime day",
      "datetime datetime",
      "datetime time",
      "datetime text",
      "number number",
      "number text",
      "text text",
      "text enum",
      "enum text",
      "enum enum",
    ]);
  });
});
