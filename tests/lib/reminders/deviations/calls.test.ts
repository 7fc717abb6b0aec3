import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../support/database.ts";
import { everyMorning, reminderCalls, useReminderProject } from "../make-reminders.ts";

const db = useDatabase();
const project = useReminderProject(db);
const { call, data, activity, group, clear } = reminderCalls(db, project);

beforeEach(clear);

const reminder = (more: Record<string, unknown> = {}) => ({
  regionId: project.north,
  activityId: activity(3),
  deviationDays: 3,
  roles: ["TL"],
  userIds: [project.pm.id],
  ...everyMorning,
  ...more,
});
const save = (more: Record<string, unknown> = {}) => call(project.pm, "emailRemind/save", reminder(more));
const list = async (filters: unknown[] = []) =>
  (await data(project.pm, `emailRemind/list/1/20/default/${encodeURIComponent(JSON.stringify(filters))}`)).records;

describe("a deviation reminder", () => {
  it("keeps what it carries [REM-10]", async () => {
    const crew = await group("Crew");
    await save({ groupIds: [crew] });
    const [row] = await list();
    expect(row).toMatchObject({
      region: "North",
      activity: "Install",
      deviationDays: 3,
      roles: ["TL"],
      userIds: [project.pm.id],
      people: [{ name: project.pm.name }],
      groupIds: [crew],
      groups: [{ id: crew, name: "Crew" }],
      ...everyMorning,
      nextLocal: "2026-10-15T08:00",
      status: "ENABLED",
    });
  });

  it.each([
    "regionId",
    "activityId",
    "deviationDays",
    "roles",
    "userIds",
    "frequency",
    "sendTime",
    "validBegin",
    "validEnd",
  ])("needs %s [REM-18]", async (field) => {
    const { [field as "roles"]: _left, ...rest } = reminder();
    const answer = await call(project.pm, "emailRemind/save", rest);
    expect(answer.status).toBe(400);
    expect(answer.problems?.map(({ path }) => path)).toContain(field);
  });

  it("takes days from -999 to 999 [REM-15]", async () => {
    for (const deviationDays of [-999, 999]) expect(await save({ deviationDays })).toMatchObject({ status: 200 });
    for (const deviationDays of [-1000, 1000, 1.5]) expect(await save({ deviationDays })).toMatchObject({ status: 400 });
  });

  it("ends after it begins [REM-17]", async () => {
    expect(await save({ validBegin: "2026-10-02T08:00", validEnd: "2026-10-02T08:00" })).toMatchObject({ status: 422, code: "DATE_ORDER" });
  });

  it("is refused a second time: equal receivers in any order, and a validity that touches [REM-19]", async () => {
    expect(await save({ roles: ["TL", "PM"], userIds: [project.pm.id, project.lead.id] })).toMatchObject({ status: 200 });
    const again = { roles: ["PM", "TL", "PM"], userIds: [project.lead.id, project.pm.id] };
    expect(await save(again)).toMatchObject({
      status: 422,
      code: "REMINDER_DUPLICATE",
      msg: "Such a reminder already exists: North · Install",
    });
    expect(await save({ ...again, sendTime: "09:00" })).toMatchObject({ code: "REMINDER_DUPLICATE" });
    expect(await save({ ...again, validBegin: "2026-10-31T23:59", validEnd: "2026-11-30T00:00" })).toMatchObject({
      code: "REMINDER_DUPLICATE",
    });
    expect(await save({ ...again, validBegin: "2026-11-01T00:00", validEnd: "2026-11-30T00:00" })).toMatchObject({ status: 200 });
    expect(await save({ ...again, deviationDays: 4 })).toMatchObject({ status: 200 });
    expect(await save({ ...again, userIds: [project.pm.id] })).toMatchObject({ status: 200 });
    expect(await save({ ...again, regionId: project.south })).toMatchObject({ status: 200 });
  });

  it("of two equal ones saved at once is made once", async () => {
    const answers = await Promise.all([save(), save(), save()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });

  it("is made for several regions and activities at once; pairs that have one are passed over and listed", async () => {
    await save();
    const answer = await save({ regionId: [project.north, project.south], activityId: [activity(3), activity(4)] });
    expect(answer.data.saved).toHaveLength(3);
    expect(answer.data.duplicates).toMatchObject([{ region: "North", activity: "Install" }]);
    const { regions, activities, cells } = await data(project.pm, "emailRemind/matrix");
    expect(regions.map(({ name }: { name: string }) => name)).toEqual(["North", "South"]);
    expect(activities.map(({ name }: { name: string }) => name)).toEqual(["Install", "Integrate"]);
    expect(cells).toHaveLength(4);
    expect(cells[0]).toMatchObject({ count: 1, enabled: 1, days: [3] });
  });

  it("is changed by who has read its last revision; itself is no duplicate", async () => {
    const { id } = (await save()).data.saved[0];
    expect(await save({ id, rowVersion: 1, sendTime: "09:30" })).toMatchObject({ status: 200 });
    expect(await save({ id, rowVersion: 1 })).toMatchObject({ status: 409, code: "STALE" });
    expect((await list())[0]).toMatchObject({ sendTime: "09:30", rowVersion: 2, nextLocal: "2026-10-15T09:30" });
    expect(await save({ id, rowVersion: 2, regionId: [project.north, project.south] })).toMatchObject({ status: 400 });
  });

  it("is found by region, activity and state", async () => {
    await save({ regionId: [project.north, project.south] });
    expect(await list([{ field: "region", type: "eq", values: [project.south] }])).toMatchObject([{ region: "South" }]);
    expect(await list([{ field: "activity", type: "eq", values: [activity(0)] }])).toEqual([]);
    expect(await list([{ field: "status", type: "eq", values: ["DISABLED"] }])).toEqual([]);
  });
});

describe("reminders of a list", () => {
  it("are put out of force and into it, with mails that wait taken back, and deleted [REM-28]", async () => {
    const { id } = (await save()).data.saved[0];
    const kind = "DEVIATION";
    await db.owner`
      with b as (insert into mail_body (project_id, hash, subject, html, "text", created_at) values (${project.id}, ${"f".repeat(64)}, 's', 'h', 't', now()) returning id)
      insert into mail_outbox (project_id, dedupe_key, kind, rule_id, to_address, lang, body_id, next_attempt_at, expires_at, created_at)
      select ${project.id}, ${"f".repeat(64)}, 'reminder', ${id}, 'a@x.com', 'en', b.id, now(), now(), now() from b`;
    expect(await data(project.pm, "emailAuto/disable", { kind, ids: [id] })).toEqual({ disabled: 1 });
    expect((await db.owner`select status from mail_outbox where rule_id = ${id}`)[0]!.status).toBe("CANCELLED");
    expect((await list())[0]).toMatchObject({ status: "DISABLED", disabledReason: "MANUAL", nextLocal: null });
    expect(await data(project.pm, "emailAuto/enable", { kind, ids: [id] })).toEqual({ enabled: 1 });
    expect((await list())[0]).toMatchObject({ status: "ENABLED", nextLocal: "2026-10-15T08:00" });
    expect(await call(project.pm, "emailAuto/deleteReminds", { kind: "RULE", ids: [id] })).toMatchObject({ status: 404 });
    expect(await call(project.lead, "emailAuto/deleteReminds", { kind, ids: [id] })).toMatchObject({ status: 403 });
    expect(await data(project.pm, "emailAuto/deleteReminds", { kind, ids: [id] })).toEqual({ deleted: 1 });
    expect(await list()).toEqual([]);
    expect(await db.owner`select 1 from config_ref where holder_kind = 'DEVIATION_REMIND' and holder_id = ${id}`).toHaveLength(0);
  });

  it("stay out of force with every reason: validity over, region gone, activity disabled", async () => {
    const { id } = (await save({ regionId: project.south, activityId: activity(1) })).data.saved[0];
    await data(project.pm, "emailAuto/disable", { kind: "DEVIATION", ids: [id] });
    await db.owner`update delivery_region set status = 'INVALID' where id = ${project.south}`;
    await db.owner`update activity_library set disabled_at = now() where id = ${activity(1)}`;
    const answer = await call(project.pm, "emailAuto/enable", { kind: "DEVIATION", ids: [id] }, new Date("2026-11-01T00:00:00Z"));
    await db.owner`update delivery_region set status = 'ACTIVE' where id = ${project.south}`;
    await db.owner`update activity_library set disabled_at = null where id = ${activity(1)}`;
    expect(answer).toMatchObject({ status: 422, code: "REMINDER_CANNOT_ENABLE" });
    expect(answer.msg).toMatch(/validity.*activity.*region/);
  });
});
