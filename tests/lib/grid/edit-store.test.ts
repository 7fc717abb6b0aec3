import { beforeEach, describe, expect, test } from "vitest";
import { historyMax } from "#components/grid/edit-history.ts";
import { type EditChange, EditStore } from "#components/grid/edit-store.ts";
import type { CellValue } from "#components/grid/grid-model.ts";

let store: EditStore;
const set = (rowKey: string, value: CellValue, base: CellValue = null, columnKey = "a"): EditChange => ({ rowKey, columnKey, base, value });
const mine = (rowKey: string, columnKey = "a") => store.get(rowKey, columnKey)?.mine;

beforeEach(() => {
  store = new EditStore({ unreadable: (typed) => ({ code: "VALUE_FORMAT", cause: typed }), now: () => 1 });
});

describe("edits", () => {
  test("keep the value that was read and the one that is wanted", () => {
    store.change([set("1", "x", "old")]);
    expect(store.get("1", "a")).toEqual({ rowKey: "1", columnKey: "a", base: "old", mine: "x", at: 1 });
    store.change([set("1", "y", "x")]);
    expect(store.get("1", "a")?.base).toBe("old");
    expect(store.counts).toEqual({ dirty: 1, refused: 0, conflicts: 0 });
  });

  test("end when the value is the base again", () => {
    store.change([set("1", [1, 2], [1])]);
    store.change([set("1", [1], [1])]);
    expect(store.get("1", "a")).toBeUndefined();
    expect(store.counts.dirty).toBe(0);
  });

  test("that change nothing are no step", () => {
    store.change([set("1", "same", "same")]);
    expect(store.canUndo).toBe(false);
  });

  test("text that cannot be read stays and is refused", () => {
    store.change([{ ...set("1", null, "2026-10-14"), typed: "soon" }]);
    expect(store.get("1", "a")).toMatchObject({ typed: "soon", refusal: { code: "VALUE_FORMAT", cause: "soon" } });
    expect(store.counts.refused).toBe(1);
    store.change([set("1", "2026-10-20")]);
    expect(store.get("1", "a")).not.toHaveProperty("refusal");
    expect(store.counts.refused).toBe(0);
  });
});

describe("undo", () => {
  test("takes back a block as one step, and does it again", () => {
    store.change([set("1", "x"), set("2", "x")]);
    store.change([set("2", "y")]);
    expect(store.undo()).toEqual([{ rowKey: "2", columnKey: "a" }]);
    expect(mine("2")).toBe("x");
    store.undo();
    expect(store.counts.dirty).toBe(0);
    expect(store.redo()).toHaveLength(2);
    store.redo();
    expect([mine("1"), mine("2")]).toEqual(["x", "y"]);
    expect(store.redo()).toEqual([]);
  });

  test("a new step forgets what was undone", () => {
    store.change([set("1", "x")]);
    store.undo();
    store.change([set("2", "y")]);
    expect(store.canRedo).toBe(false);
  });

  test("reaches 100 steps back", () => {
    for (let n = 1; n <= historyMax + 5; n++) store.change([set("1", n)]);
    let steps = 0;
    while (store.undo().length > 0) steps++;
    expect(steps).toBe(100);
    expect(mine("1")).toBe(5);
  });

  test("a reverted cell can be brought back", () => {
    store.change([set("1", "x")]);
    store.revert([{ rowKey: "1", columnKey: "a" }]);
    expect(store.counts.dirty).toBe(0);
    store.undo();
    expect(mine("1")).toBe("x");
  });
});

describe("checks", () => {
  const order = { code: "PLAN_ORDER", cause: "start after end" };

  test("run over the whole row at every change of it", () => {
    store.setCheck((_key, edits) =>
      (edits.get("start")?.mine ?? "") > (edits.get("end")?.mine ?? "9") ? [{ columnKey: "start", refusal: order }] : [],
    );
    store.change([set("1", "5", "1", "start"), set("1", "4", "2", "end")]);
    expect(store.get("1", "start")?.refusal).toEqual(order);
    store.change([set("1", "6", "2", "end")]);
    expect(store.get("1", "start")?.refusal).toBeUndefined();
    store.undo();
    expect(store.get("1", "start")?.refusal).toEqual(order);
    expect(store.counts).toEqual({ dirty: 2, refused: 1, conflicts: 0 });
  });

  test("a warning does not count as refused; a refusal wins over it", () => {
    store.setCheck(() => [{ columnKey: "a", warning: order }]);
    store.change([set("1", "x")]);
    expect(store.get("1", "a")?.warning).toEqual(order);
    expect(store.counts.refused).toBe(0);
  });

  test("what the server refused is asked again after any change of the row", () => {
    store.change([set("1", "x"), set("1", "z", null, "b")]);
    store.refuse([{ rowKey: "1", columnKey: "a", refusal: order }]);
    expect(store.counts.refused).toBe(1);
    store.change([set("1", "zz", null, "b")]);
    expect(store.counts.refused).toBe(0);
  });
});

describe("after a save", () => {
  test("saved cells are clean and cannot be undone", () => {
    store.change([set("1", "x"), set("2", "y")]);
    store.settle([...store.all()].filter((edit) => edit.rowKey === "1"));
    expect(store.get("1", "a")).toBeUndefined();
    expect(mine("2")).toBe("y");
    expect(store.canUndo).toBe(false);
  });

  test("a cell typed over meanwhile keeps the newer text on the saved base", () => {
    store.change([set("1", "x", "old")]);
    const sent = [...store.all()];
    store.change([set("1", "newer")]);
    store.settle(sent);
    expect(store.get("1", "a")).toMatchObject({ base: "x", mine: "newer" });
  });

  test("what was typed into a row that was being made stands in the stored row", () => {
    store.change([set("-1", "x"), set("-1", "y", null, "b")]);
    store.moveRow("-1", "7");
    expect([store.row("-1"), mine("7"), mine("7", "b")]).toEqual([undefined, "x", "y"]);
    expect(store.get("7", "a")?.rowKey).toBe("7");
    expect([store.counts.dirty, store.canUndo]).toEqual([2, false]);
    store.moveRow("-2", "8");
    expect(store.row("8")).toBeUndefined();
  });
});

describe("changes by others", () => {
  const theirs = (value: CellValue) => [{ rowKey: "1", columnKey: "a", theirs: value, by: "Huang Yun", at: "17:38" }];
  beforeEach(() => store.change([set("1", "mine", "base")]));

  test("make a conflict of a dirty cell", () => {
    store.theirs(theirs("theirs"));
    expect(store.get("1", "a")).toMatchObject({ mine: "mine", conflict: { theirs: "theirs", by: "Huang Yun", at: "17:38" } });
    expect(store.counts).toEqual({ dirty: 1, refused: 0, conflicts: 1 });
  });

  test("settle a cell that wants the same", () => {
    store.theirs(theirs("mine"));
    expect(store.counts.dirty).toBe(0);
  });

  test("that go back to the base end the conflict", () => {
    store.theirs(theirs("theirs"));
    store.theirs(theirs("base"));
    expect(store.counts).toEqual({ dirty: 1, refused: 0, conflicts: 0 });
  });

  test("mine: wanted over their value", () => {
    store.theirs(theirs("theirs"));
    store.resolve([{ rowKey: "1", columnKey: "a" }], "mine");
    expect(store.get("1", "a")).toMatchObject({ base: "theirs", mine: "mine" });
    expect(store.counts.conflicts).toBe(0);
  });

  test("theirs: the edit is gone", () => {
    store.theirs(theirs("theirs"));
    store.resolve([{ rowKey: "1", columnKey: "a" }], "theirs");
    expect(store.counts).toEqual({ dirty: 0, refused: 0, conflicts: 0 });
  });

  test("clean cells are left alone", () => {
    store.theirs([{ rowKey: "9", columnKey: "a", theirs: 1, by: "x", at: "" }]);
    expect(store.counts.dirty).toBe(1);
  });
});

test("kept edits come back but do not cover newer ones", () => {
  store.change([set("1", "newer")]);
  store.restore([
    { rowKey: "1", columnKey: "a", base: null, mine: "older", at: 0 },
    { rowKey: "2", columnKey: "a", base: null, mine: "kept", at: 0 },
  ]);
  expect([mine("1"), mine("2")]).toEqual(["newer", "kept"]);
  expect(store.counts.dirty).toBe(2);
});

test("listeners hear every change until they leave", () => {
  let heard = 0;
  const leave = store.subscribe(() => heard++);
  store.change([set("1", "x")]);
  store.clear();
  leave();
  store.change([set("1", "x")]);
  expect(heard).toBe(2);
});
