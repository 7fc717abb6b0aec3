import { beforeEach, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { answerRowsMax, feedbackPerCall, rawTextChars } from "#lib/plan-versions/feedback/limits.ts";
import { stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeSubcontractor } from "../../../support/factories.ts";
import { unsaidDus } from "../../../support/mail-words.ts";
import { meanwhile } from "../../../support/meanwhile.ts";
import { makeDuOwner, setSwitch } from "../../../support/plan-factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { done } from "../../scheduling/make-scheduled.ts";
import { type Distributed, mailsOf, makeDistributed } from "../make-distributions.ts";

const db = useDatabase();
useFiles();
let made: Distributed;
let sent: number;
const imports = importsOf(db, () => ({ project: made.project, user: made.pm }));

beforeEach(async () => {
  await db.owner`delete from rate_limit`;
  made = await makeDistributed(db.owner);
  sent = (
    await done(
      call("planDistribution/send", { versionId: made.versionId, recipients: [{ subcontractorId: made.company }], dueDate: "2026-10-16" }),
    )
  ).ids[0];
});

const call = (address: string, input: object = {}, user: CtxUser = made.pm, now = clock) =>
  callAs(user, address, input, { project: made.project.number, now });
const submit = (rows: object[], user = made.subcon, now = clock) => call("planFeedback/submit", { distributionId: sent, rows }, user, now);
const list = async (filters: object[] = [], user = made.pm) =>
  (
    await done(
      call(
        `planFeedback/list/1/200/default/${encodeURIComponent(JSON.stringify(filters))}`,
        { sort: [{ field: "rawDu", dir: "asc" }] },
        user,
      ),
    )
  ).records;
const map = (ids: number[], more: object, user = made.pm) => call("planFeedback/map", { ids, ...more }, user);
const decide = (ids: number[], decision: "accepted" | "refused", comment = "as agreed", user = made.pm) =>
  call("planFeedback/decide", { ids, decision, comment }, user);
const proposal = (du: string, activity = "build", end = "2026-10-30") => ({ du, activity, proposedEnd: end });
const planEnds = async (duId: number) => (await db.owner`select plan_end from du_plan where du_id = ${duId}`)[0]!.plan_end;
const setBit = (duId: number, slot: number, bit: keyof typeof stateBits) =>
  db.owner`update du_plan set state[${slot}] = state[${slot}] | ${1 << stateBits[bit].at}::int where du_id = ${duId}`;

describe("planFeedback/submit", () => {
  test("keeps the answers of a recipient with what was told, mapped where the words say it; the monitor follows them [VER-02] [VER-07]", async () => {
    const { dus, subcon, flow } = made;
    expect(await done(submit([proposal("N-1"), { du: "The old mill", activity: "build", remark: "no access" }]))).toEqual({
      saved: 2,
      mapped: 1,
      notMapped: 1,
      late: false,
    });
    const [first, second] = await list();
    expect(first).toMatchObject({
      rawDu: "N-1",
      duId: dus[0],
      duCode: "N-1",
      activityId: flow.of("B").id,
      activityName: "build",
      toldEnd: "2026-10-26",
      planEnd: "2026-10-26",
      proposedEnd: "2026-10-30",
      mapping: "mapped",
      decision: "open",
      late: false,
      submittedByName: subcon.name,
    });
    expect(second).toMatchObject({ rawDu: "The old mill", duId: null, activityName: "build", mapping: "not_mapped", remark: "no access" });
    const [distribution] = (await done(call("planDistribution/list/1/20/default/%5B%5D"))).records;
    expect(distribution).toMatchObject({ status: "answered", activityCount: 4, answered: 2, open: 2, notMapped: 1, late: 0 });
    expect((await list([{ field: "mapping", type: "eq", values: ["not_mapped"] }])).map(({ rawDu }: never) => rawDu)).toEqual([
      "The old mill",
    ]);
  });

  test("marks what comes after the due date as late; the day itself is in time", async () => {
    expect(await done(submit([proposal("N-1")], made.subcon, new Date("2026-10-16T10:00:00Z")))).toMatchObject({ late: false });
    expect(await done(submit([proposal("N-2")], made.subcon, new Date("2026-10-17T10:00:00Z")))).toMatchObject({ late: true });
    expect((await list()).map(({ late }: never) => late)).toEqual([false, true]);
  });

  test("takes answers only of whom the plan was sent to, and none once it is closed", async () => {
    const other = await makeMember(db.owner, made.project.id, "SUBCON_PM");
    await makeSubcontractor(db.owner, made.project.id, [other.id]);
    expect(await submit([proposal("N-1")], other)).toMatchObject({ status: 404 });
    expect(await submit([proposal("N-1")], made.pm)).toMatchObject({ status: 200 });
    await done(call("planDistribution/close", { ids: [sent] }));
    expect(await submit([proposal("N-1")])).toMatchObject({ status: 422, code: "DISTRIBUTION_CLOSED" });
    const [row] = await list();
    expect(await decide([row.id], "refused")).toMatchObject({ status: 200 });
  });

  test("maps no DU the recipient was not told of", async () => {
    expect(await done(submit([proposal("N-3")]))).toMatchObject({ mapped: 0, notMapped: 1 });
  });

  test("knows its bounds", async () => {
    const problem = async (rows: object[]) => (await submit(rows)).problems?.map(({ path, code }) => `${path} ${code}`).join();
    const row = { du: "N-1", activity: "build", remark: "x" };
    expect(await problem(Array(answerRowsMax + 1).fill(row))).toBe("rows TOO_MANY");
    expect(await problem([{ du: "N-1", activity: "build" }])).toBe("rows.0.proposedEnd VALUE_MISSING");
    expect(await problem([{ ...row, proposedStart: "2026-10-21", proposedEnd: "2026-10-20" }])).toBe("rows.0.proposedEnd PLAN_ORDER");
    expect(await problem([{ ...row, proposedStart: "20.10.2026" }])).toBe("rows.0.proposedStart DATE_FORMAT");
    expect(await problem([{ ...row, proposedEnd: "2000-01-01" }])).toBe("rows.0.proposedEnd DATE_OUT_OF_RANGE");
    expect(await problem([{ ...row, du: "x".repeat(rawTextChars + 1) }])).toBe("rows.0.du VALUE_TOO_LONG");
    expect(await submit([{ ...row, du: "x".repeat(rawTextChars), proposedStart: "2026-10-20", proposedEnd: "2026-10-20" }])).toMatchObject({
      status: 200,
    });
    expect(await done(submit(Array(answerRowsMax).fill(row)))).toMatchObject({ saved: answerRowsMax, mapped: answerRowsMax });
  });
});

describe("a recipient", () => {
  test("reads his own answers and what became of them, not those of others", async () => {
    const { subcon, company } = made;
    const other = await makeMember(db.owner, made.project.id, "SUBCON_PM");
    const second = await makeSubcontractor(db.owner, made.project.id, [other.id]);
    await db.owner`update du set subcontractor_id = ${second} where id = ${made.dus[2]!}`;
    const { ids } = await done(call("planDistribution/send", { versionId: made.versionId, recipients: [{ subcontractorId: second }] }));
    await done(submit([proposal("N-1")]));
    await done(call("planFeedback/submit", { distributionId: ids[0], rows: [proposal("N-3")] }, other));
    expect((await list([], subcon)).map(({ rawDu, planEnd }: never) => [rawDu, planEnd])).toEqual([["N-1", null]]);
    expect((await list([], other)).map(({ rawDu }: never) => rawDu)).toEqual(["N-3"]);
    expect(await list()).toHaveLength(2);
    expect(company).not.toBe(second);
    for (const address of ["planFeedback/map", "planFeedback/suggest"])
      expect(await call(address, { ids: [1], id: 1, duId: 1 }, subcon)).toMatchObject({ status: 403 });
  });
});

describe("planFeedback/map", () => {
  test("maps by hand, remembers the words for later answers, and proposes what comes near [VER-07]", async () => {
    const { dus, flow } = made;
    await done(submit([{ du: "n 1", activity: "biuld", remark: "x" }]));
    const [row] = await list();
    expect(row.mapping).toBe("not_mapped");
    const near = await done(call("planFeedback/suggest", { id: row.id }));
    expect(near.dus).toEqual([{ id: dus[0], code: "N-1", name: "North 1", fit: "normalised" }]);
    expect(near.activities).toEqual([{ id: flow.of("B").id, name: "build", fit: "similar" }]);
    expect(await done(map([row.id], { duId: dus[0] }))).toEqual({ changed: 1, mapped: 0, rejected: [] });
    expect((await list())[0]).toMatchObject({ duCode: "N-1", mapping: "not_mapped" });
    expect(await done(map([row.id], { duId: dus[0], activityId: flow.of("B").id, remember: true }))).toEqual({
      changed: 1,
      mapped: 1,
      rejected: [],
    });
    expect(await done(submit([{ du: "N 1", activity: "BIULD", remark: "y" }]))).toMatchObject({ mapped: 1 });
  });

  test("refuses what the version did not tell of, and what is decided", async () => {
    const { dus, flow } = made;
    await db.owner`update plan_version_row set state[2] = state[2] | 2 where du_id = ${dus[1]!}`;
    await done(submit([{ du: "a", activity: "b", remark: "x" }]));
    const [row] = await list();
    const codes = async (more: object) => (await done(map([row.id], more))).rejected.map(({ code }: never) => code);
    expect(await codes({ duId: dus[2] })).toEqual(["NOT_IN_VERSION"]);
    expect(await codes({ duId: dus[1], activityId: flow.of("B").id })).toEqual(["NOT_IN_VERSION"]);
    expect(await map([row.id], { activityId: 999_999 })).toMatchObject({ status: 422, code: "NOT_IN_VERSION" });
    expect(await codes({ duId: dus[1], activityId: flow.of("A").id })).toEqual([]);
    await done(decide([row.id], "refused"));
    expect(await codes({ duId: dus[0] })).toEqual(["WRONG_STATUS"]);
    expect((await map([row.id], {})).problems).toMatchObject([{ path: "duId", code: "VALUE_MISSING" }]);
    const many = Array.from({ length: feedbackPerCall + 1 }, (_, at) => at + 1);
    expect((await map(many, { duId: dus[0] })).problems).toMatchObject([{ path: "ids", code: "TOO_MANY" }]);
    expect(await map(many.slice(1), { duId: dus[0] })).toMatchObject({ status: 404 });
  });
});

describe("planFeedback/decide", () => {
  test("takes proposals over into the plan with the comment as reason; undone, they are open again", async () => {
    const { dus } = made;
    await done(submit([{ ...proposal("N-1"), proposedStart: "2026-10-27" }, proposal("N-2", "arrival", "2026-10-21")]));
    const ids = (await list()).map(({ id }: never) => id);
    const answer = await done(decide(ids, "accepted", "agreed by phone"));
    expect(answer).toEqual({ changed: 2, cells: 3, rejected: [], batchId: expect.any(Number) });
    expect(await planEnds(dus[0]!)).toEqual([9789, 9799]);
    const [batch] = await db.owner`select source, reason from plan_batch where id = ${answer.batchId}`;
    expect(batch).toEqual({ source: "feedback", reason: "agreed by phone" });
    expect((await db.owner`select release_state from du_plan where du_id = ${dus[0]!}`)[0]).toEqual({ release_state: 2 });
    expect((await list()).map(({ decision, decidedByName, comment }: never) => [decision, decidedByName, comment])).toEqual(
      Array(2).fill(["accepted", made.pm.name, "agreed by phone"]),
    );
    expect(await done(decide(ids, "accepted"))).toMatchObject({
      changed: 0,
      rejected: [{ code: "WRONG_STATUS" }, { code: "WRONG_STATUS" }],
    });
    await done(call("rolloutPlan/undo", { batchId: answer.batchId }));
    expect(await planEnds(dus[0]!)).toEqual([9789, 9795]);
    expect((await list([{ field: "decision", type: "in", values: ["open"] }])).map(({ id }: never) => id)).toEqual(ids);
    expect(await done(decide(ids, "refused"))).toMatchObject({ changed: 2 });
  });

  test("asks the rules of the plan DU by DU: what they refuse stays open; change control is passed with the reason", async () => {
    const { dus } = made;
    await setSwitch(db.owner, made.project.id, "planChangeControl", "Y");
    await setBit(dus[0]!, 2, "frozen");
    await done(submit([proposal("N-1"), proposal("N-1", "arrival", "2026-10-21"), proposal("N-2")]));
    const rows = await list();
    const answer = await done(
      decide(
        rows.map(({ id }: never) => id),
        "accepted",
      ),
    );
    expect(answer).toMatchObject({ changed: 1, cells: 1 });
    expect(answer.rejected.map(({ code }: never) => code)).toEqual(["FROZEN", "FROZEN"]);
    expect(await planEnds(dus[1]!)).toEqual([9789, 9799]);
    expect((await list()).map(({ rawDu, decision }: never) => `${rawDu} ${decision}`)).toEqual(["N-1 open", "N-1 open", "N-2 accepted"]);
  });

  test("leaves open what is not mapped, what speaks twice of an activity, and DUs the caller may not edit", async () => {
    const { dus } = made;
    await done(submit([proposal("N-1"), proposal("N-1", "build", "2026-11-02"), proposal("elsewhere"), proposal("N-2")]));
    const rows = await list();
    const ids = rows.map(({ id }: never) => id);
    await setSwitch(db.owner, made.project.id, "dataControl", "Y");
    const owner = await makeMember(db.owner, made.project.id, "SITE_OWNER");
    await makeDuOwner(db.owner, dus[1]!, owner.id);
    const pcm = await makeMember(db.owner, made.project.id, "PCM");
    const answer = await done(decide(ids, "accepted", "x", pcm));
    expect(answer.changed).toBe(1);
    expect(answer.rejected.map(({ code }: never) => code).sort()).toEqual(["NOT_MAPPED", "NO_PERMISSION", "VALUE_REPEATED"]);
    expect(await decide(ids, "accepted", "x", made.subcon)).toMatchObject({ status: 403 });
    expect(await decide(ids, "refused", "x", made.subcon)).toMatchObject({ status: 403 });
  });

  test("is open to the owner of a DU for answers about it, and for no others", async () => {
    await done(submit([proposal("N-1"), proposal("N-2")]));
    const [first, second] = await list();
    const owner = await makeMember(db.owner, made.project.id, "SITE_OWNER");
    await makeDuOwner(db.owner, made.dus[1]!, owner.id, "SITE_OWNER");
    expect(await decide([first.id], "accepted", "x", owner)).toMatchObject({ status: 404 });
    expect(await done(decide([second.id], "accepted", "x", owner))).toMatchObject({ changed: 1, cells: 1 });
  });

  test("refuses with a comment and tells the recipient", async () => {
    await done(submit([proposal("N-1")]));
    const [row] = await list();
    expect((await decide([row.id], "refused", " ")).problems).toMatchObject([{ path: "comment", code: "COMMENT_REQUIRED" }]);
    expect((await decide([row.id], "accepted", "")).problems).toMatchObject([{ path: "comment", code: "COMMENT_REQUIRED" }]);
    expect(await done(decide([row.id], "refused", "the crane is booked"))).toMatchObject({ changed: 1, batchId: null });
    const mail = (await mailsOf(db.owner, made.project.id)).at(-1)!;
    expect(mail).toMatchObject({ address: made.subcon.email, kind: "planFeedback.refused" });
    expect(mail.text).toContain("the crane is booked");
    expect(mail.text).toContain("N-1");
    expect(await unsaidDus(db.owner, made.project.id)).toEqual({ told: expect.toSatisfy((count) => count > 0), unsaid: [] });
    expect((await list([], made.subcon))[0]).toMatchObject({ decision: "refused", comment: "the crane is booked" });
    const other = await makeProject(db.owner);
    const stranger = await makeMember(db.owner, other.id, "PM");
    expect(
      await callAs(stranger, "planFeedback/decide", { ids: [row.id], decision: "refused", comment: "x" }, { project: other.number }),
    ).toMatchObject({ status: 404 });
  });
});

describe("a version", () => {
  test("of the past is deleted only when every answer to it is decided", async () => {
    await done(submit([proposal("N-1")]));
    const [row] = await list();
    await done(call("rollout/release", { duIds: made.dus, versionName: "W43", skipSchedule: true, saveBaseline: false }));
    const remove = () => call("dataVersion/delete", { ids: [made.versionId] });
    const refused = await remove();
    expect(refused).toMatchObject({ status: 422, code: "FEEDBACK_OPEN" });
    expect(refused.msg).toContain("1 answer");
    await done(decide([row.id], "refused"));
    expect(await done(remove())).toEqual({ deleted: 1 });
    expect(await list()).toEqual([]);
  });

  test("of the past stays where an answer to it is being given", async () => {
    await done(call("rollout/release", { duIds: made.dus, versionName: "W43", skipSchedule: true, saveBaseline: false }));
    const answer = await meanwhile(
      db,
      async (sql) => {
        await sql`select 1 from plan_distribution where id = ${sent} for update`;
        await sql`
          insert into plan_feedback (project_id, distribution_id, raw_du, raw_activity, remark, mapping, late, submitted_by, submitted_at)
          values (${made.project.id}, ${sent}, 'N-1', 'build', 'no access', 'not_mapped', false, ${made.subcon.id}, now())`;
      },
      () => call("dataVersion/delete", { ids: [made.versionId] }),
    );
    expect(answer).toMatchObject({ status: 422, code: "FEEDBACK_OPEN" });
    expect(await list()).toHaveLength(1);
  });
});

describe("planFeedback/import", () => {
  const answered = async (distributionId: number, edit: (cells: (string | null)[]) => void) => {
    const [file] = await db.owner`select file_id from plan_distribution where id = ${distributionId}`;
    const [keys, titles, ...rows] = await imports.workbook(file!.file_id);
    for (const row of rows) edit(row as (string | null)[]);
    const stream = writeWorkbook({
      name: "x",
      columns: keys!.map((key, at) => ({ key: String(key), title: String(titles![at] ?? "") })),
      rows: rows.map((row) => keys!.map((_, at) => row[at] ?? null)),
      meta: { project: made.project.number, kind: "planFeedback", version: 1 },
    });
    return imports.upload("answer.xlsx", Buffer.concat(await stream.toArray()));
  };
  const outside = async () => {
    const { ids, taskId } = await done(
      call("planDistribution/send", { versionId: made.versionId, recipients: [{ email: "partner@example.org" }] }),
    );
    await imports.run(taskId);
    return ids[0] as number;
  };
  const start = async (input: object) => {
    const { taskId } = await done(call("planFeedback/import", input));
    return imports.run(taskId);
  };

  test("brings in the workbook an address outside sends back: rows without proposal are left out", async () => {
    const id = await outside();
    const fileId = await answered(id, (row) => {
      if (row[0] === "N-2" && row[2] === "build") row[6] = "2026-10-30";
      if (row[0] === "N-3" && row[2] === "arrival") row[7] = "road closed";
    });
    const preview = await start({ fileId });
    expect((await imports.rows(preview.id)).map(({ outcome }) => outcome)).toEqual([
      "unchanged",
      "unchanged",
      "unchanged",
      "new",
      "new",
      "unchanged",
    ]);
    expect(await imports.apply(preview.id)).toMatchObject({ status: "succeeded" });
    expect(
      (await list([{ field: "distributionId", type: "eq", values: [id] }])).map(({ rawDu, mapping, proposedEnd, remark }: never) => [
        rawDu,
        mapping,
        proposedEnd,
        remark,
      ]),
    ).toEqual([
      ["N-2", "mapped", "2026-10-30", null],
      ["N-3", "mapped", null, "road closed"],
    ]);
    const [row] = await list([{ field: "distributionId", type: "eq", values: [id] }]);
    await done(decide([row.id], "refused", "too late"));
    expect((await mailsOf(db.owner, made.project.id)).at(-1)).toMatchObject({
      address: "partner@example.org",
      kind: "planFeedback.refused",
    });
  });

  test("refuses rows of a closed or unknown distribution, wrong dates, and takes a plain file for the one chosen", async () => {
    const id = await outside();
    const fileId = await answered(id, (row) => {
      row[6] = row[2] === "build" ? "2026-10-30" : "soon";
    });
    const codes = async (taskId: string) => (await imports.rows(taskId)).map(({ problems }) => problems.map(({ code }) => code).join());
    expect(await codes((await start({ fileId })).id)).toEqual(["DATE_FORMAT", "", "DATE_FORMAT", "", "DATE_FORMAT", ""]);
    await done(call("planDistribution/close", { ids: [id] }));
    expect((await codes((await start({ fileId })).id))[1]).toBe("DISTRIBUTION_CLOSED");
    const plain = await imports.upload("plain.csv", "DU ID,Activity,Proposed end\nN-1,build,2026-10-29\n");
    expect(await codes((await start({ fileId: plain })).id)).toEqual(["NO_RECIPIENT"]);
    const preview = await start({ fileId: plain, options: { distributionId: sent } });
    expect(await imports.apply(preview.id)).toMatchObject({ status: "succeeded" });
    expect((await list([{ field: "distributionId", type: "eq", values: [sent] }])).map(({ rawDu }: never) => rawDu)).toEqual(["N-1"]);
    expect(await call("planFeedback/import", { fileId: plain }, made.subcon)).toMatchObject({ status: 403 });
  });

  test(`takes ${answerRowsMax} answers of a file`, async () => {
    const csv = (count: number) => `DU ID,Activity,Remark\n${Array.from({ length: count }, () => "N-1,build,x").join("\n")}\n`;
    const check = async (count: number) =>
      (await start({ fileId: await imports.upload("many.csv", csv(count)), options: { distributionId: sent } })).result.counts;
    expect(await check(answerRowsMax)).toMatchObject({ new: answerRowsMax, rejected: 0 });
    expect(await check(answerRowsMax + 1)).toMatchObject({ new: answerRowsMax, rejected: 1 });
  });
});
