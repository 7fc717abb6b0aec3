import { describe, expect, it } from "vitest";
import { leaningRange } from "#components/grid/use-virtual-window.ts";

const range = (startIndex: number, endIndex: number) => ({ startIndex, endIndex, overscan: 10, count: 1_000 });
const ends = (places: number[]) => [places[0], places.at(-1)];

describe("what is drawn around what is seen", () => {
  it("is the same on both sides at rest and leans the way one scrolls", () => {
    expect(ends(leaningRange(range(100, 130), null))).toEqual([90, 140]);
    expect(ends(leaningRange(range(100, 130), "forward"))).toEqual([98, 148]);
    expect(ends(leaningRange(range(100, 130), "backward"))).toEqual([82, 132]);
  });
  it("is as much in each case, and ends where the rows end", () => {
    for (const way of [null, "forward", "backward"] as const) expect(leaningRange(range(100, 130), way)).toHaveLength(51);
    expect(ends(leaningRange(range(0, 30), "backward"))).toEqual([0, 32]);
    expect(ends(leaningRange(range(980, 999), "forward"))).toEqual([978, 999]);
    expect(leaningRange({ startIndex: 0, endIndex: -1, overscan: 10, count: 0 }, null)).toEqual([]);
  });
});
