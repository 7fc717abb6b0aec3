import { describe, expect, test } from "vitest";
import { type Direction, edge, step, tab } from "#components/grid/cell-movement.ts";

const extent = { rows: 6, columns: 5 };

test.each<[Direction, number, { row: number; column: number }]>([
  ["down", 1, { row: 3, column: 2 }],
  ["down", 20, { row: 5, column: 2 }],
  ["up", 20, { row: 0, column: 2 }],
  ["left", 1, { row: 2, column: 1 }],
  ["right", 9, { row: 2, column: 4 }],
])("steps %s by %i", (direction, count, to) => {
  expect(step({ row: 2, column: 2 }, direction, extent, count)).toEqual(to);
});

describe("to the edge of the data", () => {
  // One column: filled, filled, empty, empty, filled, empty.
  const column = ["x", "x", "", "", "x", ""];
  const filled = (cell: { row: number }) => column[cell.row] !== "";
  test.each([
    [0, "down", 1],
    [1, "down", 4],
    [2, "down", 4],
    [4, "down", 5],
    [5, "up", 4],
    [4, "up", 1],
    [1, "up", 0],
  ] as const)("from row %i %s to %i", (row, direction, to) => {
    expect(edge({ row, column: 0 }, direction, extent, filled)).toEqual({ row: to, column: 0 });
  });

  test("rows that are not loaded end the search at the end of the grid", () => {
    const known = (cell: { row: number }) => (cell.row > 2 ? null : true);
    expect(edge({ row: 0, column: 0 }, "down", extent, known)).toEqual({ row: 5, column: 0 });
  });

  test("stays at the last row", () => {
    expect(edge({ row: 5, column: 0 }, "down", extent, filled)).toEqual({ row: 5, column: 0 });
  });
});

describe("tab", () => {
  const open = (cell: { row: number; column: number }) => !(cell.row === 2 && cell.column === 3);
  test("skips what may not be entered", () => {
    expect(tab({ row: 2, column: 2 }, false, extent, open)).toEqual({ row: 2, column: 4 });
    expect(tab({ row: 2, column: 4 }, true, extent, open)).toEqual({ row: 2, column: 2 });
  });
  test("goes on in the next row", () => {
    expect(tab({ row: 2, column: 4 }, false, extent, open)).toEqual({ row: 3, column: 0 });
    expect(tab({ row: 3, column: 0 }, true, extent, open)).toEqual({ row: 2, column: 4 });
  });
  test("stays at the end", () => {
    expect(tab({ row: 5, column: 4 }, false, extent, open)).toEqual({ row: 5, column: 4 });
    expect(tab({ row: 0, column: 0 }, true, extent, open)).toEqual({ row: 0, column: 0 });
  });
});
