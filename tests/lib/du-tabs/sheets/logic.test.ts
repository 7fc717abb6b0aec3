import { describe, expect, it } from "vitest";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { cellValue, type SheetAttribute, sheetColumns, sheetNameOf, valueCell } from "#lib/du-tabs/sheets/logic.ts";

const attribute = (type: SheetAttribute["type"], more: Partial<SheetAttribute> = {}): SheetAttribute => ({
  id: 1,
  key: "a1",
  name: "X",
  type,
  limit: null,
  enumIds: [7, 8],
  required: false,
  level: "TAB",
  mode: "RW",
  choices: [
    { id: 7, value: "8" },
    { id: 8, value: "Big" },
  ],
  ...more,
});

describe("sheetNameOf", () => {
  it.each([
    ["a[b]:c*d?e/f\\g", "abcdefg"],
    ["x".repeat(40), "x".repeat(31)],
    [`${"x".repeat(30)}😀`, "x".repeat(30)],
    ["'quoted'", "quoted"],
    ["***", "DU"],
    ["_META", "DU"],
    ["_lists", "DU"],
  ])("of %s is %s", (tab, name) => expect(sheetNameOf(tab)).toBe(name));
});

describe("sheetColumns", () => {
  it("tells an attribute from a fixed column of the same name", () => {
    const texts = { mark: "Mark", suffix: " (attribute)", fixed: (key: string) => key.toUpperCase() };
    const given = [
      { key: "a1", name: "sn" },
      { key: "a2", name: "SN (Attribute)" },
    ];
    expect(sheetColumns(["sn"], given, texts).map(({ title }) => title)).toEqual([
      "Mark",
      "SN",
      "sn (attribute)",
      "SN (Attribute) (attribute)",
    ]);
  });
});

describe("cellValue", () => {
  const cases: [SheetAttribute["type"], Cell, unknown][] = [
    ["DATE", "2026-02-28", "2026-02-28"],
    ["DATE", { d: "2026-02-28" }, "2026-02-28"],
    ["DATE", { d: "2026-02-28T10:00:00" }, "NOT_A_DATE"],
    ["DATE", "2026/02/28", "NOT_A_DATE"],
    ["DATE", "2025-02-29", "NOT_A_DATE"],
    ["DATE", 45_000, "NOT_A_DATE"],
    ["TIME", "00:00", "00:00"],
    ["TIME", "23:59", "23:59"],
    ["TIME", "24:00", "NOT_A_TIME"],
    ["TIME", { d: "1899-12-31T08:30:00" }, "08:30"],
    ["TIME", { d: "1904-01-01" }, "00:00"],
    ["TIME", { d: "2026-01-01T08:30:00" }, "NOT_A_TIME"],
    ["DATETIME", { d: "2026-02-28" }, "2026-02-28T00:00:00"],
    ["DATETIME", "2026-02-28 10:00:00", "2026-02-28T10:00:00"],
    ["DATETIME", "2026-02-28", "NOT_A_DATE"],
    ["NUMBER", "12.5", 12.5],
    ["NUMBER", 12.5, 12.5],
    ["NUMBER", "12,5", "NOT_A_NUMBER"],
    ["NUMBER", true, "NOT_A_NUMBER"],
    // The word counts, never the id behind it.
    ["ENUM", "8", "7"],
    ["ENUM", 8, "7"],
    ["ENUM", "big", "8"],
    ["ENUM", "7", "NOT_A_CHOICE"],
    ["TEXT", "#N/A", "CELL_ERROR"],
    ["TEXT", " text ", "text"],
    ["TEXT", " ", null],
    ["TEXT", "x".repeat(4000), "x".repeat(4000)],
    ["TEXT", "x".repeat(4001), "LENGTH_OVER"],
    ["ENUM", "x".repeat(4001), "LENGTH_OVER"],
  ];
  it.each(cases)("of %s %j is %j [DUT-08] [DUT-09]", (type, cell, expected) => {
    const found = cellValue(attribute(type), cell);
    expect("code" in found ? found.code : found.value).toBe(expected);
  });

  it("reads back what was written", () => {
    const stored: [SheetAttribute["type"], string | number][] = [
      ["DATE", "2026-02-28"],
      ["DATE", "1850-01-01"],
      ["DATETIME", "2026-02-28T00:00:00"],
      ["DATETIME", "2026-02-28T12:00:01"],
      ["TIME", "08:30"],
      ["NUMBER", -1.25],
      ["ENUM", "8"],
      ["TEXT", "=1+1"],
    ];
    for (const [type, value] of stored) expect(cellValue(attribute(type), valueCell(attribute(type), value)), type).toEqual({ value });
  });
});
