import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { searchEntriesMax } from "#lib/core/filter-limits.ts";
import { savedRowsMax } from "#lib/rollout-plan/dus/limits.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion, makeSubcontractor } from "../../../support/factories.ts";
import { makeActivities, makeDuOwner, makeDus, makeFlow } from "../../../support/plan-factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let viewer: CtxUser;

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
  viewer = await makeMember(db.app, project.id, "COMMON_VIEW");
});

// biome-ignore lint/suspicious/noExplicitAny: tests read the answer of many calls.
const call = (address: string, input?: unknown, user: CtxUser = pm, number = project.number): Promise<any> =>
  callAs(user, address, input, { project: number });
const listDus = (filters: unknown[] = [], size = 200, more: object = {}, user: CtxUser = pm) =>
  call(`du/list/1/${size}/default/${encodeURIComponent(JSON.stringify(filters))}`, more, user);
const listSites = (filters: unknown[] = [], user: CtxUser = pm) =>
  call(`site/list/1/200/default/${encodeURIComponent(JSON.stringify(filters))}`, {}, user);
const byCode = (code: string) => ({ field: "code", type: "eq", values: [code] });

describe("du/save", () => {
  it("takes sites and other DUs by their codes, and refuses codes that name nothing", async () => {
    const { data } = await call("du/save", {
      rows: [
        { code: "BY-1", name: "A" },
        { code: "BY-2", name: "B" },
      ],
    });
    const [first, second] = data.ids;
    const save = (more: object, rowVersion = 1) => call("du/save", { rows: [{ id: second, rowVersion, ...more }] });
    await call("du/save", { rows: [{ code: "BY-3", name: "C", siteCode: "BY-1" }] });
    expect((await save({ siteCode: "BY-1", directMigrationSiteCode: " BY-1 ", decomSiteCode: "BY-1" })).status).toBe(200);
    const read = async () => (await listDus([byCode("BY-2")])).data.records[0];
    expect(await read()).toMatchObject({ siteCode: "BY-1", directMigrationSiteCode: "BY-1", decomSiteId: first });
    expect((await listDus([byCode("BY-3")])).data.records[0]).toMatchObject({ siteCode: "BY-1" });
    expect(await save({ siteCode: "NO-SITE" }, 2)).toMatchObject({ code: "SITE_UNKNOWN", problems: [{ params: { value: "NO-SITE" } }] });
    expect(await save({ decomSiteCode: "NO-DU" }, 2)).toMatchObject({ code: "DU_NOT_FOUND", problems: [{ params: { code: "NO-DU" } }] });
    // Not itself, and no empty site; the others may be emptied.
    expect(await save({ decomSiteCode: "BY-2" }, 2)).toMatchObject({ code: "DU_NOT_FOUND" });
    expect(await save({ siteCode: "" }, 2)).toMatchObject({ status: 400, problems: [{ path: "rows.0.siteCode" }] });
    expect((await save({ directMigrationSiteCode: null, decomSiteCode: "" }, 2)).status).toBe(200);
    expect(await read()).toMatchObject({ siteCode: "BY-1", directMigrationSiteId: null, decomSiteId: null });
    // A site of another project is none.
    const other = await makeProject(db.app);
    await db.app`insert into customer_site (project_id, code, name) values (${other.id}, 'FAR', 'Far')`;
    expect(await save({ siteCode: "FAR" }, 3)).toMatchObject({ code: "SITE_UNKNOWN" });
    expect(await save({ siteCode: "BY-1" }, 3)).toMatchObject({ code: "NOTHING_MODIFIED" });
  });

  it("makes DUs with their fields, a site of their own and an empty plan row, and audits it", async () => {
    const region = await makeRegion(db.app, project.id, "North");
    const answer = await call("du/save", {
      rows: [
        {
          code: "GD-1",
          name: "南山科技园",
          regionId: region,
          workType: "install",
          valueUnit: "KM",
          valueQty: 12.5,
          eomonth: "2026-10",
          clusterPriority: 3,
        },
        { code: "GD-2", name: "Second", deliveryType: "  ", allowDirectMoving: true },
      ],
    });
    expect(answer).toMatchObject({ status: 200, data: { rejected: [] } });
    const [first, second] = (await listDus([{ field: "code", type: "in", values: ["GD-1", "GD-2"] }])).data.records;
    expect(first).toMatchObject({
      code: "GD-1",
      name: "南山科技园",
      siteCode: "GD-1",
      siteName: "南山科技园",
      regionName: "North",
      valueUnit: "KM",
      valueQty: 12.5,
      eomonth: "2026-10",
    });
    expect(second).toMatchObject({ code: "GD-2", deliveryType: null, allowDirectMoving: true, flowId: null });
    const plans = await db.app`select 1 from du_plan where du_id = any(${answer.data.ids}::bigint[])`;
    expect(plans.length).toBe(2);
    const [audit] = await db.app`select detail from audit_log where address = 'du/save' order by id desc limit 1`;
    expect(audit?.detail.after).toMatchObject({ created: ["GD-1", "GD-2"] });
  });

  it("writes only what changes and keeps it in the plan log", async () => {
    const { data } = await call("du/save", { rows: [{ code: "LOG-1", name: "Old" }] });
    const id = data.ids[0];
    expect(await call("du/save", { rows: [{ id, rowVersion: 1, name: "New", code: "LOG-1" }] })).toMatchObject({
      status: 200,
      data: { ids: [id] },
    });
    const log =
      await db.app`select attrs, source from plan_log l join plan_batch b on b.id = l.batch_id where l.du_id = ${id} order by b.seq`;
    expect(log).toMatchObject([{ attrs: { "du.name": [null, "Old"] } }, { attrs: { "du.name": ["Old", "New"] }, source: "grid" }]);
    expect((await listDus([byCode("LOG-1")])).data.records[0]).toMatchObject({ name: "New", rowVersion: 2 });
  });

  it("refuses a stale row with the present values", async () => {
    const { data } = await call("du/save", { rows: [{ code: "ST-1", name: "A" }] });
    await call("du/save", { rows: [{ id: data.ids[0], rowVersion: 1, name: "B" }] });
    expect(await call("du/save", { rows: [{ id: data.ids[0], rowVersion: 1, name: "C" }] })).toMatchObject({
      status: 409,
      code: "STALE",
      data: { name: "B", rowVersion: 2 },
    });
  });

  it("refuses a repeated code, in the project and within the request, and takes it again once its DU is deleted", async () => {
    const { data } = await call("du/save", { rows: [{ code: "CE-1", name: "A" }] });
    expect(await call("du/save", { rows: [{ code: "CE-1", name: "B" }] })).toMatchObject({ status: 422, code: "CODE_EXISTS" });
    expect(
      await call("du/save", {
        rows: [
          { code: "CE-2", name: "A" },
          { code: "CE-2", name: "B" },
        ],
      }),
    ).toMatchObject({
      status: 200,
      data: { ids: [expect.any(Number)], rejected: [{ row: 1, code: "CODE_EXISTS" }] },
    });
    await call("du/delete", { ids: data.ids });
    expect((await call("du/save", { rows: [{ code: "CE-1", name: "again" }] })).status).toBe(200);
  });

  it("refuses a save without a change [OPS-21]", async () => {
    const { data } = await call("du/save", { rows: [{ code: "NM-1", name: "A" }] });
    expect(await call("du/save", { rows: [{ id: data.ids[0], rowVersion: 1, name: "A" }] })).toMatchObject({
      status: 422,
      code: "NOTHING_MODIFIED",
      msg: "Nothing modified",
    });
  });

  it.each([
    ["a work type that is not known", { workType: "paint" }, "VALUE_UNKNOWN"],
    ["a value unit outside KM, M, Household, Set [RPL-11]", { valueUnit: "MILE" }, "VALUE_UNKNOWN"],
    ["a quantity below the lowest [RPL-24]", { valueQty: 0.009 }, "NUMBER_RANGE"],
    ["a quantity above the highest [RPL-24]", { valueQty: 100_000_000 }, "NUMBER_RANGE"],
    ["a quantity with three decimals [RPL-24]", { valueQty: 1.234 }, "NUMBER_DECIMALS"],
    ["a month that is none", { eomonth: "2026-13" }, "MONTH_FORMAT"],
    ["a priority of 0", { clusterPriority: 0 }, "VALUE_TOO_SMALL"],
    ["a code of 61 characters", { code: "x".repeat(61) }, "VALUE_TOO_LONG"],
    ["a code of blanks", { code: "  " }, "VALUE_MISSING"],
    ["a field that is not known", { deletedAt: "2026-01-01" }, "VALUE_UNKNOWN"],
  ])("refuses %s", async (_name, fields, code) => {
    const answer = await call("du/save", { rows: [{ code: "BAD", name: "x", ...fields }] });
    expect(answer).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    expect(answer.problems.map((problem: { code: string }) => problem.code)).toContain(code);
  });

  it.each(["KM", "M", "Household", "Set"])("takes the value unit %s [RPL-11]", async (valueUnit) => {
    expect((await call("du/save", { rows: [{ code: `U-${valueUnit}`, name: "x", valueUnit, valueQty: 99_999_999.99 }] })).status).toBe(200);
  });

  it.each([0.01, 99_999_999.99])("takes a quantity of %s [RPL-24]", async (valueQty) => {
    const { data } = await call("du/save", { rows: [{ code: `Q-${valueQty}`, name: "x", valueQty }] });
    expect(await db.app`select value_qty::float8 as quantity from du where id = ${data.ids[0]}`).toEqual([{ quantity: valueQty }]);
  });

  it("refuses what belongs to another project", async () => {
    const other = await makeProject(db.app);
    const region = await makeRegion(db.app, other.id);
    const subcontractor = await makeSubcontractor(db.app, other.id);
    const [du] = await makeDus(db.app, other.id, [{ code: "X-1" }]);
    const [site] = await db.app`select site_id as id from du where id = ${du as number}`;
    const make = (fields: object) => call("du/save", { rows: [{ code: "ISO-1", name: "x", ...fields }] });
    expect(await make({ regionId: region })).toMatchObject({ code: "REGION_UNKNOWN" });
    expect(await make({ subcontractorId: subcontractor })).toMatchObject({ code: "SUBCONTRACTOR_UNKNOWN" });
    expect(await make({ siteId: site?.id })).toMatchObject({ code: "SITE_UNKNOWN" });
    expect(await make({ decomSiteId: du })).toMatchObject({ code: "DU_NOT_FOUND" });
    expect(await call("du/save", { rows: [{ id: du, rowVersion: 1, name: "taken over" }] })).toMatchObject({ status: 404 });
  });

  it("takes 200 rows and refuses 201 [OPS-19]", async () => {
    const rows = (count: number, mark: string) => Array.from({ length: count }, (_, i) => ({ code: `${mark}-${i}`, name: "x" }));
    expect((await call("du/save", { rows: rows(savedRowsMax, "MAX") })).data.ids.length).toBe(200);
    const over = await call("du/save", { rows: rows(savedRowsMax + 1, "OVER") });
    expect(over).toMatchObject({ status: 400, problems: [{ code: "TOO_MANY_DU", params: { max: 200 } }] });
    expect((await listDus([{ field: "code", type: "like", values: ["OVER-"] }])).data.total).toBe(0);
  });

  it("is refused without the right", async () => {
    expect(await call("du/save", { rows: [{ code: "V-1", name: "x" }] }, viewer)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });
});

describe("du/delete", () => {
  it("deletes DUs without a plan, bound or not, and leaves the others with their reason [OPS-48]", async () => {
    const activities = await makeActivities(db.app, project.id, ["Survey", "Install"]);
    const flow = { id: await makeFlow(db.app, project.id, pm.id, activities), activities };
    const ids = await makeDus(
      db.app,
      project.id,
      [
        { code: "DEL-1" },
        { code: "DEL-2", plan: { 2: { state: 1 | (7 << 7) } } },
        { code: "DEL-3", plan: { 1: { state: 1, plan_end: "2026-11-01" } } },
        { code: "DEL-4", plan: { 2: { state: 1, baseline_start: "2026-11-01" } } },
        { code: "DEL-5", plan: { 2: { state: 1 | (2 << 10) } } },
        { code: "DEL-6", plan: { 2: { state: 1 | (1 << 4) } } },
      ],
      flow,
    );
    const answer = await call("du/delete", { ids });
    expect(answer).toMatchObject({ status: 200, data: { ids: ids.slice(0, 2) } });
    expect(answer.data.rejected.map((row: { id: number; code: string }) => [row.id, row.code])).toEqual(
      ids.slice(2).map((id) => [id, "DU_HAS_PLAN"]),
    );
    expect(
      (await listDus([{ field: "code", type: "like", values: ["DEL-"] }])).data.records.map((row: { code: string }) => row.code),
    ).toEqual(["DEL-3", "DEL-4", "DEL-5", "DEL-6"]);
    expect((await db.app`select 1 from du_flow where du_id = any(${ids.slice(0, 2)}::bigint[]) and unbound_at is null`).length).toBe(0);
    expect(await call("du/delete", { ids: ids.slice(2, 3) })).toMatchObject({ status: 422, code: "DU_HAS_PLAN" });
  });

  it("keeps a DU another one names", async () => {
    const ids = (
      await call("du/save", {
        rows: [
          { code: "NB-1", name: "x" },
          { code: "NB-2", name: "x" },
        ],
      })
    ).data.ids;
    await call("du/save", { rows: [{ id: ids[1], rowVersion: 1, decomSiteId: ids[0] }] });
    expect(await call("du/delete", { ids: [ids[0]] })).toMatchObject({
      status: 422,
      code: "IN_USE",
      problems: [{ params: { by: "NB-2" } }],
    });
    expect(await call("du/delete", { ids })).toMatchObject({ status: 200, data: { rejected: [] } });
  });

  it("says that no DU was chosen", async () => {
    expect(await call("du/delete", { ids: [] })).toMatchObject({
      status: 400,
      problems: [{ code: "NO_SELECTION", msg: "Please select one DU at least" }],
    });
  });

  it("needs du.delete", async () => {
    const pcm = await makeMember(db.app, project.id, "PCM");
    expect(await call("du/delete", { ids: [1] }, pcm)).toMatchObject({ status: 403 });
  });
});

describe("du/migrate", () => {
  it("moves DUs to another sub-project and logs it", async () => {
    const ids = (
      await call("du/save", {
        rows: [
          { code: "MG-1", name: "x", subProjectCode: "A" },
          { code: "MG-2", name: "x", subProjectCode: "B" },
        ],
      })
    ).data.ids;
    expect(await call("du/migrate", { ids, subProjectCode: "B" })).toMatchObject({
      status: 200,
      data: { ids: [ids[0]], rejected: [{ id: ids[1], code: "NOTHING_MODIFIED" }] },
    });
    const [log] = await db.app`select attrs from plan_log where du_id = ${ids[0]} order by batch_id desc`;
    expect(log?.attrs).toEqual({ "du.sub_project_code": ["A", "B"] });
  });

  it("needs du.migrate", async () => {
    const pcm = await makeMember(db.app, project.id, "PCM");
    expect(await call("du/migrate", { ids: [1], subProjectCode: "B" }, pcm)).toMatchObject({ status: 403 });
  });
});

describe("site/save and site/delete", () => {
  it("makes, changes and deletes a site", async () => {
    const made = await call("site/save", {
      rows: [{ code: "S-1", name: "Site 1", longitude: 121.4737019, latitude: 31.23, city: "Shanghai" }],
    });
    expect(made.status).toBe(200);
    const id = made.data.ids[0];
    expect((await listSites([byCode("S-1")])).data.records[0]).toMatchObject({
      longitude: 121.473702,
      latitude: 31.23,
      duCount: 0,
      status: "active",
      rowVersion: 1,
    });
    expect((await call("site/save", { rows: [{ id, rowVersion: 1, city: null, status: "disabled" }] })).status).toBe(200);
    expect((await listSites([byCode("S-1")])).data.records[0]).toMatchObject({ city: null, status: "disabled", rowVersion: 2 });
    expect(await call("site/save", { rows: [{ id, rowVersion: 1, city: "x" }] })).toMatchObject({ status: 409, code: "STALE" });
    expect((await call("site/delete", { ids: [id] })).status).toBe(200);
    expect((await listSites([byCode("S-1")])).data.total).toBe(0);
    expect((await call("site/save", { rows: [{ code: "S-1", name: "again" }] })).status).toBe(200);
  });

  it.each([
    [{ longitude: 180.000001 }, "VALUE_RANGE"],
    [{ latitude: -90.1 }, "VALUE_RANGE"],
    [{ postCode: "x".repeat(21) }, "VALUE_TOO_LONG"],
  ])("refuses %o", async (fields, code) => {
    expect(await call("site/save", { rows: [{ code: "S-B", name: "x", ...fields }] })).toMatchObject({ status: 400, problems: [{ code }] });
  });

  it.each([
    { longitude: 180, latitude: 90 },
    { longitude: -180, latitude: -90 },
  ])("takes %o", async (fields) => {
    expect((await call("site/save", { rows: [{ code: `S-${fields.latitude}`, name: "x", ...fields }] })).status).toBe(200);
  });

  it("keeps a site with DUs and a repeated code out", async () => {
    const [du] = (await call("du/save", { rows: [{ code: "SU-1", name: "x" }] })).data.ids;
    const site = (await listDus([byCode("SU-1")])).data.records[0].siteId;
    expect(await call("site/delete", { ids: [site] })).toMatchObject({
      status: 422,
      code: "SITE_IN_USE",
      problems: [{ params: { list: "SU-1" } }],
    });
    expect(await call("site/save", { rows: [{ code: "SU-1", name: "x" }] })).toMatchObject({ status: 422, code: "CODE_EXISTS" });
    await call("du/delete", { ids: [du] });
    expect((await call("site/delete", { ids: [site] })).status).toBe(200);
  });

  it("says that no record was chosen", async () => {
    expect(await call("site/delete", { ids: [] })).toMatchObject({
      status: 400,
      problems: [{ code: "NO_SELECTION", msg: "Select at least one record" }],
    });
  });
});

describe("du/list and site/list", () => {
  it("searches one entry anywhere and several exactly, at most 500 [OPS-30]", async () => {
    await call("du/save", { rows: ["SE-10", "SE-2", "XSE-2"].map((code) => ({ code, name: `Name ${code}` })) });
    const search = (text: string) => listDus([{ field: "search", type: "like", values: [text] }]);
    expect((await search("se-2")).data.records.map((row: { code: string }) => row.code)).toEqual(["SE-2", "XSE-2"]);
    expect((await search("SE-2，SE-10\nnowhere")).data.records.map((row: { code: string }) => row.code)).toEqual(["SE-2", "SE-10"]);
    const entries = (count: number) => Array.from({ length: count }, (_, i) => `entry-of-twenty-${1000 + i}`).join(", ");
    expect((await search(entries(searchEntriesMax))).status).toBe(200);
    expect(await search(entries(searchEntriesMax + 1))).toMatchObject({ status: 422, code: "SEARCH_TOO_MANY" });
  });

  it("pages in natural order and counts", async () => {
    const filters = [{ field: "code", type: "like", values: ["MAX-"] }];
    const first = await call(`du/list/1/50/default/${encodeURIComponent(JSON.stringify(filters))}`);
    const last = await call(`du/list/4/50/default/${encodeURIComponent(JSON.stringify(filters))}`);
    const beyond = await call(`du/list/5/50/default/${encodeURIComponent(JSON.stringify(filters))}`);
    expect([first.data.total, first.data.records[2].code, last.data.records.at(-1).code, beyond.data.total, beyond.data.records]).toEqual([
      200,
      "MAX-2",
      "MAX-199",
      200,
      [],
    ]);
    const down = await listDus(filters, 10, { sort: [{ field: "code", dir: "desc" }] });
    expect(down.data.records[0].code).toBe("MAX-199");
  });

  it("shows an owner only own DUs and their sites, without counts for a subcontractor", async () => {
    const owner = await makeMember(db.app, project.id, "SITE_OWNER");
    const [mine] = await makeDus(db.app, project.id, [{ code: "OWN-1" }, { code: "OWN-2" }]);
    await makeDuOwner(db.app, mine as number, owner.id, "SITE_OWNER");
    expect((await listDus([], 200, {}, owner)).data).toMatchObject({ total: 1, records: [{ code: "OWN-1" }] });
    expect((await listSites([], owner)).data).toMatchObject({ total: 1, records: [{ code: "S-OWN-1" }] });
    const subcon = await makeMember(db.app, project.id, "SUBCON");
    const company = await makeSubcontractor(db.app, project.id, [subcon.id]);
    await makeDus(db.app, project.id, [{ code: "SUB-1", subcontractorId: company }]);
    expect((await listDus([], 200, {}, subcon)).data).toMatchObject({ total: null, records: [{ code: "SUB-1" }] });
  });

  it("shows nothing of another project", async () => {
    const other = await makeProject(db.app);
    const stranger = await makeMember(db.app, other.id, "PM");
    expect(await call("du/list/1/20/default/[]", {}, stranger, other.number)).toMatchObject({ status: 200, data: { total: 0 } });
    expect(await call("du/list/1/20/default/[]", {}, stranger)).toMatchObject({ status: 403 });
  });

  it("gives the choices of its cells", async () => {
    expect((await call("du/options")).data.regions).toContainEqual({ id: expect.any(Number), name: "North" });
  });
});
