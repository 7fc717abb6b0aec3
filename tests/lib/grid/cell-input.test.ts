import { describe, expect, test } from "vitest";
import { readCell } from "#components/grid/cell-input.ts";
import type { CellKind, CellValue, GridColumn } from "#components/grid/grid-model.ts";

const column = (kind: CellKind, more: Partial<GridColumn> = {}): GridColumn => ({ key: "k", title: "K", kind, width: 100, ...more });
const choices = [
  { value: "install", label: "安装" },
  { value: "dismantle", label: "拆除" },
];

describe("readCell", () => {
  test.each<[string, GridColumn, CellValue]>([
    ["2026/10/14", column("date"), "2026-10-14"],
    ["-", column("date"), null],
    ["  ", column("text"), null],
    ["-", column("text"), "-"],
    [" Pazhou  Expo ", column("text"), "Pazhou  Expo"],
    ["two\nlines", column("text"), "two lines"],
    ["two\nlines", column("text", { multiline: true }), "two\nlines"],
    ["1,234.50", column("number"), 1234.5],
    ["1 234 567", column("number"), 1_234_567],
    ["-3", column("number"), -3],
    [".5", column("number"), 0.5],
    ["拆除", column("choice", { choices }), "dismantle"],
    ["INSTALL", column("choice", { choices }), "install"],
    ["是", column("flag"), true],
    ["no", column("flag"), false],
  ])("%j", (text, given, value) => {
    expect(readCell(text, given)).toEqual({ ok: true, value });
  });

  test.each<[string, GridColumn]>([
    ["soon", column("date")],
    ["1,23", column("number")],
    ["12 pcs", column("number")],
    ["paint", column("choice", { choices })],
    ["maybe", column("flag")],
    ["Nobody", column("people")],
  ])("keeps %j, which it cannot read", (text, given) => {
    expect(readCell(text, given)).toEqual({ ok: false, typed: text });
  });

  test("asks the source for people", () => {
    const source = { read: (text: string) => (text === "Chen Wei" ? [7] : undefined) };
    expect(readCell("Chen Wei", column("people"), source)).toEqual({ ok: true, value: [7] });
  });
});

test("equal words below several values are those below the value above", () => {
  const models = column("choice", {
    parentKey: "maker",
    choices: [
      { value: "11", label: "Other", parent: "1" },
      { value: "21", label: "Other", parent: "2" },
    ],
  });
  expect(readCell("other", models, undefined, "2")).toEqual({ ok: true, value: "21" });
  expect(readCell("other", models, undefined, null)).toEqual({ ok: false, typed: "other" });
  expect(readCell("other", models)).toEqual({ ok: true, value: "11" });
});
