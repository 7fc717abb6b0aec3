import { describe, expect, test } from "vitest";
import {
  clampCell,
  fillOrigin,
  fillTarget,
  inRange,
  intersect,
  pasteTarget,
  rangeBetween,
  rangeCells,
  rangeOf,
} from "#components/grid/cell-range.ts";

const range = (top: number, left: number, bottom: number, right: number) => ({ top, left, bottom, right });

test("a block between any two corners", () => {
  const block = rangeBetween({ row: 5, column: 1 }, { row: 2, column: 4 });
  expect(block).toEqual(range(2, 1, 5, 4));
  expect(rangeCells(block)).toBe(16);
  expect(inRange(block, 5, 4)).toBe(true);
  expect(inRange(block, 6, 4)).toBe(false);
});

test("what two blocks share", () => {
  expect(intersect(range(0, 0, 5, 5), range(3, 4, 9, 9))).toEqual(range(3, 4, 5, 5));
  expect(intersect(range(0, 0, 5, 5), range(6, 0, 9, 9))).toBeNull();
});

test("a cell outside is brought inside", () => {
  expect(clampCell({ row: -2, column: 9 }, { rows: 4, columns: 3 })).toEqual({ row: 0, column: 2 });
});

describe("pasteTarget", () => {
  const extent = { rows: 10, columns: 6 };
  test.each([
    ["one value on a block fills the block", range(1, 1, 4, 2), 1, 1, range(1, 1, 4, 2)],
    ["one cell takes the whole copied block", rangeOf({ row: 2, column: 1 }), 3, 2, range(2, 1, 4, 2)],
    ["a multiple is tiled", range(0, 0, 3, 3), 2, 2, range(0, 0, 3, 3)],
    ["one row on a column of cells is repeated down", range(0, 0, 4, 1), 1, 2, range(0, 0, 4, 1)],
    ["no multiple: once from the first cell", range(0, 0, 4, 1), 2, 2, range(0, 0, 1, 1)],
    ["what reaches over the edge is cut off", rangeOf({ row: 8, column: 5 }), 5, 3, range(8, 5, 9, 5)],
  ])("%s", (_title, selection, height, width, expected) => {
    expect(pasteTarget(selection, height, width, extent)).toEqual(expected);
  });
});

describe("fill handle", () => {
  const from = range(2, 2, 3, 3);
  test.each([
    [{ row: 3, column: 3 }, from],
    [{ row: 7, column: 3 }, range(2, 2, 7, 3)],
    [{ row: 0, column: 2 }, range(0, 2, 3, 3)],
    [{ row: 4, column: 9 }, range(2, 2, 3, 9)],
    [{ row: 9, column: 5 }, range(2, 2, 9, 3)],
  ])("to %j", (to, expected) => {
    expect(fillTarget(from, to)).toEqual(expected);
  });

  test("repeats the pattern in both directions", () => {
    expect(fillOrigin(from, 4, 2)).toEqual({ row: 2, column: 2 });
    expect(fillOrigin(from, 7, 3)).toEqual({ row: 3, column: 3 });
    expect(fillOrigin(from, 1, 1)).toEqual({ row: 3, column: 3 });
    expect(fillOrigin(from, 0, 2)).toEqual({ row: 2, column: 2 });
  });
});
