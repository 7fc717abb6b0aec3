import { describe, expect, test } from "vitest";
import {
  actionCellsMax,
  clearCells,
  copyCells,
  cutCells,
  fillBlock,
  fillDown,
  fillRight,
  fillSelection,
  fillSeries,
  pasteText,
  rangeText,
} from "#components/grid/block-edits.ts";
import { selectionFigures } from "#components/grid/selection-figures.ts";
import { fakeGrid, fakeLayout, fakeRows } from "./fake-grid.ts";

const range = (top: number, left: number, bottom: number, right: number) => ({ top, left, bottom, right });

test("pasting a block reads dates in every form and keeps what it cannot read", () => {
  const { grid, shown, edits } = fakeGrid(fakeRows(3));
  grid.place({ row: 0, column: 1 }, false);
  pasteText(grid, "2026/12/01\t31.12.2026\r\n46357\tsoon\r\n");
  expect(shown().map((row) => row.slice(1, 3))).toEqual([
    ["2026-12-01", "2026-12-31"],
    ["2026-12-01", "soon"],
    ["2026-10-12", "2026-11-12"],
  ]);
  expect(edits.get("r1", "end")).toMatchObject({ typed: "soon", refusal: { code: "VALUE_FORMAT" } });
  expect(grid.range).toEqual(range(0, 1, 1, 2));
});

test("pasted words that stand below several values mean the one below the value pasted beside them, else the one the row has", () => {
  const { grid, edits } = fakeGrid([0, 1].map((at) => ({ key: `r${at}`, values: { maker: "1", model: null } })));
  const choice = { kind: "choice" as const, width: 100, editable: true };
  const makers = ["1", "2"].map((value) => ({ value, label: `Maker ${value}` }));
  const models = ["1", "2"].map((parent) => ({ value: `${parent}9`, label: "Other", parent }));
  grid.setLayout(
    fakeLayout([
      { ...choice, key: "maker", title: "Maker", choices: makers },
      { ...choice, key: "model", title: "Model", choices: models, parentKey: "maker" },
    ]),
  );
  grid.place({ row: 0, column: 0 }, false);
  pasteText(grid, "Maker 2\tOther");
  expect(edits.get("r0", "model")?.mine).toBe("29");
  grid.place({ row: 1, column: 1 }, false);
  pasteText(grid, "other");
  expect(edits.get("r1", "model")?.mine).toBe("19");
});

test("pasting one value fills the selection; the whole is one step", () => {
  const { grid, shown, edits } = fakeGrid(fakeRows(3));
  grid.range = range(0, 1, 2, 1);
  pasteText(grid, "2027-01-05");
  expect(shown().map((row) => row[1])).toEqual(["2027-01-05", "2027-01-05", "2027-01-05"]);
  edits.undo();
  expect(edits.counts.dirty).toBe(0);
});

test("locked cells are left out and counted, unless they would keep their value", () => {
  const rows = fakeRows(3);
  rows[1] = { ...(rows[1] as (typeof rows)[0]), locked: ["start"] };
  const { grid, shown, notices } = fakeGrid(rows);
  grid.range = range(0, 1, 2, 1);
  pasteText(grid, "2026-12-01");
  expect(shown()[1]?.[1]).toBe("2026-10-11");
  expect(notices).toEqual([{ kind: "skipped", count: 1 }]);
  grid.range = range(1, 1, 2, 1);
  pasteText(grid, "2026-10-11");
  expect(notices).toHaveLength(1);
});

test("Delete empties the selection", () => {
  const { grid, shown } = fakeGrid(fakeRows(2));
  grid.range = range(0, 1, 1, 2);
  clearCells(grid);
  expect(shown().map((row) => row.slice(1))).toEqual([
    ["", "", "0"],
    ["", "", "1"],
  ]);
});

describe("fill", () => {
  test("Ctrl+D copies the first row down, or the row above into a single one", () => {
    const { grid, shown } = fakeGrid(fakeRows(4));
    grid.range = range(0, 1, 2, 2);
    fillDown(grid);
    expect(shown().map((row) => row[1])).toEqual(["2026-10-10", "2026-10-10", "2026-10-10", "2026-10-13"]);
    grid.range = range(3, 2, 3, 2);
    fillDown(grid);
    expect(shown()[3]?.[2]).toBe("2026-11-10");
  });

  test("Ctrl+R copies to the right; another kind reads the text anew", () => {
    const { grid, shown, edits } = fakeGrid(fakeRows(1));
    grid.range = range(0, 0, 0, 1);
    fillRight(grid);
    expect(shown()[0]?.slice(0, 2)).toEqual(["n0", "n0"]);
    expect(edits.get("r0", "start")?.typed).toBe("n0");
    grid.range = range(0, 2, 0, 2);
    edits.clear();
    fillRight(grid);
    expect(shown()[0]?.[2]).toBe("2026-10-10");
  });

  const starts = (shown: () => string[][]) => shown().map((row) => row[1]);
  const odd = () => {
    const rows = fakeRows(5);
    rows[1]!.values.start = "2026-10-20";
    rows[2]!.values.start = "2026-10-21";
    return fakeGrid(rows);
  };

  test("the handle counts on days at even steps, backwards too", () => {
    const down = fakeGrid(fakeRows(5));
    fillBlock(down.grid, range(0, 1, 1, 1), range(0, 1, 4, 1));
    expect(starts(down.shown)).toEqual(["2026-10-10", "2026-10-11", "2026-10-12", "2026-10-13", "2026-10-14"]);
    const { grid, shown } = odd();
    grid.edits.change([{ rowKey: "r4", columnKey: "start", base: "2026-10-14", value: "2026-10-28" }]);
    grid.edits.change([{ rowKey: "r3", columnKey: "start", base: "2026-10-13", value: "2026-10-21" }]);
    fillBlock(grid, range(3, 1, 4, 1), range(0, 1, 4, 1));
    expect(starts(shown)).toEqual(["2026-09-30", "2026-10-07", "2026-10-14", "2026-10-21", "2026-10-28"]);
  });
  test("the handle repeats one value and uneven ones; Ctrl does the other", () => {
    const one = odd();
    fillBlock(one.grid, range(1, 1, 1, 1), range(1, 1, 4, 1));
    expect(starts(one.shown)).toEqual(["2026-10-10", "2026-10-20", "2026-10-20", "2026-10-20", "2026-10-20"]);
    const uneven = odd();
    fillBlock(uneven.grid, range(0, 1, 2, 1), range(0, 1, 4, 1));
    expect(starts(uneven.shown)).toEqual(["2026-10-10", "2026-10-20", "2026-10-21", "2026-10-10", "2026-10-20"]);
    const counted = odd();
    fillBlock(counted.grid, range(1, 1, 1, 1), range(1, 1, 4, 1), { flip: true });
    expect(starts(counted.shown)).toEqual(["2026-10-10", "2026-10-20", "2026-10-21", "2026-10-22", "2026-10-23"]);
    const repeated = odd();
    fillBlock(repeated.grid, range(1, 1, 2, 1), range(1, 1, 4, 1), { flip: true });
    expect(starts(repeated.shown)).toEqual(["2026-10-10", "2026-10-20", "2026-10-21", "2026-10-20", "2026-10-21"]);
  });
  test("a series goes on from the filled cells at the top of every column, numbers with their decimals", () => {
    const { grid, shown, edits } = fakeGrid(fakeRows(4));
    edits.change([
      { rowKey: "r0", columnKey: "qty", base: 0, value: 0.1 },
      { rowKey: "r1", columnKey: "qty", base: 1, value: 0.3 },
      { rowKey: "r2", columnKey: "qty", base: 2, value: null },
      { rowKey: "r3", columnKey: "qty", base: 3, value: null },
      { rowKey: "r1", columnKey: "start", base: "2026-10-11", value: null },
    ]);
    grid.range = range(0, 1, 3, 3);
    fillSeries(grid);
    expect(starts(shown)).toEqual(["2026-10-10", "2026-10-11", "2026-10-12", "2026-10-13"]);
    expect(shown().map((row) => row[3])).toEqual(["0.1", "0.3", "0.5", "0.7"]);
  });
  test("Ctrl+Enter puts the active value into the whole selection as one step", () => {
    const { grid, shown, edits } = fakeGrid(fakeRows(3));
    grid.place({ row: 0, column: 1 }, false);
    grid.place({ row: 2, column: 2 }, true);
    fillSelection(grid);
    expect(shown().map((row) => row.slice(1, 3))).toEqual(Array.from({ length: 3 }, () => ["2026-10-10", "2026-10-10"]));
    edits.undo();
    expect(edits.counts.dirty).toBe(0);
  });
  test("Ctrl+X copies and empties", () => {
    const { grid, shown } = fakeGrid(fakeRows(2));
    grid.place({ row: 0, column: 1 }, false);
    grid.place({ row: 1, column: 1 }, true);
    let copied = "";
    cutCells(grid, (text) => {
      copied = text;
    });
    expect(copied).toBe("2026-10-10\n2026-10-11");
    expect(starts(shown)).toEqual(["", ""]);
  });
});

test("rows that are not loaded are fetched before they are changed", async () => {
  const { grid, shown } = fakeGrid(fakeRows(3), 1);
  grid.range = range(0, 1, 2, 1);
  pasteText(grid, "2026-12-01");
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(shown().map((row) => row[1])).toEqual(["2026-12-01", "2026-12-01", "2026-12-01"]);
});

test("nothing changes on a grid for reading, nor beyond the cells of one action", () => {
  const { grid, edits, notices } = fakeGrid(fakeRows(3));
  grid.range = { top: 0, left: 0, bottom: actionCellsMax, right: 0 };
  clearCells(grid);
  expect(notices).toEqual([{ kind: "tooMany", max: actionCellsMax }]);
  grid.readOnly = true;
  grid.range = range(0, 0, 0, 0);
  clearCells(grid);
  expect(edits.counts.dirty).toBe(0);
});

test("copying gives what is seen, with heads on request", () => {
  const { grid, edits } = fakeGrid(fakeRows(2));
  edits.change([{ rowKey: "r0", columnKey: "start", base: "2026-10-10", value: "2026-12-01" }]);
  grid.range = range(0, 0, 1, 1);
  let copied = "";
  copyCells(grid, { put: (text) => (copied = text) });
  expect(copied).toBe("n0\t2026-12-01\nn1\t2026-10-11");
  expect(rangeText(grid, grid.range, true)?.split("\n")[0]).toBe("NAME\tSTART");
  expect(grid.copied).toEqual(grid.range);
});

test("figures of a selection: size, earliest and latest day, sum", () => {
  const { grid } = fakeGrid(fakeRows(3));
  grid.range = range(0, 0, 2, 3);
  expect(selectionFigures(grid)).toEqual({ rows: 3, columns: 4, earliest: "2026-10-10", latest: "2026-11-12", sum: 3 });
  grid.range = range(0, 0, 0, 0);
  expect(selectionFigures(grid)).toEqual({ rows: 1, columns: 1, earliest: null, latest: null, sum: null });
});
