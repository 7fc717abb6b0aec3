import { beforeAll, describe, expect, it } from "vitest";
import { tellExpiries } from "#lib/resources/expiries/commands.ts";
import { runPresence } from "#lib/resources/presence/commands.ts";
import { openSession } from "#lib/session/commands.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeResource, makeUser } from "../../../support/factories.ts";

const db = useDatabase();
let project: { id: number; number: string };

beforeAll(async () => {
  project = await makeProject(db.owner);
  await db.owner`insert into res_setting (project_id, availability_inactive_days, presence_inactive_days) values (${project.id}, 30, 15)`;
});

const stateOf = async (id: number) => {
  const [row] = await db.owner`select availability, presence from resource where id = ${id}`;
  return `${row!.availability}${row!.presence}`;
};
const make = async (set: Record<string, unknown>) => {
  const user = await makeUser(db.owner);
  const id = await makeResource(db.owner, project.id, user.id);
  await db.owner`update resource set ${db.owner(set)} where id = ${id}`;
  return { id, user };
};
// 02:00 in Beijing.
const at = (day: string) => new Date(new Date(`${day}T02:00:00Z`).getTime() - 8 * 3_600_000);

describe("the daily look [RES-17]", () => {
  it.each([
    ["29 days idle", { last_activity_at: "2026-02-14T04:00:00Z" }, "YN"],
    ["30 days idle", { last_activity_at: "2026-02-13T04:00:00Z" }, "NN"],
    ["14 days idle", { last_activity_at: "2026-03-01T04:00:00Z" }, "YY"],
    ["14 days idle by the day of the project", { last_activity_at: "2026-02-28T16:30:00Z" }, "YY"],
    ["15 days idle", { last_activity_at: "2026-02-28T15:30:00Z" }, "YN"],
    ["authorised to the day", { last_activity_at: "2026-03-14T04:00:00Z", auth_start: "2026-01-01", auth_end: "2026-03-15" }, "YY"],
    ["authorised to the day before", { last_activity_at: "2026-03-14T04:00:00Z", auth_start: "2026-01-01", auth_end: "2026-03-14" }, "NY"],
    ["not active", { last_activity_at: "2026-03-14T04:00:00Z", status: "INACTIVE" }, "NY"],
  ])("%s", async (_, set, wanted) => {
    const { id } = await make(set);
    await runPresence(db.app, project.id, at("2026-03-15"));
    expect(await stateOf(id)).toBe(wanted);
  });

  it("is ahead of by a sign-in at once, written at most once an hour", async () => {
    const { id, user } = await make({ last_activity_at: "2026-01-01T00:00:00Z", availability: "N", presence: "N" });
    const sign = (moment: string) => openSession(user.id, { ip: null, now: new Date(moment), requestId: "test" });
    const activeAt = async () => (await db.owner`select last_activity_at as at from resource where id = ${id}`)[0]!.at.toISOString();
    await sign("2026-03-15T08:00:00Z");
    expect(await stateOf(id)).toBe("YY");
    await sign("2026-03-15T08:59:00Z");
    expect(await activeAt()).toBe("2026-03-15T08:00:00.000Z");
    await sign("2026-03-15T09:00:00Z");
    expect(await activeAt()).toBe("2026-03-15T09:00:00.000Z");
  });
});

describe("what ends soon", () => {
  it("is told to each manager once a day, 30 and 7 days before and on the day", async () => {
    const pm = await makeMember(db.owner, project.id, "PM");
    await make({ auth_start: "2026-01-01", auth_end: "2026-06-30" });
    await make({ visa_start: "2026-01-01", visa_end: "2026-06-30" });
    const told = async () =>
      (await db.owner`select params from notice where user_id = ${pm.id} and kind = 'resource.expiry' order by id`).map(
        ({ params }) => params.count,
      );
    for (const day of ["2026-05-30", "2026-05-31", "2026-05-31", "2026-06-22", "2026-06-23", "2026-06-30", "2026-07-01"])
      await db.app.begin((sql) => tellExpiries(sql as never, project.id, at(day)));
    expect(await told()).toEqual([2, 2, 2]);
    const mails = await db.owner`select b.text from mail_outbox m join mail_body b on b.id = m.body_id where m.to_user_id = ${pm.id}`;
    expect(mails).toHaveLength(3);
    expect(mails[0]!.text).toContain("2026-06-30");
  });
});
