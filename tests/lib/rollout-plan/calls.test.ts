import { describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { getSelection } from "#lib/rollout-plan/queries.ts";
import { clock, useDatabase } from "../../support/database.ts";
import { makeMember, makeRegion, makeSubcontractor } from "../../support/factories.ts";
import { inProject } from "../../support/plan-ctx.ts";
import { makeDuOwner, makeDus } from "../../support/plan-factories.ts";
import { later, planCalls, usePlanProject } from "../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call, audits } = planCalls(db, project);

describe("finding a DU or site", () => {
  it("rolloutPlan/quickFind finds codes before names, at most ten", async () => {
    await makeDus(
      db.owner,
      project.id,
      [
        { code: "ZZ-1", name: "Tower" },
        { code: "YY-1", name: "near ZZ" },
      ],
      project.flow,
    );
    expect((await call(project.pm, "rolloutPlan/quickFind", { q: "zz" })).data.map((du: { code: string }) => du.code)).toEqual([
      "ZZ-1",
      "YY-1",
    ]);
    await makeDus(
      db.owner,
      project.id,
      Array.from({ length: 12 }, (_, i) => ({ code: `QF-${i}` })),
      project.flow,
    );
    expect((await call(project.pm, "rolloutPlan/quickFind", { q: "QF" })).data).toHaveLength(10);
  });

  it("[RPL-06] site/info shows the site, its DUs and owners, to those who reach one of them", async () => {
    const region = await makeRegion(db.owner, project.id);
    const [duId] = await makeDus(db.owner, project.id, [{ code: "INFO-1", regionId: region }], project.flow);
    await makeDuOwner(db.owner, duId!, project.viewer.id, "SITE_OWNER");
    await db.owner`insert into region_owner (region_id, user_id) values (${region}, ${project.pm.id})`;
    const [site] = await db.owner<{ site_id: number }[]>`select site_id from du where id = ${duId!}`;
    await db.owner`
      update customer_site set name = 'Harbour', site_number = '0042', country = 'Brasil', province = 'SP', city = 'Santos', town = 'Centro', address = 'Rua 1', post_code = '00123',
        longitude = -46.3, latitude = -23.9, state_id = '35', state_name = 'São Paulo', site_scenario = 'roof', status = 'disabled' where id = ${site!.site_id}`;
    const [flow] = await db.owner`select name from activity_flow where id = ${project.flow.id}`;
    expect((await call(project.pm, `site/info/${site!.site_id}`)).data).toEqual({
      id: site!.site_id,
      code: "S-INFO-1",
      name: "Harbour",
      siteNumber: "0042",
      country: "Brasil",
      province: "SP",
      city: "Santos",
      town: "Centro",
      address: "Rua 1",
      postCode: "00123",
      longitude: -46.3,
      latitude: -23.9,
      stateId: "35",
      stateName: "São Paulo",
      siteScenario: "roof",
      status: "disabled",
      dus: [{ id: duId, code: "INFO-1", name: "Name of INFO-1", flow: flow!.name, status: "notPlanned" }],
      siteOwners: [{ id: project.viewer.id, name: project.viewer.name }],
      regionOwners: [{ id: project.pm.id, name: project.pm.name }],
    });
    const subcon = await makeMember(db.owner, project.id, "SUBCON");
    await makeSubcontractor(db.owner, project.id, [subcon.id]);
    // A DU leads to its site.
    expect((await call(project.pm, `site/info/${duId}?of=du`)).data).toMatchObject({ id: site!.site_id, code: "S-INFO-1" });
    expect(await call(subcon, `site/info/${duId}?of=du`)).toMatchObject({ status: 404 });
    expect(await call(subcon, `site/info/${site!.site_id}`)).toMatchObject({ status: 404 });
  });
});

describe("what a person keeps", () => {
  it("[RPL-31] wbs/findHomePage gives the product's default, then [RPL-32] what wbs/saveHomePage kept for this person and project", async () => {
    const planner = await makeMember(db.owner, project.id, "PCM");
    expect((await call(planner, "wbs/findHomePage")).data).toMatchObject({ view: "grid", locked: ["code", "name", "status"] });
    const state = { view: "card", columns: ["code"], sort: [{ field: "code", dir: "desc" }] };
    const before = await audits();
    expect((await call(planner, "wbs/saveHomePage", { state })).status).toBe(200);
    expect(await audits()).toBe(before + 1);
    expect((await call(planner, "wbs/findHomePage")).data).toEqual(state);
    expect((await call(project.pm, "wbs/findHomePage")).data).toMatchObject({ view: "grid" });
    expect(await call(planner, "wbs/saveHomePage", { state: { view: "x".repeat(66_000) } })).toMatchObject({
      status: 400,
      code: "INVALID_INPUT",
    });
    expect(await call(project.stranger, "wbs/findHomePage")).toMatchObject({ status: 403 });
  });

  it("[RPL-35] wbs/batchInsertStorageDuForWeb keeps a selection under the key for one's own use during a day", async () => {
    const ids = await makeDus(db.owner, project.id, [{}, {}], project.flow);
    const store = (key: string, duIds: number[]) => call(project.pm, `wbs/batchInsertStorageDuForWeb/${key}`, { kind: "map", duIds });
    expect((await store("k-1_A", [ids[1]!, ids[0]!, 987_654])).data).toEqual({ redisKey: "k-1_A" });
    const read = (user: CtxUser, now: Date) => inProject(user, project.number, (ctx) => getSelection(ctx, "k-1_A"), now);
    expect(await read(project.pm, later(24 * 60 - 1))).toEqual({ kind: "map", duIds: [ids[1], ids[0]] });
    await expect(read(project.pm, later(24 * 60))).rejects.toMatchObject({ code: "SELECTION_EXPIRED", status: 410 });
    await expect(read(project.viewer, clock)).rejects.toMatchObject({ code: "SELECTION_EXPIRED" });
    const many = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
    expect((await store("k2", many(5000))).status).toBe(200);
    expect((await store("k3", many(5001))).problems).toMatchObject([{ code: "TOO_MANY_DU" }]);
    expect((await store("k4", [])).problems).toMatchObject([{ code: "DU_EMPTY" }]);
    expect(await store("k5", [987_654])).toMatchObject({ status: 422, code: "DU_EMPTY" });
    expect((await store("bad%20key", [1])).status).toBe(400);
    expect((await store("k".repeat(65), [1])).status).toBe(400);
  });
});
