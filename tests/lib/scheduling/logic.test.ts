import { describe, expect, it } from "vitest";
import { workingDays } from "#lib/scheduling/calendar/logic.ts";
import { compileFlow } from "#lib/scheduling/network/logic.ts";
import type { ScheduleMode } from "#lib/scheduling/passes/limits.ts";
import { day, drawCalendar, drawFlow, runDrawn } from "./drawing.ts";

const calendar = drawCalendar("Mon-Fri free 10-01 10-02 10-05 10-06 10-07 working 10-10");
const network = `
  A survey 2
  B design 5             | A FS 0
  C RFI 0                | B FS 3
  D MOS 1                | B FS 5
  E installation 4       | C FS 0, D FS 0
  F commissioning 3      | E SS 2, E FF 1
  G quality documents 2  | F FF 0
  H temporary power 3    | F SF 1
  I PAC 0                | F FS 5, G FS 0
`;
const withAnchors = (anchors: string) => drawFlow(network, anchors);
const base = "A 09-22..23; B 09-24..30; C 10-10; D 10-14; E 10-15..20; F 10-19..21; G 10-20..21; H 10-16..20; I 10-28";

/** Rows of a drawn table as objects by the heads of its columns. */
const rowsOf = (text: string) => {
  const [head, ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
  return rows.map((cells) => Object.fromEntries(head!.map((name, at) => [name, cells[at] ?? ""])));
};
const basePlan: Record<string, string> = Object.fromEntries(base.split("; ").map((part) => part.split(" ")));

describe("worked example", () => {
  // Plan after the run: "=" as in case 0, "-" no dates.
  const table = `
    case                | anchors | mode     | asOf  | given                                                  | A         | B            | C     | D     | E         | F         | G         | H         | I     | warnings
    0 base              | D       | BOTH     | 09-01 | D 10-14                                                | 09-22..23 | 09-24..30    | 10-10 | 10-14 | 10-15..20 | 10-19..21 | 10-20..21 | 10-16..20 | 10-28 |
    1 E fixed later     | D       | BOTH     | 09-01 | D 10-14; E fixed 10-19..22                             | =         | =            | =     | =     | 10-19..22 | 10-21..23 | 10-22..23 | 10-20..22 | 10-30 |
    2 E fixed earlier   | D       | BOTH     | 09-01 | D 10-14; E fixed 10-13..16                             | =         | =            | =     | =     | 10-13..16 | 10-15..19 | 10-16..19 | 10-14..16 | 10-26 | CONFLICT E 2
    3 A and B done      | D       | BOTH     | 10-12 | D 10-14; A done 09-21..22; B done 09-23..10-09         | -         | -            | 10-13 | =     | =         | =         | =         | =         | =     | CONFLICT D 2
    4 anchor a day on   | D       | BOTH     | 09-01 | D 10-15                                                | 09-23..24 | 09-25..10-08 | 10-12 | 10-15 | 10-16..21 | 10-20..22 | 10-21..22 | 10-19..21 | 10-29 |
    5 F started         | D       | BOTH     | 10-26 | D 10-14; F 10-19..21 started 10-20                     | =         | =            | =     | =     | =         | =         | 10-23..26 | 10-19..21 | 11-02 | PAST_DATE A, PAST_DATE B, PAST_DATE C, PAST_DATE D, PAST_DATE E, PAST_DATE G, PAST_DATE H
    6 E is NA           | D       | BOTH     | 09-01 | D 10-14; E NA                                          | =         | =            | =     | =     | -         | 10-16..20 | 10-19..20 | 10-15..19 | 10-27 |
    6 E is INV, planned | D       | BOTH     | 09-01 | D 10-14; E INV 11-02..03                               | =         | =            | =     | =     | 11-02..03 | 10-16..20 | 10-19..20 | 10-15..19 | 10-27 |
    7 second anchor I   | DI      | BOTH     | 09-01 | D 10-14; I 10-27                                       | =         | =            | =     | =     | =         | =         | =         | =         | 10-27 | CONFLICT I 1
    8 BACKWARD from I   | I       | BACKWARD | 09-01 | I 10-28                                                | =         | =            | 10-14 | =     | =         | =         | 10-27..28 | -         | =     |
    8 with H planned    | I       | BACKWARD | 09-01 | I 10-28; H 10-16..20                                   | =         | =            | 10-14 | =     | =         | =         | 10-27..28 | =         | =     |
    9 FORWARD           | D       | FORWARD  | 09-01 | A 09-22..23; B 09-24..30; C 10-16; D 10-14             | =         | =            | 10-16 | =     | 10-19..22 | 10-21..23 | 10-22..23 | 10-20..22 | 10-30 |
  `;
  const cases = rowsOf(table).map((row) => ({
    name: row.case!,
    drawn: { flow: withAnchors(row.anchors!), calendar, mode: row.mode as ScheduleMode, asOf: row.asOf! },
    given: row.given!,
    plan: Object.fromEntries([..."ABCDEFGHI"].map((letter) => [letter, row[letter] === "=" ? basePlan[letter] : row[letter]])),
    warnings: row.warnings!,
  }));

  it.each(cases)("case $name, from an empty plan", ({ drawn, given, plan, warnings }) => {
    expect(runDrawn({ ...drawn, given })).toMatchObject({ refused: null, plan, warnings });
  });

  it.each(cases.filter(({ drawn }) => drawn.mode === "BOTH"))("case $name, from the base plan", ({ drawn, given, plan, warnings }) => {
    const kept = Object.fromEntries(Object.entries(plan).map(([letter, dates]) => [letter, dates === "-" ? basePlan[letter] : dates]));
    expect(runDrawn({ ...drawn, given: `${base}; ${given}` })).toMatchObject({ refused: null, plan: kept, warnings });
  });

  it("[SCH-18] a frozen activity that would move refuses its DU in ascending and in forward scheduling", () => {
    const flow = withAnchors("D");
    for (const mode of ["BOTH", "FORWARD"] as const)
      expect(runDrawn({ flow, calendar, mode, given: `${base}; D 10-15; E frozen 10-15..20` })).toMatchObject({
        refused: "FROZEN_BLOCKS E",
        moved: 0,
      });
    const ascending = { flow: withAnchors("I"), calendar, mode: "BACKWARD" as const };
    expect(runDrawn({ ...ascending, given: `${base}; I 10-27; E frozen 10-15..20` })).toMatchObject({
      refused: "FROZEN_BLOCKS E",
      moved: 0,
    });
  });

  it("a frozen activity that stays where it is blocks nothing", () => {
    const flow = withAnchors("D");
    expect(runDrawn({ flow, calendar, given: "D 10-14; E frozen 10-15..20" })).toMatchObject({
      refused: null,
      plan: basePlan,
      warnings: "",
    });
    expect(runDrawn({ flow, calendar, given: "D 10-14; E frozen 10-15..20", mode: "FORWARD" })).toMatchObject({ refused: null });
  });

  it("an activity both fixed and frozen counts as fixed", () => {
    const result = runDrawn({ flow: withAnchors("D"), calendar, given: "D 10-14; E fixed frozen 10-19..22" });
    expect(result).toMatchObject({ refused: null, plan: { E: "10-19..22", F: "10-21..23", I: "10-30" } });
  });
});

describe("anchors", () => {
  const flow = drawFlow("A a 2\n B b 1 | A FS 0\n C c 3 | B FS 0", "B");
  const unanchored = drawFlow("A a 2\n B b 1 | A FS 0\n C c 3 | B FS 0");

  it("[SCH-13] a flow without anchor is refused unless the request brings one", () => {
    expect(runDrawn({ flow: unanchored, given: "B 10-14" }).refused).toBe("NO_ANCHOR");
    expect(runDrawn({ flow: unanchored, given: "B asked 10-14" })).toMatchObject({
      refused: null,
      plan: { A: "10-12..13", B: "10-14", C: "10-15..19" },
    });
  });

  it("[SCH-13] an anchor that is not applicable is none", () => {
    expect(runDrawn({ flow, given: "B NA 10-14" }).refused).toBe("NO_ANCHOR");
  });

  it("[SCH-16] an anchor without any date refuses the DU, one plan or actual date is enough", () => {
    expect(runDrawn({ flow, given: "A 10-12..13" }).refused).toBe("ANCHOR_DATES_EMPTY B");
    for (const given of ["B 10-14..", "B ..10-14", "B started 10-14", "B done ..10-14"])
      expect(runDrawn({ flow, given, asOf: "10-14" }).plan).toMatchObject({ A: "10-12..13", C: "10-15..19" });
  });

  it("an anchor of the request replaces flow anchors without dates, which then count as free", () => {
    expect(runDrawn({ flow, given: "C asked 10-20..22" })).toMatchObject({
      refused: null,
      plan: { A: "10-15..16", B: "10-19", C: "10-20..22" },
    });
  });

  it("anchors of the request are added to those of the flow and written", () => {
    expect(runDrawn({ flow, given: "B 10-14; C asked 10-19..21" })).toMatchObject({
      refused: null,
      plan: { A: "10-12..13", B: "10-14", C: "10-19..21" },
      moved: 2,
    });
  });

  it("an anchor on a free day counts as the next working day; only one asked for is moved there", () => {
    expect(runDrawn({ flow, given: "B 10-17" }).plan).toEqual({ A: "10-15..16", B: "10-17", C: "10-20..22" });
    expect(runDrawn({ flow, given: "B asked 10-17" }).plan).toEqual({ A: "10-15..16", B: "10-19", C: "10-20..22" });
  });

  it("an anchor of the request that has started is ignored with a warning", () => {
    const result = runDrawn({ flow, given: "B 10-14; A started 10-12 asked 10-05..06", asOf: "10-12" });
    expect(result).toMatchObject({ refused: null, plan: { A: "-", B: "10-14" }, warnings: "ANCHOR_IGNORED A" });
    expect(runDrawn({ flow: unanchored, given: "A started 10-12 asked 10-05..06" }).refused).toBe("NO_ANCHOR");
  });

  it("a frozen anchor of the request refuses the DU, one that its flow does not contain too", () => {
    expect(runDrawn({ flow, given: "B 10-14; C frozen 10-15..19 asked 10-16..20" }).refused).toBe("FROZEN C");
    expect(runDrawn({ flow, given: "B 10-14; C missing asked 10-16..20" }).refused).toBe("NO_ACTIVITY C");
  });

  it("an anchor with actual dates drives with those and keeps its plan", () => {
    expect(runDrawn({ flow, given: "B 10-14 done 10-20", asOf: "10-21" }).plan).toEqual({ A: "10-16..19", B: "10-14", C: "10-21..23" });
  });

  it("actual dates on a free day: the end counts down, never before the start", () => {
    const done = (dates: string) => runDrawn({ flow, given: `B done ${dates}`, asOf: "10-19" }).plan;
    expect(done("..10-18")).toMatchObject({ A: "10-14..15", C: "10-19..21" });
    expect(done("10-17..18")).toMatchObject({ A: "10-14..15", C: "10-19..21" });
  });
});

describe("roles", () => {
  const flow = drawFlow("A a 1\n B b 2 | A FS 0\n C c 1 | B FS 0", "A");

  it("a suspended activity stays where it is and drives others", () => {
    expect(runDrawn({ flow, given: "A 10-12; B suspended 10-20..21" }).plan).toEqual({ A: "10-12", B: "10-20..21", C: "10-22" });
  });

  it("fixed with one date derives the other without writing it, without dates it counts as free", () => {
    expect(runDrawn({ flow, given: "A 10-12; B fixed 10-20.." }).plan).toEqual({ A: "10-12", B: "10-20..", C: "10-22" });
    expect(runDrawn({ flow, given: "A 10-12; B fixed ..10-21" }).plan).toEqual({ A: "10-12", B: "..10-21", C: "10-22" });
    expect(runDrawn({ flow, given: "A 10-12; B fixed" }).plan).toEqual({ A: "10-12", B: "10-13..14", C: "10-15" });
  });

  it("fixed dates on a free day count up for the start and down for the end", () => {
    expect(runDrawn({ flow, given: "A 10-12; B fixed 10-17..18" }).plan).toMatchObject({ B: "10-17..18", C: "10-19" });
    expect(runDrawn({ flow, given: "A 10-16; B fixed 10-17..18" }).warnings).toBe("");
  });

  it("stored dates on a free day that stand for the computed ones are not rewritten", () => {
    expect(runDrawn({ flow, given: "A 10-16; B 10-17..20; C 10-21" })).toMatchObject({ plan: { B: "10-17..20" }, moved: 0 });
  });

  it("a started activity without end lasts at least its lead time and until today", () => {
    const started = (asOf: string) => runDrawn({ flow, given: "A done 10-12; B started 10-13", asOf }).plan.C;
    expect(started("10-13")).toBe("10-15");
    expect(started("10-16")).toBe("10-19");
    expect(started("10-18")).toBe("10-20");
  });

  it("what no relation joins to an anchor stays and is pointed out", () => {
    const loose = drawFlow("A a 1\n B b 2\n C c 1 | B FS 0", "A");
    expect(runDrawn({ flow: loose, given: "A 10-12; B 10-20..21" })).toMatchObject({
      plan: { A: "10-12", B: "10-20..21", C: "-" },
      warnings: "UNLINKED B, UNLINKED C",
    });
  });

  it("a successor already started gives no bound backward", () => {
    const chain = drawFlow("A a 1\n B b 2 | A FS 0\n C c 1 | A FS 5, B FS 0", "C");
    expect(runDrawn({ flow: chain, given: "C 10-30; B started 10-12", asOf: "10-12" }).plan.A).toBe("10-22");
  });
});

describe("offsets", () => {
  it("[SCH-08] an offset counts whole working days in both directions", () => {
    const following = (type: string, offset: number) =>
      runDrawn({ flow: drawFlow(`A a 3\n B b 2 | A ${type} ${offset}`, "A"), given: "A 10-14..16" }).plan.B;
    expect([-4, -1, 0, 1, 6].map((offset) => following("FS", offset))).toEqual([
      "10-13..14",
      "10-16..19",
      "10-19..20",
      "10-20..21",
      "10-27..28",
    ]);
    expect([-1, 0, 1].map((offset) => following("SS", offset))).toEqual(["10-13..14", "10-14..15", "10-15..16"]);
    expect([-1, 0, 1].map((offset) => following("FF", offset))).toEqual(["10-14..15", "10-15..16", "10-16..19"]);
    expect([-1, 0, 1].map((offset) => following("SF", offset))).toEqual(["10-12..13", "10-13..14", "10-14..15"]);
  });

  it("[SCH-08] the same bounds hold backward", () => {
    const preceding = (type: string, offset: number) =>
      runDrawn({ flow: drawFlow(`A a 3\n B b 2 | A ${type} ${offset}`, "B"), given: "B 10-14..15" }).plan.A;
    expect([-1, 0, 1].map((offset) => preceding("FS", offset))).toEqual(["10-12..14", "10-09..13", "10-08..12"]);
    expect([-1, 0, 1].map((offset) => preceding("SS", offset))).toEqual(["10-15..19", "10-14..16", "10-13..15"]);
    expect([-1, 0, 1].map((offset) => preceding("FF", offset))).toEqual(["10-14..16", "10-13..15", "10-12..14"]);
    expect([-1, 0, 1].map((offset) => preceding("SF", offset))).toEqual(["10-16..20", "10-15..19", "10-14..16"]);
  });

  it("FS into a milestone keeps no day between", () => {
    expect(runDrawn({ flow: drawFlow("A a 3\n B b 0 | A FS 0", "A"), given: "A 10-14..16" }).plan.B).toBe("10-16");
    expect(runDrawn({ flow: drawFlow("A a 0\n B b 1 | A FS 0", "A"), given: "A 10-16" }).plan.B).toBe("10-19");
  });
});

describe("refusals of a whole DU", () => {
  const flow = drawFlow("A a 1\n B b 2 | A FS 0", "A");

  it("[SCH-14] a calendar without working day, or with none near a needed day, is refused", () => {
    expect(runDrawn({ flow, calendar: workingDays(0, []), given: "A 10-12" }).refused).toBe("INVALID_CALENDAR");
    const fiveDays = drawCalendar("0 working 10-12 10-13 10-14");
    expect(runDrawn({ flow, calendar: fiveDays, given: "A 10-12" })).toMatchObject({ refused: null, plan: { B: "10-13..14" } });
    expect(runDrawn({ flow, calendar: fiveDays, given: "A 10-13" }).refused).toBe("INVALID_CALENDAR");
    expect(runDrawn({ flow, calendar: fiveDays, given: "A 10-15" }).refused).toBe("INVALID_CALENDAR");
  });

  it("[SCH-14] a search for the next working day ends after 1095 free days", () => {
    const gap = (next: string) => {
      const calendar = workingDays(
        0,
        [day("2022-10-12"), day(next), day(next) + 1].map((working) => ({ day: working, working: true })),
      );
      return runDrawn({ flow, calendar, given: "A 2022-10-12", asOf: "2022-10-01" }).refused;
    };
    expect(gap("2025-10-12")).toBe(null);
    expect(gap("2025-10-13")).toBe("INVALID_CALENDAR");
  });

  it("[SCH-17] a node without library activity refuses every DU of the flow", () => {
    const nodes = [1, 2].map((slot) => ({ nodeId: slot, slot, leadTime: 1, anchor: slot === 1 }));
    const linked = { letters: ["A", "B"], flow: compileFlow(nodes, []) };
    const unlinked = { letters: ["A", "B"], flow: compileFlow([nodes[0]!, { ...nodes[1]!, slot: null }], []) };
    expect(runDrawn({ flow: linked, given: "A 10-12" }).refused).toBe(null);
    expect(runDrawn({ flow: unlinked, given: "A 10-12" }).refused).toBe("LIBRARY_ID_MISSING");
    expect(unlinked.flow.fault).toEqual({ code: "LIBRARY_ID_MISSING", nodeIds: [2] });
  });

  it("relations with a cycle are refused and the loop is named", () => {
    const loop = drawFlow("A a 1\n B b 1 | A FS 0, C SS 0\n C c 1 | B FS 0", "A");
    expect(runDrawn({ flow: loop, given: "A 10-12" }).refused).toBe("CYCLE");
    expect(loop.flow.fault).toEqual({ code: "CYCLE", nodeIds: [101, 102] });
  });

  it("a computed date may lie three years ahead, not a day more, and not before the first day", () => {
    expect(runDrawn({ flow, given: "A 10-12", latest: day("10-14") })).toMatchObject({ refused: null, plan: { B: "10-13..14" } });
    expect(runDrawn({ flow, given: "A 10-12", latest: day("10-13") }).refused).toBe("PLAN_TOO_FAR B");
    const backward = drawFlow("A a 1\n B b 1 | A FS 0", "B");
    expect(runDrawn({ flow: backward, given: "B 2000-01-04", asOf: "2000-01-03" }).plan.A).toBe("2000-01-03");
    expect(runDrawn({ flow: backward, given: "B 2000-01-03", asOf: "2000-01-03" }).refused).toBe("DATE_OUT_OF_RANGE A");
  });

  it("change control refuses released DUs, and only those", () => {
    expect(runDrawn({ flow, given: "A 10-12", changeControl: true, released: true }).refused).toBe("CHANGE_CONTROL");
    expect(runDrawn({ flow, given: "A 10-12", changeControl: true }).refused).toBe(null);
    expect(runDrawn({ flow, given: "A 10-12", released: true }).refused).toBe(null);
  });

  it("a frozen MOS plan refuses before other frozen activities, and only if it would move [RPL-23]", () => {
    const three = drawFlow("A a 1\n B b 1 | A FS 0\n C c 1 | B FS 0", "A");
    expect(runDrawn({ flow: three, given: "A 10-12; B mosFrozen 10-14; C frozen 10-20" }).refused).toBe("MOS_FROZEN B");
    expect(runDrawn({ flow: three, given: "A 10-12; B mosFrozen 10-13; C frozen 10-20" }).refused).toBe("FROZEN_BLOCKS C");
    expect(runDrawn({ flow: three, given: "A 10-12; B mosFrozen 10-13; C frozen 10-14" }).refused).toBe(null);
  });
});
