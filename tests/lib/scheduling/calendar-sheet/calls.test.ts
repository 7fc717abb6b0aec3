import { buffer } from "node:stream/consumers";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { type Locale, locales } from "#lib/core/locale.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion } from "../../../support/factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let viewer: CtxUser;
let region: number;
const imports = importsOf(db, () => ({ project, user: pm }));

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  viewer = await makeMember(db.owner, project.id, "COMMON_VIEW");
  region = await makeRegion(db.owner, project.id, "North");
});

const days = [
  { day: "2026-10-01", working: false, name: "国庆节 National Day" },
  { day: "2026-10-02", working: false, name: null },
  { day: "2026-10-10", working: true, name: "=1+1" },
];
beforeEach(async () => {
  await db.owner`delete from work_calendar`;
  await imports.call("commomUtil/saveCalendarSetData", { weekdays: [1, 2, 3, 4, 5], days });
});

const settings = async (regionId?: number) => (await imports.call("commomUtil/findCalendarSetData", regionId ? { regionId } : {})).data;

/** The workbook of a calendar: id of its file, and its cells. */
async function exported(input: object = {}, locale: Locale = "en"): Promise<{ fileId: string; cells: Cell[][] }> {
  const answer = await imports.call("commomUtil/exportCalendarSetData", input, { locale });
  expect(answer).toMatchObject({ status: 200 });
  const task = await imports.run(answer.data.taskId);
  expect(task).toMatchObject({ status: "succeeded", direction: "export" });
  return { fileId: task.result_file_id, cells: await imports.workbook(task.result_file_id) };
}

/** The same workbook with other rows. */
async function edited(rows: Cell[][]): Promise<string> {
  const [keys, titles] = (await exported()).cells as [string[], string[]];
  const columns = keys.map((key, at) => ({ key, title: titles[at]!, kind: key === "day" ? ("day" as const) : ("text" as const) }));
  const bytes = await buffer(writeWorkbook({ name: "x", columns, rows, meta: { project: project.number, kind: "calendar", version: 1 } }));
  return imports.upload("calendar.xlsx", bytes);
}

const preview = (fileId: string, options: object = {}, locale?: Locale) =>
  imports.preview({ fileId, kind: "calendar", options }, locale && { locale });

describe("the workbook of a calendar", () => {
  test("holds weekdays and days in the words of the language", async () => {
    const { cells } = await exported({}, "zh");
    expect(cells.slice(0, 3)).toEqual([
      ["weekday", "day", "kind", "name"],
      ["星期", "日期", "工作或休息", "名称"],
      ["星期一", null, "工作日"],
    ]);
    expect(cells).toHaveLength(2 + 7 + 3);
    expect(cells[9]).toEqual([null, { d: "2026-10-01" }, "休息日", "国庆节 National Day"]);
  });

  const pairs = locales.flatMap((from) => locales.map((to) => [from, to] as const));
  test.each(pairs)("exported in %s and imported unchanged in %s it changes nothing", async (from, to) => {
    const { fileId } = await exported({}, from);
    const done = await preview(fileId, {}, to);
    expect(done.result.counts).toMatchObject({ new: 0, changed: 0, unchanged: 10, rejected: 0 });
    expect(await imports.call("import/apply", { taskId: done.id })).toMatchObject({ status: 422, code: "NOTHING_MODIFIED" });
  });

  test("edited, it shows added, changed and removed days, then applies them and logs it", async () => {
    const fileId = await edited([
      ["Saturday", null, "Working day", null],
      [null, "2026-10-01", "Day off", "National Day"],
      [null, "2026-12-25", "Day off", "Christmas"],
    ]);
    const done = await preview(fileId);
    expect(done.result.counts).toMatchObject({ new: 1, changed: 4, unchanged: 0, rejected: 0 });
    const rows = await imports.rows(done.id);
    expect(rows.map(({ outcome, cells }) => [outcome, cells.weekday?.text ?? cells.day?.text, cells.kind?.old, cells.kind?.next])).toEqual([
      ["changed", "Saturday", "Day off", "Working day"],
      ["changed", "2026-10-01", undefined, undefined],
      ["new", "2026-12-25", "", "Day off"],
      ["changed", "2026-10-02", "Day off", ""],
      ["changed", "2026-10-10", "Working day", ""],
    ]);
    expect((await settings()).rowVersion).toBe(1);
    expect(await imports.apply(done.id)).toMatchObject({ status: "succeeded", done_count: 5 });
    expect(await settings()).toMatchObject({
      weekdays: [1, 2, 3, 4, 5, 6],
      holidays: [
        { day: "2026-10-01", name: "National Day" },
        { day: "2026-12-25", name: "Christmas" },
      ],
      extraWorkdays: [],
      rowVersion: 2,
    });
    const [audit] = await db.owner`select detail from audit_log where object = 'work_calendar' order by id desc limit 1`;
    expect(audit).toMatchObject({ detail: { before: { rowVersion: 1 }, after: { weekdays: [1, 2, 3, 4, 5, 6] } } });
  });

  test("keeps days the file does not name when asked to", async () => {
    const done = await preview(await edited([[null, "2026-12-25", "off", null]]), { keepOthers: true });
    expect(done.result.counts).toMatchObject({ new: 1, changed: 0, unchanged: 0, rejected: 0 });
    await imports.apply(done.id);
    expect((await settings()).holidays).toHaveLength(3);
  });

  test("gives a region a calendar of its own", async () => {
    const done = await preview((await exported()).fileId, { regionId: region });
    expect(done.result.counts).toMatchObject({ unchanged: 10 });
    const other = await preview(await edited([["Saturday", null, "work", null]]), { regionId: region, keepOthers: true });
    await imports.apply(other.id);
    expect(await settings(region)).toMatchObject({ weekdays: [1, 2, 3, 4, 5, 6], inherited: false });
    expect(await settings()).toMatchObject({ weekdays: [1, 2, 3, 4, 5] });
    expect((await exported({ regionId: region })).cells[7]).toEqual(["Saturday", null, "Working day"]);
  });

  test("a bad row is refused by its number, its column and the bound, and removes nothing", async () => {
    const fileId = await edited([
      [null, "2026-10-01", "Day off", "国庆节 National Day"],
      [null, "soon" as never, "Day off", null],
      [null, { d: "1999-12-31" }, "Day off", null],
      [null, { d: "2089-09-18" }, "Day off", null],
      [null, "2026-10-01", "Day off", null],
      [null, "2026-11-03", "maybe", null],
      [null, "2026-11-04", "Day off", "n".repeat(101)],
      [null, null, "Day off", "nothing named"],
      ["Monday", "2026-11-05", "Day off", null],
    ]);
    const done = await preview(fileId);
    const rows = await imports.rows(done.id);
    expect(rows.map(({ no, problems }) => [no, problems.map(({ path, code, msg }) => `${path} ${code}: ${msg}`)[0]])).toEqual([
      [3, undefined],
      [4, "day DATE_FORMAT: Wrong date format: soon"],
      [5, "day DATE_OUT_OF_RANGE: Date out of range: 2000-01-02 to 2089-09-17"],
      [6, "day DATE_OUT_OF_RANGE: Date out of range: 2000-01-02 to 2089-09-17"],
      [7, "day REPEATED_IN_FILE: Repeats row 3"],
      [8, "kind VALUE_UNKNOWN: Work or off has an unknown value"],
      [9, "name VALUE_TOO_LONG: Name may have 100 characters at most"],
      [10, "day VALUE_MISSING: Day is missing"],
      [11, "day DAY_OR_WEEKDAY: A row gives a day or a weekday, not both"],
    ]);
    expect(done.result.counts).toMatchObject({ new: 0, changed: 0, unchanged: 1, rejected: 8 });
  });

  test("is not applied when no working day would be left", async () => {
    const rows = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"].map((name): Cell[] => [name, null, "off", null]);
    const done = await preview(await edited(rows));
    expect(await imports.apply(done.id)).toMatchObject({ status: "failed", message_key: "errors.INVALID_CALENDAR" });
    expect((await settings()).rowVersion).toBe(1);
  });

  test("rights: an export to who sees the plan, an import to who maintains calendars; regions of others are unknown", async () => {
    const as = (user: CtxUser, address: string, input: object) => callAs(user, address, input, { project: project.number });
    expect(await as(viewer, "commomUtil/exportCalendarSetData", {})).toMatchObject({ status: 200 });
    expect(await as(pm, "commomUtil/exportCalendarSetData", { regionId: 999_999 })).toMatchObject({ status: 404, code: "NOT_FOUND" });
    const { fileId } = await exported();
    expect(await as(viewer, "import/open", { fileId, kind: "calendar" })).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });

  test("has 2,000 rows at most, the seven of the weekdays among them; one more day is refused [OPS-10]", async () => {
    await db.owner`
      insert into work_calendar_day (calendar_id, day, working)
      select c.id, date '2030-01-01' + n, false from work_calendar c, generate_series(1, 1990) n where c.project_id = ${project.id}`;
    expect((await exported()).cells).toHaveLength(2 + 2_000);
    await db.owner`insert into work_calendar_day (calendar_id, day, working) select id, '2029-01-01', false from work_calendar`;
    expect(await imports.call("commomUtil/exportCalendarSetData", {})).toMatchObject({
      status: 422,
      code: "EXPORT_LIMIT",
      msg: "The export has 2,001 rows, at most 2,000",
    });
    // A region without a calendar of its own has that of the project.
    expect(await imports.call("commomUtil/exportCalendarSetData", { regionId: region })).toMatchObject({ code: "EXPORT_LIMIT" });
  });

  test("is written once at a time for a person", async () => {
    const start = () => imports.call("commomUtil/exportCalendarSetData", {});
    const first = await start();
    expect(await start()).toMatchObject({ code: "EXPORT_UNFINISHED" });
    await imports.run(first.data.taskId);
    await exported();
  });

  test("a template names the columns and offers the words of the language", async () => {
    const { data } = await imports.call("import/template", { kind: "calendar" }, { locale: "ja" });
    const cells = await imports.workbook(await imports.upload("t.xlsx", Buffer.from(data.base64, "base64")));
    expect(cells.slice(0, 2)).toEqual([
      ["weekday", "day", "kind", "name"],
      ["曜日", "日付", "稼働・休業", "名称"],
    ]);
  });
});
