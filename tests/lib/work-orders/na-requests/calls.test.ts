import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runTask } from "#jobs/run-task.ts";
import { taskKinds } from "#jobs/tasks.ts";
import { syncBoundDus } from "#lib/activity-flows/binding/commands.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { roles } from "#lib/permissions.ts";
import { naChunk } from "#lib/work-orders/na-requests/limits.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember } from "../../../support/factories.ts";
import { inProject } from "../../../support/plan-ctx.ts";
import { expectSameWhenTakenUp } from "../../../support/take-up.ts";
import { bits, orderCalls, useOrderProject } from "../make-orders.ts";

const db = useDatabase();
const project = useOrderProject(db);
const { call, data, dus, dispatch, order, place, bit, mails, notices, save, install, survey } = orderCalls(db, project);
let pd: CtxUser;
let docPd: CtxUser;

beforeAll(async () => {
  pd = await makeMember(db.owner, project.id, "PD");
  docPd = await makeMember(db.owner, project.id, "DOC_PD");
});
beforeEach(
  () => db.owner`update flow_activity set na_needs_approval = false, doc_pd_may_cancel_na = false where flow_id = ${project.flow.id}`,
);

const set = (user: CtxUser, duIds: number[], more: object = {}) =>
  call(user, "activity/na/set", { duIds, activityIds: [survey().id], kind: "NA", reason: "not in scope", ...more });
const cancel = (user: CtxUser, duIds: number[], more: object = {}) =>
  call(user, "activity/na/cancel", { duIds, activityIds: [survey().id], reason: "needed after all", ...more });
const work = (taskId: string) => runTask(db.app, taskKinds, taskId, new AbortController().signal);
const run = async (taskId: string) => {
  await work(taskId);
  await expectSameWhenTakenUp(db, taskId, work);
};
/** Sets survey NA or INV, carried out. */
const makeNa = async (duIds: number[], kind = "NA") => {
  const { data: answer } = await set(project.pm, duIds, { kind });
  await run((answer as { taskId: string }).taskId);
};
const needsApproval = () =>
  db.owner`update flow_activity set na_needs_approval = true where flow_id = ${project.flow.id} and activity_id = ${survey().id}`;
const requests = (duId: number) =>
  db.owner`select id, kind, status, flow_no, approver_id, decided_by, code, comment from na_request where du_id = ${duId} order by id`;
const ids = async (duId: number) => (await requests(duId)).map(({ id }) => id as number);

describe("activity/na/set", () => {
  it.each([
    ["NA", 1],
    ["INV", 2],
  ])("declares activities %s in the background: nothing happens in the call, the task does it [WOR-10] [WOR-24]", async (kind, value) => {
    const duIds = await dus(2);
    const [id] = await dispatch([duIds[0]!]);
    const { data: answer } = (await set(project.pm, duIds, { kind })) as { data: { taskId: string } };
    expect(answer).toMatchObject({ requested: 2, approving: 0, rejected: [] });
    expect([await bit(duIds[0]!, "na"), await bit(duIds[0]!, "naRequest")]).toEqual([0, 1]);
    expect(await place(duIds[0]!)).toMatchObject({ na: "open", status: "assigned" });
    await run(answer.taskId);
    expect([await bit(duIds[0]!, "na"), await bit(duIds[0]!, "naRequest")]).toEqual([value, 0]);
    expect(await place(duIds[0]!)).toMatchObject({ na: kind, status: "cancelled", may: [] });
    expect((await order(id!)).events[0]).toMatchObject({ event: "discard", reason: "not in scope" });
    // What was only scheduled gets no order by this; its plan dates stay in the row.
    expect(await place(duIds[1]!)).toMatchObject({ id: null, status: "cancelled", planStart: "2026-10-15" });
    expect(await requests(duIds[1]!)).toMatchObject([{ kind, status: "done", flow_no: null }]);
    const [task] = await db.owner`select status, done_count from task where id = ${answer.taskId}`;
    expect(task).toEqual({ status: "succeeded", done_count: 2 });
    // Run once more it finds nothing to do.
    await db.owner`update task set status = 'queued' where id = ${answer.taskId}`;
    await run(answer.taskId);
    expect((await order(id!)).events.filter(({ event }) => event === "discard")).toHaveLength(1);
  });

  it("numbers requests and orders while a release holds the project and waits for their DUs", { timeout: 20_000 }, async () => {
    const duIds = await dus(2);
    const [asked, sent] = await db.owner.begin(async (sql) => {
      await sql`select 1 from project where id = ${project.id} for no key update`;
      return Promise.all([set(project.pm, [duIds[0]!]), dispatch([duIds[1]!])]);
    });
    expect(asked).toMatchObject({ status: 200, data: { requested: 1 } });
    expect(sent).toHaveLength(1);
  });

  it("needs a reason [WOR-21]", async () => {
    expect(await set(project.pm, await dus(1), { reason: " " })).toMatchObject({ problems: [{ path: "reason", code: "REASON_REQUIRED" }] });
  });

  it.each([
    ["ACTIVITY_COMPLETED", "completed [WOR-22]", { actual_end: "2026-10-13", state: bits({ workOrder: 6 }) }],
    ["FROZEN", "frozen [WOR-23]", { state: bits({ frozen: 1 }) }],
    ["TASK_CLOSED", "closed", { state: bits({ closed: 1 }) }],
    ["NA_OR_INV", "NA already", { state: bits({ na: 1 }) }],
    ["REQUEST_OPEN", "asked for already", { state: bits({ naRequest: 1 }) }],
  ])("%s: refuses NA and INV for what is %s", async (code, _title, given) => {
    const duIds = await dus(1, given);
    for (const kind of ["NA", "INV"])
      expect((await set(project.pm, duIds, { kind })).data).toMatchObject({
        requested: 0,
        taskId: null,
        rejected: [{ duId: duIds[0], code }],
      });
    expect(await requests(duIds[0]!)).toEqual([]);
  });

  it("refuses the MOS activity while its plan is frozen", async () => {
    const duIds = await dus(1);
    await db.owner`update du_plan set state[4] = state[4] | (1 << 17), state[1] = state[1] | (1 << 17) where du_id = ${duIds[0]!}`;
    const answer = await set(project.pm, duIds, { activityIds: [project.activities[3]!.id, survey().id] });
    expect(answer.data).toMatchObject({ requested: 1, rejected: [{ activityId: project.activities[3]!.id, code: "MOS_FROZEN" }] });
  });

  it("asks again when it is carried out: what was frozen or completed meanwhile fails, and its applicant is told", async () => {
    const duIds = await dus(2);
    const { data: answer } = (await set(project.worker, duIds)) as { data: { taskId: string } };
    await save(project.pm, duIds[0]!, "actualEnd", "2026-10-14");
    await run(answer.taskId);
    expect(await requests(duIds[0]!)).toMatchObject([{ status: "failed", code: "ACTIVITY_COMPLETED" }]);
    expect([await bit(duIds[0]!, "na"), await bit(duIds[0]!, "naRequest")]).toEqual([0, 0]);
    expect(await requests(duIds[1]!)).toMatchObject([{ status: "done" }]);
  });

  it("takes 200 DUs and refuses 201", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => 1_000_000 + at);
    expect((await set(project.pm, many(200))).status).toBe(200);
    expect((await set(project.pm, many(201))).problems).toMatchObject([{ path: "duIds", code: "TOO_MANY_DU" }]);
  });

  it("ends the request of an activity that leaves the flow", async () => {
    const duIds = await dus(1);
    await set(project.pm, duIds);
    await db.owner`update flow_activity set activity_id = null where flow_id = ${project.flow.id} and activity_id = ${survey().id}`;
    await inProject(project.pm, project.number, (ctx) => syncBoundDus(ctx, project.flow.id, duIds, false));
    expect(await requests(duIds[0]!)).toMatchObject([{ status: "failed", code: "NO_ACTIVITY" }]);
    await db.owner`update flow_activity set activity_id = ${survey().id} where flow_id = ${project.flow.id} and activity_id is null`;
  });
});

describe("the electronic flow", () => {
  it("holds the request back until the approver decides, where the flow asks for approval [WOR-25]", async () => {
    await needsApproval();
    const duIds = await dus(1);
    const before = (await mails(pd.id)).length;
    expect((await set(project.worker, duIds)).data).toMatchObject({ requested: 1, approving: 1, taskId: null });
    const [request] = await requests(duIds[0]!);
    expect(request).toMatchObject({ status: "approving", approver_id: null });
    expect(request!.flow_no).toMatch(/^EF-\d{6}$/);
    expect((await mails(pd.id)).slice(before)).toHaveLength(1);
    expect((await notices(pd.id)).at(-1)).toBe(`work-orders.mail.naAsked /${project.number}/work-orders/electronic-flows`);
    expect(await bit(duIds[0]!, "na")).toBe(0);
    // Neither the applicant nor one without the right may decide it.
    expect(await call(project.worker, "activity/na/approve", { ids: [request!.id] })).toMatchObject({ status: 403 });
    const approved = await data(pd, "activity/na/approve", { ids: [request!.id], comment: "agreed" });
    expect(approved).toMatchObject({ done: 1, rejected: [] });
    expect(await requests(duIds[0]!)).toMatchObject([{ status: "processing", decided_by: pd.id, comment: "agreed" }]);
    await run(approved.taskId);
    expect(await requests(duIds[0]!)).toMatchObject([{ status: "done" }]);
    expect(await bit(duIds[0]!, "na")).toBe(1);
    expect((await mails(project.worker.id)).at(-1)).toContain("已处理");
    expect((await notices(project.worker.id)).at(-1)).toContain("work-orders.mail.naDone");
  });

  it("lets the one it is addressed to decide, never the applicant", async () => {
    await needsApproval();
    const duIds = await dus(2);
    expect(await set(project.pm, duIds, { approverId: project.viewer.id })).toMatchObject({ status: 422, code: "NOT_APPROVER" });
    expect(await set(project.pm, duIds, { approverId: project.pm.id })).toMatchObject({ code: "NOT_APPROVER" });
    await set(project.pm, [duIds[0]!]);
    const [own] = await ids(duIds[0]!);
    expect(await data(project.pm, "activity/na/approve", { ids: [own] })).toMatchObject({
      done: 0,
      rejected: [{ id: own, code: "NOT_APPROVER" }],
    });
    const other = await makeMember(db.owner, project.id, "DPD");
    await set(project.pm, [duIds[1]!], { approverId: other.id });
    const [addressed] = await ids(duIds[1]!);
    expect(await data(pd, "activity/na/approve", { ids: [addressed] })).toMatchObject({ rejected: [{ code: "NOT_APPROVER" }] });
    expect(await data(other, "activity/na/approve", { ids: [addressed] })).toMatchObject({ done: 1 });
    expect(await data(other, "activity/na/approve", { ids: [addressed] })).toMatchObject({ rejected: [{ code: "NOT_FOUND" }] });
  });

  it("ends a rejected request with its comment, and the activity can be asked for again", async () => {
    await needsApproval();
    const duIds = await dus(1);
    await set(project.worker, duIds);
    const asked = await ids(duIds[0]!);
    expect(await call(pd, "activity/na/reject", { ids: asked, comment: "" })).toMatchObject({
      problems: [{ path: "comment", code: "COMMENT_REQUIRED" }],
    });
    expect(await data(pd, "activity/na/reject", { ids: asked, comment: "still in the contract" })).toMatchObject({ done: 1 });
    expect(await requests(duIds[0]!)).toMatchObject([{ status: "rejected", comment: "still in the contract" }]);
    expect([await bit(duIds[0]!, "na"), await bit(duIds[0]!, "naRequest")]).toEqual([0, 0]);
    expect((await mails(project.worker.id)).at(-1)).toContain("驳回");
    expect((await set(project.worker, duIds)).data).toMatchObject({ requested: 1 });
  });

  it("is listed with its steps to whoever sees the orders, and tells who is to decide [WOR-02]", async () => {
    await needsApproval();
    const duIds = await dus(1);
    await set(project.worker, duIds);
    const [row] = await requests(duIds[0]!);
    const filters = encodeURIComponent(JSON.stringify([{ field: "search", type: "like", values: [row!.flow_no] }]));
    const list = async (user: CtxUser) => (await data(user, `electronFlow/list/1/20/default/${filters}`)).records;
    expect(await list(pd)).toMatchObject([
      {
        flowNo: row!.flow_no,
        kind: "NA",
        status: "approving",
        duId: duIds[0],
        activityName: "Survey",
        applicantName: project.worker.name,
        mayDecide: true,
      },
    ]);
    expect(await list(project.worker)).toMatchObject([{ mayDecide: false }]);
  });

  it("is listed for NA, INV and the end of NA, with who decided, what he wrote, and when it was carried out [WOR-02]", async () => {
    await needsApproval();
    const duIds = await dus(2);
    const code = async (duId: number) => (await db.owner`select code from du where id = ${duId}`)[0]!.code;
    const filters = encodeURIComponent(
      JSON.stringify([{ field: "search", type: "in", values: [await code(duIds[0]!), await code(duIds[1]!)] }]),
    );
    const list = async () => (await data(pd, `electronFlow/list/1/20/default/${filters}`)).records;
    const approve = async (asked: unknown[], comment: string) => {
      const { taskId } = await data(pd, "activity/na/approve", { ids: asked, comment });
      return run(taskId);
    };
    await set(project.worker, [duIds[0]!]);
    await set(project.worker, [duIds[1]!], { kind: "INV" });
    await approve([...(await ids(duIds[0]!)), ...(await ids(duIds[1]!))], "agreed");
    await cancel(project.worker, [duIds[0]!]);
    const open = { status: "approving", decidedByName: null, comment: null, decidedAt: null, doneAt: null };
    const ended = { status: "done", decidedByName: pd.name, decidedAt: clock, doneAt: expect.any(Date) };
    expect(await list()).toMatchObject([
      { kind: "cancel", duId: duIds[0], mayDecide: true, ...open },
      { kind: "INV", duId: duIds[1], mayDecide: false, ...ended, comment: "agreed" },
      { kind: "NA", duId: duIds[0], mayDecide: false, ...ended, comment: "agreed" },
    ]);
    await approve([(await ids(duIds[0]!)).at(-1)], "needed");
    expect((await list())[0]).toMatchObject({ kind: "cancel", ...ended, comment: "needed" });
  });

  it("is refused at the request where nobody but the applicant could approve it", async () => {
    await needsApproval();
    await db.owner`
      insert into role_permission (project_id, role, code, scope) select ${project.id}, r, 'activity.naApprove', '' from unnest(array['PD', 'DPD']) r`;
    expect((await set(project.pm, await dus(1))).data).toMatchObject({ requested: 0, rejected: [{ code: "APPROVER_REQUIRED" }] });
    await db.owner`delete from role_permission where project_id = ${project.id}`;
  });
});

describe("a cancelled background task", () => {
  it("that has not begun ends its requests as failed, frees their activities and tells who made them; running it again does nothing", async () => {
    const [du] = await dus(1);
    const { data: answer } = (await set(project.pm, [du!])) as { data: { taskId: string } };
    expect(await call(project.pm, `task/cancel/${answer.taskId}`)).toMatchObject({ status: 200, data: { cancelRequested: true } });
    expect(await requests(du!)).toMatchObject([{ status: "processing" }]);
    await run(answer.taskId);
    expect((await db.owner`select status from task where id = ${answer.taskId}`)[0]).toEqual({ status: "cancelled" });
    expect(await requests(du!)).toMatchObject([{ status: "failed", code: "TASK_CANCELLED" }]);
    expect([await bit(du!, "na"), await bit(du!, "naRequest")]).toEqual([0, 0]);
    await call(project.pm, `task/retry/${answer.taskId}`);
    await run(answer.taskId);
    expect(await bit(du!, "na")).toBe(0);
    await makeNa([du!]);
    expect(await bit(du!, "na")).toBe(1);
  });

  it("in the middle of its work keeps what it carried out and ends the rest", async () => {
    const duIds = await dus(naChunk / 2 + 1);
    const { data: answer } = (await set(project.pm, duIds, { activityIds: [survey().id, install().id] })) as { data: { taskId: string } };
    // The request to stop comes while the first part is carried out.
    const holder = await db.owner.reserve();
    await holder`begin`;
    await holder`select 1 from du where id = ${duIds[0]!} for update`;
    const running = run(answer.taskId);
    await expect.poll(async () => (await db.owner`select status from task where id = ${answer.taskId}`)[0]!.status).toBe("running");
    await db.owner`update task set cancel_requested = true where id = ${answer.taskId}`;
    await holder`rollback`;
    holder.release();
    await running;
    const states = await db.owner`
      select status, code, count(*)::int as count from na_request where du_id = any(${duIds}) group by 1, 2 order by 3`;
    expect([...states].at(-1)!.status).not.toBe("processing");
    expect(states.some(({ status, code }) => status === "failed" && code === "TASK_CANCELLED")).toBe(true);
    expect(states.some(({ status }) => status === "processing")).toBe(false);
    const [open] =
      await db.owner`select count(*)::int as count from du_plan where du_id = any(${duIds}) and (state[1] | state[2]) & (1 << 14) <> 0`;
    expect(open!.count).toBe(0);
    expect((await db.owner`select status from task where id = ${answer.taskId}`)[0]!.status).toBe("cancelled");
  });
});

describe("activity/na/cancel", () => {
  it("takes NA back in the background once that is approved: plan dates come back, the order is offered again [WOR-24] [WOR-26]", async () => {
    const duIds = await dus(1);
    const [id] = await dispatch(duIds);
    await makeNa(duIds);
    expect((await cancel(project.pm, duIds)).data).toMatchObject({ requested: 1, approving: 1, taskId: null });
    expect(await bit(duIds[0]!, "na")).toBe(1);
    const [, request] = await ids(duIds[0]!);
    const { taskId } = await data(pd, "activity/na/approve", { ids: [request] });
    expect([await bit(duIds[0]!, "na"), await bit(duIds[0]!, "naRequest")]).toEqual([1, 1]);
    expect((await requests(duIds[0]!)).at(-1)).toMatchObject({ id: request, status: "processing" });
    await run(taskId);
    expect((await requests(duIds[0]!)).at(-1)).toMatchObject({ id: request, status: "done" });
    expect([await bit(duIds[0]!, "na"), await bit(duIds[0]!, "naRequest"), await bit(duIds[0]!, "workOrder")]).toEqual([0, 0, 1]);
    expect(await order(id!)).toMatchObject({ status: "scheduled", planStart: "2026-10-15", na: "none" });
    expect((await cancel(project.pm, duIds)).data).toMatchObject({ rejected: [{ code: "NOT_NA" }] });
  });

  it("is for PM, TD, PCM and TL, and for DOC_PD on the milestones marked for it [WOR-27]", async () => {
    const allowed = ["PM", "TD", "PCM", "TL"] as const;
    const duIds = await dus(allowed.length + 1);
    const { data: answer } = await set(project.pm, duIds, { activityIds: [survey().id, install().id] });
    await run((answer as { taskId: string }).taskId);
    for (const [at, role] of allowed.entries()) {
      const user = await makeMember(db.owner, project.id, role);
      expect((await cancel(user, [duIds[at]!])).data, role).toMatchObject({ requested: 1, rejected: [] });
    }
    const last = [duIds.at(-1)!];
    const both = { activityIds: [survey().id, install().id] };
    for (const role of roles.filter((code) => code !== "DOC_PD" && !(allowed as readonly string[]).includes(code)))
      expect(await cancel(await makeMember(db.owner, project.id, role), last), role).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect((await cancel(docPd, last, both)).data).toMatchObject({
      requested: 0,
      rejected: [{ code: "NO_PERMISSION" }, { code: "NO_PERMISSION" }],
    });
    // Neither a mark on what is no milestone nor a milestone without the mark is enough.
    await db.owner`
      update flow_activity set doc_pd_may_cancel_na = activity_id = ${survey().id}, is_milestone = activity_id = ${install().id}
      where flow_id = ${project.flow.id} and activity_id in (${survey().id}, ${install().id})`;
    expect((await cancel(docPd, last, both)).data).toMatchObject({ requested: 0 });
    await db.owner`update flow_activity set is_milestone = true where flow_id = ${project.flow.id} and activity_id = ${survey().id}`;
    expect((await cancel(docPd, last, both)).data).toMatchObject({
      requested: 1,
      rejected: [{ duId: last[0], activityId: install().id, code: "NO_PERMISSION" }],
    });
  });
});
