import { expect, test } from "vitest";
import { RowSelection } from "#components/grid/row-selection.ts";

const keyOf = (index: number) => (index < 100 ? `k${index}` : undefined);

test("rows are chosen one by one and by range", () => {
  const rows = new RowSelection();
  rows.toggle(3, "k3");
  rows.extendTo(5, keyOf);
  expect(rows.list).toEqual(["k3", "k4", "k5"]);
  rows.toggle(4, "k4");
  rows.extendTo(2, keyOf);
  expect(new Set(rows.list)).toEqual(new Set(["k2", "k3", "k4", "k5"]));
});

test("unknown rows are passed over", () => {
  const rows = new RowSelection();
  rows.toggle(98, "k98");
  rows.extendTo(105, keyOf);
  expect(rows.list).toEqual(["k98", "k99"]);
});

test("listeners hear changes only", () => {
  const rows = new RowSelection();
  let heard = 0;
  rows.subscribe(() => heard++);
  rows.clear();
  rows.set(["a", "b"]);
  rows.clear();
  expect([heard, rows.size]).toEqual([2, 0]);
});
