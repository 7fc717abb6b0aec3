import { beforeEach, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { messageChars, recipientsMax } from "#lib/plan-versions/distributions/limits.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeResource, makeSubcontractor } from "../../../support/factories.ts";
import { expectSameWhenTakenUp } from "../../../support/take-up.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { done } from "../../scheduling/make-scheduled.ts";
import { type Distributed, mailsOf, makeDistributed } from "../make-distributions.ts";

const db = useDatabase();
useFiles();
let made: Distributed;
const { run, workbook } = importsOf(db, () => ({ project: made.project, user: made.pm }));

beforeEach(async () => {
  made = await makeDistributed(db.owner);
});

const call = (address: string, input: object = {}, user: CtxUser = made.pm, now = clock) =>
  callAs(user, address, input, { project: made.project.number, now });
const send = (recipients: object[], more: object = {}, user = made.pm) =>
  call("planDistribution/send", { versionId: made.versionId, recipients, ...more }, user);
const list = async (user = made.pm, filters: object[] = []) =>
  (await done(call(`planDistribution/list/1/50/default/${encodeURIComponent(JSON.stringify(filters))}`, {}, user))).records;
const rowsOf = async (id: number, user: CtxUser) => done(call("planDistribution/rows", { id }, user));

describe("planDistribution/send", () => {
  test("tells each recipient of the DUs he may see, with a mail that leads to his list [VER-03]", async () => {
    const { subcon, company, pm, dus } = made;
    const counts = await done(
      call("planDistribution/count", {
        versionId: made.versionId,
        recipients: [{ subcontractorId: company }, { userId: pm.id }, { email: "a@b.example" }],
      }),
    );
    expect(counts.map(({ kind, dus: told, activities, code }: never) => [kind, told, activities, code])).toEqual([
      ["company", 2, 4, null],
      ["user", 3, 6, null],
      ["email", 3, 6, null],
    ]);
    const { ids, taskId } = await done(send([{ subcontractorId: company }], { message: "please check", dueDate: "2026-10-16" }));
    expect(taskId).toBeNull();
    expect(await list()).toEqual([
      expect.objectContaining({
        id: ids[0],
        versionName: "W42",
        recipientKind: "company",
        duCount: 2,
        activityCount: 4,
        status: "sent",
        dueDate: "2026-10-16",
        message: "please check",
        sentByName: pm.name,
        mine: false,
        answered: 0,
      }),
    ]);
    const mails = await mailsOf(db.owner, made.project.id);
    expect(mails.map(({ address, kind }) => `${address} ${kind}`)).toEqual([`${subcon.email} planDistribution.sent`]);
    expect(mails[0]!.text).toContain("/plan-versions/distributions");
    expect(mails[0]!.text).toContain("please check");
    expect(await db.owner`select user_id, kind, body from notice where project_id = ${made.project.id}`).toEqual([
      { user_id: subcon.id, kind: "planDistribution.sent", body: "please check" },
    ]);
    const told = await rowsOf(ids[0], subcon);
    expect(told.records.map(({ duId, duCode }: never) => [duId, duCode])).toEqual([
      [dus[0], "N-1"],
      [dus[1], "N-2"],
    ]);
    expect(told.records[0].activities).toEqual([
      expect.objectContaining({ name: "arrival", planStart: "2026-10-20", planEnd: "2026-10-20" }),
      expect.objectContaining({ name: "build", planStart: "2026-10-26", planEnd: "2026-10-26" }),
    ]);
  });

  test("takes the DUs its filters choose", async () => {
    const { company } = made;
    const filters = [
      { field: "subcontractorId", type: "in", values: [company] },
      { field: "search", type: "like", values: ["n-2"] },
    ];
    const { ids } = await done(send([{ userId: made.pm.id }], { filters }));
    expect((await rowsOf(ids[0], made.pm)).records.map(({ duCode }: never) => duCode)).toEqual(["N-2"]);
  });

  test("refuses who is no recipient and who would see nothing, and sends to nobody then", async () => {
    const stranger = await makeMember(db.owner, (await makeProject(db.owner)).id, "PM");
    const idle = await makeSubcontractor(db.owner, made.project.id);
    const answer = await send([
      { userId: made.pm.id },
      { userId: stranger.id },
      { subcontractorId: idle },
      { subcontractorId: 999_999 },
      { email: "no address" },
    ]);
    expect(answer).toMatchObject({ status: 422, code: "NO_RECIPIENT" });
    expect(answer.problems!.map(({ path, code }) => `${path} ${code}`)).toEqual([
      "recipients.1 NOT_MEMBER",
      "recipients.2 NO_RECIPIENT",
      "recipients.3 SUBCONTRACTOR_UNKNOWN",
      "recipients.4 EMAIL_INVALID",
    ]);
    expect(await list()).toEqual([]);
    expect(await mailsOf(db.owner, made.project.id)).toEqual([]);
  });

  test("knows its bounds: recipients, message, due date, and only what is published", async () => {
    const problem = async (recipients: object[], more: object = {}) =>
      (await send(recipients, more)).problems?.map(({ path, code }) => `${path} ${code}`).join();
    const me = { userId: made.pm.id };
    expect(await problem([])).toBe("recipients NO_RECIPIENT");
    expect(await problem([{ ...me, email: "a@b.example" }])).toBe("recipients.0 NO_RECIPIENT");
    expect(await problem(Array(recipientsMax + 1).fill(me))).toBe("recipients TOO_MANY");
    expect(await problem([me], { message: "x".repeat(messageChars + 1) })).toBe("message VALUE_TOO_LONG");
    expect(await send([me], { dueDate: "2026-10-13" })).toMatchObject({ status: 422, code: "END_PAST" });
    expect(await send([me], { dueDate: "2026-10-14", message: "x".repeat(messageChars) })).toMatchObject({ status: 200 });
    expect(await send(Array(recipientsMax).fill(me))).toMatchObject({ status: 200 });
    const { id } = await done(call("dataVersion/save", { kind: "baseline", name: "B" }));
    expect(await call("planDistribution/send", { versionId: id, recipients: [me] })).toMatchObject({ status: 422, code: "WRONG_STATUS" });
    expect(await call("planDistribution/send", { versionId: 999_999, recipients: [me] })).toMatchObject({ status: 404 });
    expect(await send([me], {}, made.subcon)).toMatchObject({ status: 403 });
  });

  test("gives an address outside the rows as a workbook, once", async () => {
    const { ids, taskId } = await done(send([{ email: "partner@example.org" }]));
    const task = await run(taskId);
    await expectSameWhenTakenUp(db, taskId, run);
    expect(task).toMatchObject({ status: "succeeded", done_count: 1 });
    const mails = await mailsOf(db.owner, made.project.id);
    expect(mails.filter(({ kind }) => kind === "planDistribution.sent")).toEqual([
      expect.objectContaining({ address: "partner@example.org", files: 1 }),
    ]);
    const [file] = await db.owner`select file_id from plan_distribution where id = ${ids[0]}`;
    const [, heads, ...rows] = await workbook(file!.file_id);
    expect(heads!.slice(0, 8)).toEqual([
      "DU ID",
      "DU name",
      "Activity",
      "Plan start",
      "Plan end",
      "Proposed start",
      "Proposed end",
      "Remark",
    ]);
    expect(rows).toHaveLength(6);
    expect(rows[1]!.slice(0, 3)).toEqual(["N-1", "North 1", "build"]);
    await db.owner`update task set status = 'queued', attempt = 0 where id = ${taskId}`;
    await run(taskId);
    expect((await mailsOf(db.owner, made.project.id)).filter(({ kind }) => kind === "planDistribution.sent")).toHaveLength(1);
  });
});

describe("a recipient", () => {
  test("sees what was sent to him or his company, of it only the DUs he may see today, and nothing else", async () => {
    const { subcon, company, dus } = made;
    const colleague = await makeMember(db.owner, made.project.id, "SUBCON");
    await makeResource(db.owner, made.project.id, colleague.id, { subcontractorId: company });
    const other = await makeMember(db.owner, made.project.id, "SUBCON_PM");
    await makeSubcontractor(db.owner, made.project.id, [other.id]);
    const { ids } = await done(send([{ subcontractorId: company }, { userId: made.pm.id }]));
    expect((await list(subcon)).map(({ id, mine }: never) => [id, mine])).toEqual([[ids[0], true]]);
    expect((await list(colleague)).map(({ id }: never) => id)).toEqual([ids[0]]);
    expect(await list(other)).toEqual([]);
    expect(await call("planDistribution/rows", { id: ids[0] }, other)).toMatchObject({ status: 404 });
    expect(await call("planDistribution/open", { id: ids[1] }, subcon)).toMatchObject({ status: 404 });
    await db.owner`update du set subcontractor_id = null where id = ${dus[1]!}`;
    expect((await rowsOf(ids[0], subcon)).records.map(({ duCode }: never) => duCode)).toEqual(["N-1"]);
  });

  test("opens it; who sent it does not", async () => {
    const { ids } = await done(send([{ subcontractorId: made.company }]));
    expect(await done(call("planDistribution/open", { id: ids[0] }))).toEqual({ status: "sent" });
    expect(await done(call("planDistribution/open", { id: ids[0] }, made.subcon))).toEqual({ status: "opened" });
    expect((await list()).map(({ status }: never) => status)).toEqual(["opened"]);
  });
});

describe("planDistribution/close and remind", () => {
  test("closes once, and reminds those who have not answered", async () => {
    const { subcon, company } = made;
    const { ids } = await done(send([{ subcontractorId: company }, { userId: made.pm.id }]));
    await done(call("planFeedback/submit", { distributionId: ids[1], rows: [{ du: "N-1", activity: "build", remark: "fine" }] }));
    const later = new Date(clock.getTime() + 60_000);
    expect(await done(call("planDistribution/remind", { ids }, made.pm, later))).toEqual({ reminded: 1, mails: 1 });
    const reminders = (await mailsOf(db.owner, made.project.id)).filter(({ kind }) => kind === "planDistribution.reminder");
    expect(reminders.map(({ address }) => address)).toEqual([subcon.email]);
    expect((await list()).map(({ remindedAt }: never) => remindedAt)).toEqual([null, later]);
    expect(await done(call("planDistribution/close", { ids }))).toEqual({ closed: 2 });
    expect((await list()).map(({ status }: never) => status)).toEqual(["closed", "closed"]);
    for (const address of ["planDistribution/close", "planDistribution/remind"]) {
      expect(await call(address, { ids })).toMatchObject({ status: 422, code: "DISTRIBUTION_CLOSED" });
      expect(await call(address, { ids: [999_999] })).toMatchObject({ status: 404 });
      expect(await call(address, { ids }, subcon)).toMatchObject({ status: 403 });
    }
  });
});
