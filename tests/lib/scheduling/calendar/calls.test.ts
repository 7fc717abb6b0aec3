import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion } from "../../../support/factories.ts";
import { makeDus } from "../../../support/plan-factories.ts";

const database = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let viewer: CtxUser;
let region: number;
let foreignRegion: number;

beforeAll(async () => {
  project = await makeProject(database.owner);
  pm = await makeMember(database.owner, project.id, "PM");
  viewer = await makeMember(database.owner, project.id, "COMMON_VIEW");
  region = await makeRegion(database.owner, project.id, "North");
  foreignRegion = await makeRegion(database.owner, (await makeProject(database.owner)).id);
  await makeDus(database.owner, project.id, [{ regionId: region }, { regionId: region }, {}]);
});
beforeEach(() => database.owner`delete from work_calendar`);

const find = (input: object = {}, user = pm) => callAs(user, "commomUtil/findCalendarSetData", input, { project: project.number });
const save = (input: object, user = pm) => callAs(user, "commomUtil/saveCalendarSetData", input, { project: project.number });
const weekdays = [1, 2, 3, 4, 5];
const days = [
  { day: "2026-10-01", working: false, name: "National Day" },
  { day: "2026-10-10", working: true, name: null },
];

describe("commomUtil/findCalendarSetData", () => {
  test("[SCH-05] is Monday to Friday for a project without calendar", async () => {
    expect((await find()).data).toEqual({
      calendarId: null,
      weekdays,
      holidays: [],
      extraWorkdays: [],
      inherited: true,
      rowVersion: null,
      duCount: 3,
    });
  });

  test("[SCH-05] gives the settings of the project, and to a region without its own those of the project", async () => {
    const { data } = await save({ weekdays: [0, 1, 2, 3, 4], days });
    const settings = {
      calendarId: data.id,
      weekdays: [0, 1, 2, 3, 4],
      holidays: [{ day: "2026-10-01", name: "National Day" }],
      extraWorkdays: [{ day: "2026-10-10", name: null }],
    };
    expect((await find({}, viewer)).data).toMatchObject({ ...settings, inherited: false, rowVersion: 1 });
    expect((await find({ regionId: region })).data).toMatchObject({ ...settings, inherited: true, rowVersion: null, duCount: 2 });
  });

  test("refuses a region of another project", async () => {
    expect(await find({ regionId: foreignRegion })).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });
});

describe("commomUtil/saveCalendarSetData", () => {
  test("sets the calendar of a region, which its DUs then follow, and logs it", async () => {
    const { data } = await save({ regionId: region, weekdays: [6], days });
    expect((await find({ regionId: region })).data).toMatchObject({ calendarId: data.id, weekdays: [6], inherited: false, duCount: 2 });
    expect((await find()).data).toMatchObject({ weekdays, inherited: true, duCount: 1 });
    const [audit] =
      await database.owner`select detail from audit_log where object = ${`work_calendar region ${region}`} order by id desc limit 1`;
    expect(audit).toMatchObject({ detail: { before: { weekdays, inherited: true }, after: { weekdays: [6], days } } });
  });

  test("replaces the days and raises the revision; a stale one gets the present values", async () => {
    await save({ weekdays, days });
    expect(await save({ weekdays, days: [days[1]], rowVersion: 1 })).toMatchObject({ status: 200, data: { rowVersion: 2 } });
    expect((await find()).data).toMatchObject({ holidays: [], extraWorkdays: [{ day: "2026-10-10" }] });
    const stale = { status: 409, code: "STALE", data: { rowVersion: 2, holidays: [] } };
    expect(await save({ weekdays, days, rowVersion: 1 })).toMatchObject(stale);
    expect(await save({ weekdays, days })).toMatchObject(stale);
  });

  test("lets a region follow the project's calendar again", async () => {
    await save({ weekdays: [1], days: [] });
    await save({ regionId: region, weekdays, days });
    expect(await save({ regionId: region, inherit: true, rowVersion: 1 })).toMatchObject({ status: 200, data: { id: null } });
    expect((await find({ regionId: region })).data).toMatchObject({ weekdays: [1], inherited: true });
  });

  test("[SCH-14] refuses a calendar without working day, or with none within 1095 days", async () => {
    expect(await save({ weekdays: [], days: [] })).toMatchObject({ status: 422, code: "INVALID_CALENDAR" });
    // Today is 2026-10-14.
    const once = (day: string) => save({ weekdays: [], days: [{ day, working: true }] });
    expect(await once("2029-10-14")).toMatchObject({ status: 422, code: "INVALID_CALENDAR" });
    expect(await once("2029-10-13")).toMatchObject({ status: 200 });
  });

  test.each([
    [{ weekdays: [7] }, "weekdays.0 VALUE_TOO_LARGE"],
    [{ days: [{ day: "2026-02-30", working: true }] }, "days.0.day DATE_FORMAT"],
    [{ days: [{ day: "2089-09-18", working: true }] }, "days.0.day DATE_OUT_OF_RANGE"],
    [{ days: [days[0], days[0]] }, "days.1.day VALUE_REPEATED"],
    [{ days: [{ day: "2026-10-01", working: true, name: "n".repeat(101) }] }, "days.0.name VALUE_TOO_LONG"],
  ])("refuses %j: %s", async (input, problem) => {
    const answer = await save({ weekdays, days: [], ...input });
    expect(answer.status).toBe(400);
    expect(answer.problems?.map(({ path, code }) => `${path} ${code}`)).toContain(problem);
  });

  test("needs calendar.edit", async () => {
    expect(await save({ weekdays, days }, viewer)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });
});
