import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reorder } from "#lib/core/reorder.ts";

const shown = (rows: readonly { id: number; sortNo: number }[]) => [...rows].sort((a, b) => a.sortNo - b.sortNo || a.id - b.id);
const row = (id: number, sortNo: number) => ({ id, sortNo });

describe("the order of rows", () => {
  test("a moved row takes the number of its new place, the others close up", () => {
    const rows = [row(1, 1), row(2, 5), row(3, 9)];
    expect(reorder(rows, 0, 2)).toEqual([
      { id: 2, sortNo: 1, was: 5 },
      { id: 3, sortNo: 5, was: 9 },
      { id: 1, sortNo: 9, was: 1 },
    ]);
    expect(reorder(rows, 2, 1)).toEqual([
      { id: 3, sortNo: 5, was: 9 },
      { id: 2, sortNo: 9, was: 5 },
    ]);
    for (const [from, to] of [
      [0, 0],
      [0, -1],
      [0, 3],
      [7, 0],
    ] as const)
      expect(reorder(rows, from, to)).toEqual([]);
  });

  test("whatever the numbers, the rows stand as they were put", () => {
    const numbers = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(numbers, fc.nat(6), fc.nat(6), (given, from, to) => {
        const rows = shown(given.map((sortNo, at) => row(at + 1, sortNo)));
        fc.pre(from < rows.length && to < rows.length);
        const changed = new Map(reorder(rows, from, to).map(({ id, sortNo }) => [id, sortNo]));
        const wanted = rows.toSpliced(from, 1).toSpliced(to, 0, rows[from]!);
        expect(shown(rows.map(({ id, sortNo }) => row(id, changed.get(id) ?? sortNo))).map(({ id }) => id)).toEqual(
          wanted.map(({ id }) => id),
        );
      }),
    );
  });
});
