import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { type Locale, locales } from "#lib/core/locale.ts";
import { withLocalFile } from "#lib/core/storage.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion, makeSubcontractor } from "../../../support/factories.ts";
import { makeActivities, makeDuOwner, makeDus, makeFlow } from "../../../support/plan-factories.ts";
import { readSheet } from "../../../support/read-sheet.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let user: CtxUser;
let ids: number[];
const tasks = importsOf(db, () => ({ project, user }));

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
  const activities = await makeActivities(db.app, project.id, ["Survey"]);
  const flow = await makeFlow(db.app, project.id, pm.id, activities, "New build");
  const gone = await makeRegion(db.app, project.id, "Closed region");
  const idle = await makeSubcontractor(db.app, project.id);
  ids = await makeDus(
    db.app,
    project.id,
    [{ code: "=1+1", name: "@name", regionId: gone, subcontractorId: idle, rfcNumber: "-RFC" }, { code: "R-2" }, { code: "R-3" }],
    { id: flow, activities },
  );
  const [first, second, third] = ids;
  // Everything a DU and a site can hold, and what has gone out of use since.
  await db.app`
    update du set project_code = '007', sub_project_code = '1e5', delivery_type = '2026-10-01', work_type = 'dismantle', cluster_priority = 3, rfi_priority = 99999999,
      direct_migration_site_id = ${second!}, decom_site_id = ${third!}, allow_direct_moving = true, acceptance = 'TRUE', po_completeness_no = '是', delivery_key = 'k, "q"',
      delivery_batch_no = '+8613', product_type = '5G', product_line = '５Ｇ', scenario_type = '<b>&amp;', rru_ics_scene = 'x', value_unit = 'Household',
      value_qty = 0.01, eomonth = '2026-10' where id = ${first!}`;
  await db.app`
    update customer_site set site_number = '0042', country = '中国', province = '广东', city = '深圳', town = '南山', address = ${"No. 1\nsecond line\r\nthird"}, post_code = '00123',
      longitude = -179.123456, latitude = 0, state_id = '35', state_name = 'São Paulo', site_scenario = 'roof', status = 'disabled'
    where id = (select site_id from du where id = ${first!})`;
  // Two DUs of one site.
  await db.app`update du set site_id = (select site_id from du where id = ${first!}), work_type = 'install' where id = ${second!}`;
  await db.app`update delivery_region set status = 'INVALID' where id = ${gone}`;
  await db.app`update subcontractor set status = 'INVALID' where id = ${idle}`;
  await db.app`update activity_flow set status = 'disabled' where id = ${flow}`;
});
beforeEach(async () => {
  user = pm;
  await db.owner`delete from rate_limit`;
});

async function exported(address: string, lang: Locale = "en", input: object = {}) {
  const started = await tasks.call(address, input, { locale: lang });
  if (started.status !== 200) throw new Error(JSON.stringify(started));
  return tasks.run(started.data.taskId);
}

describe.each([
  ["dus", "du/export", 3],
  ["sites", "site/export", 3],
] as const)("the workbook of %s", (kind, address, count) => {
  it.each(locales)("changes nothing when it is imported again, exported in %s, whatever empty cells mean", async (lang) => {
    const done = await exported(address, lang);
    expect(done).toMatchObject({ status: "succeeded", done_count: count });
    for (const locale of locales) {
      const options = { blanks: locale === lang ? "clear" : "keep" };
      const preview = await tasks.preview({ fileId: done.result_file_id, kind, options }, { locale });
      expect([preview.status, preview.result?.counts, await tasks.rows(preview.id, [], { locale })]).toMatchObject([
        "succeeded",
        { new: 0, changed: 0, unchanged: count, conflict: 0, rejected: 0 },
        Array.from({ length: count }, () => ({ outcome: "unchanged", problems: [] })),
      ]);
      expect(preview.result.columns.length).toBe(preview.result.heads.length - 1);
    }
  });

  it("says what it is, by hidden keys and sheet, and is refused as another kind", async () => {
    const done = await exported(address);
    const { meta } = await withLocalFile({ sql: db.app, project, user } as never, done.result_file_id, readSheet);
    expect(meta).toEqual({ project: project.number, kind, version: "1" });
    expect(await tasks.call("import/open", { fileId: done.result_file_id, kind: kind === "dus" ? "sites" : "dus" })).toMatchObject({
      code: "WRONG_FILE",
    });
  });
});

describe("an edited workbook of DUs", () => {
  it("changes the cells that were edited and no others, and formulas in it are text", async () => {
    const done = await exported("du/export");
    const [keys, heads, ...rows] = await tasks.workbook(done.result_file_id);
    expect(rows[0]?.slice(0, 2)).toEqual(["=1+1", "@name"]);
    const at = (key: string) => keys!.indexOf(key);
    expect([heads![at("region")], rows[0]![at("region")], rows[0]![at("workType")], rows[0]![at("allowDirectMoving")]]).toEqual([
      "Delivery region",
      "Closed region",
      "Dismantle",
      "Yes",
    ]);
    rows[2]![at("name")] = "Renamed";
    const stream = writeWorkbook({
      name: "x",
      columns: keys!.map((key, index) => ({ key: String(key), title: String(heads![index]) })),
      rows: rows.map((row) => keys!.map((_, index) => row[index] ?? null)),
      meta: { project: project.number, kind: "dus", version: 1 },
    });
    const fileId = await tasks.upload("edited.xlsx", Buffer.concat(await stream.toArray()));
    const preview = await tasks.preview({ fileId, kind: "dus" });
    expect(preview.result.counts).toMatchObject({ changed: 1, unchanged: 2, rejected: 0 });
    expect(preview.result).toMatchObject({ changedCells: 1, changed: [{ key: "name", count: 1 }] });
    expect(await tasks.apply(preview.id)).toMatchObject({ status: "succeeded", done_count: 1 });
    expect((await db.app`select name from du where id = any(${ids}) order by id`).map(({ name }) => name)).toEqual([
      "@name",
      "Name of R-2",
      "Renamed",
    ]);
  });
});

describe("what somebody else changed since the export", () => {
  it.each([
    ["dus", "du/export", "R-3", "name", "update du set name = name || '!', row_version = row_version + 1 where code = 'R-3'"],
    ["dus", "du/export", "R-3", "city", "update customer_site set town = 'x', row_version = row_version + 1 where code = 'S-R-3'"],
    ["sites", "site/export", "S-R-3", "city", "update customer_site set town = 'y', row_version = row_version + 1 where code = 'S-R-3'"],
  ] as const)("is not written over by the workbook of %s from %s: %s, %s", async (kind, address, code, key, statement) => {
    const done = await exported(address);
    const [keys, heads, ...rows] = await tasks.workbook(done.result_file_id);
    rows.find((row) => row[0] === code)![keys!.indexOf(key)] = `edited ${key}`;
    rows.find((row) => row[0] === "R-2" || row[0] === "S-R-2")![keys!.indexOf("name")] = `other ${kind} ${key}`;
    const stream = writeWorkbook({
      name: "x",
      columns: keys!.map((one, index) => ({ key: String(one), title: String(heads![index] ?? "") })),
      rows: rows.map((row) => keys!.map((_, index) => row[index] ?? null)),
      meta: { project: project.number, kind, version: 1 },
    });
    const fileId = await tasks.upload("edited.xlsx", Buffer.concat(await stream.toArray()));
    const before = await tasks.preview({ fileId, kind });
    expect(before.result.counts).toMatchObject({ rejected: 0 });
    await db.app.unsafe(`${statement} and project_id = ${project.id}`);
    const after = await tasks.preview({ fileId, kind });
    const refused = (await tasks.rows(after.id)).filter(({ outcome }) => outcome === "rejected");
    expect(refused.map(({ cells, problems }) => [cells.code?.text, problems[0]?.code])).toEqual([[code, "STALE"]]);
    // Changed between check and application: refused there, the others arrive.
    expect(await tasks.apply(before.id)).toMatchObject({ status: "partial", done_count: 1, failed_count: 1 });
  });
});

describe("what is exported", () => {
  it("are the rows the conditions of the list keep; none is refused [OPS-12], and a condition nobody knows", async () => {
    const one = await exported("du/export", "en", { filters: [{ field: "search", type: "like", values: ["R-2"] }] });
    expect((await tasks.workbook(one.result_file_id)).slice(2).map((row) => row[0])).toEqual(["R-2"]);
    const sites = await exported("site/export", "en", { filters: [{ field: "status", type: "eq", values: ["disabled"] }] });
    expect((await tasks.workbook(sites.result_file_id)).slice(2).map((row) => row[0])).toEqual(["S-=1+1"]);
    const nothing = { filters: [{ field: "search", type: "like", values: ["nowhere"] }] };
    for (const address of ["du/export", "site/export"]) {
      expect(await tasks.call(address, nothing)).toMatchObject({ status: 422, code: "NO_DATA" });
      expect(await tasks.call(address, { filters: [{ field: "salary", type: "eq", values: [1] }] })).toMatchObject({ status: 400 });
    }
  });

  it("are an owner's own DUs and their sites alone, and nothing without the right", async () => {
    user = await makeMember(db.app, project.id, "SITE_OWNER");
    await makeDuOwner(db.app, ids[2]!, user.id, "SITE_OWNER");
    const dus = await exported("du/export");
    expect((await tasks.workbook(dus.result_file_id)).slice(2).map((row) => row[0])).toEqual(["R-3"]);
    const sites = await exported("site/export");
    expect((await tasks.workbook(sites.result_file_id)).slice(2).map((row) => row[0])).toEqual(["S-R-3"]);
    user = await makeMember(db.app, project.id, "CUSTOMER");
    for (const address of ["du/export", "site/export"])
      expect(await tasks.call(address, {})).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });

  it("are fewer than 10,000 DUs [OPS-11], and at most 2,000 sites [OPS-10]", { timeout: 120_000 }, async () => {
    const large = await makeProject(db.app);
    const planner = await makeMember(db.app, large.id, "PM");
    const own = importsOf(db, () => ({ project: large, user: planner }));
    await db.app`
      with s as (insert into customer_site (project_id, code, name) select ${large.id}, 'M' || n, 'M' from generate_series(1, 2000) n returning id)
      insert into du (project_id, code, name, site_id) select ${large.id}, 'D' || n, 'x', (select min(id) from s) from generate_series(1, 9999) n`;
    const run = async (address: string) => own.run((await own.call(address, {})).data.taskId);
    expect(await run("du/export")).toMatchObject({ status: "succeeded", done_count: 9_999 });
    expect(await run("site/export")).toMatchObject({ status: "succeeded", done_count: 2_000 });
    await makeDus(db.app, large.id, [{ code: "ONE-MORE" }]);
    expect(await own.call("du/export", {})).toMatchObject({ code: "EXPORT_LIMIT", msg: "The export has 10,000 rows, at most 9,999" });
    expect(await own.call("site/export", {})).toMatchObject({ code: "EXPORT_LIMIT", msg: "The export has 2,001 rows, at most 2,000" });
  });
});
