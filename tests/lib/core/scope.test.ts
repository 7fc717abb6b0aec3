import { beforeAll, describe, expect, it } from "vitest";
import { findMembership } from "#lib/access/queries.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { coversRow, makeScope } from "#lib/core/scope.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember, makeProject, makeRegion, makeResource, makeSubcontractor, makeUser } from "../../support/factories.ts";

const db = useDatabase();
const ids: Record<string, number> = {};
let projectId: number;
let north: number;
let company: number;

beforeAll(async () => {
  projectId = (await makeProject(db.app)).id;
  const otherId = (await makeProject(db.app)).id;
  north = await makeRegion(db.app, projectId, "North");
  company = await makeSubcontractor(db.app, projectId);
  const add = async (project: number, code: string, regionId: number | null, subcontractorId: number | null, gone = false) => {
    const [site] = await db.app<
      { id: number }[]
    >`insert into customer_site (project_id, code, name) values (${project}, ${code}, ${code}) returning id`;
    const [du] = await db.app<{ id: number }[]>`
      insert into du (project_id, code, name, site_id, region_id, subcontractor_id, deleted_at)
      values (${project}, ${code}, ${code}, ${site!.id}, ${regionId}, ${subcontractorId}, ${gone ? new Date() : null}) returning id`;
    ids[code] = du!.id;
  };
  await add(projectId, "plain", null, null);
  await add(projectId, "north", north, null);
  await add(projectId, "company", null, company);
  await add(projectId, "gone", north, company, true);
  await add(otherId, "foreign", null, null);
});

async function seen(user: CtxUser): Promise<string[]> {
  const membership = await findMembership(db.app, user.id, projectId, "2026-10-14");
  const scope = makeScope(db.app, projectId, user.id, membership);
  const rows = await db.app<{ code: string }[]>`select code from du where ${scope.where("rollout.view")} order by code`;
  return rows.map(({ code }) => code);
}

describe("scope", () => {
  it("of a role for all rows is the project's DUs that are not deleted", async () => {
    expect(await seen(await makeMember(db.app, projectId, "PM"))).toEqual(["company", "north", "plain"]);
  });

  it("of an owner follows from the kinds in which he owns DUs of the project, not those deleted or of another", async () => {
    const user = await makeUser(db.app);
    const roles = async () => (await findMembership(db.app, user.id, projectId, "2026-10-14")).roles.sort();
    const own = (code: string, kind: string) =>
      db.app`insert into du_owner (du_id, user_id, owner_kind) values (${ids[code]!}, ${user.id}, ${kind})`;
    await own("gone", "SITE_OWNER");
    await own("foreign", "INVENTORY_OWNER");
    expect(await roles()).toEqual([]);
    await own("north", "DU_OWNER");
    expect(await roles()).toEqual(["SITE_OWNER"]);
    await own("plain", "INVENTORY_OWNER");
    await own("north", "INVENTORY_OWNER");
    expect(await roles()).toEqual(["INVENTORY_OWNER", "SITE_OWNER"]);
  });

  it("of a subcontractor is the company's, of nobody's company nothing", async () => {
    const user = await makeMember(db.app, projectId, "SUBCON");
    expect(await seen(user)).toEqual([]);
    await makeResource(db.app, projectId, user.id, { subcontractorId: company });
    expect(await seen(user)).toEqual(["company"]);
  });

  it("of region and site owners follows from ownership, without a granted role", async () => {
    const owner = await makeUser(db.app);
    expect(await seen(owner)).toEqual([]);
    await db.app`insert into region_owner (region_id, user_id) values (${north}, ${owner.id})`;
    expect(await seen(owner)).toEqual(["north"]);
    await db.app`insert into du_owner (du_id, owner_kind, user_id) values (${ids.plain!}, 'SITE_OWNER', ${owner.id})`;
    expect(await seen(owner)).toEqual(["north", "plain"]);
  });

  it("of a customer is every DU, and only the own ones once customer data control is on [PRM-24]", async () => {
    const customer = await makeMember(db.app, projectId, "CUSTOMER");
    await db.app`insert into du_owner (du_id, owner_kind, user_id) values (${ids.north!}, 'DU_OWNER', ${customer.id})`;
    expect(await seen(customer)).toEqual(["company", "north", "plain"]);
    await db.app`insert into project_switch (project_id, key, value, effective_at, updated_at) values (${projectId}, 'customerDataControl', 'Y', now(), now())`;
    expect(await seen(customer)).toEqual(["north"]);
    await db.app`delete from project_switch where project_id = ${projectId}`;
  });

  it("has equal fingerprints for two persons exactly when they see the same rows", async () => {
    const print = async (user: CtxUser) =>
      makeScope(db.app, projectId, user.id, await findMembership(db.app, user.id, projectId, "2026-10-14")).fingerprint("rollout.view");
    const [pm, tl, subcon] = [
      await makeMember(db.app, projectId, "PM"),
      await makeMember(db.app, projectId, "TL"),
      await makeMember(db.app, projectId, "SUBCON"),
    ];
    expect(await print(pm)).toBe(await print(tl));
    expect(await print(pm)).not.toBe(await print(subcon));
  });
});

describe("coversRow", () => {
  it("judges a region owner by the row's region and PD's delegate for the frozen plan alone", async () => {
    const owner = await makeUser(db.app);
    await db.app`insert into region_owner (region_id, user_id) values (${north}, ${owner.id})`;
    const membership = await findMembership(db.app, owner.id, projectId, "2026-10-14");
    expect(coversRow(membership, owner.id, "rollout.edit", { duId: 1, regionId: north })).toBe(true);
    expect(coversRow(membership, owner.id, "rollout.edit", { duId: 1, regionId: north + 1000 })).toBe(false);
    const pd = await makeMember(db.app, projectId, "PD");
    const viewer = await makeMember(db.app, projectId, "COMMON_VIEW");
    await db.app`insert into role_delegation (project_id, role, delegator_id, delegate_id, valid_from, valid_to)
      values (${projectId}, 'PD', ${pd.id}, ${viewer.id}, '2026-10-01', '2026-10-14')`;
    const delegate = await findMembership(db.app, viewer.id, projectId, "2026-10-14");
    expect(coversRow(delegate, viewer.id, "plan.frozenChange", { duId: 1 })).toBe(true);
    expect(coversRow(delegate, viewer.id, "duChange.approve", { duId: 1 })).toBe(false);
    expect((await findMembership(db.app, viewer.id, projectId, "2026-10-15")).delegated).toEqual([]);
  });

  it("gives PD's delegate every DU for the frozen plan, until PD's own role or the delegation ends, or the project takes the right from PD", async () => {
    const pd = await makeMember(db.app, projectId, "PD");
    const owner = await makeUser(db.app);
    await db.app`insert into region_owner (region_id, user_id) values (${north}, ${owner.id})`;
    const reach = async (code: "plan.frozenChange" | "rollout.view") => {
      const membership = await findMembership(db.app, owner.id, projectId, "2026-10-14");
      const scope = makeScope(db.app, projectId, owner.id, membership);
      const rows = await db.app<{ code: string }[]>`select code from du where ${scope.where(code)} order by code`;
      return rows.map((row) => row.code);
    };
    expect(await reach("plan.frozenChange")).toEqual([]);
    await db.app`insert into role_delegation (project_id, role, delegator_id, delegate_id, valid_from, valid_to)
      values (${projectId}, 'PD', ${pd.id}, ${owner.id}, '2026-10-01', '2026-10-14')`;
    expect(await reach("plan.frozenChange")).toEqual(["company", "north", "plain"]);
    expect(await reach("rollout.view")).toEqual(["north"]);
    await db.app`insert into role_permission (project_id, role, code, scope) values (${projectId}, 'PD', 'plan.frozenChange', '')`;
    expect(await reach("plan.frozenChange")).toEqual([]);
    await db.app`delete from role_permission where project_id = ${projectId}`;
    expect(await reach("plan.frozenChange")).toHaveLength(3);
    await db.app`update project_member set valid_to = '2026-10-13' where user_id = ${pd.id}`;
    expect(await reach("plan.frozenChange")).toEqual([]);
  });
});
