import { beforeEach, expect, test, vi } from "vitest";
import { settleMoved } from "#lib/plan-rules/engine/commands.ts";
import { changedDus, computeRules } from "#lib/plan-rules/engine/queries.ts";
import { readRules } from "#lib/plan-rules/rule-set/queries.ts";
import { useDatabase } from "../../../support/database.ts";
import { inProject } from "../../../support/plan-ctx.ts";
import { done } from "../../activity-flows/make-flow.ts";
import { useFiles } from "../../imports/support.ts";
import { usePlanRules } from "../make-plan-rules.ts";

// A block of three DUs, so that a project of eight is gone through in three and one of six ends with a full one.
vi.mock("#lib/plan-rules/runs/limits.ts", async (original) => ({ ...(await original<object>()), blockDus: 3 }));

const db = useDatabase();
useFiles();
const { at, call, clear, day, enable, makeDu, preview, run, revert } = usePlanRules(db);
beforeEach(() => clear());

test.each([8, 6])("%i DUs are counted, tried, filled and taken back block by block, each once", async (count) => {
  const dus: number[] = [];
  for (let du = 0; du < count; du++)
    dus.push(await makeDu({ Survey: { actual_end: `2026-03-0${du + 1}` }, RFI: du % 4 === 3 ? { plan_end: "2026-02-01" } : {} }));
  const rule = await enable(`Ends ${count}`, ["RFI.PLAN_END = Survey.ACTUAL_END + 7"]);
  const asked = { flowId: at.flow.id, conditions: [] };
  expect(await done(call("planAutoRule/count", asked))).toEqual({ scope: count, matched: count });
  const days = dus.map((_, place) => `2026-03-${String(place + 8).padStart(2, "0")}`);
  const before = dus.map((_, place) => (place % 4 === 3 ? "2026-02-01" : null));
  const cells = dus.map((du, place) => `${du} RFI · Plan end ${before[place] ?? "-"} ${days[place]} CHANGED`).sort();
  expect((await preview({ ruleIds: [rule.id] })).cells.sort()).toEqual(cells);
  const filled = await run([rule.id]);
  expect(filled.cells.sort()).toEqual(cells);
  expect(await Promise.all(dus.map((du) => day(du, "RFI.PLAN_END")))).toEqual(days);
  await revert(filled.run.id);
  expect(await Promise.all(dus.map((du) => day(du, "RFI.PLAN_END")))).toEqual(before);
});

test("DUs changed since they were read are all computed again, more of them than a block holds", async () => {
  const dus: number[] = [];
  for (let du = 0; du < 5; du++) dus.push(await makeDu({ Survey: { actual_end: "2026-03-02" } }));
  const rule = await enable("Ends of five", ["RFI.PLAN_END = Survey.ACTUAL_END + 7"]);
  await inProject(at.pm, at.number, async (ctx) => {
    const computed = await computeRules(ctx, await readRules(ctx, { ids: [rule.id] }), []);
    expect(changedDus(computed)).toEqual(dus);
    await db.owner`update du_plan set row_version = row_version + 1 where du_id = any(${dus.slice(1)})`;
    await settleMoved(ctx, computed, undefined);
    expect(changedDus(computed)).toEqual(dus);
  });
});
