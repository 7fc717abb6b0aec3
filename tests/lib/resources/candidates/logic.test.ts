import { describe, expect, it } from "vitest";
import { distanceKm, meanKm, score } from "#lib/resources/candidates/logic.ts";

describe("score [RES-10]", () => {
  it.each([
    [{ hasSkill: true, distance: 50, openOrders: 5, stars: 4 }, 85.5],
    [{ hasSkill: false, distance: null, openOrders: 0, stars: null }, 41],
    [{ hasSkill: true, distance: 0, openOrders: 0, stars: 5 }, 100],
    [{ hasSkill: false, distance: 500, openOrders: 40, stars: 0 }, 0],
  ])("%j is %d", (facts, wanted) => expect(score(facts)).toBe(wanted));

  it("measures along the sphere, and takes the mean of several places", () => {
    const [a, b] = [
      { longitude: 113.26, latitude: 23.13 },
      { longitude: 114.06, latitude: 22.54 },
    ];
    expect(distanceKm(a, b)).toBeCloseTo(105, 0);
    expect(meanKm(a, [a, b])).toBeCloseTo(52.5, 0);
    expect(meanKm(null, [a])).toBeNull();
    expect(meanKm(a, [])).toBeNull();
  });
});
