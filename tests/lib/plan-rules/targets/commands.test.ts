import { describe, expect, test } from "vitest";
import { spreadEvenly, weeksBetween } from "#lib/plan-rules/targets/logic.ts";
import { useDatabase } from "../../../support/database.ts";
import { done } from "../../activity-flows/make-flow.ts";
import { usePlanRules } from "../make-plan-rules.ts";

const db = useDatabase();
const { act, at, call, save } = usePlanRules(db);

test("a total is spread evenly over the weeks, what is left over to the earlier ones", () => {
  expect(spreadEvenly(10, 4)).toEqual([3, 3, 2, 2]);
  expect(spreadEvenly(0, 3)).toEqual([0, 0, 0]);
  expect(weeksBetween("2026-10-12", "2026-10-26")).toEqual(["2026-10-12", "2026-10-19", "2026-10-26"]);
});

describe("targets of an organisation [RUL-02]", () => {
  test("are typed or spread, by Mondays, and never below zero", async () => {
    const { id: ruleId } = await save("Target", [], { ruleType: "ORG_TARGET" });
    const activityId = act("MOS.PLAN_END").a;
    const rows = (weekStart: string, target: number | null, base: number | null = null) => ({
      ruleId,
      rows: [{ regionId: at.north, activityId, weekStart, target, base }],
    });
    expect((await call("orgTarget/save", rows("2026-10-13", 5))).problems).toMatchObject([
      { path: "rows.0.weekStart", code: "NOT_A_WEEK_START" },
    ]);
    expect((await call("orgTarget/save", rows("2026-10-12", -1))).problems).toMatchObject([
      { path: "rows.0.target", code: "NEGATIVE_TARGET" },
    ]);
    await done(call("orgTarget/save", rows("2026-10-12", 0)));
    await done(
      call("orgTarget/save", { ruleId, spread: true, regionId: at.north, activityId, total: 10, from: "2026-10-12", to: "2026-11-02" }),
    );
    const find = async () => (await done(call("orgTarget/find", { ruleId, from: "2026-10-12", to: "2026-11-30" }, at.td))).rows;
    expect((await find()).map(({ weekStart, target }: { weekStart: string; target: number }) => `${weekStart} ${target}`)).toEqual([
      "2026-10-12 3",
      "2026-10-19 3",
      "2026-10-26 2",
      "2026-11-02 2",
    ]);
    await done(call("orgTarget/save", rows("2026-10-12", null, 3)));
    expect(await find()).toHaveLength(3);
    expect(await call("orgTarget/save", rows("2026-10-12", 5), at.td)).toMatchObject({ status: 403 });
    // One that others have set, changed or taken away since it was read is refused.
    for (const [week, base] of [
      ["2026-10-12", 3],
      ["2026-10-19", 4],
      ["2026-10-26", null],
    ] as const)
      expect(await call("orgTarget/save", rows(week, 9, base))).toMatchObject({
        status: 409,
        code: "STALE",
        problems: [{ path: "rows.0.target", code: "STALE" }],
      });
    expect(await find()).toHaveLength(3);
    await done(call("orgTarget/save", rows("2026-10-19", 9, 3)));
    // It is never run.
    expect(await call("planAutoRule/preview", { ruleIds: [ruleId] })).toMatchObject({ code: "RULES_INVALID" });
  });
});
