import { describe, expect, it } from "vitest";
import { boxOf, geoJson, type LngLat, type MapPoints, pointsInBox, pointsInRing, thinned } from "#components/ui/map-points.ts";

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

  it("become a file that the map's worker reads, or none when others took their place", async () => {
    const file = await geoJson(five, [',"s":0', ',"s":1'], new AbortController().signal);
    const { features } = JSON.parse(await file!.text());
    expect(features).toHaveLength(5);
    expect(features[2]).toEqual({ type: "Feature", geometry: { type: "Point", coordinates: [2, 2] }, properties: { n: 2, s: 0 } });
    expect(JSON.parse(await (await geoJson(points([]), [], new AbortController().signal))!.text()).features).toEqual([]);
    expect(await geoJson(five, [], AbortSignal.abort())).toBeNull();
  });
});
