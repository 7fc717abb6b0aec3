import { describe, expect, test } from "vitest";
import { runCommand } from "#components/grid/grid-commands.ts";
import { fakeColumns, fakeGrid, fakeLayout, fakeRows } from "./fake-grid.ts";

const handlers = { save() {}, search() {}, conflict() {}, cellMenu() {}, columnMenu() {}, leave() {}, unfold() {}, finishEdit() {} };

describe("moving", () => {
  test("Shift moves the far corner and keeps the active cell", () => {
    const { grid } = fakeGrid(fakeRows(5));
    grid.place({ row: 2, column: 1 }, false);
    grid.move("down", "cell", true);
    grid.move("right", "cell", true);
    expect(grid.range).toEqual({ top: 2, left: 1, bottom: 3, right: 2 });
    grid.move("up", "cell", true);
    grid.move("up", "cell", true);
    expect(grid.range).toEqual({ top: 1, left: 1, bottom: 2, right: 2 });
    expect(grid.active).toEqual({ row: 2, column: 1 });
  });

  test("Ctrl moves to the end of what is filled", () => {
    const rows = fakeRows(6);
    (rows[3] as { values: object }).values = {};
    const { grid } = fakeGrid(rows);
    grid.move("down", "edge", false);
    expect(grid.active.row).toBe(2);
    grid.move("down", "edge", false);
    expect(grid.active.row).toBe(4);
  });

  test("Home, End and their corners", () => {
    const { grid } = fakeGrid(fakeRows(4));
    grid.toLine("last", true, false);
    expect(grid.active).toEqual({ row: 3, column: 3 });
    grid.toLine("first", false, false);
    expect(grid.active).toEqual({ row: 3, column: 0 });
  });

  test("Tab passes over cells outside the flow", () => {
    const rows = fakeRows(2);
    rows[0] = { ...(rows[0] as (typeof rows)[0]), outside: ["start", "end"] };
    const { grid } = fakeGrid(rows);
    grid.tab(false);
    expect(grid.active).toEqual({ row: 0, column: 3 });
    grid.tab(true);
    expect(grid.active).toEqual({ row: 0, column: 0 });
  });

  test("the active cell stays on its column when columns change", () => {
    const { grid } = fakeGrid(fakeRows(2));
    grid.place({ row: 1, column: 2 }, false);
    grid.setLayout(fakeLayout([fakeColumns[0], fakeColumns[2]].flatMap((column) => column ?? [])));
    expect(grid.active).toEqual({ row: 1, column: 1 });
  });
});

describe("editing", () => {
  test("a value is written over the one that was read", () => {
    const { grid, edits } = fakeGrid(fakeRows(2));
    grid.place({ row: 1, column: 1 }, false);
    expect(grid.beginEdit("replace")).toBe(true);
    grid.commit("2026-12-01");
    expect(edits.get("r1", "start")).toMatchObject({ base: "2026-10-11", mine: "2026-12-01" });
    expect(grid.editor).toBeNull();
  });

  test("a locked cell says why instead of opening", () => {
    const rows = fakeRows(1);
    rows[0] = { ...(rows[0] as (typeof rows)[0]), locked: ["start"] };
    const { grid } = fakeGrid(rows);
    grid.place({ row: 0, column: 1 }, false);
    expect(grid.beginEdit("replace")).toBe(false);
    expect(grid.callOut).toMatchObject({ cell: { row: 0, column: 1 }, refusal: { code: "FROZEN" } });
    runCommand(grid, { name: "escape" }, handlers);
    expect(grid.callOut).toBeNull();
  });

  test("nothing opens on a grid for reading", () => {
    const { grid } = fakeGrid(fakeRows(1));
    grid.readOnly = true;
    expect(grid.beginEdit("replace")).toBe(false);
  });

  test("Esc takes back the topmost only", () => {
    const { grid, edits } = fakeGrid(fakeRows(1));
    edits.change([{ rowKey: "r0", columnKey: "name", base: "n0", value: null, typed: "??" }]);
    grid.copied = grid.range;
    runCommand(grid, { name: "escape" }, handlers);
    expect([grid.copied, edits.counts.dirty]).toEqual([null, 1]);
    runCommand(grid, { name: "escape" }, handlers);
    expect(edits.counts.dirty).toBe(0);
  });

  test("Enter on a conflict asks, elsewhere it goes down", () => {
    const { grid, edits } = fakeGrid(fakeRows(2));
    let asked = 0;
    const page = { ...handlers, conflict: () => asked++ };
    edits.change([{ rowKey: "r0", columnKey: "name", base: "n0", value: "mine" }]);
    edits.theirs([{ rowKey: "r0", columnKey: "name", theirs: "theirs", by: "x", at: "" }]);
    runCommand(grid, { name: "enter", backwards: false }, page);
    expect([asked, grid.active.row]).toEqual([1, 0]);
    edits.resolve([{ rowKey: "r0", columnKey: "name" }], "mine");
    runCommand(grid, { name: "enter", backwards: false }, page);
    expect([asked, grid.active.row]).toEqual([1, 1]);
  });

  test("Enter opens what a cell stands for, and goes down in a selected block", () => {
    const { grid } = fakeGrid(fakeRows(3));
    const opened: number[] = [];
    grid.openOnEnter = ({ row }) => row === 1 && opened.push(row) > 0;
    runCommand(grid, { name: "enter", backwards: false }, handlers);
    expect([opened, grid.active.row]).toEqual([[], 1]);
    runCommand(grid, { name: "enter", backwards: false }, handlers);
    expect([opened, grid.active.row]).toEqual([[1], 1]);
    grid.move("down", "cell", true);
    runCommand(grid, { name: "enter", backwards: false }, handlers);
    expect(opened).toEqual([1]);
  });

  test("undo goes back to where it happened", () => {
    const { grid, edits } = fakeGrid(fakeRows(3));
    edits.change([{ rowKey: "r2", columnKey: "end", base: "x", value: "y" }]);
    runCommand(grid, { name: "undo" }, handlers);
    expect([grid.active, edits.counts.dirty]).toEqual([{ row: 2, column: 2 }, 0]);
    runCommand(grid, { name: "redo" }, handlers);
    expect(edits.counts.dirty).toBe(1);
  });
});

describe("problems", () => {
  const bad = (rowKey: string, columnKey: string) => ({ rowKey, columnKey, base: null, value: null, typed: "?" });

  test("F8 goes round them in reading order", () => {
    const { grid, edits } = fakeGrid(fakeRows(4));
    edits.change([bad("r2", "start"), bad("r0", "end"), bad("r2", "name")]);
    const visit = (backwards: boolean) => {
      grid.toProblem(backwards);
      return `${grid.active.row},${grid.active.column}`;
    };
    expect([visit(false), visit(false), visit(false), visit(false)]).toEqual(["0,2", "2,0", "2,1", "0,2"]);
    expect(visit(true)).toBe("2,1");
  });

  test("a problem in a hidden column shows the column first", () => {
    const { grid, edits } = fakeGrid(fakeRows(2));
    const asked: string[] = [];
    grid.showColumn = (key) => {
      asked.push(key);
      grid.setLayout(fakeLayout());
    };
    grid.setLayout(fakeLayout(fakeColumns.slice(0, 2)));
    edits.change([bad("r1", "qty")]);
    grid.toProblem(false);
    expect([asked, grid.active]).toEqual([["qty"], { row: 1, column: 3 }]);
  });

  test("problems of rows that are not shown are counted", () => {
    const { grid, edits, notices } = fakeGrid(fakeRows(1));
    grid.toProblem(false);
    edits.change([bad("elsewhere", "name")]);
    grid.toProblem(false);
    expect(notices).toEqual([{ kind: "noProblem" }, { kind: "problemsElsewhere", count: 1 }]);
  });
});

test("all rows are chosen, then none", () => {
  const { grid } = fakeGrid(fakeRows(3), 1);
  grid.toggleAllRows();
  expect(grid.rows.list).toEqual(["r0", "r1", "r2"]);
  grid.toggleAllRows();
  expect(grid.rows.size).toBe(0);
});

describe("inside a selected block", () => {
  const block = () => {
    const { grid } = fakeGrid(fakeRows(4));
    grid.place({ row: 1, column: 1 }, false);
    grid.place({ row: 2, column: 2 }, true);
    return grid;
  };
  const path = (grid: ReturnType<typeof block>, step: () => void, count: number) =>
    Array.from({ length: count }, () => {
      step();
      return [grid.active.row, grid.active.column];
    });

  test("Tab goes row by row and Enter column by column, round and round, and the block stays", () => {
    const byTab = block();
    expect(path(byTab, () => byTab.tab(false), 4)).toEqual([
      [1, 2],
      [2, 1],
      [2, 2],
      [1, 1],
    ]);
    const byEnter = block();
    expect(path(byEnter, () => byEnter.enter(false), 4)).toEqual([
      [2, 1],
      [1, 2],
      [2, 2],
      [1, 1],
    ]);
    expect(path(byEnter, () => byEnter.enter(true), 1)).toEqual([[2, 2]]);
    expect(byEnter.range).toEqual({ top: 1, left: 1, bottom: 2, right: 2 });
  });
  test("text that is taken for something else is no edit", () => {
    const grid = block();
    const asked: string[] = [];
    grid.takeTyped = (rowKey, columnKey, typed) => asked.push(`${rowKey} ${columnKey} ${typed}`) > 0 && typed === "NA";
    grid.beginEdit("replace");
    grid.commit(null, "NA");
    expect([...grid.edits.all()]).toEqual([]);
    expect(grid.editor).toBeNull();
    grid.beginEdit("replace");
    grid.commit(null, "soon");
    expect([...grid.edits.all()].map(({ typed }) => typed)).toEqual(["soon"]);
    expect(asked).toHaveLength(2);
  });
  test("waits for its row while rows are read again, goes where it goes, and what is typed stays once it is gone", () => {
    const { grid, arrive } = fakeGrid(fakeRows(4));
    const kept: string[] = [];
    grid.viewport = {
      reveal: () => {},
      drawnRows: () => ({ from: 0, to: 3 }),
      pageRows: () => 4,
      focus: () => {},
      keepTyped: () => {
        kept.push(grid.editor!.rowKey);
        grid.commit("2026-12-01");
      },
    };
    const { rowKey, indexOf } = grid.source;
    const read = (order: readonly string[]) => {
      grid.source.rowKey = (row) => order[row];
      grid.source.indexOf = (key) => (order.includes(key) ? order.indexOf(key) : undefined);
      arrive({ from: 0, to: 3 });
    };
    grid.place({ row: 1, column: 1 }, false);
    grid.beginEdit("replace");
    read([]);
    expect(grid.editor).toMatchObject({ rowKey: "r1", cell: { row: 1 } });
    read(["r0", "r2", "r1", "r3"]);
    expect(grid.editor).toMatchObject({ rowKey: "r1", cell: { row: 2 } });
    expect(kept).toEqual([]);
    read(["r0", "r2", "r3", "r4"]);
    expect(grid.editor).toBeNull();
    expect(kept).toEqual(["r1"]);
    expect([...grid.edits.all()]).toMatchObject([{ rowKey: "r1", columnKey: "start", mine: "2026-12-01" }]);
    Object.assign(grid.source, { rowKey, indexOf });
  });
  test("typing keeps the block", () => {
    const grid = block();
    expect(grid.beginEdit("replace")).toBe(true);
    grid.commit("2026-12-01");
    grid.enter(false);
    expect(grid.range).toEqual({ top: 1, left: 1, bottom: 2, right: 2 });
    expect(grid.active).toEqual({ row: 2, column: 1 });
  });
  test("Shift+Space and Ctrl+Space take its rows and columns, a head takes its column", () => {
    const rows = block();
    rows.selectLines("rows");
    expect(rows.range).toEqual({ top: 1, left: 0, bottom: 2, right: 3 });
    const columns = block();
    columns.selectLines("columns");
    expect(columns.range).toEqual({ top: 0, left: 1, bottom: 3, right: 2 });
    columns.selectColumn(3, false);
    expect(columns.range).toEqual({ top: 0, left: 3, bottom: 3, right: 3 });
    columns.selectColumn(1, true);
    expect(columns.range).toEqual({ top: 0, left: 1, bottom: 3, right: 3 });
  });
});

test("rows that arrive are told of when they are drawn, selected or edited, and not while they are only fetched ahead", () => {
  const { grid, arrive } = fakeGrid(fakeRows(30));
  const told = (from: number, to: number) => {
    const before = grid.version;
    arrive({ from, to });
    return grid.version > before;
  };
  expect(told(20, 29)).toBe(true);
  grid.viewport = { reveal: () => {}, drawnRows: () => ({ from: 10, to: 19 }), pageRows: () => 5, focus: () => {}, keepTyped: () => {} };
  expect([told(19, 25), told(20, 29), told(5, 9), told(5, 10)]).toEqual([true, false, false, true]);
  expect(told(0, 0)).toBe(true);
  grid.place({ row: 25, column: 0 }, false);
  expect([told(20, 25), told(26, 29)]).toEqual([true, false]);
  grid.beginEdit("keep");
  expect(told(26, 29)).toBe(true);
});
