import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { warningFields, warningOperators } from "#lib/reminders/warnings/limits.ts";
import {
  fillMessage,
  newHits,
  type PlanWarning,
  presentHits,
  type WarningField,
  type WarningRow,
  warningsOf,
} from "#lib/reminders/warnings/logic.ts";

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

describe("warningsOf", () => {
  it("gives those of the flow and those of every flow", () => {
    const of = warningsOf([
      { ...warning, id: 1 },
      { ...warning, id: 2, flowId: 7 },
      { ...warning, id: 3, flowId: null },
    ]);
    expect(of(7).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(of(8).map(({ id }) => id)).toEqual([1, 3]);
  });
});

describe("fillMessage", () => {
  it("fills in what it knows and leaves other braces", () => {
    const values = { du: "DU-1", a: "RFI", b: "Install {a}", days: -3 };
    expect(fillMessage("{du}: {b} is {days} days after {a} {x} {", values)).toBe("DU-1: Install {a} is -3 days after RFI {x} {");
  });
});

describe("hits on random rows", () => {
  const date = fc.record({ slot: fc.integer({ min: 1, max: 3 }), field: fc.constantFrom(...warningFields) });
  const given = fc.record({
    level: fc.constantFrom("DEFAULT", "ADVISORY", "MANDATORY" as const),
    a: date,
    b: date,
    operator: fc.constantFrom(...warningOperators),
    days: fc.integer({ min: -4, max: 4 }),
    message: fc.constant("x"),
  });
  const plan = fc.record({
    days: fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 12, maxLength: 12 }),
    na: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  });
  const value = ({ days }: { days: number[] }, { slot, field }: { slot: number; field: WarningField }) =>
    days[(slot - 1) * 4 + warningFields.indexOf(field)] as number;
  const look = (of: { days: number[]; na: boolean[] }): WarningRow => ({
    applicable: (slot) => !of.na[slot - 1],
    day: (slot, field) => value(of, { slot, field }),
  });
  /** The sentence of the specification, word by word. */
  const matches = (of: { days: number[]; na: boolean[] }, { a, b, operator, days }: PlanWarning, today: number) => {
    if (of.na[a.slot - 1] || of.na[b.slot - 1] || value(of, a) === 0) return false;
    const end = value(of, b) === 0 ? (b.field === "actualStart" || b.field === "actualEnd" ? today : null) : value(of, b);
    if (end === null) return false;
    const v = end - value(of, a);
    return { GT: v > days, GE: v >= days, EQ: v === days, LE: v <= days, LT: v < days }[operator];
  };

  it("are those a plain reading finds", () => {
    fc.assert(
      fc.property(fc.array(given, { maxLength: 6 }), plan, plan, (warnings, before, after) => {
        const today = 6;
        const now = warnings.filter((one) => matches(after, one, today));
        expect(presentHits(warnings, look(after), today).map((hit) => hit.warning)).toEqual(now);
        expect(newHits(warnings, look(before), look(after), today).map((hit) => hit.warning)).toEqual(
          now.filter((one) => !matches(before, one, today)),
        );
      }),
      { numRuns: 500 },
    );
  });
});
