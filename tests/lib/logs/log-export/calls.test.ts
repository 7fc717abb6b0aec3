import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Locale } from "#lib/core/locale.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeActivities, makeDuOwner, makeDus, makeFlow } from "../../../support/plan-factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let user: CtxUser;
let ids: number[];
let activityId: number;
const tasks = importsOf(db, () => ({ project, user }));
const save = async (edits: object[], reason: string) => {
  const answer = await tasks.call("rolloutPlan/save", { edits, reason });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer));
  return answer.data.batchId as number;
};

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
  user = pm;
  const activities = await makeActivities(db.app, project.id, ["Survey"]);
  const flow = { id: await makeFlow(db.app, project.id, pm.id, activities, "New build"), activities };
  activityId = activities[0]!.id;
  ids = await makeDus(db.app, project.id, [{ code: "=L-1" }, { code: "L-2" }], flow);
  await save([{ duId: ids[0], activityId, field: "planEnd", value: "2026-10-20", base: null }], "=HYPERLINK(1)");
  await save(
    [
      { duId: ids[0], activityId, field: "planOwner", value: [pm.id], base: null },
      { duId: ids[0], field: "workType", value: "dismantle", base: null },
      { duId: ids[1], field: "rfcNumber", value: "+1", base: null },
    ],
    "second",
  );
});
beforeEach(async () => {
  user = pm;
  await db.owner`delete from rate_limit`;
});

async function exported(filters: object[] = [], lang: Locale = "en") {
  const started = await tasks.call("planLog/export", { filters }, { locale: lang });
  if (started.status !== 200) throw new Error(JSON.stringify(started));
  const done = await tasks.run(started.data.taskId);
  return { done, rows: await tasks.workbook(done.result_file_id) };
}

describe("planLog/export", () => {
  it("writes a row per changed cell, newest first, days and moments typed, ids by name, and formulas as text", async () => {
    const { done, rows } = await exported();
    expect(done).toMatchObject({ status: "succeeded", done_count: 4, total_count: 4 });
    expect(rows[0]).toEqual(["Time", "By", "Source", "Reason", "DU", "Flow", "Activity", "Field", "Before", "After"]);
    const moment = { d: expect.stringMatching(/^2026-10-14T\d\d:\d\d:\d\d$/) };
    expect(rows.slice(1)).toEqual([
      [moment, pm.name, "Grid", "second", "=L-1", "New build", "Survey", "Plan owner", null, pm.name],
      [moment, pm.name, "Grid", "second", "=L-1", "New build", null, "Install or dismantle", null, "Dismantle"],
      [moment, pm.name, "Grid", "second", "L-2", "New build", null, "RFC number", null, "+1"],
      [moment, pm.name, "Grid", "=HYPERLINK(1)", "=L-1", "New build", "Survey", "Plan end", null, { d: "2026-10-20" }],
    ]);
  });

  it.each([
    ["zh", ["时间", "操作人", "来源"], "拆除"],
    ["ja", ["日時", "操作者", "発生元"], "撤去"],
  ] as const)("is written in %s", async (lang, heads, dismantle) => {
    const { rows } = await exported([{ field: "field", type: "eq", values: ["workType"] }], lang);
    expect([rows.length, rows[0]?.slice(0, 3), rows[1]?.[9]]).toEqual([2, heads, dismantle]);
  });

  it("holds what the conditions keep at the call; what is written later does not belong to it; none is refused [OPS-12]", async () => {
    const one = await exported([{ field: "du", type: "eq", values: ["L-2"] }]);
    expect(one.rows.slice(1).map((row) => row[4])).toEqual(["L-2"]);
    const started = await tasks.call("planLog/export", { filters: [{ field: "du", type: "eq", values: ["L-2"] }] });
    await save([{ duId: ids[1], field: "rfcNumber", value: "+2", base: "+1" }], "later");
    const done = await tasks.run(started.data.taskId);
    expect((await tasks.workbook(done.result_file_id)).slice(1).map((row) => row[9])).toEqual(["+1"]);
    expect(await tasks.call("planLog/export", { filters: [{ field: "du", type: "eq", values: ["nowhere"] }] })).toMatchObject({
      status: 422,
      code: "NO_DATA",
    });
    expect(await tasks.call("planLog/export", { filters: [{ field: "salary", type: "eq", values: [1] }] })).toMatchObject({ status: 400 });
  });

  it("shows an owner own DUs alone, and needs the right to the log", async () => {
    user = await makeMember(db.app, project.id, "SITE_OWNER");
    await makeDuOwner(db.app, ids[1]!, user.id, "SITE_OWNER");
    expect(new Set((await exported()).rows.slice(1).map((row) => row[4]))).toEqual(new Set(["L-2"]));
    user = await makeMember(db.app, project.id, "SUBCON");
    expect(await tasks.call("planLog/export", {})).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });

  it("takes 2,000 cells and refuses 2,001 [OPS-10]", { timeout: 60_000 }, async () => {
    const large = await makeProject(db.app);
    const planner = await makeMember(db.app, large.id, "PM");
    const own = importsOf(db, () => ({ project: large, user: planner }));
    await makeActivities(db.app, large.id, ["Survey"]);
    const [du] = await makeDus(db.app, large.id, [{ code: "M-1" }]);
    const log = (from: number, to: number, cells: number[]) => db.owner`
      with b as (insert into plan_batch (project_id, seq, at, source, du_count, cell_count)
        select ${large.id}, n, now(), 'grid', 1, 2 from generate_series(${from}::int, ${to}::int) n returning id, at)
      insert into plan_log (du_id, batch_id, project_id, at, cells, old, new)
      select ${du!}, id, ${large.id}, at, ${cells}::smallint[], ${cells.map(() => 0)}::int[], ${cells.map(() => 9_000)}::int[] from b`;
    await log(1, 1_000, [17, 18]);
    const started = await own.call("planLog/export", {});
    expect(await own.run(started.data.taskId)).toMatchObject({ status: "succeeded", done_count: 2_000 });
    await log(1_001, 1_001, [17]);
    expect(await own.call("planLog/export", {})).toMatchObject({ code: "EXPORT_LIMIT", msg: "The export has 2,001 rows, at most 2,000" });
  });
});
