import { beforeEach, describe, expect, it } from "vitest";
import { slotsMax } from "#lib/activity-flows/library/limits.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { grantRole, makeMember, makeProject } from "../../../support/factories.ts";
import { meanwhile } from "../../../support/meanwhile.ts";
import { expectSameWhenTakenUp } from "../../../support/take-up.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { done, makeDraft } from "../make-flow.ts";

const db = useDatabase();
useFiles();
let here: { id: number; number: string };
let there: { id: number; number: string };
let pm: CtxUser;
let flow: Awaited<ReturnType<typeof makeDraft>>;
const tasks = importsOf(db, () => ({ project: here, user: pm }));

beforeEach(async () => {
  here = await makeProject(db.owner);
  there = await makeProject(db.owner);
  pm = await makeMember(db.owner, here.id, "PM");
  await grantRole(db.owner, there.id, pm.id, "PCM");
  flow = await makeDraft(pm, here.number, "Build", "Survey* Install:5 Accept:2", "Survey>Install Install>Accept:SS+3");
  await db.owner`update activity_library set kind = 'mos', automatic = true where project_id = ${here.id} and name = 'Install'`;
});

const call = (address: string, input: object = {}, user = pm) => callAs(user, address, input, { project: here.number });
const copy = (more: object = {}, user = pm) =>
  call("flow/copy", { id: flow.id, name: "Build there", toProjectNumber: there.number, ...more }, user);
const log = async (filters: object[] = []) =>
  (await done(call(`replicationLog/list/1/20/default/${encodeURIComponent(JSON.stringify(filters))}`))).records;
const run = async ({ taskId }: { taskId: string }) => {
  const task = await tasks.run(taskId);
  await expectSameWhenTakenUp(db, taskId, tasks.run);
  return task;
};
/** The flow of a project as its names, with its relations. */
async function flowOf(projectId: number, name: string) {
  const [found] = await db.owner`select id, status from activity_flow where project_id = ${projectId} and name = ${name}`;
  if (!found) return null;
  const nodes = await db.owner`
    select n.name, a.code, a.kind, a.automatic, n.lead_time_days as days, n.is_anchor as anchor, a.project_id::int as project
    from flow_activity n left join activity_library a on a.id = n.activity_id where n.flow_id = ${found.id} order by n.seq`;
  const relations = await db.owner`
    select p.name || '>' || n.name || ':' || r.type || r.offset_days as text from flow_relation r
    join flow_activity p on p.id = r.pre_node_id join flow_activity n on n.id = r.node_id where r.flow_id = ${found.id} order by 1`;
  return { id: found.id as number, status: found.status, nodes: [...nodes], relations: relations.map(({ text }) => text) };
}
const fill = (projectId: number, upTo: number) => db.owner`
  insert into activity_library (project_id, slot, code, name) values (${projectId}, ${upTo}, ${`C${upTo}`}, ${`Name ${upTo}`})`;

describe("flow/copy into another project", () => {
  it("makes a draft there: activities matched by code, then by name, else made as they are, relations with them [LOG-03]", async () => {
    const [survey] = await db.owner`select code from activity_library where project_id = ${here.id} and name = 'Survey'`;
    await db.owner`insert into activity_library (project_id, slot, code, name) values (${there.id}, 7, ${survey!.code}, 'Site visit'), (${there.id}, 8, 'ACC', 'ACCEPT')`;
    const started = await done(copy());
    expect(await run(started)).toMatchObject({ status: "succeeded", done_count: 3, failed_count: 0 });
    const made = await flowOf(there.id, "Build there");
    expect(made).toMatchObject({
      status: "draft",
      nodes: [
        { name: "Survey", code: survey!.code, days: 1, anchor: true, project: there.id },
        { name: "Install", kind: "mos", automatic: true, days: 5, project: there.id },
        { name: "Accept", code: "ACC", days: 2, project: there.id },
      ],
      relations: ["Install>Accept:SS3", "Survey>Install:FS0"],
    });
    expect(await log()).toEqual([
      {
        id: started.logId,
        at: expect.any(Date),
        actor: pm.name,
        sourceFlowId: flow.id,
        sourceName: "Build",
        targetProject: there.number,
        targetFlowId: made!.id,
        targetName: "Build there",
        activityCount: 3,
        successCount: 3,
        failedCount: 0,
        status: "done",
        detail: [
          { activity: "Survey", outcome: "matched", code: null, msg: null },
          { activity: "Install", outcome: "made", code: null, msg: null },
          { activity: "Accept", outcome: "matched", code: null, msg: null },
        ],
        taskId: started.taskId,
        mayRetry: false,
      },
    ]);
    expect(await flowOf(here.id, "Build there")).toBeNull();
  });

  it("copies what there is room for, says why the rest failed, and copies that once there is [LOG-03]", async () => {
    await fill(there.id, slotsMax - 1);
    const started = await done(copy());
    expect(await run(started)).toMatchObject({ status: "partial", done_count: 1, failed_count: 2 });
    const [row] = await log();
    expect(row).toMatchObject({ status: "partly", successCount: 1, failedCount: 2, mayRetry: true });
    expect(row.detail.slice(1)).toEqual(
      ["Install", "Accept"].map((activity) => ({
        activity,
        outcome: "failed",
        code: "LIBRARY_FULL",
        msg: expect.stringContaining("2,000"),
      })),
    );
    expect((await flowOf(there.id, "Build there"))!.relations).toEqual([]);
    // By name they are found without a slot of their own.
    await db.owner`update activity_library set name = 'Install', code = 'I' where project_id = ${there.id} and slot = ${slotsMax - 1}`;
    const again = await done(call("replicationLog/retry", { id: row.id }));
    expect(await run(again)).toMatchObject({ status: "partial", done_count: 1, failed_count: 1 });
    expect((await flowOf(there.id, "Build there"))!).toMatchObject({
      nodes: [{ name: "Survey" }, { name: "Install" }],
      relations: ["Survey>Install:FS0"],
    });
    expect((await log())[0]).toMatchObject({
      status: "partly",
      successCount: 2,
      failedCount: 1,
      detail: [{ outcome: "made" }, { outcome: "matched" }, { code: "LIBRARY_FULL" }],
    });
  });

  it("makes no flow when nothing could be copied, and one when it can be", async () => {
    await fill(there.id, slotsMax);
    const started = await done(copy());
    expect(await run(started)).toMatchObject({ status: "failed" });
    expect(await flowOf(there.id, "Build there")).toBeNull();
    expect((await log())[0]).toMatchObject({ status: "failed", failedCount: 3, targetFlowId: null });
    await db.owner`delete from activity_library where project_id = ${there.id}`;
    expect(await run(await done(call("replicationLog/retry", { id: started.logId })))).toMatchObject({
      status: "succeeded",
      done_count: 3,
    });
    expect((await flowOf(there.id, "Build there"))!.nodes).toHaveLength(3);
  });

  it("refuses a retry of what is complete or under way, and of a copy that was released meanwhile", async () => {
    const started = await done(copy());
    expect(await call("replicationLog/retry", { id: started.logId })).toMatchObject({ status: 422, code: "WRONG_STATUS" });
    await run(started);
    expect(await call("replicationLog/retry", { id: started.logId })).toMatchObject({ status: 422, code: "WRONG_STATUS" });
    expect(await call("replicationLog/retry", { id: 999_999 })).toMatchObject({ status: 404 });
    const made = (await flowOf(there.id, "Build there"))!;
    await db.owner`update activity_flow set status = 'released' where id = ${made.id}`;
    await db.owner`update replication_log set status = 'partly', detail = detail #- '{2}' where id = ${started.logId}`;
    expect(await run(await done(call("replicationLog/retry", { id: started.logId })))).toMatchObject({ status: "failed" });
    expect((await log())[0]).toMatchObject({ status: "partly", detail: [{}, {}, { activity: "Accept", code: "WRONG_STATUS" }] });
  });

  it("takes a copy whose task was cancelled for failed", async () => {
    const started = await done(copy());
    expect((await log())[0]).toMatchObject({ status: "running", mayRetry: false });
    await done(call(`task/cancel/${started.taskId}`));
    await run(started);
    expect((await log())[0]).toMatchObject({ status: "failed", detail: [], mayRetry: true });
    expect(await log([{ field: "status", type: "eq", values: ["failed"] }])).toHaveLength(1);
    expect(await run(await done(call("replicationLog/retry", { id: started.logId })))).toMatchObject({ status: "succeeded" });
  });

  it("is not tried again twice at once", async () => {
    const started = await done(copy());
    await done(call(`task/cancel/${started.taskId}`));
    await run(started);
    const answer = await meanwhile(
      db,
      (sql) => sql`
        with t as (
          insert into task (id, project_id, kind, direction, title, created_by, created_at)
          values (gen_random_uuid(), ${here.id}, 'activityFlows.replicate', 'process', 'again', ${pm.id}, now()) returning id
        ) update replication_log l set status = 'running', task_id = t.id from t where l.id = ${started.logId}`,
      () => call("replicationLog/retry", { id: started.logId }),
    );
    expect(answer).toMatchObject({ status: 422, code: "WRONG_STATUS" });
  });

  it("needs the right here and there, an open project, and a free name", async () => {
    const pcm = await makeMember(db.owner, here.id, "PCM");
    await grantRole(db.owner, there.id, pcm.id, "PM");
    expect(await copy({}, pcm)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    const stranger = await makeMember(db.owner, here.id, "PM");
    expect(await copy({}, stranger)).toMatchObject({ status: 403, code: "NOT_AUTHORISED_FOR_PROJECT" });
    await grantRole(db.owner, there.id, stranger.id, "TD");
    expect(await copy({}, stranger)).toMatchObject({ status: 403, code: "NO_PERMISSION", msg: expect.any(String) });
    expect(await copy({ toProjectNumber: "NOWHERE" })).toMatchObject({ status: 403, code: "NOT_AUTHORISED_FOR_PROJECT" });
    await makeDraft(pm, there.number, "BUILD THERE", "Other*");
    expect(await copy()).toMatchObject({ status: 422, code: "NAME_EXISTS", problems: [{ path: "name" }] });
    await db.owner`update project set status = 'closed' where id = ${there.id}`;
    expect(await copy({ name: "Free" })).toMatchObject({ status: 403, code: "PROJECT_CLOSED" });
    expect(await log()).toEqual([]);
  });

  it("writes nothing once the right there is gone", async () => {
    const started = await done(copy());
    await db.owner`delete from project_member where project_id = ${there.id} and user_id = ${pm.id}`;
    expect(await run(started)).toMatchObject({ status: "failed", message_key: "errors.NOT_AUTHORISED_FOR_PROJECT" });
    expect(await flowOf(there.id, "Build there")).toBeNull();
    expect((await log())[0]).toMatchObject({ status: "failed", failedCount: 3, detail: [{ code: "NOT_AUTHORISED_FOR_PROJECT" }, {}, {}] });
  });
});

describe("flow/copy inside the project", () => {
  it("copies at once and is logged as well", async () => {
    const made = await done(call("flow/copy", { id: flow.id, name: "Again" }));
    expect((await flowOf(here.id, "Again"))!.nodes).toHaveLength(3);
    expect(await log()).toMatchObject([
      { targetProject: null, targetFlowId: made.id, targetName: "Again", status: "done", successCount: 3, mayRetry: false },
    ]);
    // Its own number is this project.
    await done(call("flow/copy", { id: flow.id, name: "Once more", toProjectNumber: here.number }));
    expect(await log()).toHaveLength(2);
  });
});
