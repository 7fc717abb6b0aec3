import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { companyOf, validAccounts } from "#lib/resources/pool/queries.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeResource, makeSubcontractor, makeUser } from "../../../support/factories.ts";
import { inProject } from "../../../support/plan-ctx.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
});

const judge = (accounts: string[]) => inProject(pm, project.number, (ctx) => validAccounts(ctx, accounts));
const reasonOf = async (account: string) => (await judge([account])).invalid[0]?.reason ?? null;

describe("validAccounts [RES-46]", () => {
  it("gives the people who may be chosen with what they are, whatever the case of their account", async () => {
    const company = await makeSubcontractor(db.owner, project.id);
    const crew = await makeUser(db.owner, { kind: "subcontractor" });
    const resourceId = await makeResource(db.owner, project.id, crew.id, { subcontractorId: company });
    expect(await judge([crew.account.toUpperCase(), "nobody"])).toEqual({
      valid: [{ account: crew.account, userId: crew.id, name: crew.name, resourceId, type: "SUBCONTRACT", subcontractorId: company }],
      invalid: [{ account: "nobody", reason: "MISSING" }],
    });
  });

  it("names why an account may not be chosen", async () => {
    const outside = await makeUser(db.owner);
    const elsewhere = await makeMember(db.owner, (await makeProject(db.owner)).id, "TL");
    const off = await makeMember(db.owner, project.id, "TL");
    await db.owner`update app_user set active = false where id = ${off.id}`;
    expect(await reasonOf(outside.account)).toBe("MISSING");
    expect(await reasonOf(elsewhere.account)).toBe("MISSING");
    expect(await reasonOf(off.account)).toBe("INACTIVE");
    for (const status of ["PENDING", "REJECTED", "INACTIVE"]) {
      const user = await makeUser(db.owner);
      await makeResource(db.owner, project.id, user.id, { status });
      expect(await reasonOf(user.account), status).toBe("INACTIVE");
    }
  });

  it.each([
    ["2026-01-01", "2026-10-14", null],
    ["2026-01-01", "2026-10-13", "AUTH_EXPIRED"],
    ["2026-10-14", "2026-12-31", null],
    ["2026-10-15", "2026-12-31", "AUTH_EXPIRED"],
  ])("an authorisation from %s to %s: %s", async (start, end, reason) => {
    const user = await makeMember(db.owner, project.id, "TL");
    await db.owner`update resource set auth_start = ${start}, auth_end = ${end} where user_id = ${user.id}`;
    expect(await reasonOf(user.account)).toBe(reason);
  });

  it.each([
    ["2026-10-14", null],
    ["2026-10-13", "DPA_EXPIRED"],
  ])("an agreement that ends on %s: %s [RES-45]", async (end, reason) => {
    const user = await makeMember(db.owner, project.id, "SUBCON");
    await db.owner`update app_user set dpa_expires_on = ${end} where id = ${user.id}`;
    expect(await reasonOf(user.account)).toBe(reason);
  });
});

describe("companyOf", () => {
  it("is the company of the active row of the pool, and none while the row is not active", async () => {
    const user = await makeMember(db.owner, project.id, "SUBCON");
    const company = await makeSubcontractor(db.owner, project.id, [user.id]);
    const read = () => inProject(user, project.number, async (ctx) => companyOf(ctx));
    expect(await read()).toBe(company);
    await db.owner`update resource set status = 'INACTIVE' where user_id = ${user.id}`;
    expect(await read()).toBeNull();
    expect(await inProject(pm, project.number, async (ctx) => companyOf(ctx))).toBeNull();
  });
});
