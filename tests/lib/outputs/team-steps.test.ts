import { describe, expect, it } from "vitest";
import { loadSteps, shareStep } from "#components/outputs/team-steps.ts";

describe("load of teams", () => {
  it("counts every week once: in the month of its Wednesday", () => {
    expect(loadSteps(["2026-03-22", "2026-03-29", "2026-04-05"], "month")).toEqual([
      { key: "2026-03", from: "2026-03-22", to: "2026-03-28", places: [0] },
      { key: "2026-04", from: "2026-03-29", to: "2026-04-11", places: [1, 2] },
    ]);
    expect(loadSteps(["2026-03-22"], "week")).toEqual([{ key: "2026-03-22", from: "2026-03-22", to: "2026-03-28", places: [0] }]);
  });

  it("has a colour for every sixth, the first for anything above nothing", () => {
    expect([0, 0.01, 1 / 6, 0.17, 0.5, 0.99, 1].map(shareStep)).toEqual([0, 1, 1, 2, 3, 6, 6]);
  });
});
