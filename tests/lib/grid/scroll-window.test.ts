import { describe, expect, it } from "vitest";
import { drawnRange } from "#components/grid/scroll-window.ts";

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
