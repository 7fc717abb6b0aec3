import { describe, expect, it } from "vitest";
import { laneLines, lineOf, nearestBar, tilesOf } from "#components/outputs/lane-lines.ts";

const lanes = [
  { name: "North", rows: 3 },
  { name: "South", rows: 0 },
  { name: "West", rows: 250 },
];

describe("lanes of a Gantt", () => {
  it("puts a head before the rows of each lane", () => {
    const lines = laneLines(lanes, new Set());
    expect(lines.total).toBe(256);
    expect([0, 1, 3, 4, 5, 6, 255].map((line) => lineOf(lines, line))).toEqual([
      { lane: 0, row: null },
      { lane: 0, row: 0 },
      { lane: 0, row: 2 },
      { lane: 1, row: null },
      { lane: 2, row: null },
      { lane: 2, row: 3 },
      { lane: 2, row: 252 },
    ]);
    expect([lineOf(lines, -1), lineOf(lines, 256)]).toEqual([null, null]);
  });

  it("leaves out the rows of a folded lane, not their numbers", () => {
    const lines = laneLines(lanes, new Set(["North"]));
    expect(lines.total).toBe(253);
    expect([0, 1, 2, 3].map((line) => lineOf(lines, line))).toEqual([
      { lane: 0, row: null },
      { lane: 1, row: null },
      { lane: 2, row: null },
      { lane: 2, row: 3 },
    ]);
  });

  it("asks only for the tiles whose rows are in sight", () => {
    const lines = laneLines(lanes, new Set());
    expect(tilesOf(lines, 0, 10, 100)).toEqual([0]);
    expect(tilesOf(lines, 100, 110, 100)).toEqual([0, 1]);
    expect(tilesOf(lines, 4, 4, 100)).toEqual([]);
    expect(tilesOf(laneLines([], new Set()), 0, 10, 100)).toEqual([]);
  });

  it("goes up and down to the bar nearest in time", () => {
    const bars = [
      { startDay: 10, endDay: 12 },
      { startDay: 20, endDay: 25 },
    ];
    expect([1, 11, 15, 17, 22, 90].map((day) => nearestBar(bars, day))).toEqual([0, 0, 0, 1, 1, 1]);
    expect(nearestBar([], 5)).toBe(-1);
  });
});
