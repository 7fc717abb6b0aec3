import { expect, it } from "vitest";
import { pairKey, refusedTogether } from "#lib/rollout-plan/two-networks/logic.ts";

const pairs = [
  { duAId: 1, duBId: 2 },
  { duAId: 1, duBId: 3 },
  { duAId: 4, duBId: 3 },
  { duAId: 5, duBId: 6 },
];

it.each([
  ["nobody", [], []],
  ["both of a pair", [6], [5, 6]],
  ["all that hang together, whatever their order", [4], [1, 2, 3, 4]],
  ["strangers to every pair alone", [9], [9]],
])("refuses %s", (_what, given, expected) => {
  expect([...refusedTogether(pairs, given)].sort()).toEqual(expected);
});

it("keeps a pair under one key from both sides", () => {
  expect(pairKey({ duAId: 7, duBId: 5 }, 3)).toBe(pairKey({ duAId: 5, duBId: 7 }, 3));
});
