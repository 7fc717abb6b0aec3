import { expect, test } from "vitest";
import { sortByCounting } from "#lib/planning-engine/counting-sort/logic.ts";

test("members stand by key, equal ones as they stood, and each key knows its part", () => {
  const keys = Int32Array.from([2, 0, 2, 3, 0]);
  const { at, list } = sortByCounting(Int32Array.from([4, 3, 2, 0, 1]), keys, 5);
  expect([...list]).toEqual([4, 1, 2, 0, 3]);
  expect([...at]).toEqual([0, 2, 2, 4, 5, 5]);
});

test("only the members are sorted, of which there may be none", () => {
  const keys = Int32Array.from([1, 0, 1]);
  expect([...sortByCounting(Int32Array.from([2, 0]), keys, 2).list]).toEqual([2, 0]);
  expect(sortByCounting(new Int32Array(0), keys, 0)).toEqual({ at: Int32Array.from([0]), list: new Int32Array(0) });
});
