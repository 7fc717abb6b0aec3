import { describe, expect, test } from "vitest";
import { progressOf, rollUp } from "#lib/activity-flows/sub-flows/logic.ts";

describe("the actual dates of an activity with steps", () => {
  test.each([
    ["no step done", [0, 0, 0], 0, 0],
    ["some done: it started with the earliest and has not ended", [9770, 9772, 0], 9770, 0],
    ["later ones first", [0, 9772, 9770], 9770, 0],
    ["all done: it ended with the latest", [9772, 9770, 9771], 9770, 9772],
    ["one step only", [9770], 9770, 9770],
  ])("%s", (_title, days, actualStart, actualEnd) => {
    expect(rollUp(days)).toEqual({ actualStart, actualEnd });
  });
});

describe("progress", () => {
  const steps = (text: string) => text.split(" ").map((word) => ({ weight: Number.parseFloat(word), done: word.endsWith("x") }));
  test.each([
    ["1x 1x 1", 66],
    ["1x 3", 25],
    ["0.1x 0.2x 0.3", 50],
    ["1 1 1", 0],
    ["1x 1x 1x", 100],
    ["999.99x 0.01", 99],
    ["0.01x 999.99", 0],
  ])("of %s is %i percent of the weights", (text, percent) => {
    expect(progressOf(steps(text))).toBe(percent);
  });
});
