import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayNumber } from "#lib/core/clock.ts";
import { planSources } from "#lib/rollout-plan/plan-log/limits.ts";
import type { PlanField } from "#lib/rollout-plan/plan-rows/limits.ts";
import { cellNumber, diffBlock, emptyBlock, keepBefore, setCell, withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import {
  type Ask,
  askedRules,
  brokenCell,
  type CellFacts,
  cellRules,
  changedSlots,
  checkCells,
  exemptions,
  lastPlanDay,
  namedAt,
  placesOfRule,
  placesOfWarning,
  rowJudge,
  scoreRules,
} from "#lib/rollout-plan/plan-rows/rules.ts";

const day = dayNumber;
const today = "2026-10-14";
const grid: Ask = { source: "grid", hasReason: false, byPerson: true };

/** A cell that obeys every rule: a plan end typed by a planner who owns the activity. */
function cell(field: PlanField, after: string | number, given: Partial<CellFacts> = {}): CellFacts {
  const value = typeof after === "number" ? after : day(after);
  const facts: CellFacts = {
    field,
    before: 0,
    after: value,
    planStart: 0,
    planEnd: 0,
    actualStart: 0,
    actualEnd: 0,
    actualEndBefore: 0,
    planOwner: 3,
    actualOwner: 0,
    state: 1,
    stateBefore: 1,
    releaseState: 0,
    mos: false,
    today: day(today),
    lastPlanDay: lastPlanDay(today),
    changeControl: false,
    hasReason: false,
    isOwner: true,
    isRelated: false,
    mayEditPlan: true,
    mayEditActual: true,
    ...given,
  };
  if (field in facts) (facts as Record<string, unknown>)[field] = value;
  return { ...facts, ...given };
}

function codeOf(facts: CellFacts, ask: Ask = grid): string | null {
  return brokenCell(askedRules(ask)[facts.field], facts)?.code ?? null;
}

const state = (bit: Parameters<typeof withState>[1], value = 1) => {
  const bits = withState(1, bit, value);
  return { state: bits, stateBefore: bits };
};

describe("cell rules: smallest facts that pass and that break", () => {
  const cases: [rule: string, title: string, facts: CellFacts, code: string | null][] = [
    [
      "PLAN_ORDER",
      "[RPL-15] a plan start on the plan end is allowed",
      cell("planStart", "2026-10-16", { planEnd: day("2026-10-16") }),
      null,
    ],
    [
      "PLAN_ORDER",
      "[RPL-15] a plan start one day after the plan end",
      cell("planStart", "2026-10-17", { planEnd: day("2026-10-16") }),
      "PLAN_ORDER",
    ],
    [
      "PLAN_ORDER",
      "[RPL-15] a plan end one day before the plan start",
      cell("planEnd", "2026-10-15", { planStart: day("2026-10-16") }),
      "PLAN_ORDER",
    ],
    ["PLAN_ORDER", "a plan start without a plan end", cell("planStart", "2026-10-16"), null],
    ["PLAN_TOO_FAR", "[RPL-16] a plan date three years after today", cell("planEnd", "2029-10-14"), null],
    ["PLAN_TOO_FAR", "[RPL-16] a plan date three years and a day after today", cell("planEnd", "2029-10-15"), "PLAN_TOO_FAR"],
    ["PLAN_TOO_FAR", "[RPL-16] the plan start likewise", cell("planStart", "2029-10-15"), "PLAN_TOO_FAR"],
    ["DATE_OUT_OF_RANGE", "[RPL-17] the first day a date may have", cell("planEnd", "2000-01-02"), null],
    [
      "DATE_OUT_OF_RANGE",
      "[RPL-17] a day after the last a date may have",
      cell("planEnd", 32_768, { lastPlanDay: 40_000 }),
      "DATE_OUT_OF_RANGE",
    ],
    ["DATE_OUT_OF_RANGE", "[RPL-17] the last day a date may have", cell("planEnd", 32_767, { lastPlanDay: 40_000 }), null],
    ["ACTUAL_AFTER_TODAY", "[RPL-14] an actual start today", cell("actualStart", today), null],
    ["ACTUAL_AFTER_TODAY", "[RPL-14] an actual start tomorrow", cell("actualStart", "2026-10-15"), "ACTUAL_AFTER_TODAY"],
    ["ACTUAL_AFTER_TODAY", "[RPL-14] an actual end tomorrow", cell("actualEnd", "2026-10-15"), "ACTUAL_AFTER_TODAY"],
    [
      "ACTUAL_ORDER",
      "[RPL-14] an actual start on the actual end",
      cell("actualStart", "2026-10-12", { actualEnd: day("2026-10-12") }),
      null,
    ],
    [
      "ACTUAL_ORDER",
      "[RPL-14] an actual start one day after the actual end",
      cell("actualStart", "2026-10-13", { actualEnd: day("2026-10-12") }),
      "ACTUAL_ORDER",
    ],
    ["ACTUAL_ORDER", "an actual end without an actual start", cell("actualEnd", "2026-10-12"), null],
    ["OWNER_REQUIRED", "[RPL-19] an actual date on an activity with a plan owner", cell("actualEnd", today), null],
    [
      "OWNER_REQUIRED",
      "[RPL-19] an actual date on an activity with an actual owner only",
      cell("actualEnd", today, { planOwner: 0, actualOwner: 4 }),
      null,
    ],
    [
      "OWNER_REQUIRED",
      "[RPL-19] an actual date on an activity without owner",
      cell("actualEnd", today, { planOwner: 0 }),
      "OWNER_REQUIRED",
    ],
    [
      "OWNER_REQUIRED",
      "clearing an actual date on an activity without owner",
      cell("actualStart", 0, { planOwner: 0, before: day(today) }),
      null,
    ],
    ["NOT_OWNER", "[RPL-20] an actual date by the owner", cell("actualEnd", today), null],
    ["NOT_OWNER", "[RPL-20] an actual date by a related role", cell("actualEnd", today, { isOwner: false, isRelated: true }), null],
    ["NOT_OWNER", "[RPL-20] an actual date by anyone else", cell("actualEnd", today, { isOwner: false }), "NOT_OWNER"],
    ["NOT_OWNER", "a plan date by somebody who is not the owner", cell("planEnd", today, { isOwner: false }), null],
    ["TOOL_LOCKED", "[RPL-22] an actual date of a tool-locked activity", cell("actualStart", today, state("toolLocked")), "TOOL_LOCKED"],
    ["TOOL_LOCKED", "[RPL-22] an actual date without the lock", cell("actualStart", today), null],
    ["TOOL_LOCKED", "a plan date of a tool-locked activity", cell("planEnd", today, state("toolLocked")), null],
    ["SUSPENDED", "an actual date while the order is suspended", cell("actualEnd", today, state("workOrder", 5)), "SUSPENDED"],
    ["SUSPENDED", "an actual date while the order is started", cell("actualEnd", today, state("workOrder", 4)), null],
    ["SUB_STEPS_ONLY", "an actual date of an activity with a sub-flow", cell("actualEnd", today, state("subFlow")), "SUB_STEPS_ONLY"],
    ["FROZEN", "a plan date of a frozen activity", cell("planStart", today, state("frozen")), "FROZEN"],
    ["FROZEN", "an actual date of a frozen activity", cell("actualStart", today, state("frozen")), null],
    ["FROZEN", "a plan date of a fixed activity by hand", cell("planStart", today, state("fixed")), null],
    [
      "MOS_FROZEN",
      "[RPL-23] a plan date of the MOS activity while its plan is frozen",
      cell("planEnd", today, { ...state("mosFrozen"), mos: true }),
      "MOS_FROZEN",
    ],
    [
      "MOS_FROZEN",
      "[RPL-23] the plan start of the MOS activity likewise",
      cell("planStart", today, { ...state("mosFrozen"), mos: true }),
      "MOS_FROZEN",
    ],
    ["MOS_FROZEN", "[RPL-23] a plan date of the MOS activity otherwise", cell("planEnd", today, { mos: true }), null],
    [
      "ACTUAL_EXISTS",
      "a plan date of the MOS activity that has ended",
      cell("planEnd", today, { mos: true, actualEndBefore: 9000 }),
      "ACTUAL_EXISTS",
    ],
    ["ACTUAL_EXISTS", "a plan date of another activity that has ended", cell("planEnd", today, { actualEndBefore: 9000 }), null],
    [
      "CHANGE_CONTROL",
      "a plan date of a released DU under change control",
      cell("planEnd", today, { changeControl: true, releaseState: 1 }),
      "CHANGE_CONTROL",
    ],
    [
      "CHANGE_CONTROL",
      "a plan date of a changed DU under change control",
      cell("planEnd", today, { changeControl: true, releaseState: 2 }),
      "CHANGE_CONTROL",
    ],
    ["CHANGE_CONTROL", "a plan date of an unreleased DU under change control", cell("planEnd", today, { changeControl: true }), null],
    ["CHANGE_CONTROL", "a plan date of a released DU without change control", cell("planEnd", today, { releaseState: 1 }), null],
    [
      "CHANGE_CONTROL",
      "an actual date of a released DU under change control",
      cell("actualEnd", today, { changeControl: true, releaseState: 1 }),
      null,
    ],
    ["TASK_CLOSED", "[RPL-18] a plan date of a closed task", cell("planEnd", today, state("closed")), "TASK_CLOSED"],
    ["TASK_CLOSED", "[RPL-18] an actual date of a closed task", cell("actualEnd", today, state("closed")), "TASK_CLOSED"],
    ["TASK_CLOSED", "[RPL-18] the plan start of a closed task", cell("planStart", today, state("closed")), "TASK_CLOSED"],
    ["TASK_CLOSED", "[RPL-18] the actual start of a closed task", cell("actualStart", today, state("closed")), "TASK_CLOSED"],
    ["TASK_CLOSED", "[RPL-18] an actual date of an open task", cell("actualEnd", today), null],
    ["REASON_REQUIRED", "a first actual end without a reason", cell("actualEnd", today), null],
    ["REASON_REQUIRED", "clearing an actual end without a reason", cell("actualEnd", 0, { before: 9700 }), "REASON_REQUIRED"],
    ["REASON_REQUIRED", "changing an actual end without a reason", cell("actualEnd", today, { before: 9700 }), "REASON_REQUIRED"],
    ["REASON_REQUIRED", "changing an actual end with a reason", cell("actualEnd", today, { before: 9700, hasReason: true }), null],
    ["REVENUE_TRIGGERED", "an actual end once revenue is triggered", cell("actualEnd", today, state("revenue")), "REVENUE_TRIGGERED"],
    ["REVENUE_TRIGGERED", "an actual start once revenue is triggered", cell("actualStart", today, state("revenue")), null],
    ["IN_APPROVAL", "an actual date while approving", cell("actualEnd", today, state("approval", 2)), "IN_APPROVAL"],
    ["IN_APPROVAL", "an actual date once approved", cell("actualEnd", today, state("approval", 3)), null],
    [
      "DELIVERABLE_MISSING",
      "an actual end while a deliverable is missing",
      cell("actualEnd", today, state("deliverableMissing")),
      "DELIVERABLE_MISSING",
    ],
    [
      "DELIVERABLE_MISSING",
      "an actual start while a deliverable is missing",
      cell("actualStart", today, state("deliverableMissing")),
      null,
    ],
    [
      "DELIVERABLE_MISSING",
      "clearing an actual end while a deliverable is missing",
      cell("actualEnd", 0, { ...state("deliverableMissing"), before: 9700, hasReason: true }),
      null,
    ],
    ["NO_ACTIVITY", "a date where the flow has no activity", cell("planEnd", today, { state: 0, stateBefore: 0 }), "NO_ACTIVITY"],
    ["NO_ACTIVITY", "an owner where the flow has no activity", cell("planOwner", 7, { state: 0, stateBefore: 0 }), "NO_ACTIVITY"],
    ["NO_ACTIVITY", "a date in a save that also binds the flow", cell("planEnd", today, { stateBefore: 0 }), null],
    ["NA_OR_INV", "a plan date of an NA activity", cell("planEnd", today, state("na", 1)), "NA_OR_INV"],
    ["NA_OR_INV", "an actual date of an INV activity", cell("actualEnd", today, state("na", 2)), "NA_OR_INV"],
    ["NO_PERMISSION", "a plan date without canEditPlan", cell("planEnd", today, { mayEditPlan: false }), "NO_PERMISSION"],
    ["NO_PERMISSION", "an owner without canEditPlan", cell("planOwner", 7, { mayEditPlan: false }), "NO_PERMISSION"],
    ["NO_PERMISSION", "an actual date without canEditPlan", cell("actualEnd", today, { mayEditPlan: false }), null],
    ["NO_PERMISSION", "an actual date without rollout.actualEdit", cell("actualEnd", today, { mayEditActual: false }), "NO_PERMISSION"],
  ];
  for (const [rule, title, facts, code] of cases)
    it(`${rule}: ${title} ${code ? "is refused" : "passes"}`, () => expect(codeOf(facts)).toBe(code));
});

describe("by source", () => {
  const released = { changeControl: true, releaseState: 1 };
  const cases: [line: string, ask: Partial<Ask>, facts: CellFacts][] = [
    ["plan change", { source: "plan_change" }, cell("planEnd", today, released)],
    [
      "plan change with plan.frozenChange",
      { source: "plan_change", frozenChange: true },
      cell("planEnd", today, { ...state("frozen"), mayEditPlan: false }),
    ],
    ["release", { source: "release" }, cell("planEnd", today, released)],
    ["undo", { source: "undo" }, cell("planEnd", today, released)],
    ["restore and feedback with a reason", { source: "restore", hasReason: true }, cell("planEnd", today, released)],
    [
      "redo of a work order",
      { source: "work_order", event: "redo", hasReason: true },
      cell("actualEnd", 0, {
        stateBefore: withState(state("closed").stateBefore, "subFlow", 1),
        before: 9700,
        hasReason: true,
        isOwner: false,
        mayEditActual: false,
      }),
    ],
    [
      "redo of a work order with workOrder.redoAfterRevenue",
      { source: "work_order", event: "redo", redoAfterRevenue: true },
      cell("actualEnd", 0, { ...state("revenue"), before: 9700, hasReason: true }),
    ],
    [
      "start, completion and remote update of a work order",
      { source: "work_order", event: "complete" },
      cell("actualEnd", today, { mayEditActual: false }),
    ],
    ["remote update of a work order", { source: "work_order", event: "remoteUpdate" }, cell("actualEnd", today, { isOwner: false })],
    ["steps of a sub-flow", { event: "subSteps" }, cell("actualEnd", today, state("subFlow"))],
    ["flow", { source: "flow" }, cell("planEnd", 40_000, { ...state("frozen"), state: 0, mayEditPlan: false })],
    ["NA or INV done", { source: "work_order", event: "na" }, cell("planEnd", 0, state("frozen"))],
    ["rules, automation, engine and system", { source: "rule" }, cell("actualEnd", 0, { before: 9700, isOwner: false })],
    ["undo without a reason", { source: "undo" }, cell("actualEnd", 0, { before: 9700 })],
    [
      "rules, automation, engine and system without a person",
      { source: "engine", byPerson: false },
      cell("planEnd", today, { mayEditPlan: false }),
    ],
  ];
  it("has a case for every line of the table", () => expect(cases.map(([line]) => line)).toEqual(exemptions.map((line) => line.name)));
  for (const [line, ask, facts] of cases)
    it(`${line}: passes what the grid is refused`, () => {
      expect(codeOf(facts)).not.toBeNull();
      expect(codeOf(facts, { ...grid, ...ask })).toBeNull();
    });

  it.each([
    ["restore without a reason", { source: "restore" } as const, cell("planEnd", today, released), "CHANGE_CONTROL"],
    ["plan change without plan.frozenChange", { source: "plan_change" } as const, cell("planEnd", today, state("frozen")), "FROZEN"],
    [
      "plan change of a cell that is not frozen with plan.frozenChange alone",
      { source: "plan_change", frozenChange: true } as const,
      cell("planEnd", today, { mayEditPlan: false }),
      "NO_PERMISSION",
    ],
    [
      "redo after revenue without the right",
      { source: "work_order", event: "redo" } as const,
      cell("actualEnd", 0, { ...state("revenue"), before: 9700, hasReason: true }),
      "REVENUE_TRIGGERED",
    ],
    [
      "a rule started by a person without the right",
      { source: "rule" } as const,
      cell("planEnd", today, { mayEditPlan: false }),
      "NO_PERMISSION",
    ],
    ["undo by somebody who is not the owner", { source: "undo" } as const, cell("actualEnd", today, { isOwner: false }), "NOT_OWNER"],
    ["an import under change control", { source: "import", hasReason: true } as const, cell("planEnd", today, released), "CHANGE_CONTROL"],
    [
      "scheduling of the frozen MOS plan [RPL-23]",
      { source: "schedule" } as const,
      cell("planEnd", today, { ...state("mosFrozen"), mos: true }),
      "MOS_FROZEN",
    ],
  ])("%s is still refused", (_title, ask, facts, code) => expect(codeOf(facts, { ...grid, ...ask })).toBe(code));

  it.each(
    planSources.filter((source) => source !== "plan_change" && source !== "flow"),
  )("a frozen plan date is still refused to %s, plan.frozenChange or not [SCH-11]", (source) => {
    for (const field of ["planStart", "planEnd"] as const)
      for (const byPerson of [true, false])
        for (const frozenChange of [true, false])
          expect(codeOf(cell(field, today, state("frozen")), { source, hasReason: true, byPerson, frozenChange })).toBe("FROZEN");
  });

  it("leaves nothing out for the grid", () => expect(new Set(Object.values(askedRules(grid)).flat())).toEqual(new Set(cellRules)));
});

describe("checkCells", () => {
  it("refuses the other cells of a DU with the code of the first, other DUs not at all", () => {
    const block = emptyBlock([10, 11], 4);
    block.state.fill(1);
    keepBefore(block);
    setCell(block, 0, 2, "planStart", day("2026-10-20"));
    setCell(block, 0, 2, "planEnd", day("2026-10-19"));
    setCell(block, 0, 3, "planEnd", day("2026-10-19"));
    setCell(block, 1, 3, "planEnd", day("2026-10-19"));
    const refusals = checkCells(block, diffBlock(block), {
      rules: askedRules(grid),
      mos: new Set(),
      ownSets: new Set(),
      frame: { today: day(today), lastPlanDay: lastPlanDay(today), changeControl: false, hasReason: false },
      person: () => ({ plan: true, actual: true, related: true }),
    });
    expect(refusals.map((refusal) => [refusal.duId, cellNumber(refusal.slot, refusal.field), refusal.code, refusal.withDu])).toEqual([
      [10, cellNumber(2, "planStart"), "PLAN_ORDER", false],
      [10, cellNumber(2, "planEnd"), "PLAN_ORDER", false],
      [10, cellNumber(3, "planEnd"), "PLAN_ORDER", true],
    ]);
  });
});

describe("scores", () => {
  const codes = (facts: { score: number | null; remark: string | null }) =>
    scoreRules.filter((rule) => rule.broken(facts) !== false).map((rule) => rule.code);
  it.each([
    [3, null, []],
    [2, null, ["SCORE_REMARK"]],
    [2, "  ", ["SCORE_REMARK"]],
    [2, "late", []],
    [0, "x", ["VALUE_RANGE"]],
    [6, null, ["VALUE_RANGE"]],
    [null, null, []],
  ])("[RPL-27] score %s with remark %s", (score, remark, expected) => expect(codes({ score, remark })).toEqual(expected));
});

describe("rowJudge", () => {
  const slot = fc.integer({ min: 1, max: 5 });
  const node = fc.tuple(slot, fc.constantFrom("START", "COMPLETE", "CLOSE" as const)).map(([at, event]) => ({ slot: at, event }));
  const rule = fc.record({
    flowId: fc.constantFrom(null, 7, 8),
    target: node,
    prerequisites: fc.array(node, { minLength: 1, maxLength: 3 }),
  });
  const date = fc.record({ slot, field: fc.constantFrom("planStart", "planEnd", "actualStart", "actualEnd" as const) });
  const warning = fc.record({
    id: fc.integer({ min: 1, max: 1_000_000 }),
    flowId: fc.constantFrom(null, 7, 8),
    level: fc.constantFrom("ADVISORY", "MANDATORY" as const),
    a: date,
    b: date,
    operator: fc.constantFrom("GT", "GE", "EQ", "LE", "LT" as const),
    days: fc.integer({ min: -3, max: 3 }),
    message: fc.constant("x"),
  });
  const values = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 6 })), { maxLength: 12 });

  it("finds the same by what names changed slots as by everything", () => {
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 8 }),
        fc.array(warning, { maxLength: 8 }),
        values,
        values,
        (dependencies, warnings, was, is) => {
          const block = emptyBlock([10], 6);
          block.versions[0] = 1;
          block.flowIds[0] = 7;
          block.state.fill(1);
          const fields = ["planStart", "planEnd", "actualStart", "actualEnd", "planEnd"] as const;
          const put = (given: [number, number][]) => {
            for (const [at, [place, value]] of given.entries()) setCell(block, 0, Math.max(1, place), fields[at % fields.length]!, value);
          };
          put(was);
          keepBefore(block);
          put(is);
          const [diff] = diffBlock(block);
          const frame = { maintained: () => ({ before: false, after: false }), today: 4 };
          const places = diff ? changedSlots(diff) : [];
          const narrow = {
            dependencies: namedAt(dependencies, placesOfRule)(places),
            warnings: namedAt(warnings, placesOfWarning)(places),
          };
          const judge = rowJudge(block, frame);
          expect(judge(0, narrow)).toEqual(judge(0, { dependencies, warnings }));
        },
      ),
      { numRuns: 300 },
    );
  });
});
