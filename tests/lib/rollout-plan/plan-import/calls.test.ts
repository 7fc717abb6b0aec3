import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as XLSX from "xlsx";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Locale } from "#lib/core/locale.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { type WriteColumn, writeWorkbook } from "#lib/core/workbook-write.ts";
import type { PreviewRow } from "#lib/imports/queries.ts";
import { exportVersion } from "#lib/rollout-plan/plan-export/limits.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeCluster, makeMember, makeProject, makeRegion, makeSubcontractor } from "../../../support/factories.ts";
import { type MadeActivity, makeActivities, makeAttribute, makeDuOwner, makeDus, makeFlow } from "../../../support/plan-factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let other: CtxUser;
let user: CtxUser;
let activities: MadeActivity[];
let flow: { id: number; activities: MadeActivity[] };
const tasks = importsOf(db, () => ({ project, user }));
const key = (name: string, field: string) => `${activities.find((activity) => activity.name === name)?.id}:${field}`;
const idOf = (name: string) => activities.find((activity) => activity.name === name)?.id as number;

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
  other = await makeMember(db.app, project.id, "PCM");
  activities = await makeActivities(db.app, project.id, ["Survey", "Install"]);
  flow = { id: await makeFlow(db.app, project.id, pm.id, activities, "New build"), activities };
});
beforeEach(async () => {
  user = pm;
  await db.owner`delete from rate_limit`;
});

/** A workbook as a person has it open: its keys, heads, rows and hidden sheet. */
type Book = { meta: Record<string, string>; keys: string[]; heads: string[]; rows: Cell[][] };

async function exportBook(duIds: number[], columns: string[], lang: Locale = "en"): Promise<Book> {
  const started = await tasks.call("rolloutPlan/export", { duIds, columns }, { locale: lang });
  if (started.status !== 200) throw new Error(JSON.stringify(started));
  const done = await tasks.run(started.data.taskId);
  const [keys, heads, ...rows] = await tasks.workbook(done.result_file_id);
  const meta = { project: project.number, kind: "plan", version: String(exportVersion), seq: String(done.result.seq) };
  const wide = rows.map((row) => Array.from(keys as string[], (_, at) => row[at] ?? null));
  return { meta, keys: keys as string[], heads: heads as string[], rows: wide };
}

async function bytesOf(book: Book): Promise<Buffer> {
  const columns = book.keys.map((column, at): WriteColumn => ({ key: column, title: book.heads[at] ?? "" }));
  const stream = writeWorkbook({ name: "plan", columns, rows: book.rows, meta: book.meta });
  return Buffer.concat(await stream.toArray());
}

async function check(book: Book, more: object = {}) {
  const fileId = await tasks.upload("plan.xlsx", await bytesOf(book));
  return tasks.preview({ fileId, kind: "plan", ...more });
}

const set = (book: Book, row: number, column: string, value: Cell): void => {
  (book.rows[row] as Cell[])[book.keys.indexOf(column)] = value;
};
const save = (edits: object[]) => tasks.call("rolloutPlan/save", { edits });
const rowsOf = (id: string, outcome?: string): Promise<PreviewRow[]> =>
  tasks.rows(id, outcome ? [{ field: "outcome", type: "in", values: [outcome] }] : []);
const planOf = async (duId: number) =>
  (await db.app`select plan_start, plan_end, actual_end, release_state from du_plan where du_id = ${duId}`)[0] as unknown as Record<
    string,
    number[]
  >;
const day = (iso: string) => Math.round((Date.parse(iso) - Date.UTC(2000, 0, 1)) / 86_400_000);

describe("reading an exported plan back", () => {
  let ids: number[];
  let everything: string[];
  let tower: Awaited<ReturnType<typeof makeAttribute>>;

  beforeAll(async () => {
    user = pm;
    const region = await makeRegion(db.app, project.id, "North, east (old)");
    const company = await makeSubcontractor(db.app, project.id, []);
    tower = await makeAttribute(db.app, project.id, { name: "Tower", type: "ENUM", enums: ["Lattice", "Pole"] });
    const made = {
      text: await makeAttribute(db.app, project.id, { name: "Key", type: "TEXT" }),
      long: await makeAttribute(db.app, project.id, { name: "Story", type: "LONG_TEXT" }),
      number: await makeAttribute(db.app, project.id, { name: "Height", type: "NUMBER" }),
      date: await makeAttribute(db.app, project.id, { name: "Lease", type: "DATE" }),
      time: await makeAttribute(db.app, project.id, { name: "Opens", type: "TIME" }),
      moment: await makeAttribute(db.app, project.id, { name: "Call", type: "DATETIME" }),
      crew: await makeAttribute(db.app, project.id, { name: "Crew", level: "ACTIVITY" }),
      only: await makeAttribute(db.app, project.id, { name: "Given", type: "READ_ONLY" }),
    };
    await db.app`update app_user set name = 'Doe, John (sr)' where id = ${other.id}`;
    ids = await makeDus(
      db.app,
      project.id,
      [
        {
          code: "=RT-1",
          name: " 南山 'A' ",
          regionId: region,
          subcontractorId: company,
          rfcNumber: "007",
          ext: {
            [tower.key]: String(tower.enumIds[1]),
            [made.text.key]: "00123",
            [made.long.key]: "two\nlines  and #N/A",
            [made.number.key]: 12.25,
            [made.date.key]: "1999-05-01",
            [made.time.key]: "09:30",
            [made.moment.key]: "2026-10-01T09:59:59",
            [made.only.key]: "fixed",
            [`${made.crew.key}@2`]: "#N/A",
          },
        },
        { code: "RT-2", name: "-5", ext: { [made.moment.key]: "2026-10-01T00:00:00", [made.text.key]: "TRUE" } },
        { code: "RT-3" },
      ],
      flow,
    );
    const set = (fields: Record<string, unknown>) =>
      Object.entries(fields).map(([field, value]) => ({ duId: ids[0], activityId: idOf("Install"), field, value, base: null }));
    const saved = await save([
      ...set({
        planStart: "2026-10-01",
        planEnd: "2026-10-20",
        planOwner: [other.id, pm.id],
        actualOwner: [pm.id],
        actualEnd: "2026-10-12",
      }),
      ...set({ delayReason: "rain, snow\nand wind", score: 2, scoreRemark: "=late" }),
      ...["valueQty", "valueUnit", "workType", "eomonth", "clusterPriority"].map((field, at) => ({
        duId: ids[0],
        field,
        value: [12.5, "Household", "dismantle", "2026-10", 3][at],
        base: null,
      })),
      { duId: ids[0], field: "directMigrationSite", value: ids[1], base: null },
      { duId: ids[0], field: "allowDirectMoving", value: true, base: false },
    ]);
    expect(saved.data).toMatchObject({ saved: 15, rejected: [], conflicts: [] });
    const head = await tasks.call("rolloutPlan/head");
    const perActivity = [
      ...head.data.activityColumns,
      ...head.data.attributes.filter((one: { level: string }) => one.level === "ACTIVITY"),
    ];
    everything = [
      ...head.data.fields.map((column: { key: string }) => column.key),
      ...activities.flatMap((activity) => perActivity.map((column: { key: string }) => `${activity.id}:${column.key}`)),
      ...head.data.attributes.flatMap((one: { level: string; key: string }) => (one.level === "DU" ? one.key : [])),
    ];
  });

  it.each(["zh", "en", "ja"] as const)("changes nothing when nothing was changed, whatever was exported in %s", {
    timeout: 120_000,
  }, async (lang) => {
    const views = [everything, ["code"], ["name", key("Install", "planOwner"), "status", key("Install", "planEnd")]];
    for (const columns of views) {
      const book = await exportBook(ids, columns, lang);
      expect(book.keys.at(-1)).toBe("row");
      expect(book.keys).toContain("code");
      expect(book.heads[book.keys.indexOf("code")]).toBe({ zh: "DU ID", en: "DU ID", ja: "DU ID" }[lang]);
      for (const reader of columns === everything ? (["zh", "en", "ja"] as const) : [lang]) {
        const fileId = await tasks.upload("plan.xlsx", await bytesOf(book));
        const done = await tasks.preview({ fileId, kind: "plan" }, { locale: reader });
        expect(await rowsOf(done.id, "rejected")).toEqual([]);
        expect(done).toMatchObject({ status: "succeeded", result: { changedCells: 0, counts: { unchanged: 3, changed: 0, conflict: 0 } } });
        expect(await tasks.apply(done.id)).toMatchObject({ status: 422, code: "NOTHING_MODIFIED" });
      }
    }
  });

  it.each([
    ["keeping the formats of cells", { cellNF: true }],
    ["losing them, so that days are numbers", {}],
    ["with days as days", { cellDates: true }],
  ] as const)("changes nothing when another program has saved it, %s", { timeout: 120_000 }, async (_name, options) => {
    const written = XLSX.read(await bytesOf(await exportBook(ids, everything)), options);
    const fileId = await tasks.upload("plan.xlsx", XLSX.write(written, { type: "buffer", bookType: "xlsx" }));
    const done = await tasks.preview({ fileId, kind: "plan" });
    expect(await rowsOf(done.id, "rejected")).toEqual([]);
    expect(await rowsOf(done.id, "changed")).toEqual([]);
    expect(done.result.counts).toMatchObject({ unchanged: 3, conflict: 0 });
  });

  it("finds its rows and columns by their marks: moved, sorted, left out and renamed ones are the same to it", async () => {
    const book = await exportBook(ids, everything);
    const order = book.keys
      .map((_, at) => at)
      .filter((at) => at % 3 !== 1 || ["row", key("Survey", "planEnd")].includes(book.keys[at] as string))
      .toReversed();
    const pick = <Item>(list: readonly Item[]): Item[] => order.map((at) => list[at] as Item);
    const moved: Book = {
      ...book,
      keys: pick(book.keys),
      heads: pick(book.heads).map((_, at) => `列 ${at}`),
      rows: book.rows.map(pick).toReversed(),
    };
    moved.rows.pop();
    set(moved, 0, key("Survey", "planEnd"), { d: "2026-11-02" });
    const done = await check(moved);
    expect(done.result).toMatchObject({ changedCells: 1, counts: { unchanged: 1, changed: 1, rejected: 0 } });
    const applied = await tasks.apply(done.id);
    expect(applied).toMatchObject({ status: "succeeded", done_count: 1 });
    expect((await planOf(ids[2] as number)).plan_end).toEqual([day("2026-11-02")]);
  });

  it("shows the cluster, which is given to a DU elsewhere, and leaves it alone", async () => {
    const duIds = await makeDus(db.app, project.id, [{ code: "CL-1" }, { code: "CL-2" }], flow);
    await makeCluster(db.app, project.id, "Harbour", [duIds[0]!]);
    const book = await exportBook(duIds, ["code", "cluster"]);
    expect(book.heads).toContain("Cluster");
    expect(book.rows.map((row) => row[book.keys.indexOf("cluster")])).toEqual(["Harbour", null]);
    set(book, 0, "cluster", "Quay");
    set(book, 1, "cluster", "Harbour");
    expect((await check(book)).result).toMatchObject({ changedCells: 0, counts: { unchanged: 2, changed: 0, rejected: 0 } });
  });

  it("merges cell by cell and never overwrites what was changed meanwhile", async () => {
    const [a, b, c] = (await makeDus(
      db.app,
      project.id,
      ["M-1", "M-2", "M-3"].map((code) => ({ code, plan: { 1: { plan_end: "2026-10-20" }, 2: { plan_end: "2026-11-20" } } })),
      flow,
    )) as [number, number, number];
    const [survey, install] = [key("Survey", "planEnd"), key("Install", "planEnd")];
    const book = await exportBook([a, b, c], ["code", survey, install, "name"]);
    const at = (duId: number, name: string, value: string, base: string) => ({
      duId,
      activityId: idOf(name),
      field: "planEnd",
      value,
      base,
    });
    user = other;
    await save([
      at(a, "Install", "2026-11-21", "2026-11-20"),
      at(b, "Survey", "2026-10-22", "2026-10-20"),
      at(b, "Install", "2026-11-25", "2026-11-20"),
      at(c, "Survey", "2026-10-23", "2026-10-20"),
    ]);
    user = pm;
    // Only here; only there; here and there with another value; here and there with the same.
    set(book, 0, survey, { d: "2026-10-21" });
    set(book, 1, survey, { d: "2026-10-25" });
    set(book, 2, survey, { d: "2026-10-23" });
    const done = await check(book);
    expect(done.result).toMatchObject({
      counts: { changed: 1, conflict: 1, unchanged: 1, rejected: 0 },
      changedCells: 1,
      conflictCells: 1,
      mixedRows: 0,
      disputed: [{ key: survey, count: 1 }],
    });
    const [disputed] = await rowsOf(done.id, "conflict");
    expect(disputed?.cells[survey]?.conflict).toEqual({
      base: "2026-10-20",
      mine: "2026-10-25",
      theirs: "2026-10-22",
      by: "Doe, John (sr)",
      at: expect.any(String),
    });
    const applied = await tasks.apply(done.id);
    expect(applied).toMatchObject({
      status: "succeeded",
      done_count: 1,
      failed_count: 0,
      result: { written: 1, unchanged: 2, rejected: 0 },
    });
    const ends = async () => (await Promise.all([a, b, c].map(planOf))).map((plan) => plan.plan_end);
    expect(await ends()).toEqual([
      [day("2026-10-21"), day("2026-11-21")],
      [day("2026-10-22"), day("2026-11-25")],
      [day("2026-10-23"), day("2026-11-20")],
    ]);
    // The same file again, this time with the file's value where both changed the cell.
    const again = await check(book);
    expect(again.result).toMatchObject({ counts: { conflict: 1, unchanged: 2 } });
    const mine = await tasks.apply(again.id, { conflicts: { side: "theirs", except: [{ row: disputed?.no, path: survey }] } });
    expect(mine).toMatchObject({ status: "succeeded", done_count: 1, result: { undo: expect.any(Number) } });
    expect((await ends())[1]).toEqual([day("2026-10-25"), day("2026-11-25")]);
    const undone = await tasks.call("rolloutPlan/undo", { batchId: mine.result.undo });
    expect(undone.data).toMatchObject({ saved: 1, rejected: [] });
    expect((await ends())[1]).toEqual([day("2026-10-22"), day("2026-11-25")]);
  });

  it("asks again when a cell in conflict was changed once more before the application", async () => {
    const [duId] = (await makeDus(db.app, project.id, [{ code: "AGAIN-1", plan: { 1: { plan_end: "2026-10-20" } } }], flow)) as [number];
    const survey = key("Survey", "planEnd");
    const book = await exportBook([duId], ["code", survey]);
    const change = (value: string, base: string) => save([{ duId, activityId: idOf("Survey"), field: "planEnd", value, base }]);
    await change("2026-10-22", "2026-10-20");
    set(book, 0, survey, { d: "2026-10-25" });
    const done = await check(book);
    await change("2026-10-24", "2026-10-22");
    const applied = await tasks.apply(done.id, { conflicts: { side: "mine" } });
    expect(applied).toMatchObject({ status: "failed", done_count: 0, failed_count: 1 });
    expect((await rowsOf(done.id, "rejected"))[0]?.problems).toMatchObject([{ path: survey, code: "CHANGED_AGAIN" }]);
    expect((await planOf(duId)).plan_end).toEqual([day("2026-10-24")]);
    // A cell that was no conflict yet when it was checked is none of those that may be written either.
    const plain = await exportBook([duId], ["code", survey]);
    set(plain, 0, survey, { d: "2026-10-28" });
    const second = await check(plain);
    expect(second.result.counts).toMatchObject({ changed: 1 });
    await change("2026-10-26", "2026-10-24");
    expect(await tasks.apply(second.id)).toMatchObject({ status: "failed", failed_count: 1 });
    expect((await planOf(duId)).plan_end).toEqual([day("2026-10-26")]);
  });

  it("keeps to the rules of the grid, cell by cell, and gives refused rows back in a workbook that can be read again", async () => {
    const [late, gone, added, good] = (await makeDus(
      db.app,
      project.id,
      ["W-1", "W-2", "W-3", "W-4"].map((code) => ({ code, plan: { 1: { plan_start: "2026-10-10", plan_end: "2026-10-20" } } })),
      flow,
    )) as [number, number, number, number];
    const columns = ["code", "name", "region", "status"].concat(
      ["planStart", "planEnd", "actualEnd", "planOwner", "score", "delayReason"].map((field) => key("Survey", field)),
      key("Install", "planEnd"),
      tower.key,
    );
    const book = await exportBook([late, gone, added, good], columns);
    const survey = (field: string) => key("Survey", field);
    set(book, 0, survey("planEnd"), "NA");
    set(book, 0, survey("planStart"), "inv");
    set(book, 0, survey("score"), 1);
    set(book, 0, survey("delayReason"), "x".repeat(501));
    set(book, 0, survey("planOwner"), "Nobody (nobody)");
    set(book, 0, "region", "Atlantis");
    set(book, 0, tower.key, "Balloon");
    set(book, 1, survey("planEnd"), { d: "2026-10-05" });
    set(book, 2, "row", null);
    set(book, 2, "name", "new");
    set(book, 3, key("Install", "planEnd"), 46_350);
    set(book, 3, survey("planEnd"), "30/10/2026");
    book.rows.push([...(book.rows[1] as Cell[])]);
    const done = await check(book, { dateFormat: "dmy" });
    expect(done.result.counts).toEqual({ new: 0, changed: 1, unchanged: 0, conflict: 0, rejected: 4 });
    const rejected = await rowsOf(done.id, "rejected");
    expect(rejected.map((row) => row.problems.map(({ path, code }) => `${path} ${code}`).sort())).toEqual([
      ["region REGION_UNKNOWN", `${survey("planOwner")} ACCOUNT_MISSING`, `${tower.key} VALUE_UNKNOWN`].sort(),
      [`${survey("planEnd")} PLAN_ORDER`],
      [" ROW_ADDED"],
      ["code REPEATED_IN_FILE"],
    ]);
    const applied = await tasks.apply(done.id);
    expect(applied).toMatchObject({ status: "partial", done_count: 1, failed_count: 4 });
    expect((await planOf(good)).plan_end).toEqual([day("2026-10-30"), day("2026-11-24")]);
    // The rejected rows, corrected.
    const [keys, heads, ...back] = await tasks.workbook(applied.error_file_id);
    const rejects: Book = { meta: book.meta, keys: keys as string[], heads: heads as string[], rows: back };
    expect(heads?.[0]).toBe("Reason");
    rejects.rows = rejects.rows.slice(0, 1).map((row) => Array.from(rejects.keys, (_, at) => row[at] ?? null));
    for (const [column, value] of [
      [survey("planEnd"), { d: "2026-10-21" }],
      [survey("planStart"), { d: "2026-10-10" }],
      [survey("score"), 4],
      [survey("delayReason"), "x".repeat(500)],
      [survey("planOwner"), `${pm.account}, ${other.account}`],
      ["region", ""],
      [tower.key, "pole"],
    ] as [string, Cell][])
      set(rejects, 0, column, value);
    const corrected = await check(rejects);
    expect(await rowsOf(corrected.id, "rejected")).toEqual([]);
    expect(await tasks.apply(corrected.id)).toMatchObject({ status: "succeeded", done_count: 1 });
    const [note] = await db.app`select delay_reason, score from du_activity_note where du_id = ${late}`;
    expect(note).toEqual({ delay_reason: "x".repeat(500), score: 4 });
    const [du] =
      await db.app`select ext, (select user_ids from owner_set where id = p.plan_owner[1]) as owners from du join du_plan p on p.du_id = du.id where du.id = ${late}`;
    expect(du).toMatchObject({ ext: { [tower.key]: String(tower.enumIds[1]) }, owners: [pm.id, other.id] });
  });

  it("shows what dependency rules and mandatory warnings refuse before anything is applied", async () => {
    const [own] = await db.owner<{ id: number }[]>`
      insert into owner_set (project_id, user_ids) values (${project.id}, ${[pm.id]}) on conflict on constraint owner_set_unique do update set user_ids = excluded.user_ids
      returning id`;
    const owned = { plan_owner: own!.id };
    const ids = await makeDus(
      db.app,
      project.id,
      [
        { code: "DEP-1", plan: { 1: owned, 2: owned } },
        { code: "DEP-2", plan: { 1: owned, 2: owned } },
      ],
      flow,
    );
    const rule = {
      prerequisites: [{ activityId: idOf("Survey"), event: "COMPLETE" }],
      targets: [{ activityId: idOf("Install"), event: "START" }],
    };
    expect((await tasks.call("rollPlanDependency/save", rule)).status).toBe(200);
    await db.owner`
      insert into warning_config (project_id, anchor_activity_id, field_a, alert_activity_id, field_b, operator, days, level, message, sort_no, created_by, created_at,
        updated_by, updated_at)
      values (${project.id}, ${idOf("Survey")}, 'actualEnd', ${idOf("Install")}, 'planEnd', 'GT', 20, 'MANDATORY', 'late', 1, ${pm.id}, now(), ${pm.id}, now())`;
    const book = await exportBook(ids, [key("Survey", "actualEnd"), key("Install", "actualStart"), key("Install", "planEnd")]);
    set(book, 0, key("Install", "actualStart"), "2026-10-02");
    set(book, 1, key("Survey", "actualEnd"), "2026-10-01");
    set(book, 1, key("Install", "actualStart"), "2026-10-02");
    set(book, 1, key("Install", "planEnd"), "2026-10-22");
    const problems = async () =>
      (await rowsOf((await check(book)).id)).map((row) => row.problems.map(({ path, code }) => `${path.split(":")[1]} ${code}`));
    expect(await problems()).toEqual([["actualStart DEP_PREREQ_UNMET"], ["planEnd WARNING_MANDATORY"]]);
    set(book, 1, key("Install", "planEnd"), "2026-10-21");
    expect((await problems())[1]).toEqual([]);
    await db.owner`delete from dep_rule where project_id = ${project.id}`;
    await db.owner`delete from warning_config where project_id = ${project.id}`;
  });

  it("refuses NA, INV and impossible days by the rules of the plan", async () => {
    const [duId] = (await makeDus(db.app, project.id, [{ code: "NA-1" }], flow)) as [number];
    const columns = ["planStart", "planEnd", "actualEnd", "score"].map((field) => key("Survey", field));
    const book = await exportBook([duId], ["code", ...columns]);
    for (const [column, value] of columns.map((name, at) => [name, ["na", "INV", "2026-02-30", "many"][at] as string] as const))
      set(book, 0, column, value);
    const done = await check(book);
    const [row] = await rowsOf(done.id, "rejected");
    expect(row?.problems.map(({ path, code }) => [path, code])).toEqual([
      [columns[2], "DATE_FORMAT"],
      [columns[3], "NUMBER_FORMAT"],
    ]);
    set(book, 0, columns[2] as string, null);
    set(book, 0, columns[3] as string, null);
    const [second] = await rowsOf((await check(book)).id, "rejected");
    expect(second?.problems.map(({ path, code }) => [path, code])).toEqual([
      [columns[0], "NA_PLAN_END_ONLY"],
      [columns[1], "DATE_FORMAT"],
    ]);
  });

  it("refuses rows whose hidden mark belongs to another DU, DUs that are gone, and files it cannot compare [OPS-17]", async () => {
    const [a, b] = (await makeDus(db.app, project.id, [{ code: "X-1" }, { code: "X-2" }], flow)) as [number, number];
    const book = await exportBook([a, b], ["code", "name"]);
    set(book, 0, "code", "X-2");
    await db.app`update du set deleted_at = now() where id = ${b}`;
    const rejected = await rowsOf((await check(book)).id, "rejected");
    expect(rejected.map((row) => row.problems.map((problem) => problem.code))).toEqual([["ROW_MISMATCH"], ["DU_NOT_FOUND"]]);
    const open = async (given: Book) => {
      const fileId = await tasks.upload("plan.xlsx", await bytesOf(given));
      return tasks.call("import/open", { fileId, kind: "plan" });
    };
    expect((await open(book)).data).toMatchObject({ keyed: true, columns: [{ field: "code" }, { field: "name" }, { field: "row" }] });
    const meta = (more: Record<string, string>) => ({ ...book, meta: { ...book.meta, ...more } });
    expect(await open(meta({ project: "OTHER" }))).toMatchObject({ code: "WRONG_PROJECT" });
    expect(await open(meta({ kind: "dus" }))).toMatchObject({ code: "WRONG_FILE" });
    expect(await open(meta({ version: "1" }))).toMatchObject({ code: "EXPORT_TOO_OLD" });
    expect(await open(meta({ seq: "999999" }))).toMatchObject({ code: "WRONG_PROJECT" });
    const cut = (list: readonly unknown[]) => list.slice(0, -1) as never;
    expect(await open({ ...book, keys: cut(book.keys), rows: book.rows.map(cut) })).toMatchObject({ code: "EXPORT_KEYS_MISSING" });
    expect(await tasks.call("import/template", { kind: "plan" })).toMatchObject({ code: "WRONG_FILE" });
  });

  it("lets people change what they may change, and nobody without the right import at all", async () => {
    const [own, foreign] = (await makeDus(db.app, project.id, [{ code: "OWN-1" }, { code: "OWN-2" }], flow)) as [number, number];
    const owner = await makeMember(db.app, project.id, "SITE_OWNER");
    await makeDuOwner(db.app, own, owner.id, "SITE_OWNER");
    const book = await exportBook([own, foreign], ["code", "name", key("Survey", "planEnd")]);
    set(book, 0, key("Survey", "planEnd"), { d: "2026-10-25" });
    set(book, 1, key("Survey", "planEnd"), { d: "2026-10-25" });
    user = owner;
    const done = await check(book);
    expect(done.result.counts).toMatchObject({ changed: 1, rejected: 1 });
    expect((await rowsOf(done.id, "rejected"))[0]?.problems[0]?.code).toBe("DU_NOT_FOUND");
    expect(await tasks.apply(done.id)).toMatchObject({ done_count: 1 });
    set(book, 0, "name", "taken");
    expect((await rowsOf((await check(book)).id, "rejected"))[0]?.problems).toMatchObject([{ path: "name", code: "NO_PERMISSION" }]);
    user = await makeMember(db.app, project.id, "COMMON_VIEW");
    const fileId = await tasks.upload("plan.xlsx", await bytesOf(book));
    expect(await tasks.call("import/preview", { fileId, kind: "plan" })).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });

  it("asks for a reason when an actual end is changed, and clears what was cleared", async () => {
    const [duId] = (await makeDus(
      db.app,
      project.id,
      [{ code: "REASON-1", plan: { 1: { plan_end: "2026-10-20", actual_end: "2026-10-12", plan_owner: 0 } } }],
      flow,
    )) as [number];
    await save([{ duId, activityId: idOf("Survey"), field: "planOwner", value: [pm.id], base: null }]);
    const book = await exportBook([duId], ["code", key("Survey", "planEnd"), key("Survey", "actualEnd")]);
    set(book, 0, key("Survey", "planEnd"), null);
    set(book, 0, key("Survey", "actualEnd"), { d: "2026-10-13" });
    const done = await check(book);
    expect(done.result).toMatchObject({ needsReason: true, changedCells: 2 });
    expect(await tasks.apply(done.id)).toMatchObject({ status: 422, code: "REASON_REQUIRED" });
    const applied = await tasks.apply(done.id, { reason: "typed wrong" });
    expect(applied).toMatchObject({ status: "succeeded", done_count: 1 });
    expect(await planOf(duId)).toMatchObject({ plan_end: null, actual_end: [day("2026-10-13")] });
    const [batch] = await db.app`select source, reason, origin from plan_batch where id = ${applied.result.undo}`;
    expect(batch).toMatchObject({ source: "import", reason: "typed wrong", origin: { kind: "task" } });
  });

  it("writes each row once in chunks, and one undo takes all of them back", { timeout: 60_000 }, async () => {
    const large = await makeProject(db.app);
    const planner = await makeMember(db.app, large.id, "PM");
    const own = importsOf(db, () => ({ project: large, user: planner }));
    const made = await makeActivities(db.app, large.id, ["Survey"]);
    const flowId = await makeFlow(db.app, large.id, planner.id, made);
    await db.app`
      with s as (insert into customer_site (project_id, code, name) select ${large.id}, 'C' || n, 'C' from generate_series(1, 2500) n returning id, code),
        d as (insert into du (project_id, code, name, site_id) select ${large.id}, code, 'x', id from s returning id),
        p as (insert into du_plan (du_id, project_id, state, applicable_count) select id, ${large.id}, '{1}', 1 from d)
      insert into du_flow (project_id, du_id, flow_id, flow_version, source, bound_at) select ${large.id}, id, ${flowId}, 1, 'manual', now() from d`;
    const column = `${made[0]?.id}:planEnd`;
    const kept = await own.call("wbs/filter", { filters: [], sort: [] });
    const started = await own.call("rolloutPlan/export", { queryId: kept.data.queryId, columns: ["code", column] });
    const exported = await own.run(started.data.taskId);
    const [keys, heads, ...rows] = await own.workbook(exported.result_file_id);
    const meta = { project: large.number, kind: "plan", version: String(exportVersion), seq: String(exported.result.seq) };
    const book: Book = {
      meta,
      keys: keys as string[],
      heads: heads as string[],
      rows: rows.map((row) => [row[0], { d: "2026-10-30" }, row[2]] as Cell[]),
    };
    const fileId = await own.upload("plan.xlsx", await bytesOf(book));
    const done = await own.preview({ fileId, kind: "plan" });
    expect(done.result.counts).toMatchObject({ changed: 2500, rejected: 0 });
    const applied = await own.apply(done.id);
    expect(applied).toMatchObject({ status: "succeeded", done_count: 2500, chunks_done: 3 });
    const planned = async () =>
      (await db.app`select count(*)::int as n from du_plan where project_id = ${large.id} and plan_end[1] = ${day("2026-10-30")}`)[0]?.n;
    expect(await planned()).toBe(2500);
    const undone = await own.call("rolloutPlan/undo", { batchId: applied.result.undo });
    expect(undone.data).toMatchObject({ saved: 2500 });
    expect(await planned()).toBe(0);
    // All or none is one transaction.
    const again = await own.preview({ fileId, kind: "plan" });
    expect(await own.apply(again.id, { mode: "all" })).toMatchObject({ status: "succeeded", done_count: 2500, chunks_done: 1 });
    expect(await planned()).toBe(2500);
  });
});
