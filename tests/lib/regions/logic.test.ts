import { describe, expect, it } from "vitest";
import { equalShares, isShare, shareSum, sharesByCount, splitByShare } from "#lib/regions/logic.ts";

describe("shares [REG-06]", () => {
  it.each([
    [[33.33, 33.33, 33.33], 9999],
    [[33.34, 33.33, 33.33], 10_000],
    [[40, 25, 15, 12.5, 7.5], 10_000],
    [[0.1, 0.2], 30],
  ])("%j sum to %i hundredths", (shares, sum) => expect(shareSum(shares)).toBe(sum));

  it.each([
    [0, true],
    [100, true],
    [33.33, true],
    [-0.01, false],
    [100.01, false],
    [33.333, false],
  ])("%d may be a share: %j", (share, is) => expect(isShare(share)).toBe(is));

  it("gives equal shares with what does not divide at the first regions", () => {
    expect(equalShares(7)).toEqual([14.29, 14.29, 14.29, 14.29, 14.28, 14.28, 14.28]);
    expect(equalShares(3)).toEqual([33.34, 33.33, 33.33]);
    for (const count of [1, 2, 6, 11, 19]) expect(shareSum(equalShares(count))).toBe(10_000);
  });

  it("gives shares in the proportion of counts, equal ones where nothing is counted", () => {
    expect(sharesByCount([1, 2])).toEqual([33.33, 66.67]);
    expect(sharesByCount([0, 0])).toEqual([50, 50]);
  });

  it("splits a whole number by the largest remainders, equal ones in the order of the regions", () => {
    expect(splitByShare(10, [40, 25, 15, 12.5, 7.5])).toEqual([4, 3, 1, 1, 1]);
    expect(splitByShare(1, [50, 50])).toEqual([1, 0]);
    expect(splitByShare(7, [0, 0, 0])).toEqual([3, 2, 2]);
    expect(splitByShare(0, [40, 60])).toEqual([0, 0]);
  });
});
