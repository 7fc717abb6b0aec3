import { expect, it } from "vitest";
import { withoutJumps } from "../../scripts/map-files.mjs";

it("lets a ring run on over the edge of the world instead of jumping back", () => {
  const ring = [
    [170, 60],
    [-170, 60],
    [-170, 70],
    [170, 70],
    [170, 60],
  ];
  expect(withoutJumps({ type: "Polygon", coordinates: [ring] }).coordinates).toEqual([
    [
      [170, 60],
      [190, 60],
      [190, 70],
      [170, 70],
      [170, 60],
    ],
  ]);
});

it("closes a ring round the pole along the lower edge", () => {
  const ring = [
    [-90, -70],
    [0, -75],
    [90, -70],
    [180, -72],
    [-90, -70],
  ];
  expect(withoutJumps({ type: "MultiPolygon", coordinates: [[ring]] }).coordinates).toEqual([
    [
      [
        [-90, -70],
        [0, -75],
        [90, -70],
        [180, -72],
        [270, -70],
        [270, -90],
        [-90, -90],
        [-90, -70],
      ],
    ],
  ]);
});

it("leaves a line that keeps to one side as it is, whatever holds it", () => {
  const borders = {
    type: "MultiLineString",
    coordinates: [
      [
        [10, 50],
        [12, 51],
      ],
    ],
  };
  const collection = { type: "FeatureCollection", features: [{ type: "Feature", properties: {}, geometry: borders }] };
  expect(withoutJumps(collection)).toEqual(collection);
});
