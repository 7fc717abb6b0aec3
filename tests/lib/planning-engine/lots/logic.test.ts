import { describe, expect, test } from "vitest";
import { dayOfReuse, reusable } from "#lib/planning-engine/lots/logic.ts";
import { makeProblem } from "#tests/support/planning-problem.ts";

test.each([
  [400, 1000, 8000, 0, 200],
  [400, 5000, 8000, 0, 100],
  [400, 0, 10_000, 0, 400],
  [400, 0, 10_000, 1, 300],
  [400, 10_000, 10_000, 0, 0],
  [99, 0, 10_000, 0, 0],
  // 0.9 x 0.7 of 100: floating point would say 62.99 units.
  [10_000, 1000, 7000, 0, 6300],
  [99_999_999_999_900, 1, 9999, 1, 99_970_002_999_800],
])("%d hundredths dismantled, damage %d, reuse %d, buffer %d give %d", (dismantled, damage, reuse, buffer, expected) => {
  expect(reusable(dismantled, { damage, reuse, buffer })).toBe(expected);
});

describe("day on which a reuse lot can be used", () => {
  const problem = makeProblem({
    horizon: 14,
    freeDays: [[5, 6]],
    flows: [{ name: "F", activities: [], relations: [] }],
    pools: [],
    dus: [{ flow: "F" }],
  });
  test.each([
    ["at the end without turnaround", 5, 0, 5],
    ["working days of the donor after its last day", 5, 1, 8],
    ["from a free day on", 6, 1, 8],
    ["before the plan start", -7, 2, -5],
    ["behind the calendar", 12, 5, 1_000_000_000],
    ["never, without an end", 1_000_000_000, 1, 1_000_000_000],
  ])("%s", (_, end, turnaround, expected) => {
    expect(dayOfReuse(problem, 0, end, turnaround)).toBe(expected);
  });
});
