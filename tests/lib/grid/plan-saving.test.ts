import { describe, expect, test } from "vitest";
import type { CellEdit, CellValue } from "#components/grid/grid-model.ts";
import {
  askingReason,
  cellKeys,
  countByCode,
  gridValue,
  savedColumns,
  savedEdit,
  saveParts,
  writtenEdits,
} from "#components/rollout-plan/plan-saving.ts";
import { saveCellsMax } from "#lib/rollout-plan/edits/limits.ts";
import { editsOfColumns } from "#lib/rollout-plan/edits/logic.ts";
import { Edit, EditColumns } from "#lib/rollout-plan/edits/schema.ts";

const edit = (rowKey: string, columnKey: string, mine: CellValue = "2026-10-14", more: Partial<CellEdit> = {}): CellEdit => ({
  rowKey,
  columnKey,
  base: null,
  mine,
  at: 0,
  ...more,
});

describe("what is sent", () => {
  test.each<[CellEdit, object]>([
    [edit("42", "7:planEnd"), { duId: 42, activityId: 7, field: "planEnd", value: "2026-10-14", base: null }],
    [edit("42", "name", "Park", { base: "Port" }), { duId: 42, field: "name", value: "Park", base: "Port" }],
    [edit("42", "region", "4", { base: "3" }), { duId: 42, field: "region", value: 4, base: 3 }],
    [edit("42", "7:planOwner", [101, 102]), { duId: 42, activityId: 7, field: "planOwner", value: [101, 102], base: null }],
    [edit("42", "7:planEnd", null, { base: "2026-10-01" }), { duId: 42, activityId: 7, field: "planEnd", value: null, base: "2026-10-01" }],
  ])("%#", (given, sent) => {
    expect(savedEdit(given)).toEqual(sent);
    expect(Edit.safeParse(savedEdit(given)).error).toBeUndefined();
  });

  test("side by side by their fields, and the same one by one", () => {
    const given = [
      edit("42", "7:planEnd"),
      edit("42", "name", "Park", { base: "Port" }),
      edit("43", "8:planEnd", null, { base: "2026-10-01" }),
    ];
    const columns = savedColumns(given);
    expect(columns).toEqual([
      { field: "planEnd", duIds: [42, 43], activityIds: [7, 8], values: ["2026-10-14", null], bases: [null, "2026-10-01"] },
      { field: "name", duIds: [42], activityIds: [null], values: ["Park"], bases: ["Port"] },
    ]);
    expect(editsOfColumns(columns.map((column) => EditColumns.parse(column)))).toEqual([given[0]!, given[2]!, given[1]!].map(savedEdit));
  });

  test("references come back as the grid has them", () => {
    expect([gridValue("region", 4), gridValue("qty", 4), gridValue("name", "x")]).toEqual(["4", 4, "x"]);
  });

  test("a DU with an unreadable cell is held back whole", () => {
    const { parts, held } = saveParts([edit("1", "name"), edit("1", "7:planEnd", null, { typed: "soon" }), edit("2", "name")]);
    expect(parts.map((part) => part.map((given) => given.rowKey))).toEqual([["2"]]);
    expect(held).toHaveLength(2);
  });

  test("a save beyond the cells of one call goes in parts that split no DU", () => {
    const many = Array.from({ length: saveCellsMax / 2 + 1 }, (_, at) => [edit(String(at), "name"), edit(String(at), "7:planEnd")]).flat();
    const { parts } = saveParts(many);
    expect(parts.map((part) => part.length)).toEqual([saveCellsMax, 2]);
    expect(new Set(parts[1]?.map((given) => given.rowKey)).size).toBe(1);
  });
});

describe("the answer", () => {
  const rejected = [
    { duId: 1, activityId: 7, field: "planEnd", code: "FROZEN", msg: "frozen" },
    { duId: 1, activityId: 7, field: "actualEnd", code: "REASON_REQUIRED", msg: "why" },
    { duId: 2, activityId: 7, field: "actualEnd", code: "REASON_REQUIRED", msg: "why" },
    { duId: 3, field: "name", code: "FROZEN", msg: "frozen" },
  ];

  test("DUs without a refused or conflicting cell are written", () => {
    const sent = [edit("1", "name"), edit("4", "name"), edit("5", "name")];
    const conflicts = [{ duId: 5, field: "name", theirs: "x", by: null, at: null }];
    expect(writtenEdits(sent, { rejected, conflicts }).map((given) => given.rowKey)).toEqual(["4"]);
  });

  test("a reason is asked only where nothing else is refused", () => {
    expect(askingReason(rejected).map((cell) => cell.duId)).toEqual([2]);
  });

  test("refusals are counted by code, most frequent first", () => {
    expect(countByCode(rejected.slice(0, 3)).map(({ code, count }) => [code, count])).toEqual([
      ["REASON_REQUIRED", 2],
      ["FROZEN", 1],
    ]);
  });

  test("cells are found by their keys", () => {
    expect([cellKeys(rejected[0] as never), cellKeys(rejected[3] as never)]).toEqual([
      { rowKey: "1", columnKey: "7:planEnd" },
      { rowKey: "3", columnKey: "name" },
    ]);
  });
});
