import { describe, expect, test } from "vitest";
import type { GridColumn } from "#components/grid/grid-model.ts";
import { PlanCells } from "#components/rollout-plan/plan-cells.ts";
import { changedColumns } from "#components/rollout-plan/plan-changes.ts";
import { type CheckFrame, checkRow, lockOf } from "#components/rollout-plan/plan-check.ts";
import { planGridHead } from "#components/rollout-plan/plan-columns.ts";
import { cellNumber } from "#lib/rollout-plan/plan-rows/logic.ts";
import { lastPlanDay } from "#lib/rollout-plan/plan-rows/rules.ts";
import { planHead, planRow, rowEdits } from "./plan-fixture.ts";

const today = "2026-10-14";
const cells = new PlanCells(planHead, today, false);
const controlled = new PlanCells(planHead, today, true);
const head = planGridHead(planHead, { fields: "", attributes: "", bar: "", barTitle: "" }, {});
const column = (key: string) =>
  head.groups.flatMap((group) => [...group.columns, ...(group.bar ? [group.bar] : [])]).find((given) => given.key === key) as GridColumn;
const frame: CheckFrame = { lastPlanDay: lastPlanDay(today), rights: { plan: true, actual: true } };
const word = (status: string) => `word ${status}`;

describe("values", () => {
  const row = planRow({ 3: { dates: { planStart: "2026-10-12", planEnd: "2026-10-19" }, owners: 6 } });
  test.each<[string, unknown]>([
    ["7:planStart", "2026-10-12"],
    ["7:planEnd", "2026-10-19"],
    ["7:actualEnd", null],
    ["7:planOwner", [101, 102]],
    ["7:status", "within7"],
    ["7:bar", "2026-10-19"],
    ["8:planEnd", null],
    ["code", "GD-1"],
    ["region", "4"],
    ["planEndDate", "2026-10-20"],
    ["a12", 31.5],
    ["7:a13", "Crew 2"],
    ["8:a13", null],
  ])("%s is %j", (key, value) => {
    expect(cells.value(row, column(key))).toEqual(value);
  });

  test("status and bar follow unsaved dates", () => {
    const wanted = (values: Record<string, string | null>) => (key: string) => values[key];
    expect(cells.value(row, column("7:status"), wanted({ "7:planEnd": "2026-10-01" }))).toBe("delayed");
    expect(cells.value(row, column("7:status"), wanted({ "7:actualEnd": "2026-10-13" }))).toBe("completed");
    expect(cells.value(row, column("7:bar"), wanted({ "7:actualEnd": "2026-10-13" }))).toBe("2026-10-13");
    expect(cells.value(row, column("7:status"), wanted({ "7:planEnd": null }))).toBe("notPlanned");
  });

  test("a column that the tile does not have yet is not loaded", () => {
    expect([cells.isLoaded(row, column("name")), cells.isLoaded(row, column("code")), cells.isLoaded(row, column("7:planEnd"))]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("a row of another flow version asks for the head again", () => {
    expect([cells.isForeign(row), cells.isForeign(planRow({}, { flowVersion: 5 }))]).toEqual([false, true]);
  });
});

describe("notes", () => {
  test("are read from those of the tile, as far as it carries them", () => {
    const row = planRow({ 3: {}, 5: {} });
    const read = (key: string) => [cells.isLoaded(row, column(key)), cells.value(row, column(key))];
    expect([read("7:delayReason"), read("7:score"), read("7:scoreRemark")]).toEqual([
      [true, "rain"],
      [true, 2],
      [true, "late"],
    ]);
    expect([read("8:score"), read("9:score")]).toEqual([
      [true, null],
      [false, null],
    ]);
  });

  test("a change of the log flashes the cell of its column", () => {
    expect(changedColumns([], ["note.delayReason@3", "du.name", "a13@3"], new Map([[3, 7]]))).toEqual(["7:delayReason", "name", "7:a13"]);
    expect(changedColumns([], ["du.cluster_id"], new Map())).toEqual(["cluster"]);
  });
});

describe("looks", () => {
  const state = (key: string, row = planRow({}), given = cells) => given.state(row, column(key), word);
  test("an activity that is not in the flow is hatched", () => {
    expect(state("7:planEnd")).toEqual({ outside: true });
  });

  test("a bar has colour and word of its status", () => {
    expect(state("7:bar", planRow({ 3: { dates: { planEnd: "2026-10-13" } } }))).toEqual({ status: "delayed", spoken: "word delayed" });
  });

  test.each([
    ["closed", "7:planEnd", { closed: 1 }, "closed"],
    ["closed, actual", "7:actualEnd", { closed: 1 }, "closed"],
    ["frozen", "7:planStart", { frozen: 1 }, "frozen"],
    ["frozen, actual", "7:actualEnd", { frozen: 1 }, undefined],
    ["fixed", "7:planEnd", { fixed: 1 }, "fixed"],
    ["locked by a tool", "7:actualEnd", { toolLocked: 1 }, "tool"],
    ["in approval", "7:actualEnd", { approval: 2 }, "approving"],
    ["approved", "7:actualEnd", { approval: 3 }, undefined],
    ["revenue", "7:actualEnd", { revenue: 1 }, "revenue"],
    ["deliverable missing", "7:actualEnd", { deliverableMissing: 1 }, "deliverable"],
  ] as const)("%s", (_name, key, bits, lock) => {
    expect(state(key, planRow({ 3: { state: bits } })).lock).toBe(lock);
  });

  test("change control locks plan dates of released DUs", () => {
    const row = planRow({ 3: {} }, { releaseState: 1 });
    expect([state("7:planEnd", row, controlled).lock, state("7:planEnd", row).lock]).toEqual(["control", undefined]);
  });
});

describe("checks", () => {
  const row = planRow({
    3: { dates: { planStart: "2026-10-12", planEnd: "2026-10-19" }, owners: 6 },
    5: { dates: { planEnd: "2026-10-30" } },
  });
  const codes = (values: Parameters<typeof rowEdits>[0], rights = frame.rights) =>
    checkRow(cells, row, rowEdits(values), { ...frame, rights }).map(({ columnKey, code }) => `${columnKey} ${code}`);

  test.each<[string, Parameters<typeof rowEdits>[0], string[]]>([
    ["fine", { "7:planEnd": "2026-10-20" }, []],
    ["start after end [RPL-15]", { "7:planStart": "2026-10-20" }, ["7:planStart PLAN_ORDER"]],
    ["the same day for both [RPL-15]", { "7:planStart": "2026-10-19" }, []],
    ["both moved", { "7:planStart": "2026-10-20", "7:planEnd": "2026-10-25" }, []],
    ["end before start", { "7:planStart": "2026-10-20", "7:planEnd": "2026-10-19" }, ["7:planStart PLAN_ORDER", "7:planEnd PLAN_ORDER"]],
    ["more than three years ahead [RPL-16]", { "7:planEnd": "2029-10-15" }, ["7:planEnd PLAN_TOO_FAR"]],
    ["three years ahead to the day [RPL-16]", { "7:planEnd": "2029-10-14" }, []],
    ["actual end tomorrow [RPL-14]", { "7:actualEnd": "2026-10-15" }, ["7:actualEnd ACTUAL_AFTER_TODAY"]],
    ["actual end today [RPL-14]", { "7:actualEnd": "2026-10-14" }, []],
    ["actual without owner [RPL-19]", { "8:actualEnd": "2026-10-10" }, ["8:actualEnd OWNER_REQUIRED"]],
    ["actual with an owner given at once [RPL-19]", { "8:actualEnd": "2026-10-10", "8:planOwner": [101] }, []],
    ["before the first day", { "7:planStart": "1999-12-31" }, ["7:planStart DATE_OUT_OF_RANGE"]],
    ["not in the flow", { "9:planEnd": "2026-10-20" }, ["9:planEnd NO_ACTIVITY"]],
    ["other columns are left to the server", { name: "x", a12: 4 }, []],
    ["a score of 1 with a remark", { "7:score": 1 }, []],
    ["a score of 0", { "7:score": 0 }, ["7:score VALUE_RANGE"]],
    ["a score of 6", { "7:score": 6 }, ["7:score VALUE_RANGE"]],
    ["half a star", { "7:score": 3.5 }, ["7:score VALUE_RANGE"]],
    ["a low score without a remark [RPL-27]", { "8:score": 2 }, ["8:score SCORE_REMARK"]],
    ["a low score with a remark [RPL-27]", { "8:score": 2, "8:scoreRemark": "late" }, []],
    ["a score of 3 without a remark [RPL-27]", { "8:score": 3 }, []],
    ["the remark of a low score taken away [RPL-27]", { "7:scoreRemark": null }, ["7:scoreRemark SCORE_REMARK"]],
    ["a reason of 500 characters", { "7:delayReason": "雨".repeat(500) }, []],
    ["a reason of 501 characters", { "7:delayReason": "x".repeat(501) }, ["7:delayReason VALUE_TOO_LONG"]],
  ])("%s", (_name, values, expected) => {
    expect(codes(values)).toEqual(expected);
  });

  test("without the right", () => {
    expect(codes({ "7:planEnd": "2026-10-20" }, { plan: false, actual: true })).toEqual(["7:planEnd NO_PERMISSION"]);
  });

  test("a refusal names the other date", () => {
    const [broken] = checkRow(cells, row, rowEdits({ "7:planStart": "2026-10-20" }), frame);
    expect(broken?.params).toMatchObject({ field: "planStart", planEnd: "2026-10-19" });
  });
});

describe("locks", () => {
  const lock = (bits: Parameters<typeof planRow>[0][3], field: "planEnd" | "actualEnd", given = cells, more = {}) =>
    lockOf(given, planRow({ 3: bits ?? {} }, more), 7, field, frame)?.code ?? null;
  test.each([
    ["open", {}, "planEnd", null],
    ["frozen", { state: { frozen: 1 } }, "planEnd", "FROZEN"],
    ["fixed cells may be typed into", { state: { fixed: 1 } }, "planEnd", null],
    ["closed [RPL-18]", { state: { closed: 1 } }, "actualEnd", "TASK_CLOSED"],
    ["NA", { state: { na: 1 } }, "planEnd", "NA_OR_INV"],
    ["tool [RPL-22]", { state: { toolLocked: 1 } }, "actualEnd", "TOOL_LOCKED"],
    ["approval", { state: { approval: 2 } }, "actualEnd", "IN_APPROVAL"],
    ["a date order is no lock", { dates: { planStart: "2027-01-01" } }, "planEnd", null],
    ["no owner yet is no lock", {}, "actualEnd", null],
  ] as const)("%s", (_name, given, field, code) => {
    expect(lock(given as Parameters<typeof planRow>[0][3], field)).toBe(code);
  });

  test("change control", () => {
    expect(lock({}, "planEnd", controlled, { releaseState: 2 })).toBe("CHANGE_CONTROL");
  });
});

test("changes of the log name the columns of the grid", () => {
  const activityOf = new Map([[3, 7]]);
  expect(
    changedColumns(
      [cellNumber(3, "planEnd"), cellNumber(9, "planEnd"), cellNumber(3, "planOwner")],
      ["a12", "a13@3", "du.region_id", "a13@9"],
      activityOf,
    ),
  ).toEqual(["7:planEnd", "7:planOwner", "a12", "7:a13", "region"]);
});
