import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { maxExportCells } from "#lib/core/workbook-limits.ts";
import { markKey } from "#lib/rollout-plan/plan-export/limits.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion } from "../../../support/factories.ts";
import {
  type MadeActivity,
  makeActivities,
  makeAttribute,
  makeDuOwner,
  makeDus,
  makeFlow,
  makeOwnerSet,
} from "../../../support/plan-factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let activities: MadeActivity[];
let flow: { id: number; activities: MadeActivity[] };
let user: CtxUser;
const tasks = importsOf(db, () => ({ project, user }));
const key = (name: string, field: string) => `${activities.find((activity) => activity.name === name)?.id}:${field}`;

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
  user = pm;
  activities = await makeActivities(db.app, project.id, ["Survey", "Install"]);
  flow = { id: await makeFlow(db.app, project.id, pm.id, activities, "New build"), activities };
});

/** So many DUs with plan rows, in one statement each. */
async function manyDus(projectId: number, count: number): Promise<void> {
  await db.app`
    with s as (insert into customer_site (project_id, code, name) select ${projectId}, 'M' || n, 'M' from generate_series(1, ${count}::int) n returning id, code),
      d as (insert into du (project_id, code, name, site_id) select ${projectId}, code, 'x', id from s returning id)
    insert into du_plan (du_id, project_id) select id, ${projectId} from d`;
}

describe("rolloutPlan/export", () => {
  it("writes the shown columns and rows with typed days, people, statuses, attributes and hidden keys, and can be read back", async () => {
    const set = await makeOwnerSet(db.app, project.id, [pm.id]);
    const region = await makeRegion(db.app, project.id, "North");
    const site = await makeAttribute(db.app, project.id, { name: "Tower", type: "ENUM", enums: ["Lattice", "Pole"] });
    const note = await makeAttribute(db.app, project.id, { name: "Note", level: "ACTIVITY" });
    const install = activities[1] as MadeActivity;
    const ids = await makeDus(
      db.app,
      project.id,
      [
        {
          code: "=GD-1",
          name: "南山",
          regionId: region,
          ext: { [site.key]: String(site.enumIds[1]), [`${note.key}@${install.slot}`]: "ladder" },
          plan: { [install.slot]: { state: 1, plan_end: "2026-10-10", plan_owner: set } },
        },
        { code: "GD-2", name: "x", plan: { [install.slot]: { state: 1, plan_end: "2026-11-01", actual_end: "2026-10-01" } } },
      ],
      flow,
    );
    const columns = [
      "code",
      "name",
      "region",
      "flow",
      "status",
      key("Install", "planEnd"),
      key("Install", "actualEnd"),
      key("Install", "planOwner"),
      key("Install", "status"),
      site.key,
      `${install.id}:${note.key}`,
      "nonsense",
      "99999:planEnd",
    ];
    const started = await tasks.call("rolloutPlan/export", { duIds: [...ids].reverse(), columns, lockedColumns: 2 });
    expect(started).toMatchObject({ status: 200, data: { taskId: expect.any(String) } });
    const done = await tasks.run(started.data.taskId);
    expect(done).toMatchObject({ status: "succeeded", direction: "export", done_count: 2, result: { dus: 2, columns: 11 } });
    const [keys, head, ...rows] = await tasks.workbook(done.result_file_id);
    expect(keys).toEqual([...columns.slice(0, 11), markKey]);
    expect(head).toEqual(
      [
        "DU ID",
        "DU name",
        "Delivery region",
        "Activity flow",
        "Status",
        "Install · Plan end",
        "Install · Actual end",
        "Install · Plan owner",
        "Install · Status",
        "Tower",
        "Install · Note",
        markKey,
      ].map((title, i) => (i === 0 || i > 4 ? title : expect.any(String))),
    );
    expect(rows).toEqual([
      [
        "GD-2",
        "x",
        null,
        "New build",
        "Not planned",
        { d: "2026-11-01" },
        { d: "2026-10-01" },
        null,
        "Completed",
        null,
        null,
        `${ids[1]}@0`,
      ],
      [
        "=GD-1",
        "南山",
        "North",
        "New build",
        "Delayed",
        { d: "2026-10-10" },
        null,
        `${pm.name} (${pm.account})`,
        "Delayed",
        "Pole",
        "ladder",
        `${ids[0]}@0`,
      ],
    ]);
    const [audit] = await db.app`select event from audit_log where object = ${`file ${done.result_file_id}`}`;
    expect(audit?.event).toBe("export_downloaded");
  });

  it("exports the DUs of a kept query in its order", async () => {
    const kept = await tasks.call("wbs/filter", { filters: [], sort: [{ field: "code", dir: "desc" }] });
    const started = await tasks.call("rolloutPlan/export", { queryId: kept.data.queryId, columns: ["code"] });
    const done = await tasks.run(started.data.taskId);
    const rows = await tasks.workbook(done.result_file_id);
    expect(rows.slice(2).map((row) => row[0])).toEqual(["GD-2", "=GD-1"]);
  });

  it("is refused while an earlier one of the person is unfinished [OPS-14]", async () => {
    const ids = (await db.app`select id from du where project_id = ${project.id}`).map((row) => row.id);
    const first = await tasks.call("rolloutPlan/export", { duIds: ids, columns: ["code"] });
    expect(await tasks.call("rolloutPlan/export", { duIds: ids, columns: ["code"] })).toMatchObject({
      status: 422,
      code: "EXPORT_UNFINISHED",
    });
    await tasks.run(first.data.taskId);
    const again = await tasks.call("rolloutPlan/export", { duIds: ids, columns: ["code"] });
    expect(again.status).toBe(200);
    await tasks.run(again.data.taskId);
  });

  it("is refused without rows [OPS-12]", async () => {
    expect(await tasks.call("rolloutPlan/export", { duIds: [], columns: ["code"] })).toMatchObject({
      status: 422,
      code: "NO_DATA",
      msg: "No data to export",
    });
    const other = await makeProject(db.app);
    const [foreign] = await makeDus(db.app, other.id, [{ code: "F-1" }]);
    expect(await tasks.call("rolloutPlan/export", { duIds: [foreign], columns: ["code"] })).toMatchObject({ code: "NO_DATA" });
  });

  it("says which DU a row is, whatever columns are shown", async () => {
    const [id] = (await db.app`select id from du where project_id = ${project.id} order by id`).map((row) => row.id);
    const started = await tasks.call("rolloutPlan/export", { duIds: [id], columns: [key("Install", "planEnd")] });
    const done = await tasks.run(started.data.taskId);
    const [keys, , row] = await tasks.workbook(done.result_file_id);
    expect([keys, row]).toEqual([
      ["code", key("Install", "planEnd"), markKey],
      ["=GD-1", { d: "2026-10-10" }, expect.stringMatching(new RegExp(`^${id}@\\d+$`))],
    ]);
  });

  it("is refused without a known column", async () => {
    const ids = (await db.app`select id from du where project_id = ${project.id}`).map((row) => row.id);
    expect(await tasks.call("rolloutPlan/export", { duIds: ids, columns: ["nonsense"] })).toMatchObject({
      status: 422,
      code: "NO_SELECTION",
    });
  });

  it("takes 9,999 DUs and refuses 10,000 [OPS-11]", { timeout: 120_000 }, async () => {
    const large = await makeProject(db.app);
    const planner = await makeMember(db.app, large.id, "PM");
    const own = importsOf(db, () => ({ project: large, user: planner }));
    await manyDus(large.id, 9_999);
    const all = () => own.call("wbs/filter", { filters: [], sort: [] });
    const started = await own.call("rolloutPlan/export", { queryId: (await all()).data.queryId, columns: ["code", "status"] });
    const done = await own.run(started.data.taskId);
    expect(done).toMatchObject({ status: "succeeded", done_count: 9_999 });
    expect((await own.workbook(done.result_file_id)).length).toBe(2 + 9_999);
    await makeDus(db.app, large.id, [{ code: "ONE-MORE" }]);
    await db.app`update plan_seq set seq = seq + 1 where project_id = ${large.id}`;
    expect(await own.call("rolloutPlan/export", { queryId: (await all()).data.queryId, columns: ["code"] })).toMatchObject({
      status: 422,
      code: "EXPORT_LIMIT",
      msg: "The export has 10,000 rows, at most 9,999",
    });
  });

  it("takes as many cells as the limit and refuses more [OPS-13]", { timeout: 60_000 }, async () => {
    const wide = await makeProject(db.app);
    const planner = await makeMember(db.app, wide.id, "PM");
    const own = importsOf(db, () => ({ project: wide, user: planner }));
    const made = await makeActivities(
      db.app,
      wide.id,
      Array.from({ length: 77 }, (_, i) => `Step ${i}`),
    );
    const fields = ["planStart", "planEnd", "actualStart", "actualEnd", "baselineStart", "baselineEnd", "planOwner"];
    const columns = ["code", ...made.flatMap((activity) => fields.map((field) => `${activity.id}:${field}`))];
    await manyDus(wide.id, 9_999);
    const kept = await own.call("wbs/filter", { filters: [], sort: [] });
    const within = Math.floor(maxExportCells / 9_999);
    expect(await own.call("rolloutPlan/export", { queryId: kept.data.queryId, columns: columns.slice(0, within + 1) })).toMatchObject({
      status: 422,
      code: "EXPORT_CELLS",
    });
    expect(await own.call("rolloutPlan/export", { queryId: kept.data.queryId, columns: columns.slice(0, within) })).toMatchObject({
      status: 200,
    });
  });

  it("gives an owner only own DUs, and nobody without the right anything", async () => {
    const owner = await makeMember(db.app, project.id, "SITE_OWNER");
    const ids = (await db.app`select id from du where project_id = ${project.id} order by id`).map((row) => row.id);
    await makeDuOwner(db.app, ids[1], owner.id, "SITE_OWNER");
    user = owner;
    const started = await tasks.call("rolloutPlan/export", { duIds: ids, columns: ["code"] });
    const done = await tasks.run(started.data.taskId);
    expect((await tasks.workbook(done.result_file_id)).slice(2)).toEqual([["GD-2", `${ids[1]}@0`]]);
    user = await makeMember(db.app, project.id, "CUSTOMER");
    expect(await tasks.call("rolloutPlan/export", { duIds: ids, columns: ["code"] })).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    user = pm;
  });
});
