import { describe, expect, it } from "vitest";
import { newHits, type PlanWarning, type WarningField, type WarningRow } from "#lib/reminders/warnings/logic.ts";

/** Installation (2) is planned to end more than 14 days after RFI (1). */
const warning: PlanWarning = {
  level: "MANDATORY",
  a: { slot: 1, field: "actualEnd" },
  b: { slot: 2, field: "planEnd" },
  operator: "GT",
  days: 14,
  message: "{du} {days}",
};
const row = (days: Record<string, number>, na: number[] = []): WarningRow => ({
  applicable: (slot) => !na.includes(slot),
  day: (slot: number, field: WarningField) => days[`${slot} ${field}`] ?? 0,
});
const hits = (before: WarningRow, after: WarningRow, given = warning, today = 110) =>
  newHits([given], before, after, today).map((hit) => hit.days);

describe("newHits", () => {
  const open = row({ "1 actualEnd": 100 });
  it.each([
    [114, []],
    [115, [15]],
  ])("B on day %i after A on day 100", (day, found) => {
    expect(hits(open, row({ "1 actualEnd": 100, "2 planEnd": day }))).toEqual(found);
  });
  it("an old hit is none", () => {
    const hit = row({ "1 actualEnd": 100, "2 planEnd": 120 });
    expect(hits(hit, row({ "1 actualEnd": 100, "2 planEnd": 121 }))).toEqual([]);
  });
  it("a blank A or a blank plan date B gives none, a blank actual date B counts as today", () => {
    expect(hits(row({}), row({ "2 planEnd": 120 }))).toEqual([]);
    expect(hits(row({}), open)).toEqual([]);
    expect(hits(row({}), open, { ...warning, b: { slot: 2, field: "actualEnd" }, days: 9 })).toEqual([10]);
  });
  it("an activity that is not applicable gives none", () => {
    expect(hits(open, row({ "1 actualEnd": 100, "2 planEnd": 120 }, [2]))).toEqual([]);
  });
  it.each([
    ["GE", 15, [15]],
    ["EQ", 15, [15]],
    ["LE", 15, [15]],
    ["LT", 15, []],
    ["EQ", 14, []],
  ] as const)("operator %s %i at 15 days", (operator, days, found) => {
    expect(hits(open, row({ "1 actualEnd": 100, "2 planEnd": 115 }), { ...warning, operator, days })).toEqual(found);
  });
});
