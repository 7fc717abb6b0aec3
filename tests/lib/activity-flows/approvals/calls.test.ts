import { beforeEach, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { grantRole } from "../../../support/factories.ts";
import { unsaidDus } from "../../../support/mail-words.ts";
import { calls, delegate, join, makeOldDus, makeScene, type Scene, toNext } from "../changes/scene.ts";
import { done } from "../make-flow.ts";

const database = useDatabase();
let scene: Scene;
let call: ReturnType<typeof calls>;

beforeEach(async () => {
  scene = await makeScene(database.owner);
  call = calls(scene);
});

const worked = { plan: { 1: { actual_end: "2026-09-22" } } };
const makeDu = async (): Promise<number> => (await makeOldDus(database.owner, scene, [worked]))[0]!;
const submit = async (given: object = {}, by: CtxUser = scene.pm): Promise<number> =>
  (await done(call.submit(by, { ...toNext(scene, await makeDu()), approverId: scene.pd.id, ...given }))).id;
const status = async (id: number) => (await database.owner`select status from du_change where id = ${id}`)[0]!.status as string;
const takeRole = (user: CtxUser, role: string) =>
  database.owner`update project_member set valid_to = '2026-10-13' where project_id = ${scene.id} and user_id = ${user.id} and role = ${role}`;
const mails = async () =>
  (
    await database.owner<{ to: string; subject: string }[]>`
      select m.to_address as to, b.subject from mail_outbox m join mail_body b on b.id = m.body_id where m.project_id = ${scene.id} order by m.id`
  ).map(({ to, subject }) => `${to} ${subject.replace(/^\[\w+\] /, "")}`);
const english = () => database.owner`update app_user set language = 'en'`;

describe("who approves", () => {
  it("is the addressed PD or DPD; nobody else of the project carries the change out [FLW-23]", async () => {
    const id = await submit();
    for (const other of [
      scene.pm,
      scene.tl,
      scene.dpd,
      await join(database.owner, scene, "PD"),
      await join(database.owner, scene, "PROJECT_ADMIN"),
    ])
      expect(await call.approve(other, [id])).toMatchObject({ status: 422, code: "NOT_APPROVER" });
    expect(await status(id)).toBe("approving");
    expect(await done(call.approve(scene.pd, [id], "Agreed"))).toMatchObject({ decided: 1, done: 1 });
    expect(await done(call.find(scene.pm, id))).toMatchObject({
      status: "done",
      decidedByName: scene.pd.name,
      comment: "Agreed",
      events: [{ event: "submit", toName: scene.pd.name }, { event: "approve", comment: "Agreed" }, { event: "apply" }],
    });
    const byDpd = await submit({ approverId: scene.dpd.id });
    expect((await done(call.approve(scene.dpd, [byDpd]))).done).toBe(1);
  });

  it("is asked for by name: a PM, a stranger and the submitter himself are refused [FLW-22] [FLW-23]", async () => {
    const du = await makeDu();
    const refusal = async (by: CtxUser, approverId?: number) => {
      const answer = await call.submit(by, { ...toNext(scene, du), ...(approverId && { approverId }) });
      return answer.problems?.map(({ path, code }) => `${path} ${code}`);
    };
    expect(await refusal(scene.pm)).toEqual(["approverId APPROVER_REQUIRED"]);
    expect(await refusal(scene.pm, scene.tl.id)).toEqual(["approverId INVALID_TARGET"]);
    expect(await refusal(scene.pm, (await makeScene(database.owner)).pd.id)).toEqual(["approverId INVALID_TARGET"]);
    await grantRole(database.owner, scene.id, scene.pm.id, "PD");
    expect(await refusal(scene.pm, scene.pm.id)).toEqual(["approverId INVALID_TARGET"]);
    expect(await database.owner`select 1 from du_change where project_id = ${scene.id}`).toHaveLength(0);
  });

  it("is nobody in a project without PD and DPD: the change is refused", async () => {
    const du = await makeDu();
    await takeRole(scene.pd, "PD");
    await database.owner`update app_user set active = false where id = ${scene.dpd.id}`;
    expect((await done(call.check(scene.pm, toNext(scene, du)))).approvers).toEqual([]);
    expect(await call.submit(scene.pm, { ...toNext(scene, du), approverId: scene.pd.id })).toMatchObject({
      status: 422,
      code: "APPROVER_REQUIRED",
    });
    await grantRole(database.owner, scene.id, scene.pm.id, "PD");
    expect(await call.submit(scene.pm, { ...toNext(scene, du), approverId: scene.pm.id })).toMatchObject({ code: "APPROVER_REQUIRED" });
  });

  it("is a role that has the right in the project", async () => {
    await database.owner`
      insert into role_permission (project_id, role, code, scope) values (${scene.id}, 'DPD', 'duChange.approve', '')`;
    const { approvers } = await done(call.check(scene.pm, toNext(scene, await makeDu())));
    expect(approvers.map(({ id }: { id: number }) => id)).toEqual([scene.pd.id]);
  });

  it("may no longer decide once he has lost the role", async () => {
    const id = await submit();
    await takeRole(scene.pd, "PD");
    await grantRole(database.owner, scene.id, scene.pd.id, "TD");
    for (const answer of [
      await call.approve(scene.pd, [id]),
      await call.reject(scene.pd, [id]),
      await call.transfer(scene.pd, id, scene.dpd.account),
    ])
      expect(answer).toMatchObject({ status: 403, code: "ROLE_CHANGED" });
    expect(await status(id)).toBe("approving");
  });
});

describe("a delegate", () => {
  it("decides what is addressed to who named him, while the delegation lasts [FLW-23] [FLW-24]", async () => {
    // May see changes and decide none of his own right.
    const helper = await join(database.owner, scene, "PPM");
    const [first, second] = [await submit(), await submit()];
    const inbox = async () => (await done(call.list(helper, [{ field: "mine", type: "eq", values: [true] }]))).records.length;
    expect([(await call.approve(helper, [first])).code, await inbox()]).toEqual(["NOT_APPROVER", 0]);
    await delegate(database.owner, scene, scene.pd, "PD", helper);
    expect(await inbox()).toBe(2);
    expect((await done(call.find(helper, first))).mayTransfer).toBe(true);
    expect((await done(call.approve(helper, [first]))).done).toBe(1);
    const toDpd = await submit({ approverId: scene.dpd.id });
    expect(await call.approve(helper, [toDpd])).toMatchObject({ code: "NOT_APPROVER" });
    await database.owner`update role_delegation set revoked_at = ${clock} where delegate_id = ${helper.id}`;
    expect(await call.approve(helper, [second])).toMatchObject({ code: "NOT_APPROVER" });
  });

  it("can be asked himself, and is not once the delegation has ended or its giver has lost the role [FLW-23] [FLW-24]", async () => {
    const helper = await join(database.owner, scene, "SCM");
    await delegate(database.owner, scene, scene.dpd, "DPD", helper);
    const { approvers } = await done(call.check(scene.pm, toNext(scene, await makeDu())));
    expect(approvers.find(({ id }: { id: number }) => id === helper.id)).toMatchObject({
      role: "DPD",
      delegateOf: { name: scene.dpd.name },
    });
    const [one, two] = [await submit({ approverId: helper.id }), await submit({ approverId: helper.id })];
    expect((await done(call.approve(helper, [one]))).done).toBe(1);
    await takeRole(scene.dpd, "DPD");
    expect(await call.approve(helper, [two])).toMatchObject({ code: "ROLE_CHANGED" });
  });

  it("never decides his own change, whoever he stands for", async () => {
    await delegate(database.owner, scene, scene.pd, "PD", scene.pm);
    const id = await submit();
    expect(await call.approve(scene.pm, [id])).toMatchObject({ code: "NOT_APPROVER" });
    expect((await done(call.list(scene.pm))).records[0]).toMatchObject({ mayDecide: false, mayTransfer: false, mayWithdraw: true });
  });
});

describe("a TL co-approver", () => {
  it("is asked first, then the approver; each sees the change when it is his turn", async () => {
    const id = await submit({ tlApproverId: scene.tl.id });
    const inbox = async (user: CtxUser) => (await done(call.list(user, [{ field: "mine", type: "eq", values: [true] }]))).records.length;
    expect([await inbox(scene.tl), await inbox(scene.pd)]).toEqual([1, 0]);
    expect(await call.approve(scene.pd, [id])).toMatchObject({ code: "NOT_APPROVER" });
    expect(await done(call.approve(scene.tl, [id]))).toMatchObject({ decided: 1, done: 0 });
    expect([await status(id), await inbox(scene.tl), await inbox(scene.pd)]).toEqual(["approving", 0, 1]);
    expect(await call.approve(scene.tl, [id])).toMatchObject({ code: "NOT_APPROVER" });
    expect((await done(call.approve(scene.pd, [id]))).done).toBe(1);
  });

  it("ends the change by rejecting it, and must hold TL when he is named and when he answers", async () => {
    const id = await submit({ tlApproverId: scene.tl.id });
    await done(call.reject(scene.tl, [id]));
    expect(await status(id)).toBe("rejected");
    const du = await makeDu();
    for (const tlApproverId of [scene.pd.id, scene.pm.id])
      expect((await call.submit(scene.pm, { ...toNext(scene, du), approverId: scene.pd.id, tlApproverId })).problems).toMatchObject([
        { path: "tlApproverId", code: "INVALID_TARGET" },
      ]);
    expect((await call.submit(scene.tl, { ...toNext(scene, du), approverId: scene.pd.id, tlApproverId: scene.tl.id })).code).toBe(
      "INVALID_TARGET",
    );
    const other = await submit({ tlApproverId: scene.tl.id });
    await takeRole(scene.tl, "TL");
    await grantRole(database.owner, scene.id, scene.tl.id, "TD");
    expect(await call.approve(scene.tl, [other])).toMatchObject({ code: "ROLE_CHANGED" });
  });

  it("is found by duChange/getTLApprover: valid holders of TL but the caller [FLW-35]", async () => {
    const second = await join(database.owner, scene, "TL");
    await grantRole(database.owner, scene.id, (await join(database.owner, scene, "TD")).id, "TL", "2026-10-13");
    const find = async (user: CtxUser) =>
      (await done(callAs(user, "duChange/getTLApprover", { duIds: [] }, { project: scene.number })))
        .map(({ account }: { account: string }) => account)
        .sort();
    expect(await find(scene.pm)).toEqual([scene.tl.account, second.account].sort());
    expect(await find(scene.tl)).toEqual([second.account]);
  });
});

describe("a rejection", () => {
  it("needs a comment, leaves the DU as it was and free for another change [FLW-09]", async () => {
    const du = await makeDu();
    const change = { ...toNext(scene, du), approverId: scene.pd.id };
    const { id } = await done(call.submit(scene.pm, change));
    expect((await call.reject(scene.pd, [id], "  ")).problems).toMatchObject([{ path: "comment", code: "COMMENT_REQUIRED" }]);
    expect(await call.reject(scene.dpd, [id])).toMatchObject({ code: "NOT_APPROVER" });
    const before = await database.owner`select * from du_plan where du_id = ${du}`;
    await done(call.reject(scene.pd, [id], "Wait for the landlord"));
    expect(await database.owner`select * from du_plan where du_id = ${du}`).toEqual(before);
    expect(await done(call.find(scene.pm, id))).toMatchObject({ status: "rejected", comment: "Wait for the landlord" });
    expect(await call.approve(scene.pd, [id])).toMatchObject({ code: "WRONG_STATUS" });
    await done(call.submit(scene.pm, change));
  });
});

describe("several changes at once", () => {
  it("are decided together; what is not the caller's stays and is named", async () => {
    const [one, two, theirs] = [await submit(), await submit(), await submit({ approverId: scene.dpd.id })];
    const answer = await done(call.approve(scene.pd, [one, theirs, two]));
    expect(answer).toMatchObject({ decided: 2, done: 2, rejected: [{ id: theirs, code: "NOT_APPROVER" }] });
    expect([await status(one), await status(two), await status(theirs)]).toEqual(["done", "done", "approving"]);
    const many = Array.from({ length: 21 }, (_, at) => at + 1);
    expect((await call.approve(scene.pd, many)).problems).toMatchObject([{ path: "ids", code: "TOO_MANY", params: { max: 20 } }]);
    expect(
      await call.approve(
        scene.pd,
        many.slice(0, 20).map((id) => id + 900_000),
      ),
    ).toMatchObject({ status: 404 });
    expect(await call.approve(scene.pd, [])).toMatchObject({ status: 400 });
  });
});

describe("passing an approval on", () => {
  it("goes to PD, DPD and their delegates, but neither to the submitter nor to the present approver [FLW-34]", async () => {
    const helper = await join(database.owner, scene, "SCM");
    await delegate(database.owner, scene, scene.dpd, "DPD", helper);
    await grantRole(database.owner, scene.id, scene.pm.id, "DPD");
    await grantRole(database.owner, scene.id, (await join(database.owner, scene, "TD")).id, "PD", "2026-10-13");
    const id = await submit();
    const find = (user: CtxUser, changeId: number) => callAs(user, "duChange/getTransferApprover", { changeId }, { project: scene.number });
    const targets = await done(find(scene.pd, id));
    expect(targets).toEqual([
      { account: scene.dpd.account, name: scene.dpd.name, role: "DPD" },
      { account: helper.account, name: helper.name, role: "DPD", delegateOf: scene.dpd.name },
    ]);
    const stranger = await join(database.owner, scene, "CM");
    expect(await find(stranger, id)).toMatchObject({ code: "NOT_APPROVER" });
    expect(await find(scene.pd, 999_999)).toMatchObject({ status: 404 });
  });

  it("reaches a delegate who is offered: he decides, and nobody else [FLW-34] [FLW-36]", async () => {
    const helper = await join(database.owner, scene, "SCM");
    await delegate(database.owner, scene, scene.dpd, "DPD", helper);
    const id = await submit();
    const targets = await done(callAs(scene.pd, "duChange/getTransferApprover", { changeId: id }, { project: scene.number }));
    const offered = targets.find((target: { delegateOf?: string }) => target.delegateOf === scene.dpd.name);
    await done(call.transfer(scene.pd, id, offered.account));
    for (const other of [scene.pd, scene.dpd]) expect(await call.approve(other, [id])).toMatchObject({ code: "NOT_APPROVER" });
    expect((await done(call.approve(helper, [id]))).done).toBe(1);
    expect(await done(call.find(scene.pm, id))).toMatchObject({ status: "done", decidedByName: helper.name });
  });

  it("makes the new one the only one to decide, and keeps the history [FLW-36]", async () => {
    const id = await submit();
    expect(await call.transfer(scene.dpd, id, scene.dpd.account)).toMatchObject({ code: "NOT_APPROVER" });
    for (const account of [scene.pm.account, scene.pd.account, scene.tl.account, "nobody"])
      expect(await call.transfer(scene.pd, id, account)).toMatchObject({ status: 422, code: "INVALID_TARGET" });
    await done(call.transfer(scene.pd, id, scene.dpd.account));
    expect(await call.approve(scene.pd, [id])).toMatchObject({ code: "NOT_APPROVER" });
    await done(call.transfer(scene.dpd, id, scene.pd.account));
    await done(call.transfer(scene.pd, id, scene.dpd.account));
    expect((await done(call.approve(scene.dpd, [id]))).done).toBe(1);
    const { events, approverName } = await done(call.find(scene.pm, id));
    expect(approverName).toBe(scene.dpd.name);
    expect(
      events
        .filter(({ event }: { event: string }) => event === "transfer")
        .map(({ actorName, toName }: { actorName: string; toName: string }) => `${actorName} ${toName}`),
    ).toEqual([`${scene.pd.name} ${scene.dpd.name}`, `${scene.dpd.name} ${scene.pd.name}`, `${scene.pd.name} ${scene.dpd.name}`]);
    expect(await call.transfer(scene.dpd, id, scene.pd.account)).toMatchObject({ code: "WRONG_STATUS" });
  });
});

describe("a withdrawal", () => {
  it("is the submitter's; others may once the submitter or the approver has gone, when they may bind every DU", async () => {
    const other = await join(database.owner, scene, "PCM");
    const id = await submit();
    for (const user of [other, scene.tl]) expect(await call.withdraw(user, [id])).toMatchObject({ code: "NOT_APPROVER" });
    expect(await call.withdraw(scene.pd, [id])).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect((await done(call.list(other))).records[0].mayWithdraw).toBe(false);
    await done(call.withdraw(scene.pm, [id]));
    expect(await status(id)).toBe("withdrawn");

    const orphan = await submit();
    await takeRole(scene.pd, "PD");
    expect(await call.withdraw(scene.tl, [orphan])).toMatchObject({ code: "NOT_APPROVER" });
    expect((await done(call.list(other))).records[0].mayWithdraw).toBe(true);
    await done(call.withdraw(other, [orphan]));
    expect(await status(orphan)).toBe("withdrawn");

    const left = await submit({ approverId: scene.dpd.id });
    await takeRole(scene.pm, "PM");
    await done(call.withdraw(other, [left]));
    expect(await call.withdraw(other, [left])).toMatchObject({ code: "WRONG_STATUS" });
  });
});

describe("mails", () => {
  it("tell who is asked, who is asked next, and what became of the change", async () => {
    await english();
    const id = await submit({ tlApproverId: scene.tl.id });
    await done(call.approve(scene.tl, [id]));
    await done(call.transfer(scene.pd, id, scene.dpd.account));
    await done(call.approve(scene.dpd, [id]));
    const rejected = await submit();
    await done(call.reject(scene.pd, [rejected]));
    const taken = await submit();
    await done(call.withdraw(scene.pm, [taken]));
    const to = (user: CtxUser) => `${user.account}@example.com`;
    expect(await mails()).toEqual([
      `${to(scene.tl)} DUC-0001: a flow change of 1 DU waits for your consent`,
      `${to(scene.pd)} DUC-0001: a flow change of 1 DU waits for your approval`,
      `${to(scene.dpd)} DUC-0001: the approval of a flow change of 1 DU was passed on to you`,
      `${to(scene.pm)} DUC-0001: your flow change of 1 DU is carried out`,
      `${to(scene.pd)} DUC-0002: a flow change of 1 DU waits for your approval`,
      `${to(scene.pm)} DUC-0002: your flow change of 1 DU was rejected`,
      `${to(scene.pd)} DUC-0003: a flow change of 1 DU waits for your approval`,
      `${to(scene.pd)} DUC-0003: a flow change of 1 DU was withdrawn`,
    ]);
    const told = await database.owner<{ user_id: number; title: string; link: string }[]>`
      select user_id, title, link from notice where project_id = ${scene.id} order by id`;
    expect(told.map(({ user_id, title }) => [user_id, title.split(".").at(-1)])).toEqual([
      [scene.tl.id, "askedFirst"],
      [scene.pd.id, "asked"],
      [scene.dpd.id, "transferred"],
      [scene.pm.id, "done"],
      [scene.pd.id, "asked"],
      [scene.pm.id, "rejected"],
      [scene.pd.id, "asked"],
      [scene.pd.id, "withdrawn"],
    ]);
    expect(told[0]!.link).toContain(`/activity-flows/changes/approvals?change=${id}`);
    const [body] = await database.owner`select "text" from mail_body where project_id = ${scene.id} order by id limit 1`;
    expect(body!.text).toContain("New build → Swap flow");
    expect(body!.text).toContain("Scope changed");
    expect(await unsaidDus(database.owner, scene.id)).toEqual({ told: expect.toSatisfy((count) => count > 0), unsaid: [] });
    expect(body!.text).toContain(`/activity-flows/changes/approvals?change=${id}`);
  });

  it("are not sent for a change that is refused", async () => {
    await call.submit(scene.pm, { ...toNext(scene, await makeDu()), approverId: scene.tl.id });
    expect(await mails()).toEqual([]);
  });
});

describe("two at the same moment", () => {
  it("change a DU once", async () => {
    const du = (await makeOldDus(database.owner, scene, [{}]))[0]!;
    const answers = await Promise.all([1, 2, 3].map(() => call.submit(scene.pm, toNext(scene, du))));
    expect(answers.map((answer) => answer.code ?? "ok").sort()).toEqual(["ALREADY_CHANGED", "ALREADY_CHANGED", "ok"]);
    expect(await database.owner`select 1 from du_flow where du_id = ${du}`).toHaveLength(2);
  });

  it("submit one change that waits", async () => {
    const du = await makeDu();
    const answers = await Promise.all([1, 2, 3].map(() => call.submit(scene.pm, { ...toNext(scene, du), approverId: scene.pd.id })));
    expect(answers.map((answer) => answer.code ?? "ok").sort()).toEqual(["CHANGE_IN_PROGRESS", "CHANGE_IN_PROGRESS", "ok"]);
  });

  it("decide a change once: the approver and his delegate, and a withdrawal between them", async () => {
    const helper = await join(database.owner, scene, "SCM");
    await delegate(database.owner, scene, scene.pd, "PD", helper);
    const id = await submit();
    const answers = await Promise.all([call.approve(scene.pd, [id]), call.approve(helper, [id]), call.withdraw(scene.pm, [id])]);
    expect(answers.map((answer) => answer.code ?? "ok").sort()).toEqual(["WRONG_STATUS", "WRONG_STATUS", "ok"]);
  });

  it("an edit saved while the change is approved is either in the log of the deletion or refused, never lost", async () => {
    const owner = scene.pm;
    for (let round = 0; round < 6; round++) {
      const [du] = (await makeOldDus(database.owner, scene, [worked])) as [number];
      const { id } = await done(call.submit(scene.pm, { ...toNext(scene, du), approverId: scene.pd.id }));
      const edit = {
        edits: [{ duId: du, activityId: scene.activities[1]!.id, field: "planEnd", value: "2026-10-20", base: null }],
      };
      const [saved, approved] = await Promise.all([
        callAs(owner, "rolloutPlan/save", edit, { project: scene.number }),
        call.approve(scene.pd, [id]),
      ]);
      expect(approved).toMatchObject({ status: 200, data: { done: 1 } });
      const [row] = await database.owner`select plan_end from du_plan where du_id = ${du}`;
      // A kind that held nothing is not written: it may stand as zeros.
      expect((row!.plan_end ?? []).some((value: number) => value !== 0)).toBe(false);
      const [log] = await database.owner`
        select l.cells, l.old from plan_log l join plan_batch b on b.id = l.batch_id where l.du_id = ${du} and b.source = 'flow' order by b.seq desc limit 1`;
      const at = (log!.cells as number[]).indexOf(2 * 16 + 2);
      if ((saved.data as { saved: number }).saved === 1) expect(log!.old[at]).toBe(9789);
      else {
        expect(saved.data).toMatchObject({ rejected: [{ code: "NO_ACTIVITY" }] });
        expect(at).toBe(-1);
      }
    }
  });

  it("a direct unbind and a change of one DU: one of them", async () => {
    const du = (await makeOldDus(database.owner, scene, [{}]))[0]!;
    const answers = await Promise.all([
      callAs(scene.pm, "duFlow/unbind", { duIds: [du] }, { project: scene.number }),
      call.submit(scene.pm, toNext(scene, du)),
    ]);
    const open = await database.owner`select flow_id from du_flow where du_id = ${du} and unbound_at is null`;
    if (answers[0]!.status === 200 && answers[1]!.status === 200) expect(open).toHaveLength(0);
    else expect([answers[1]!.code, open.length]).toEqual(["NOT_BOUND", 0]);
  });
});
