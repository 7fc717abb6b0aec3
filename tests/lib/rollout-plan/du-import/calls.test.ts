import { buffer } from "node:stream/consumers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion, makeSubcontractor } from "../../../support/factories.ts";
import { type MadeActivity, makeActivities, makeAttribute, makeDus, makeFlow } from "../../../support/plan-factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let tl: CtxUser;
let activities: MadeActivity[];
let flowId: number;
const imports = importsOf(db, () => ({ project, user: pm }));

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
  tl = await makeMember(db.app, project.id, "TL");
  activities = await makeActivities(db.app, project.id, ["Survey", "Install", "Accept"]);
  flowId = await makeFlow(db.app, project.id, pm.id, activities, "New build");
  await makeRegion(db.app, project.id, "North");
});
// More files are read here than a person reads in a minute.
beforeEach(() => db.owner`delete from rate_limit`);

const sheet = (heads: string[], rows: Cell[][]) => buffer(writeWorkbook({ name: "DUs", columns: heads.map((title) => ({ title })), rows }));

/** Checks a workbook with the suggested mapping. */
async function check(heads: string[], rows: Cell[][], options: object = {}, more: object = {}) {
  const fileId = await imports.upload("dus.xlsx", await sheet(heads, rows));
  return imports.preview({ fileId, kind: "dus", options, ...more });
}
const outcomes = async (previewId: string) =>
  (await imports.rows(previewId)).map((row) => [row.outcome, ...row.problems.map((problem) => problem.code)]);
const plan = async (code: string) =>
  db.app`select a.name, v.plan_start, v.plan_end, v.actual_start, v.actual_end, v.plan_owner_ids, v.actual_owner_ids from du_activity v
    join activity_library a on a.id = v.activity_id join du on du.id = v.du_id where du.code = ${code} and v.project_id = ${project.id} order by v.slot`;

describe("a check of DUs", () => {
  it("tells what dependency rules and mandatory warnings refuse, of DUs that are there and of new ones", async () => {
    const [survey, install] = activities as [MadeActivity, MadeActivity];
    const batch = await makeAttribute(db.app, project.id, { name: "Batch" });
    const answer = await callAs(
      pm,
      "rollPlanDependency/save",
      {
        prerequisites: [
          { activityId: survey.id, event: "COMPLETE" },
          { attributeId: batch.id, event: "MAINTAIN" },
        ],
        targets: [{ activityId: install.id, event: "START" }],
      },
      { project: project.number },
    );
    expect(answer.status).toBe(200);
    await db.owner`
      insert into warning_config (project_id, anchor_activity_id, field_a, alert_activity_id, field_b, operator, days, level, message, sort_no, created_by, created_at,
        updated_by, updated_at)
      values (${project.id}, ${survey.id}, 'planEnd', ${install.id}, 'planEnd', 'GT', 20, 'MANDATORY', 'late', 1, ${pm.id}, now(), ${pm.id}, now())`;
    await makeDus(db.app, project.id, [{ code: "W-1" }, { code: "W-2", ext: { [batch.key]: "B1" } }], { id: flowId, activities });
    const heads = ["DU ID", "Survey plan end", "Survey actual end", "Install plan end", "Install actual start"];
    const late = ["2026-10-01", null, "2026-11-01", null];
    const rows = [
      ["W-1", null, "2026-10-01", null, "2026-10-02"],
      ["W-2", null, "2026-10-01", null, "2026-10-02"],
      ["W-3", null, "2026-10-01", null, "2026-10-02"],
      ["W-4", ...late],
      ["W-5", "2026-10-01", null, "2026-10-21", null],
    ];
    const expected = [
      ["rejected", "DEP_PREREQ_UNMET"],
      ["changed"],
      ["rejected", "DEP_PREREQ_UNMET"],
      ["rejected", "WARNING_MANDATORY"],
      ["new"],
    ];
    const options = { flowId, ownerId: pm.id };
    const done = await check(heads, rows, options);
    expect(await outcomes(done.id)).toEqual(expected);
    const [first] = await imports.rows(done.id);
    expect(first!.problems.map(({ msg }) => msg)).toEqual(["“Install” cannot be started: “Batch” has not been maintained"]);
    // What a new DU begins with counts.
    await db.owner`update attribute set default_value = 'B0' where id = ${batch.id}`;
    expect((await outcomes((await check(heads, rows, options)).id))[2]).toEqual(["new"]);
    await db.owner`update attribute set default_value = null where id = ${batch.id}`;
    // The application refuses the same rows.
    expect(await imports.apply(done.id)).toMatchObject({ status: "partial", done_count: 2 });
    await db.owner`delete from dep_rule where project_id = ${project.id}`;
    await db.owner`delete from warning_config where project_id = ${project.id}`;
  });

  it("tells new, changed, unchanged and rejected rows with old and new value of every cell, and writes nothing", async () => {
    await makeDus(db.app, project.id, [
      { code: "P-1", name: "One" },
      { code: "P-2", name: "Two" },
    ]);
    const before = (await db.app`select count(*)::int as n from du`)[0]?.n;
    const done = await check(
      ["DU ID", "DU name", "City", "Region"],
      [
        ["P-1", "One", "Suzhou", null],
        ["P-2", "Two", "Shanghai", null],
        ["P-3", "Three", "Wuxi", "North"],
        ["P-4", "Four", "Wuxi", "Nowhere"],
        ["P-1", "again", null, null],
        [null, "nobody", null, null],
      ],
    );
    expect(done.result).toMatchObject({ rows: 6, counts: { new: 1, changed: 1, unchanged: 1, rejected: 3 }, changedCells: 1 });
    const rows = await imports.rows(done.id);
    expect(rows[0]).toMatchObject({
      no: 2,
      outcome: "changed",
      cells: { city: { text: "Suzhou", old: "Shanghai", next: "Suzhou" }, name: { text: "One" } },
    });
    expect(rows[2]).toMatchObject({ outcome: "new", cells: { region: { old: "", next: "North" }, siteCode: { next: "P-3" } } });
    expect(rows[3]).toMatchObject({
      outcome: "rejected",
      cells: { region: { text: "Nowhere", problem: { code: "REGION_UNKNOWN", msg: "There is no delivery region Nowhere" } } },
    });
    expect(rows[4]).toMatchObject({ outcome: "rejected", problems: [{ path: "code", code: "REPEATED_IN_FILE", msg: "Repeats row 2" }] });
    expect(rows[5]).toMatchObject({ outcome: "rejected", problems: [{ path: "code", code: "VALUE_MISSING" }] });
    expect((await db.app`select count(*)::int as n from du`)[0]?.n).toBe(before);
    const own = await imports.rows(done.id, [{ field: "outcome", type: "in", values: ["rejected"] }]);
    expect(own.map((row) => row.no)).toEqual([5, 6, 7]);
    expect((await imports.rows(done.id, [{ field: "code", type: "eq", values: ["REGION_UNKNOWN"] }])).map((row) => row.no)).toEqual([5]);
    expect((await imports.rows(done.id, [{ field: "search", type: "like", values: ["thr"] }])).map((row) => row.no)).toEqual([4]);
    const zh = await imports.rows(done.id, own.length ? [{ field: "code", type: "eq", values: ["REGION_UNKNOWN"] }] : [], { locale: "zh" });
    expect(zh[0]?.problems[0]?.msg).toBe("没有交付区域 Nowhere");
  });

  it.each([
    ["a work type nobody knows", "Install or dismantle", "paint", "VALUE_UNKNOWN"],
    ["a number with three decimals", "DU value quantity", 1.234, "NUMBER_DECIMALS"],
    ["a longitude beyond the date line", "Longitude", 180.5, "VALUE_RANGE"],
    ["a month that is none", "End-of-month period", "2026-13", "MONTH_FORMAT"],
    ["a text too long", "Post code", "x".repeat(21), "VALUE_TOO_LONG"],
    ["a subcontractor nobody knows", "Subcontractor", "Nobody & Sons", "SUBCONTRACTOR_UNKNOWN"],
    ["a decom DU that is not there", "Decom DU", "NOPE", "DU_NOT_FOUND"],
    ["a flow that is not there", "Activity flow", "No flow", "FLOW_UNKNOWN"],
    ["an owner without an account", "Owner of actual dates", "ghost", "ACCOUNT_MISSING"],
    ["a cell that holds an error", "Address", "#N/A", "CELL_ERROR"],
  ] as [string, string, Cell, string][])("refuses %s, as the form does", async (_name, head, cell, code) => {
    const done = await check(["DU ID", head], [["BAD-1", cell]]);
    expect(await outcomes(done.id)).toEqual([["rejected", code]]);
  });

  it("refuses an owner who is no member of the project", async () => {
    const other = await makeProject(db.app);
    const stranger = await makeMember(db.app, other.id, "PM");
    const done = await check(["DU ID", "Owner of actual dates"], [["BAD-2", stranger.account]]);
    expect(await outcomes(done.id)).toEqual([["rejected", "NOT_MEMBER"]]);
    const fileId = await imports.upload("a.csv", "DU ID\tx\nA\t1\n");
    expect(await imports.preview({ fileId, kind: "dus", options: { ownerId: stranger.id } })).toMatchObject({
      status: "failed",
      message_key: "errors.NOT_MEMBER",
    });
  });

  it("asks every rule of the plan, each at its own cell [RPL-14, RPL-15, RPL-16, RPL-19]", async () => {
    const heads = ["DU ID", "Install plan start", "Install plan end", "Install actual start", "Install actual end"];
    const done = await check(
      heads,
      [
        ["R-1", "2026-10-15", "2026-10-14", null, null],
        ["R-2", "2026-10-14", "2026-10-14", "2026-10-14", "2026-10-14"],
        ["R-3", null, "2029-10-14", null, null],
        ["R-4", null, "2029-10-15", null, null],
        ["R-5", null, null, null, "2026-10-15"],
        ["R-6", null, null, "2026-10-02", "2026-10-01"],
        ["R-7", null, null, null, "1999-12-31"],
        ["R-10", null, null, "2026-10-15", null],
      ],
      { flowId, ownerId: tl.id },
    );
    expect(await outcomes(done.id)).toEqual([
      ["rejected", "PLAN_ORDER", "PLAN_ORDER"],
      ["new"],
      ["new"],
      ["rejected", "PLAN_TOO_FAR"],
      ["rejected", "ACTUAL_AFTER_TODAY"],
      ["rejected", "ACTUAL_ORDER", "ACTUAL_ORDER"],
      ["rejected", "DATE_OUT_OF_RANGE"],
      ["rejected", "ACTUAL_AFTER_TODAY"],
    ]);
    const said = (await imports.rows(done.id)).map((row) => row.problems.map(({ msg }) => msg));
    expect([said[4], said[5], said[7]]).toEqual([
      ["The actual date is later than today"],
      ["The actual start is after the actual end", "The actual start is after the actual end"],
      ["The actual date is later than today"],
    ]);
    const without = await check(heads, [["R-8", null, null, null, "2026-10-01"]], { flowId });
    expect(await outcomes(without.id)).toEqual([["rejected", "OWNER_REQUIRED"]]);
    const unbound = await check(heads, [["R-9", null, "2026-10-20", null, null]]);
    expect(await outcomes(unbound.id)).toEqual([["rejected", "NO_ACTIVITY"]]);
  });

  it("names a month that is not yyyy-MM and a date outside the range [RPL-17]", async () => {
    const done = await check(
      ["DU ID", "End-of-month period", "Install actual end"],
      [
        ["M-1", "2026-10", "2000-01-02"],
        ["M-2", "10/2026", null],
        ["M-3", "2026-1", null],
        ["M-4", null, "2000-01-01"],
        ["M-5", null, "2089-09-18"],
      ],
      { flowId, ownerId: tl.id },
    );
    const range = "Date out of range: 2000-01-02 to 2089-09-17";
    const month = "Wrong month format: use yyyy-MM";
    expect((await imports.rows(done.id)).map((row) => row.problems.map((problem) => problem.msg))).toEqual([
      [],
      [month],
      [month],
      [range],
      [range],
    ]);
  });

  it("keeps what was chosen for the columns of the next file", async () => {
    const heads = ["Key", "Label", "Zone"];
    const fileId = await imports.upload("own.xlsx", await sheet(heads, [["K-1", "x", "North"]]));
    await imports.preview({ fileId, kind: "dus", mapping: ["code", "name", null] });
    const opened = await imports.call("import/open", { fileId, kind: "dus" });
    expect(opened.data.columns.map((column: { field: string | null }) => column.field)).toEqual(["code", "name", null]);
  });

  it.each([
    ["without the column it needs", ["DU name", "Region"], undefined, "MAPPING_MISSING"],
    ["with two columns for one field", ["DU ID", "B"], ["code", "code"], "COLUMN_REPEATED"],
  ] as [string, string[], string[] | undefined, string][])("fails %s", async (_name, heads, mapping, code) => {
    const done = await check(heads, [["a", "b"]], {}, mapping ? { mapping } : {});
    expect(done).toMatchObject({ status: "failed", message_key: `errors.${code}` });
  });
});

describe("an application of DUs", () => {
  it("makes regions when it is asked to, sites, DUs, bindings, owners and dates in one go", async () => {
    const company = await makeSubcontractor(db.app, project.id);
    const [{ name: companyName } = { name: "" }] = await db.app`select name from subcontractor where id = ${company}`;
    const heads = [
      "DU ID",
      "DU name",
      "Customer site ID",
      "Region",
      "Subcontractor",
      "Activity flow",
      "Survey plan end",
      "Install plan owner",
      "Install actual end",
      "Owner of actual dates",
      "Install or dismantle",
    ];
    const rows: Cell[][] = [
      [
        "A-1",
        "南山",
        "S-1",
        "West",
        companyName,
        "new  BUILD",
        { d: "2026-11-01" },
        `${tl.name} (${tl.account})`,
        { d: "2026-10-01" },
        pm.account,
        "安装",
      ],
      ["A-2", null, "S-1", "west", null, null, null, null, null, null, "dismantle"],
    ];
    const refused = await check(heads, rows);
    expect(await outcomes(refused.id)).toEqual([
      ["rejected", "REGION_UNKNOWN"],
      ["rejected", "REGION_UNKNOWN"],
    ]);
    const checked = await check(heads, rows, { createRegions: true });
    expect(checked.result.counts).toMatchObject({ new: 2, rejected: 0 });
    const done = await imports.apply(checked.id);
    expect(done).toMatchObject({ status: "succeeded", done_count: 2, failed_count: 0 });
    const dus = await db.app`
      select du.code, du.name, r.name as region, s.code as site, du.work_type, f.source from du join customer_site s on s.id = du.site_id join delivery_region r on r.id = du.region_id
      left join du_flow f on f.du_id = du.id where du.project_id = ${project.id} and du.code like 'A-%' order by du.code`;
    expect([...dus]).toEqual([
      { code: "A-1", name: "南山", region: "West", site: "S-1", work_type: "install", source: "import" },
      { code: "A-2", name: "A-2", region: "West", site: "S-1", work_type: "dismantle", source: null },
    ]);
    expect([...(await plan("A-1"))]).toMatchObject([
      { name: "Survey", plan_end: "2026-11-01", plan_owner_ids: null },
      { name: "Install", actual_end: "2026-10-01", plan_owner_ids: [tl.id], actual_owner_ids: null },
      { name: "Accept", plan_end: null },
    ]);
  });

  it("writes changed cells only, logs them and leaves the rest alone", async () => {
    const first = await check(["DU ID", "DU name", "City", "Install plan end"], [["C-1", "One", "Wuxi", "2026-11-01"]], { flowId });
    await imports.apply(first.id);
    const second = await check(["DU ID", "City", "Install plan end", "Survey plan end"], [["C-1", "Suzhou", "2026-11-02", null]]);
    expect(second.result).toMatchObject({ counts: { changed: 1 }, changedCells: 2 });
    await imports.apply(second.id);
    const [du] = (
      await callAs(
        pm,
        "du/list/1/20/default/%5B%7B%22field%22:%22code%22,%22type%22:%22eq%22,%22values%22:%5B%22C-1%22%5D%7D%5D",
        {},
        { project: project.number },
      )
    ).data.records;
    expect(du).toMatchObject({ name: "One", city: "Suzhou" });
    expect((await plan("C-1"))[1]).toMatchObject({ plan_end: "2026-11-02" });
    const log = await db.app`
      select b.source, l.attrs, l.cells from plan_log l join plan_batch b on b.id = l.batch_id where l.du_id = ${du.id} and b.source = 'import' order by b.seq desc limit 2`;
    expect(log.map((row) => [row.attrs, row.cells.length])).toEqual([
      [{ "site.city": ["Wuxi", "Suzhou"] }, 0],
      [null, 1],
    ]);
  });

  it("clears with empty cells only when it is asked to", async () => {
    const first = await check(["DU ID", "City", "Install plan end"], [["B-1", "Wuxi", "2026-11-01"]], { flowId });
    await imports.apply(first.id);
    const heads = ["DU ID", "DU name", "City", "Install plan end"];
    expect((await check(heads, [["B-1", null, null, null]])).result.counts).toMatchObject({ unchanged: 1 });
    const clearing = await check(heads, [["B-1", null, null, null]], { blanks: "clear" });
    expect((await imports.rows(clearing.id))[0]?.cells).toMatchObject({ city: { old: "Wuxi", next: "" } });
    await imports.apply(clearing.id);
    expect((await plan("B-1"))[1]).toMatchObject({ plan_end: null });
    expect((await db.app`select s.city, du.name from du join customer_site s on s.id = du.site_id where du.code = 'B-1'`)[0]).toMatchObject(
      { city: null, name: "B-1" },
    );
  });

  it("asks once for the reason of changed actual ends", async () => {
    const heads = ["DU ID", "Install actual end"];
    const first = await check(heads, [["E-1", "2026-10-01"]], { flowId, ownerId: pm.id });
    await imports.apply(first.id);
    const second = await check(heads, [["E-1", "2026-10-02"]]);
    expect(second.result).toMatchObject({ needsReason: true, counts: { changed: 1 } });
    expect(await imports.apply(second.id)).toMatchObject({ status: 422, code: "REASON_REQUIRED" });
    expect(await imports.apply(second.id, { reason: "wrong diary" })).toMatchObject({ status: "succeeded" });
    expect((await db.app`select reason from plan_batch where project_id = ${project.id} order by seq desc limit 1`)[0]).toMatchObject({
      reason: "wrong diary",
    });
  });

  it("binds only DUs without a flow to the chosen one, and refuses another flow that is named", async () => {
    const otherFlow = await makeFlow(db.app, project.id, pm.id, activities.slice(0, 1), "Swap");
    await imports.apply((await check(["DU ID", "City"], [["F-1", "x"]], { flowId })).id);
    expect((await check(["DU ID", "City"], [["F-1", "x"]], { flowId: otherFlow })).result.counts).toMatchObject({ unchanged: 1 });
    expect(await outcomes((await check(["DU ID", "Activity flow"], [["F-1", "Swap"]])).id)).toEqual([["rejected", "ALREADY_BOUND"]]);
    expect(await outcomes((await check(["DU ID", "Activity flow"], [["F-1", "New build"]])).id)).toEqual([["unchanged"]]);
  });

  it("takes the first row of a file for a site and refuses later ones that differ", async () => {
    const done = await check(
      ["DU ID", "Customer site ID", "City"],
      [
        ["X-1", "XS", "Wuxi"],
        ["X-2", "XS", "Wuxi"],
        ["X-3", "XS", "Suzhou"],
      ],
    );
    expect(await outcomes(done.id)).toEqual([["new"], ["new"], ["rejected", "SITE_DIFFERS"]]);
    await imports.apply(done.id);
    expect((await db.app`select count(*)::int as n from customer_site where project_id = ${project.id} and code = 'XS'`)[0]?.n).toBe(1);
  });

  it("checks again: what changed since the check is refused, the others arrive, and the workbook has both reasons", async () => {
    const done = await check(
      ["DU ID", "Region"],
      [
        ["Z-1", "North"],
        ["Z-2", "Gone"],
        ["Z-3", "Nowhere"],
      ].map((row) => row as Cell[]),
    );
    await makeRegion(db.app, project.id, "Gone");
    const second = await check(
      ["DU ID", "Region"],
      [
        ["Z-1", "North"],
        ["Z-2", "Gone"],
        ["Z-3", "Nowhere"],
      ],
    );
    await db.app`update delivery_region set status = 'INVALID' where project_id = ${project.id} and name = 'Gone'`;
    expect(done.result.counts.rejected).toBe(2);
    const applied = await imports.apply(second.id);
    expect(applied).toMatchObject({ status: "partial", done_count: 1, failed_count: 2 });
    const rejects = await imports.workbook(applied.error_file_id);
    expect(rejects).toEqual([
      ["Reason", "DU ID", "Region"],
      ["Delivery region: There is no delivery region Gone", "Z-2", "Gone"],
      ["Delivery region: There is no delivery region Nowhere", "Z-3", "Nowhere"],
    ]);
  });

  it("writes all or nothing when that is asked", async () => {
    const bad = await check(
      ["DU ID", "Region"],
      [
        ["N-1", "North"],
        ["N-2", "Nowhere"],
      ],
    );
    expect(await imports.apply(bad.id, { mode: "all" })).toMatchObject({ status: 422, code: "IMPORT_REJECTED" });
    await makeRegion(db.app, project.id, "Passing");
    const good = await check(
      ["DU ID", "Region"],
      [
        ["N-1", "North"],
        ["N-2", "Passing"],
      ],
    );
    await db.app`update delivery_region set status = 'INVALID' where project_id = ${project.id} and name = 'Passing'`;
    const applied = await imports.apply(good.id, { mode: "all" });
    expect(applied).toMatchObject({
      status: "failed",
      done_count: 0,
      error_file_id: expect.any(String),
      message_key: "imports.message.refused",
    });
    expect((await db.app`select count(*)::int as n from du where project_id = ${project.id} and code like 'N-%'`)[0]?.n).toBe(0);
  });

  it("writes the picked rows alone", async () => {
    const done = await check(
      ["DU ID", "Extra"],
      [["K-1"], ["K-2"], ["K-3"]].map((row) => [...row, "x"]),
      {},
      { mapping: ["code", null] },
    );
    expect(await imports.apply(done.id, { rows: [2, 4] })).toMatchObject({ status: "succeeded", done_count: 2 });
    expect(
      (await db.app`select code from du where project_id = ${project.id} and code like 'K-%' order by code`).map((row) => row.code),
    ).toEqual(["K-1", "K-3"]);
  });

  it("is done once per check", async () => {
    const done = await check(["DU ID", "City"], [["O-1", "x"]]);
    await imports.apply(done.id);
    expect(await imports.apply(done.id)).toMatchObject({ status: 422, code: "WRONG_STATUS" });
  });

  it("finds the rows again after the database lost them", async () => {
    const done = await check(
      ["DU ID", "City"],
      [
        ["L-1", "x"],
        ["L-2", "y"],
      ],
    );
    await db.owner`truncate import_row`;
    expect(await imports.apply(done.id)).toMatchObject({ status: "succeeded", done_count: 2 });
  });

  it("needs du.edit, and shows another person nothing", async () => {
    const viewer = await makeMember(db.app, project.id, "COMMON_VIEW");
    const pcm = await makeMember(db.app, project.id, "PCM");
    const done = await check(["DU ID", "City"], [["Q-1", "x"]]);
    const as = (user: CtxUser, address: string, input: object) => callAs(user, address, input, { project: project.number });
    expect(await as(viewer, "import/preview", { fileId: done.params.fileId, kind: "dus" })).toMatchObject({ status: 403 });
    expect(await as(pcm, "import/apply", { taskId: done.id })).toMatchObject({ status: 404 });
    const filters = encodeURIComponent(JSON.stringify([{ field: "task", type: "eq", values: [done.id] }]));
    expect(await as(pcm, `import/rows/list/1/20/default/${filters}`, {})).toMatchObject({ status: 404 });
    const other = await makeProject(db.app);
    const stranger = await makeMember(db.app, other.id, "PM");
    expect(await callAs(stranger, "import/apply", { taskId: done.id }, { project: other.number })).toMatchObject({ status: 404 });
    expect(await callAs(stranger, "import/open", { fileId: done.params.fileId, kind: "dus" }, { project: other.number })).toMatchObject({
      status: 404,
    });
  });
});
