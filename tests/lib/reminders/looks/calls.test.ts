import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeSubcontractor } from "../../../support/factories.ts";
import { unsaidDus } from "../../../support/mail-words.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { everyMorning, reminderCalls, useReminderProject } from "../make-reminders.ts";

const db = useDatabase();
const project = useReminderProject(db);
const { call, data, activity, mails, clear } = reminderCalls(db, project);

beforeEach(async () => {
  await clear();
  await db.owner`update du set deleted_at = now() where project_id = ${project.id}`;
});

const rule = (more: Record<string, unknown> = {}) => ({
  name: "Late",
  type: "ACT_DEVIATION",
  activityIds: [activity(3)],
  deviationDays: 3,
  ...everyMorning,
  receivers: { userIds: [project.lead.id], addresses: ["boss@customer.com"] },
  ...more,
});

describe("a look at a reminder", () => {
  it("says what it would send now, to whom, and who is left out; it writes nothing", async () => {
    const builder = await makeMember(db.owner, project.id, "SUBCON");
    await makeSubcontractor(db.owner, project.id, [builder.id]);
    await makeDus(db.owner, project.id, [{ code: "LATE-1", plan: { 4: { state: 1, plan_end: "2026-10-01" } } }], project.flow);
    await db.owner`insert into mail_optout (project_id, kind, address, created_at) values (${project.id}, 'reminder', 'boss@customer.com', now())`;
    const found = await data(project.pm, "emailAuto/preview", {
      rule: rule({ receivers: { userIds: [project.lead.id, builder.id], addresses: ["boss@customer.com"] } }),
      lang: "ja",
    });
    expect(found).toMatchObject({
      rows: 1,
      recipientCount: 1,
      recipients: [{ address: project.lead.email, rows: 1 }],
      excluded: [{ who: "boss@customer.com", reason: "DECLINED" }],
      nextLocal: "2026-10-15T08:00",
    });
    expect(found.text).toContain("LATE-1");
    expect(found.text).toContain("アクティビティ");
    await db.owner`delete from mail_optout where project_id = ${project.id}`;
    expect(await mails()).toEqual([]);
    expect(await db.owner`select 1 from mail_rule where project_id = ${project.id}`).toHaveLength(0);
    expect(await data(project.pm, "emailAuto/sendTest", { rule: rule(), lang: "en" })).toMatchObject({ rows: 1 });
    expect(await unsaidDus(db.owner, project.id)).toEqual({ told: expect.toSatisfy((count) => count > 0), unsaid: [] });
  });

  it("refuses what saving would refuse, and needs one reminder", async () => {
    expect(await call(project.pm, "emailAuto/preview", { rule: rule({ receivers: {} }) })).toMatchObject({ code: "RECIPIENT_EMPTY" });
    expect(await call(project.pm, "emailAuto/preview", {})).toMatchObject({ status: 400 });
    expect(await call(project.pm, "emailAuto/preview", { saved: { kind: "RULE", id: 999_999 } })).toMatchObject({ status: 404 });
    expect(await call(project.viewer, "emailAuto/preview", { rule: rule() })).toMatchObject({ status: 403 });
  });

  it("of a saved deviation reminder, and of one for several places, is the same as typed", async () => {
    await makeDus(
      db.owner,
      project.id,
      [project.north, project.south].map((regionId) => ({ regionId, plan: { 4: { state: 1, plan_end: "2026-10-01" } } })),
      project.flow,
    );
    const deviation = {
      regionId: [project.north, project.south],
      activityId: activity(3),
      deviationDays: 3,
      roles: ["TL"],
      userIds: [project.pm.id],
      ...everyMorning,
    };
    expect(await data(project.pm, "emailAuto/preview", { deviation })).toMatchObject({ rows: 2, recipientCount: 2 });
    const [{ id }] = (await data(project.pm, "emailRemind/save", deviation)).saved;
    expect(await data(project.pm, "emailAuto/preview", { saved: { kind: "DEVIATION", id } })).toMatchObject({
      rows: 1,
      nextLocal: "2026-10-15T08:00",
    });
  });

  it("is sent as a test to the caller alone, also when nothing is to tell", async () => {
    expect(await data(project.pm, "emailAuto/sendTest", { rule: rule(), lang: "en" })).toEqual({ sent: project.pm.email, rows: 0 });
    expect(await mails()).toMatchObject([
      { kind: "reminder.test", userId: project.pm.id, subject: `[${project.number}] Nothing to remind of at present` },
    ]);
    expect(await call(project.lead, "emailAuto/sendTest", { rule: rule() })).toMatchObject({ status: 403 });
  });
});
