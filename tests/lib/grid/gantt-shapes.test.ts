import { describe, expect, it } from "vitest";
import type { LineLook } from "#components/rollout-plan/gantt-content.ts";
import { lineShapes } from "#components/rollout-plan/gantt-shapes.ts";
import { timeAxis } from "#components/ui/time-axis.ts";

/** An axis of four pixels a day. */
const axis = timeAxis("month", 1_000, 2_000);
const given = { axis, today: 1_050, options: { baseline: true, free: true } };
const nothing = { planStart: 0, planEnd: 0, actualStart: 0, actualEnd: 0, baselineStart: 0, baselineEnd: 0 };
const bar = (days: Partial<typeof nothing>, more: { milestone?: boolean; late?: boolean; slip?: number } = {}) =>
  ({ bar: { ...nothing, ...days, milestone: false, late: false, slip: null, ...more }, du: null, slip: "+3" }) as unknown as LineLook;
const du = (of: { from: number; to: number; done: number; applicable: number }) =>
  ({ du: { ...of, planEnd: of.to, slip: 0 }, bar: null }) as unknown as LineLook;

describe("what of a line is drawn on the axis", () => {
  it("is a bar from the first to the last planned day, the baseline below it, and the last day behind it", () => {
    const shapes = lineShapes(bar({ planStart: 1_010, planEnd: 1_014, baselineStart: 1_005, baselineEnd: 1_009 }, { slip: 3 }), given);
    expect(shapes).toEqual({
      base: { left: 20, width: 20 },
      plan: { left: 40, width: 20, kind: "plan" },
      actual: null,
      late: null,
      label: { left: 73, day: expect.stringMatching(/^\d\d-\d\d$/), slip: "+3" },
    });
    expect(lineShapes(bar({ planEnd: 1_014, baselineEnd: 1_009 }), { ...given, options: { baseline: false, free: true } })).toMatchObject({
      base: null,
      plan: { left: 56, width: 4 },
      label: { slip: "" },
    });
  });
  it("is what was done, up to today where it goes on, and its day behind the later end", () => {
    expect(lineShapes(bar({ planStart: 1_010, planEnd: 1_014, actualStart: 1_012 }), given)).toMatchObject({
      actual: { left: 48, width: 155, kind: "actual" },
      label: { left: 217 },
    });
    expect(lineShapes(bar({ planEnd: 1_014, actualStart: 1_012, actualEnd: 1_013 }), given)).toMatchObject({
      actual: { left: 48, width: 7 },
      label: { left: 73 },
    });
    expect(lineShapes(bar({ planEnd: 1_014, actualStart: 1_060 }), given).actual).toMatchObject({ left: 240, width: 3 });
  });
  it("goes on as dots to today where it is late", () => {
    expect(lineShapes(bar({ planEnd: 1_014 }, { late: true }), given)).toMatchObject({
      late: { left: 60, width: 140 },
      label: { left: 213 },
    });
    expect(lineShapes(bar({ planEnd: 1_050 }, { late: true }), given).late).toEqual({ left: 204, width: 1 });
  });
  it("is a diamond for a milestone, a solid one once it is reached", () => {
    expect(lineShapes(bar({ planEnd: 1_010, baselineEnd: 1_008 }, { milestone: true }), given)).toMatchObject({
      base: { left: 30.5, width: 7 },
      plan: { left: 37, width: 10, kind: "diamond" },
      actual: null,
      label: { left: 62 },
    });
    expect(lineShapes(bar({ planEnd: 1_010, actualEnd: 1_020 }, { milestone: true }), given).plan).toEqual({
      left: 77,
      width: 10,
      kind: "solid",
    });
  });
  it("is a span of a DU with the part that is done", () => {
    expect(lineShapes(du({ from: 1_010, to: 1_019, done: 1, applicable: 4 }), given)).toEqual({
      base: null,
      plan: { left: 40, width: 40, kind: "span" },
      actual: { left: 40, width: 10, kind: "spanDone" },
      late: null,
      label: null,
    });
    expect(lineShapes(du({ from: 1_010, to: 1_019, done: 0, applicable: 0 }), given).actual).toBeNull();
  });
  it("is nothing where nothing is planned", () => {
    const none = { base: null, plan: null, actual: null, late: null, label: null };
    expect(lineShapes(bar({}), given)).toEqual(none);
    expect(lineShapes(bar({}, { milestone: true }), given)).toEqual(none);
    expect(lineShapes(du({ from: 0, to: 0, done: 0, applicable: 3 }), given)).toEqual(none);
  });
});
