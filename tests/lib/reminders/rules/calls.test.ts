import { beforeEach, describe, expect, it } from "vitest";
import { runTask } from "#jobs/run-task.ts";
import { taskKinds } from "#jobs/tasks.ts";
import { activitiesMax, contentChars, ruleTypes } from "#lib/reminders/rules/limits.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeRegion, makeUser } from "../../../support/factories.ts";
import { everyMorning, reminderCalls, useReminderProject } from "../make-reminders.ts";

const db = useDatabase();
const project = useReminderProject(db);
const { call, data, activity, clear } = reminderCalls(db, project);

beforeEach(clear);

const rule = (more: Record<string, unknown> = {}) => ({
  name: "Late installations",
  type: "ACT_DEVIATION",
  activityIds: [activity(3)],
  deviationDays: 3,
  ...everyMorning,
  receivers: { userIds: [project.pm.id] },
  ...more,
});
const save = (more: Record<string, unknown> = {}, now = clock) => call(project.pm, "emailAuto/addAndEditRule", rule(more), now);
const list = async (filters: unknown[] = []) =>
  (await data(project.pm, `emailAuto/list/1/20/default/${encodeURIComponent(JSON.stringify(filters))}`)).records;

describe("a mail rule", () => {
  it("keeps everything it carries and gives it back [REM-07]", async () => {
    const given = {
      name: "Moved plans",
      type: "CHANGE_ACT_DATE",
      activityIds: [activity(0), activity(1)],
      dateFields: ["planEnd", "actualEnd"],
      frequency: { kind: "WEEKLY", weekdays: [5, 1] },
      sendTime: "17:30",
      validBegin: "2026-10-01T00:00",
      validEnd: "2026-12-31T00:00",
      sendRange: "REGION",
      regionIds: [project.north],
      receivers: { userIds: [project.pm.id], roles: ["TL"], addresses: "a@x.com; b@y.com" },
      mailTo: "c@z.com",
      ccUserIds: [project.lead.id],
      lang: "ja",
      subject: "{activity}",
      content: "{table}",
    };
    const saved = await data(project.pm, "emailAuto/addAndEditRule", given);
    // The next Friday after Wednesday the 14th.
    expect(saved).toMatchObject({ nextLocal: "2026-10-16T17:30", rowVersion: 1 });
    const [row] = await list();
    expect(row).toMatchObject({
      ...given,
      frequency: { kind: "WEEKLY", weekdays: [1, 5] },
      receivers: { userIds: [project.pm.id], groupIds: [], roles: ["TL"], addresses: ["a@x.com", "b@y.com"] },
      mailTo: ["c@z.com"],
      activities: [{ name: "Design" }, { name: "Survey" }],
      regions: [{ name: "North" }],
      status: "ENABLED",
      nextFire: new Date("2026-10-16T09:30:00Z"),
      responsible: project.pm.name,
      last: null,
    });
    await save({ deviationDays: -7 });
    expect(await list([{ field: "type", type: "eq", values: ["ACT_DEVIATION"] }])).toMatchObject([{ deviationDays: -7 }]);
  });

  const types = ["CHANGE_ACT_DATE", "CHANGE_COL_VALUE", "ACT_DEVIATION", "DOC_PUBLISH", "DOC_CHANGE"];
  it.each(types)("may be of the type %s, and of no other [REM-08]", async (type) => {
    const attribute = (
      await db.owner<{ id: number }[]>`
        insert into attribute (project_id, key, name, type, in_rollout_plan) values (${project.id}, ${`K${type}`.slice(0, 20)}, ${type}, 'TEXT', true) returning id`
    )[0]!.id;
    expect(await save({ type, dateFields: ["planEnd"], attributeIds: [attribute] })).toMatchObject({ status: 200 });
    expect(await list()).toMatchObject([{ type }]);
    expect(await save({ name: "Other", type: "ACTUAL_TIME" })).toMatchObject({
      status: 400,
      problems: [{ path: "type", code: "VALUE_UNKNOWN" }],
    });
    expect(ruleTypes).toEqual(types);
  });

  it.each([
    [{ type: "CHANGE_ACT_DATE", dateFields: [] }, "dateFields"],
    [{ type: "CHANGE_COL_VALUE", attributeIds: [] }, "attributeIds"],
    [{ activityIds: [] }, "activityIds"],
    [{ deviationDays: null }, "deviationDays"],
    [{ sendTime: null }, "sendTime"],
    [{ sendRange: "REGION", regionIds: [] }, "regionIds"],
    [{ subject: "x", content: null }, "content"],
    [{ frequency: { kind: "REALTIME" } }, "frequency.kind"],
  ])("without what its type needs is refused: %j", async (more, path) => {
    const answer = await save(more);
    expect(answer.status).toBe(400);
    expect(answer.problems?.map((problem) => problem.path)).toContain(path);
  });

  it("takes deviation days from -999 to 999 [REM-15]", async () => {
    expect(await save({ deviationDays: -999 })).toMatchObject({ status: 200 });
    expect(await save({ name: "b", deviationDays: 999 })).toMatchObject({ status: 200 });
    expect(await save({ name: "c", deviationDays: -1000 })).toMatchObject({ status: 400 });
    expect(await save({ name: "c", deviationDays: 1000 })).toMatchObject({ status: 400 });
    expect(await save({ name: "c", deviationDays: 0.5 })).toMatchObject({ status: 400 });
  });

  it("ends after it begins [REM-17]", async () => {
    expect(await save({ validBegin: "2026-10-02T08:00", validEnd: "2026-10-02T08:01" })).toMatchObject({ status: 200 });
    expect(await save({ name: "b", validBegin: "2026-10-02T08:00", validEnd: "2026-10-02T08:00" })).toMatchObject({
      status: 422,
      code: "DATE_ORDER",
      problems: [{ path: "validEnd" }],
    });
  });

  it("names every wrong address of its receivers [REM-20]", async () => {
    expect(await save({ receivers: { addresses: "a@x.com; wrong; b@y;c@z.com" } })).toMatchObject({
      status: 422,
      code: "EMAIL_INVALID",
      msg: "E-mail validation failed: wrong; b@y",
      data: { wrong: ["wrong", "b@y"] },
      problems: [{ path: "receivers.addresses" }],
    });
  });

  it("writes to 200 addresses at most, counted once each [REM-21]", async () => {
    const addresses = Array.from({ length: 200 }, (_, i) => `a${i}@x.com`);
    expect(await save({ receivers: { addresses: [...addresses, "A0@X.com"] } })).toMatchObject({ status: 200 });
    expect(await save({ name: "b", receivers: { addresses: [...addresses, "more@x.com"] } })).toMatchObject({
      status: 422,
      code: "TOO_MANY_RECIPIENTS",
    });
  });

  it("writes to somebody", async () => {
    expect(await save({ receivers: {} })).toMatchObject({ status: 422, code: "RECIPIENT_EMPTY" });
    expect(await save({ receivers: {}, mailTo: ["a@x.com"] })).toMatchObject({ status: 200 });
  });

  it("copies known people alone [REM-27]", async () => {
    const stranger = await makeUser(db.owner);
    expect(await save({ ccUserIds: [project.lead.id] })).toMatchObject({ status: 200 });
    expect(await save({ name: "b", ccUserIds: [project.lead.id, stranger.id] })).toMatchObject({
      status: 422,
      code: "CC_UNKNOWN",
      msg: "Cc does not exist!",
    });
  });

  it("has a name of its own, ten activities and a text of 4,000 characters at most", async () => {
    expect(await save()).toMatchObject({ status: 200 });
    expect(await save({ name: "LATE installations" })).toMatchObject({ status: 422, code: "NAME_EXISTS" });
    expect(await save({ name: "b", activityIds: Array.from({ length: activitiesMax + 1 }, (_, i) => i + 1) })).toMatchObject({
      status: 400,
    });
    expect(await save({ name: "b", subject: "s", content: "x".repeat(contentChars) })).toMatchObject({ status: 200 });
    expect(await save({ name: "c", subject: "s", content: "x".repeat(contentChars + 1) })).toMatchObject({ status: 400 });
  });

  it("is changed by who has read its last revision, and then answers for it", async () => {
    const { id } = (await save()).data;
    expect(await save({ id, rowVersion: 2 })).toMatchObject({ status: 409, code: "STALE" });
    expect(await save({ id })).toMatchObject({ status: 400, problems: [{ path: "rowVersion" }] });
    await data(project.pm, "emailAuto/disable", { kind: "RULE", ids: [id] });
    // Saving does not put into force what somebody has taken out of it.
    expect(await save({ id, rowVersion: 2, sendTime: "09:00" })).toMatchObject({ status: 200, data: { nextLocal: null, rowVersion: 3 } });
    expect(await call(project.viewer, "emailAuto/addAndEditRule", rule({ name: "b" }))).toMatchObject({ status: 403 });
  });

  it("is found by name, type, activity and state", async () => {
    await save();
    await save({ name: "Survey", activityIds: [activity(0)] });
    const names = async (field: string, type: string, values: unknown[]) =>
      (await list([{ field, type, values }])).map(({ name }: { name: string }) => name);
    expect(await names("name", "like", ["SURV"])).toEqual(["Survey"]);
    expect(await names("activity", "eq", [activity(3)])).toEqual(["Late installations"]);
    expect(await names("type", "in", ["ACTUAL_TIME"])).toEqual([]);
    expect(await names("status", "eq", ["ENABLED"])).toHaveLength(2);
  });
});

describe("what a reminder names", () => {
  it("takes it out of force once it is no longer in use, and the PM is told; it stays so until it is in use again", async () => {
    const region = await makeRegion(db.owner, project.id, "East");
    const [attribute] = await db.owner<{ id: number }[]>`
      insert into attribute (project_id, key, name, type, in_rollout_plan) values (${project.id}, 'GONE', 'Gone', 'TEXT', true) returning id`;
    const ofRegion = (await save({ sendRange: "REGION", regionIds: [region] })).data.id as number;
    const ofAttribute = (await save({ name: "Values", type: "CHANGE_COL_VALUE", activityIds: [], attributeIds: [attribute!.id] })).data
      .id as number;
    const untouched = (await save({ name: "Other" })).data.id as number;
    const { saved } = await data(project.pm, "emailRemind/save", {
      regionId: region,
      activityId: activity(3),
      deviationDays: 3,
      roles: ["TL"],
      userIds: [project.pm.id],
      ...everyMorning,
    });
    const runRechecks = async () => {
      const tasks = await db.owner<
        { id: string }[]
      >`select id from task where project_id = ${project.id} and kind = 'reminders.recheck' and status = 'queued'`;
      for (const { id } of tasks) await runTask(db.app, taskKinds, id, new AbortController().signal);
      return tasks.length;
    };
    const reasons = async () =>
      Object.fromEntries(
        (
          await db.owner<{ id: number; reason: string | null }[]>`
            select id, disabled_reason as reason from mail_rule where project_id = ${project.id}
            union all select id, disabled_reason from deviation_remind where project_id = ${project.id}`
        ).map(({ id, reason }) => [id, reason]),
      );
    const regions = (await data(project.pm, "deliveryRegion/list")).find(({ id }: { id: number }) => id === region);
    await data(project.pm, "deliveryRegion/setStatus", { id: region, status: "INVALID", confirm: true, rowVersion: regions.rowVersion });
    await data(project.pm, "planAttr/setFlags", { ids: [attribute!.id], flags: { inRolloutPlan: false } });
    // One for the rules and one for the deviation reminders of the region, one for the rules of the attribute.
    expect(await runRechecks()).toBe(3);
    expect(await reasons()).toEqual({ [ofRegion]: "REGION", [ofAttribute]: "ATTRIBUTE", [untouched]: null, [saved[0].id]: "REGION" });
    const notices = await db.owner<{ params: { names: string } }[]>`
      select params from notice where project_id = ${project.id} and title = 'reminder-mails.notice.outOfForce' and user_id = ${project.pm.id}`;
    expect(notices.map(({ params }) => params.names).join()).toMatch(/Late installations.*Values|Values.*Late installations/);
    const enable = () => call(project.pm, "emailAuto/enable", { kind: "RULE", ids: [ofRegion] });
    expect(await enable()).toMatchObject({ code: "REMINDER_CANNOT_ENABLE" });
    await data(project.pm, "deliveryRegion/setStatus", { id: region, status: "ACTIVE", confirm: true, rowVersion: regions.rowVersion + 1 });
    expect(await enable()).toMatchObject({ status: 200 });
  });
});

describe("an actual-time reminder", () => {
  const actual = (more: Record<string, unknown> = {}) =>
    call(project.pm, "emailAuto/addAndEditActualTimeRemind", {
      activityIds: [activity(0), activity(1)],
      offsetDays: 5,
      ...everyMorning,
      receivers: {},
      ...more,
    });

  it("is made and changed, without receivers for the owners alone [REM-29]", async () => {
    const made = await actual();
    expect(made).toMatchObject({ status: 200, data: { nextLocal: "2026-10-15T08:00" } });
    expect((await list())[0]).toMatchObject({ type: "ACTUAL_TIME", name: "Survey, Design +5", offsetDays: 5, sendRange: "OWN" });
    expect(await actual({ id: made.data.id, rowVersion: 1, offsetDays: 6 })).toMatchObject({ status: 200 });
    expect((await list())[0]).toMatchObject({ offsetDays: 6, rowVersion: 2 });
    // The two lists do not take one another's rows.
    expect(await save({ id: made.data.id, rowVersion: 2 })).toMatchObject({ status: 404 });
  });

  it("comes 0 to 1095 days after the plan [REM-16]", async () => {
    expect(await actual({ offsetDays: 0 })).toMatchObject({ status: 200 });
    expect(await actual({ offsetDays: 1095 })).toMatchObject({ status: 200 });
    expect(await actual({ offsetDays: -1 })).toMatchObject({ status: 400 });
    expect(await actual({ offsetDays: 1096 })).toMatchObject({ status: 400 });
    expect(await actual({ offsetDays: 1.5 })).toMatchObject({ status: 400 });
  });
});
