import { expect, test } from "vitest";
import { arraysText, rowBreak, runsOf } from "#lib/core/arrays-text.ts";

const joined = (rows: readonly (readonly number[])[], empty: string) =>
  rows.map((row) => (row.length > 0 ? `{${row.join(",")}}` : empty)).join(rowBreak);

test.each(["", "{}"] as const)("rows are written as joining them would, with '%s' for an empty one", (empty) => {
  const edges = [0, 9, 10, 99, 100, 32_767, -1, -10, 2_147_483_647, -2_147_483_648];
  // Equal rows behind one another, empty ones at both ends, and more than the first room holds.
  const long = [0, 1, 2].map((more) => Array.from({ length: 5_000 }, (_, at) => at * 429_497 + more));
  const rows = [[], edges, edges, [], [], [0], [...edges, 7], ...long, [1], [1], []];
  expect(arraysText(rows, empty)).toBe(joined(rows, empty));
  expect(arraysText([Int32Array.from(edges), Uint16Array.of(65_535)], empty)).toBe(joined([edges, [65_535]], empty));
  expect(arraysText([], empty)).toBe("");
});

test("rows that say the same as the one before are said once", () => {
  const [one, other] = [[1, 2], [1]];
  expect(runsOf([one, [1, 2], other, other, [], [], one])).toEqual({ runs: [one, other, [], one], places: [1, 1, 2, 2, 3, 3, 4] });
  expect(runsOf([])).toEqual({ runs: [], places: [] });
});
