import { describe, expect, it } from "vitest";
import { packPoints, readNumbers, unpackPoints, unpackPointsByColumn } from "#lib/rollout-plan/map-points/logic.ts";

describe("points as they travel [RPL-04]", () => {
  it("come back as they were, also from the far sides of the earth", () => {
    const points = {
      ids: [7, 8, 1_000_000_007],
      xs: [-180_000_000, 180_000_000, 0],
      ys: [-90_000_000, 90_000_000, 31_230_416],
      statuses: [0, 6, 10],
    };
    const found = unpackPoints(packPoints(points));
    expect({ ids: [...found.ids], xs: [...found.xs], ys: [...found.ys], statuses: [...found.statuses] }).toEqual(points);
    expect(unpackPoints(packPoints({ ids: [], xs: [], ys: [], statuses: [] })).ids).toHaveLength(0);
  });

  it("come back the same column by column, with a pause before each", async () => {
    const packed = packPoints({ ids: [3, 9], xs: [-5, 40], ys: [7, -80], statuses: [1, 2] });
    let pauses = 0;
    const found = await unpackPointsByColumn(packed, async () => void pauses++);
    expect(found).toEqual(unpackPoints(packed));
    expect(pauses).toBe(4);
  });

  it("take about ten bytes each: 80,000 of a country stay below a megabyte", () => {
    const count = 80_000;
    const at = Array.from({ length: count }, (_, n) => n);
    const packed = packPoints({
      ids: at.map((n) => 500 + n),
      xs: at.map((n) => 100_000_000 + ((n * 7_919) % 2_000_000)),
      ys: at.map((n) => 20_000_000 + ((n * 104_729) % 2_000_000)),
      statuses: at.map((n) => n % 7),
    });
    expect(JSON.stringify(packed).length / count).toBeLessThan(10.5);
  });
});

it("reads the arrays of the database", () => {
  expect(readNumbers("{1,-23,0,456}")).toEqual([1, -23, 0, 456]);
  expect(readNumbers("{7}")).toEqual([7]);
  expect(readNumbers("{}")).toEqual([]);
});
