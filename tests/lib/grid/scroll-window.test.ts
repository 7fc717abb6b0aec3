import { describe, expect, it } from "vitest";
import { drawnRange, drawnReach } from "#components/grid/scroll-window.ts";

describe("what is drawn around what is seen", () => {
  it("is as much on both sides, so that a turn finds its rows drawn", () => {
    expect(drawnRange({ startIndex: 100, endIndex: 130, overscan: 16, count: 1_000 })).toEqual([84, 146]);
  });
  it("ends where the rows end", () => {
    expect(drawnRange({ startIndex: 0, endIndex: 30, overscan: 16, count: 1_000 })).toEqual([0, 46]);
    expect(drawnRange({ startIndex: 980, endIndex: 999, overscan: 16, count: 1_000 })).toEqual([964, 999]);
    expect(drawnRange({ startIndex: 0, endIndex: -1, overscan: 16, count: 0 })).toEqual([]);
  });
});

describe("how far beyond what is seen is drawn", () => {
  const reach = (rows: boolean, columns: boolean) => drawnReach({ rows, columns }, 64, 448);
  it("is as far as one draws ahead in the direction that moves, and little beside it", () => {
    expect(reach(true, false)).toEqual({ rows: 448, columns: 64 });
    expect(reach(false, true)).toEqual({ rows: 64, columns: 448 });
  });
  it("is everything where both directions move", () => {
    expect(reach(true, true)).toEqual({ rows: 448, columns: 448 });
  });
  it("is what rest has allowed so far where nothing moves", () => {
    expect(reach(false, false)).toEqual({ rows: 64, columns: 64 });
    expect(drawnReach({ rows: false, columns: false }, 448, 448)).toEqual({ rows: 448, columns: 448 });
  });
});
