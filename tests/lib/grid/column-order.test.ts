import { describe, expect, it } from "vitest";
import type { GridColumn, GridHead } from "#components/grid/grid-model.ts";
import { movable, orderedHead, orderName, swapped, withList } from "#components/rollout-plan/column-order.ts";

const column = (key: string): GridColumn => ({ key, title: key, kind: "text", width: 100 });
const head: GridHead = {
  groups: [
    { key: "fields", title: "DU", columns: ["code", "name", "region", "city"].map(column) },
    { key: "activity:1", title: "Survey", columns: ["1:planStart", "1:planEnd", "1:status"].map(column) },
    { key: "activity:2", title: "Install", columns: ["2:planStart", "2:planEnd", "2:status"].map(column) },
  ],
};
const keys = (given: GridHead) => given.groups.map((group) => group.columns.map(({ key }) => key));

describe("places of columns", () => {
  it("are one for the column of every activity", () => {
    expect(orderName("7:planEnd")).toBe("*:planEnd");
    expect(orderName("a12")).toBe("a12");
    expect(keys(orderedHead(head, ["city", "code", "*:status", "*:planStart"]))).toEqual([
      ["city", "code", "name", "region"],
      ["1:status", "1:planStart", "1:planEnd"],
      ["2:status", "2:planStart", "2:planEnd"],
    ]);
    expect(orderedHead(head, [])).toBe(head);
  });
  it("change with a neighbour and end at the ends", () => {
    expect(swapped(["a", "b", "c"], "b", 1)).toEqual(["a", "c", "b"]);
    expect(swapped(["a", "b", "c"], "a", -1)).toEqual(["a", "b", "c"]);
    expect(swapped(["a", "b", "c"], "x", 1)).toEqual(["a", "b", "c"]);
  });
  it("of other lists stay when one list changes", () => {
    expect(withList(["city", "*:status", "*:planStart"], ["*:planStart", "*:status"])).toEqual(["city", "*:planStart", "*:status"]);
  });
  it("are looked for among the columns of the group that are seen", () => {
    expect(movable(head, "region", new Set(["name"]))).toEqual(["code", "region", "city"]);
    expect(movable(head, "name", new Set(["name", "code"]))).toEqual(["name", "region", "city"]);
  });
});
