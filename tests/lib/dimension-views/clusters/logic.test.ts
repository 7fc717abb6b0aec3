import { describe, expect, it } from "vitest";
import { convexHull, cumulate, type LngLat, readiness } from "#lib/dimension-views/clusters/logic.ts";

describe("readiness of a cluster [MDV-08]", () => {
  const cases: [
    total: number,
    done: number,
    kind: "integer" | "real",
    wanted: number,
    rate: number | null,
    ready: boolean,
    needed: number,
  ][] = [
    [50, 38, "integer", 80, 76, false, 2],
    [50, 40, "integer", 80, 80, true, 0],
    [3, 1, "integer", 33, 33.33, true, 0],
    [3, 1, "real", 33.34, 33.33, false, 1],
    [3, 2, "real", 66.66, 66.67, true, 0],
    [200, 199, "integer", 100, 99.5, false, 1],
    [200, 200, "integer", 100, 100, true, 0],
    [200, 100, "integer", 101, 50, false, 1],
    [200, 101, "integer", 101, 50.5, true, 0],
    [0, 0, "integer", 0, null, false, 0],
    [10, 0, "integer", 0, 0, true, 0],
  ];
  it.each(cases)("%i DUs, %i done, %s %d: %d %%, ready %s, %i more", (total, done, kind, wanted, rate, ready, needed) => {
    expect(readiness(total, done, kind, wanted)).toEqual({ rate, ready, needed });
  });
});

describe("the hull of points", () => {
  it("goes round the outer ones and leaves out those inside and on the edge", () => {
    const square: LngLat[] = [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
    ];
    expect(convexHull([...square, [1, 1], [1, 0], [0.5, 1.5]])).toEqual(square);
  });
  it("of one place, or two, is these", () => {
    expect(convexHull([[1, 1], [1, 1]])).toEqual([[1, 1]]); // biome-ignore format: a pair
    expect(convexHull([[1, 1], [0, 0]])).toEqual([[0, 0], [1, 1]]); // biome-ignore format: a pair
    expect(convexHull([])).toEqual([]);
  });
});

it("adds up the days of a curve", () => {
  expect(
    cumulate([
      { day: "2026-10-12", planned: 2, actual: 0 },
      { day: "2026-10-13", planned: 0, actual: 1 },
    ]),
  ).toEqual([
    { day: "2026-10-12", planned: 2, actual: 0 },
    { day: "2026-10-13", planned: 2, actual: 1 },
  ]);
});
