import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { introducedMax } from "#lib/resources/introductions/limits.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeResource, makeSubcontractor, makeUser } from "../../../support/factories.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);
let company: number;
let manager: CtxUser;

beforeAll(async () => {
  company = await makeSubcontractor(db.owner, project.id);
  manager = await makeMember(db.owner, project.id, "SUBCON_PM");
  await makeResource(db.owner, project.id, manager.id, { subcontractorId: company });
});

const crew = () => makeUser(db.owner, { kind: "subcontractor" });
const introduce = (accounts: string[], user = manager, subcontractorId = company) =>
  call(user, "resource/introduce", { subcontractorId, accounts });
const statusOf = async (user: CtxUser) =>
  ((await db.owner`select status from resource where project_id = ${project.id} and user_id = ${user.id}`)[0]?.status as string) ?? null;
const decide = (id: number, more: Record<string, unknown>, user = project.pm) => call(user, "resource/introduce/approve", { id, ...more });

describe("introductions", () => {
  it("bring people of the own company, who wait until a manager approves [RES-42]", async () => {
    const [first, second] = [await crew(), await crew()];
    const { id } = (await introduce([first.account, second.account])).data;
    expect(await statusOf(first)).toBe("PENDING");
    const notices = await db.owner`select user_id, kind from notice where project_id = ${project.id} order by id`;
    expect(notices).toEqual([{ user_id: project.pm.id, kind: "resource.introduction" }]);
    const mails = await db.owner`select kind from mail_outbox where project_id = ${project.id} and to_user_id = ${project.pm.id}`;
    expect(mails.map(({ kind }) => kind)).toEqual(["resource.introduction"]);
    expect((await decide(id, { pass: true }, manager)).status).toBe(403);
    expect((await decide(id, { pass: false })).problems?.[0]?.code).toBe("REASON_REQUIRED");
    expect((await decide(id, { pass: true })).status).toBe(200);
    expect(await statusOf(second)).toBe("ACTIVE");
    expect((await decide(id, { pass: true })).code).toBe("WRONG_STATUS");
    const listed = (await call(manager, "resource/introduce/list/1/20/default/[]")).data.records;
    expect(listed[0]).toMatchObject({ id, status: "APPROVED", applicant: manager.name, approver: project.pm.name });
    expect(await db.owner`select user_id from notice where user_id = ${manager.id}`).toHaveLength(1);
  });

  it("take as many people as they may, and refuse one more [RES-23]", async () => {
    const accounts = await Promise.all(Array.from({ length: introducedMax + 1 }, async () => (await crew()).account));
    expect((await introduce(accounts)).problems?.[0]).toMatchObject({ code: "TOO_MANY", params: { max: introducedMax } });
    expect((await introduce(accounts.slice(1))).status).toBe(200);
  });

  it("refuse another company, people of none, and who is in the pool", async () => {
    const other = await makeSubcontractor(db.owner, project.id);
    const person = await crew();
    expect((await introduce([person.account], manager, other)).code).toBe("NO_PERMISSION");
    expect((await introduce([person.account], project.pm, other)).status).toBe(200);
    expect((await introduce([person.account], project.pm, other)).code).toBe("IN_POOL");
    expect((await introduce([(await makeUser(db.owner)).account])).code).toBe("ACCOUNT_MISSING");
    expect(
      (await call(manager, "resource/introduce/list/1/20/default/[]")).data.records.every(
        (row: { subcontractorId: number }) => row.subcontractorId === company,
      ),
    ).toBe(true);
  });

  it("refuse a person whose agreement has ended [RES-45]", async () => {
    const person = await crew();
    await db.owner`update app_user set dpa_expires_on = '2026-10-13' where id = ${person.id}`;
    expect(await introduce([person.account])).toMatchObject({ status: 403, code: "DPA_EXPIRED" });
    await db.owner`update app_user set dpa_expires_on = '2026-10-14' where id = ${person.id}`;
    expect((await introduce([person.account])).status).toBe(200);
  });

  it("are refused with a reason, after which the person can be brought again", async () => {
    const person = await crew();
    const { id } = (await introduce([person.account])).data;
    await decide(id, { pass: false, reason: "Not trained" });
    expect(await statusOf(person)).toBe("REJECTED");
    expect((await introduce([person.account])).status).toBe(200);
    expect(await statusOf(person)).toBe("PENDING");
  });

  it("are taken back by the applicant alone", async () => {
    const person = await crew();
    const { id } = (await introduce([person.account])).data;
    expect((await call(project.pm, "resource/introduce/withdraw", { id })).code).toBe("NO_PERMISSION");
    expect((await call(manager, "resource/introduce/withdraw", { id })).status).toBe(200);
    expect(await statusOf(person)).toBeNull();
  });
});
