import { describe, expect, it } from "vitest";
import { boxOf, type LngLat, type MapPoints, pointsAt, pointsInBox, pointsInRing, thinned } from "#components/ui/map-points.ts";

const points = (places: LngLat[]): MapPoints => ({
  ids: Float64Array.from(places, (_, at) => 100 + at),
  xs: Int32Array.from(places, ([x]) => Math.round(x * 1e6)),
  ys: Int32Array.from(places, ([, y]) => Math.round(y * 1e6)),
  statuses: Uint8Array.from(places, (_, at) => at % 2),
});
const five = points([
  [0, 0],
  [2, 0],
  [2, 2],
  [0, 2],
  [1, 1],
]);

describe("points of a map", () => {
  it("have a box around them", () => {
    expect(boxOf(five)).toEqual([0, 0, 2, 2]);
    expect(boxOf(points([]))).toBeNull();
    expect(pointsInBox(five, [0.5, 0.5, 2, 2])).toEqual([2, 4]);
    expect(pointsInBox(five, [0, 0, 2, 2], 3)).toEqual([0, 1, 2]);
  });

  it("are inside a ring, also one with a bay, whichever way round it was drawn", () => {
    // A ring whose bay reaches from above around the point in the middle.
    const bay: LngLat[] = [
      [-1, -1],
      [3, -1],
      [3, 6],
      [1, 0.5],
      [-1, 6],
    ];
    expect(pointsInRing(five, bay)).toEqual([0, 1, 2, 3]);
    expect(pointsInRing(five, [...bay].reverse())).toEqual([0, 1, 2, 3]);
    expect(pointsInRing(five, bay.slice(0, 2))).toEqual([]);
  });

  it("of a line drawn by hand are thinned to a number", () => {
    const line = Array.from({ length: 250 }, (_, n) => n);
    expect(thinned(line, 100)).toHaveLength(100);
    expect(thinned(line, 250)).toEqual(line);
  });

  it("are found where the map says one lies, all that share a site and a look", () => {
    const shared = points([
      [120.000001, 30],
      [120.000001, 30],
      [120.000003, 30.000002],
      [120.00002, 30],
      [179.999999, -5],
    ]);
    expect(pointsAt(shared, [120.000002, 30.000001], 0)).toEqual([0, 2]);
    expect(pointsAt(shared, [120.000002, 30.000001], 1)).toEqual([1]);
    expect(pointsAt(shared, [120.00002, 30], 1)).toEqual([3]);
    expect(pointsAt(shared, [-180.000001, -5], 0)).toEqual([4]);
    expect(pointsAt(shared, [180.000001, -5], 0)).toEqual([4]);
    expect(pointsAt(shared, [120.00001, 30], 0)).toEqual([]);
  });
});
