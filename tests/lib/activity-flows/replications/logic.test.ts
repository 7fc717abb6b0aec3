import { describe, expect, it } from "vitest";
import { placeActivities, statusOf, type TargetLibrary } from "#lib/activity-flows/replications/logic.ts";

const library = (given: Partial<TargetLibrary> = {}): TargetLibrary => ({
  byCode: new Map([["a1", 1]]),
  byName: new Map([
    ["survey", 1],
    ["install", 2],
  ]),
  closedCodes: new Set(["a9"]),
  room: 1,
  max: 2000,
  ...given,
});
const nobody = { activityIds: new Set<number>(), names: new Set<string>() };
const want = (name: string, code: string, own = name) => ({ name, library: { code, name: own } });
const kinds = (wanted: Parameters<typeof placeActivities>[0], given?: Partial<TargetLibrary>, taken = nobody) =>
  placeActivities(wanted, library(given), taken).map((placed) =>
    placed.kind === "failed" ? placed.code : placed.kind === "matched" ? placed.activityId : placed.kind,
  );

describe("placeActivities", () => {
  it("matches by code before name, in any case, and makes the rest while there is room", () => {
    expect(kinds([want("Install", "A1"), want("Fit", "X", "INSTALL"), want("Accept", "A3"), want("Hand over", "A4")])).toEqual([
      1,
      2,
      "made",
      "LIBRARY_FULL",
    ]);
    expect(kinds([want("Accept", "A3"), want("Hand over", "A4")], { room: 2 })).toEqual(["made", "made"]);
  });

  it("takes a library activity and a name once [FLW-32]", () => {
    expect(kinds([want("Survey", "A1"), want("Look", "B", "Survey")])).toEqual([1, "ACTIVITY_REPEAT"]);
    expect(kinds([want("Accept", "A3"), want("Take over", "a3", "Other")], { room: 5 })).toEqual(["made", "ACTIVITY_REPEAT"]);
    expect(kinds([want("Accept", "A3"), want("Take over", "A4", "ACCEPT")], { room: 5 })).toEqual(["made", "ACTIVITY_REPEAT"]);
    expect(kinds([want("Survey", "A1")], {}, { activityIds: new Set([1]), names: new Set() })).toEqual(["ACTIVITY_REPEAT"]);
    expect(kinds([want("Fit", "A1")], {}, { activityIds: new Set(), names: new Set(["fit"]) })).toEqual(["ACTIVITY_REPEAT"]);
  });

  it("refuses a code that an activity out of use holds, and leaves what had no library activity without", () => {
    expect(kinds([want("New", "A9"), { name: "Loose", library: null }])).toEqual(["ACTIVITY_REPEAT", "unlinked"]);
  });
});

it("tells a copy by its activities", () => {
  const result = (outcome: "matched" | "made" | "failed") => ({ activity: "A", outcome, code: null, params: {} });
  expect(statusOf([])).toBe("done");
  expect(statusOf([result("matched"), result("made")])).toBe("done");
  expect(statusOf([result("matched"), result("failed")])).toBe("partly");
  expect(statusOf([result("failed")])).toBe("failed");
});
