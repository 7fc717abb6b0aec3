import { describe, expect, it } from "vitest";
import { capacityAt, compareWeeks, reserved, weeklyAdded, weekStart } from "#lib/resources/capacity/logic.ts";

const plan = {
  baseline: 10,
  upperCap: 18,
  lowerLimit: 5,
  leadTimeWeeks: 2,
  increasePeriodWeeks: 2,
  increasePerCycle: 3,
  redundancyRatio: 120,
  startWeek: "2026-10-11",
};

describe("capacity", () => {
  it("grows by the increase each period after the lead time, up to the cap [RES-12]", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((w) => capacityAt(plan, w))).toEqual([10, 10, 13, 13, 16, 16, 18, 18]);
    expect(weeklyAdded(plan)).toBe(1.5);
    expect(weeklyAdded({ increasePerCycle: 10, increasePeriodWeeks: 3 })).toBe(3.33);
  });

  it("is too little where planned work with its reserve is above it", () => {
    expect(reserved(12, 120)).toBe(14.4);
    const planned = new Map([
      ["2026-10-11", 8],
      ["2026-10-25", 12],
    ]);
    const weeks = compareWeeks(plan, "2026-10-04", 4, new Map([["2026-10-18", 7]]), planned);
    expect(weeks.map(({ week, capacity, manual, needed, over }) => [week, capacity, manual, needed, over])).toEqual([
      ["2026-10-04", 0, false, 0, false],
      ["2026-10-11", 10, false, 9.6, false],
      ["2026-10-18", 7, true, 0, false],
      ["2026-10-25", 13, false, 14.4, true],
    ]);
  });

  it("counts weeks from Sunday", () => {
    expect(weekStart("2026-10-14")).toBe("2026-10-11");
    expect(weekStart("2026-10-11")).toBe("2026-10-11");
  });
});
