import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeUser } from "../../../support/factories.ts";
import { meanwhile } from "../../../support/meanwhile.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pd: CtxUser;
let viewer: CtxUser;

beforeAll(async () => {
  project = await makeProject(db.app);
  pd = await makeMember(db.app, project.id, "PD");
  viewer = await makeMember(db.app, project.id, "COMMON_VIEW");
});

const call = (user: CtxUser, address: string, input: unknown = {}) => callAs(user, address, input, { project: project.number });
const save = (given: object = {}) =>
  call(pd, "delegation/save", {
    role: "PD",
    delegateId: viewer.id,
    validFrom: "2026-10-14",
    validTo: "2026-10-20",
    reason: "leave",
    ...given,
  });
const holdsFrozen = async (user: CtxUser) =>
  (await call(user, "portal/userPermission/checkUserPermission", ["plan.frozenChange", "rollout.edit"])).data;

describe("delegation/save", () => {
  it("lets the delegate change frozen plans and nothing else, until it is revoked", async () => {
    expect(await holdsFrozen(viewer)).toEqual({ "plan.frozenChange": false, "rollout.edit": false });
    const { status, data } = await save();
    expect(status).toBe(200);
    expect(await holdsFrozen(viewer)).toEqual({ "plan.frozenChange": true, "rollout.edit": false });
    expect((await call(pd, "delegation/list")).data.records).toMatchObject([
      {
        id: data.id,
        role: "PD",
        isMine: true,
        delegate: { account: viewer.account },
        validTo: "2026-10-20",
        reason: "leave",
        revokedAt: null,
      },
    ]);
    expect((await call(pd, "delegation/revoke", { id: data.id })).status).toBe(200);
    expect(await holdsFrozen(viewer)).toMatchObject({ "plan.frozenChange": false });
    expect(await call(pd, "delegation/revoke", { id: data.id })).toMatchObject({ code: "STALE" });
  });

  it.each([
    ["a role he does not hold", { role: "PM" }, "ROLE_NOT_HELD"],
    ["a role that cannot be delegated", { role: "TL" }, "INVALID_INPUT"],
    ["an end before the begin", { validFrom: "2026-10-21" }, "DATE_ORDER"],
    ["an end in the past", { validFrom: "2026-10-01", validTo: "2026-10-13" }, "END_PAST"],
    ["more than a year", { validFrom: "2026-10-14", validTo: "2027-10-15" }, "OVER_ONE_YEAR"],
    ["more than a year from a leap day", { validFrom: "2028-02-29", validTo: "2029-03-01" }, "OVER_ONE_YEAR"],
    ["a reason of 501 characters", { reason: "x".repeat(501) }, "INVALID_INPUT"],
  ])("refuses %s", async (_what, wrong, code) => {
    expect(await save(wrong)).toMatchObject({ code });
  });

  it.each([
    ["a whole year", { validFrom: "2026-10-14", validTo: "2027-10-14" }],
    ["a year from a leap day", { validFrom: "2028-02-29", validTo: "2029-02-28" }],
    ["today alone, with a reason of 500 characters", { validFrom: "2026-10-14", validTo: "2026-10-14", reason: "x".repeat(500) }],
  ])("takes %s", async (_what, given) => {
    expect((await save(given)).status).toBe(200);
  });

  it("waits for one under way and refuses the same", async () => {
    const answer = await meanwhile(
      db,
      async (sql) => {
        await sql`select 1 from project where id = ${project.id} for no key update`;
        await sql`
          insert into role_delegation (project_id, role, delegator_id, delegate_id, valid_from, valid_to, reason)
          values (${project.id}, 'PD', ${pd.id}, ${viewer.id}, '2026-10-15', '2026-10-16', 'twice')`;
      },
      () => save({ validFrom: "2026-10-15", validTo: "2026-10-16", reason: "twice" }),
    );
    expect(answer).toMatchObject({ code: "NOTHING_MODIFIED" });
  });

  it("refuses oneself and who is no member", async () => {
    expect(await save({ delegateId: pd.id })).toMatchObject({ code: "DELEGATE_SELF" });
    const stranger = await makeUser(db.app);
    expect(await save({ delegateId: stranger.id })).toMatchObject({ code: "NOT_MEMBER" });
  });

  it("is for the holders of PM, PD and DPD", async () => {
    const tl = await makeMember(db.app, project.id, "TL");
    expect(
      await call(tl, "delegation/save", { role: "PD", delegateId: viewer.id, validFrom: "2026-10-14", validTo: "2026-10-20" }),
    ).toMatchObject({
      status: 403,
    });
  });
});

describe("delegation/revoke", () => {
  it("is the delegator's alone", async () => {
    const other = await makeMember(db.app, project.id, "PD");
    const { data } = await save();
    expect(await call(other, "delegation/revoke", { id: data.id })).toMatchObject({ status: 404 });
    expect((await call(other, "delegation/list")).data.records).toEqual([]);
    expect((await call(pd, "delegation/revoke", { id: data.id })).status).toBe(200);
  });
});
