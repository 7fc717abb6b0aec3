import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { schedules } from "#jobs/schedule.ts";
import { writeAudit } from "#lib/core/audit.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { claimSlots, newestSlot } from "#lib/core/schedule.ts";
import { listKeys, writeBytes } from "#lib/core/storage.ts";
import { runRetention } from "#lib/settings/closing/commands.ts";
import { personalLimit } from "#lib/settings/closing/logic.ts";
import { listForgotten } from "#lib/settings/closing/queries.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeUser } from "../../../support/factories.ts";
import { makeWholeProject, projectPrint, type WholeProject } from "../../../support/whole-project.ts";
import { useFiles } from "../../imports/support.ts";

const database = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let planner: CtxUser;

beforeEach(async () => {
  project = await makeProject(database.owner);
  pm = await makeMember(database.owner, project.id, "PM");
  planner = await makeMember(database.owner, project.id, "PCM");
});

const call = (user: CtxUser, address: string, input: object = {}) => callAs(user, address, input, { project: project.number });
const monthsAgo = (at: number, months: number, seconds = 0) =>
  database.owner`update project set status = 'closed', closed_at = now() - make_interval(months => ${months}, secs => ${seconds}) where id = ${at}`;
/** Tables whose rows are a project's through their DUs. */
const ofDus = ["du_activity_note", "du_owner"];
const count = async (table: string, at: number) => {
  const own = ofDus.includes(table) ? "du_id in (select id from du where project_id = $1)" : "project_id = $1";
  return (await database.owner.unsafe(`select 1 from ${table} where ${own}`, [at])).length;
};
const fileIds = async (at: number) =>
  (await database.owner<{ id: string }[]>`select id from file_object where project_id = ${at}`).map(({ id }) => id);
const storedKeys = async () => {
  const keys: string[] = [];
  for await (const batch of listKeys()) keys.push(...batch);
  return keys.sort();
};

describe("closing", () => {
  test("takes the number of the project, makes it read-only, and can be undone", async () => {
    expect(await call(pm, "project/close", { confirm: "other" })).toMatchObject({ status: 422, code: "CONFIRM_DIFFERS" });
    expect(await call(pm, "project/close", { confirm: project.number })).toMatchObject({
      status: 200,
      data: { status: "closed", closedAt: clock },
    });
    expect(await call(pm, "dataControl/save", { switches: { dataControl: "Y" } })).toMatchObject({ status: 403, code: "PROJECT_CLOSED" });
    expect(await call(pm, "dataControl/find")).toMatchObject({ status: 200 });
    expect(await call(pm, "project/close", { confirm: project.number })).toMatchObject({ status: 422, code: "WRONG_STATUS" });
    expect(await call(pm, "project/reopen", { confirm: project.number })).toMatchObject({
      status: 200,
      data: { status: "active", closedAt: null },
    });
    expect(await call(pm, "dataControl/save", { switches: { dataControl: "Y" } })).toMatchObject({ status: 200 });
    expect(await call(pm, "project/reopen", { confirm: project.number })).toMatchObject({ status: 422, code: "WRONG_STATUS" });
    const events = await database.owner`select event from audit_log where project_id = ${project.id} and event like 'project%' order by id`;
    expect(events.map(({ event }) => event)).toEqual(["project_closed", "project_reopened"]);
  });

  test("needs project.close", async () => {
    for (const address of ["project/close", "project/reopen"])
      expect(await call(planner, address, { confirm: project.number })).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });

  test("no schedule but those for closed projects runs in a closed one", async () => {
    await database.owner`delete from schedule_slot`;
    await database.owner`update project set status = 'closed' where id = ${project.id}`;
    const run = async () => {};
    await claimSlots(
      database.app,
      [
        { name: "open only", due: { daily: "02:00" }, run },
        { name: "closed too", due: { daily: "02:00" }, onClosed: true, run },
      ],
      clock,
    );
    const names = await database.owner`select name from schedule_slot where project_id = ${project.id}`;
    expect(names).toEqual([{ name: "closed too" }]);
  });
});

describe("retention", () => {
  test("is due every day at 02:00 of the project's clock, in closed projects too", () => {
    const retention = schedules.find(({ name }) => name === "retention")!;
    expect(retention).toMatchObject({ due: { daily: "02:00" }, onClosed: true });
    expect(newestSlot(retention.due, new Date("2026-10-14T13:00:00Z"), -11).toISOString()).toBe("2026-10-14T02:00:00.000Z");
  });

  describe("of a project closed for a month [OPS-45]", () => {
    let whole: WholeProject;
    let other: WholeProject;
    let otherPrint: Record<string, string>;
    /** Ids of the files of both. */
    let files: [string[], string[]];
    const erased = [
      "du",
      "customer_site",
      "du_plan",
      "du_flow",
      "owner_set",
      "plan_batch",
      "plan_log",
      "task",
      "file_object",
      "mail_outbox",
      "mail_body",
      "plan_query",
      "schedule_preview",
      "plan_version",
      "plan_version_row",
    ];
    const kept = ["activity_flow", "activity_library", "attribute", "delivery_region", "project_member", "work_calendar"];
    beforeAll(async () => {
      whole = await makeWholeProject(database.owner, "erased");
      other = await makeWholeProject(database.owner, "kept");
      await database.owner`insert into du_owner (du_id, owner_kind, user_id) values (${whole.numbers.du!}, 'DU_OWNER', ${whole.pm.id})`;
      await database.owner`insert into du_activity_note (du_id, slot, delay_reason) values (${whole.numbers.du!}, 1, 'x')`;
      files = [await fileIds(whole.id), await fileIds(other.id)];
      for (const id of files.flat()) await writeBytes(id, Buffer.from("x"), "application/octet-stream");
      otherPrint = await projectPrint(database.owner, other.id);
    });

    test("nothing goes a moment before", async () => {
      await monthsAgo(whole.id, 1, -60);
      await runRetention(database.app, whole.id, new Date());
      for (const table of [...erased, ...ofDus]) expect(await count(table, whole.id), table).toBeGreaterThan(0);
      expect(await storedKeys()).toEqual(files.flat().sort());
      await expect(database.app`select erase_project(${whole.id})`).rejects.toThrow(/not been closed for a month/);
    });

    test("then sites, DUs, plan, log, tasks and files go; the head, the configuration, the counts and the audit stay, other projects untouched", async () => {
      await monthsAgo(whole.id, 1, 1);
      await runRetention(database.app, whole.id, new Date());
      for (const table of erased) expect(await count(table, whole.id), table).toBe(0);
      for (const table of ofDus)
        expect(await database.owner.unsafe(`select 1 from ${table} where du_id = ${whole.numbers.du!}`), table).toEqual([]);
      expect(await storedKeys()).toEqual(files[1]);
      for (const table of kept) expect(await count(table, whole.id), table).toBeGreaterThan(0);
      const [line] = await database.owner`select event, detail from audit_log where project_id = ${whole.id} and event = 'erased'`;
      expect(line).toMatchObject({ detail: { before: { du: 2, customer_site: 1, plan_log: 1, file_object: 1 } } });
      const [head] = await database.owner`select number, status, erased_at from project where id = ${whole.id}`;
      expect(head).toMatchObject({ number: whole.number, status: "closed", erased_at: expect.any(Date) });
      expect(await projectPrint(database.owner, other.id)).toEqual(otherPrint);
    });

    test("a second run changes nothing, and the project cannot be opened again", async () => {
      await runRetention(database.app, whole.id, new Date());
      expect(await database.owner`select 1 from audit_log where project_id = ${whole.id} and event = 'erased'`).toHaveLength(1);
      const answer = await callAs(whole.pm, "project/reopen", { confirm: whole.number }, { project: whole.number, now: new Date() });
      expect(answer).toMatchObject({ status: 422, code: "REOPEN_TOO_LATE" });
    });

    test("every table with rows of a project is decided: erased, or kept on purpose", async () => {
      const keptOnPurpose = [
        ...kept,
        "audit_log",
        "cross_border_consent",
        "du_tab",
        "error_report",
        "limit_setting",
        "lookup_list",
        "mail_minute",
        "mail_optout",
        "plan_seq",
        "project_switch",
        "region_owner",
        "role_delegation",
        "role_permission",
        "rollout_plan",
        "schedule_slot",
        "session_project",
        "sub_flow",
        "subcontractor",
        "user_recent_project",
        "user_setting",
      ];
      const [row] = await database.owner<{ erased: string[] }[]>`select erased_tables() as erased`;
      const tables = await database.owner<{ name: string }[]>`
        select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        where a.attname = 'project_id' and not a.attisdropped and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`;
      const open = tables.map(({ name }) => name).filter((name) => !keptOnPurpose.includes(name) && !row!.erased.includes(name));
      expect(open, "name the table in erased_tables, or here with the tables that are kept").toEqual([]);
    });
  });

  test("the log of an open project, or of one closed today, is not removed by naming it", async () => {
    const whole = await makeWholeProject(database.owner, "named");
    const tryIt = (sql: typeof database.owner) =>
      sql.begin(async (tx) => {
        await tx`select set_config('milepost.erased_project', ${String(whole.id)}, true)`;
        await tx`delete from plan_log where project_id = ${whole.id}`;
      });
    await expect(tryIt(database.owner)).rejects.toThrow(/append only/);
    await monthsAgo(whole.id, 0);
    await expect(tryIt(database.owner)).rejects.toThrow(/append only/);
    await monthsAgo(whole.id, 1, 1);
    await expect(tryIt(database.app)).rejects.toThrow(/permission denied/);
    expect(await count("plan_log", whole.id)).toBe(1);
  });

  test("project managers are warned 14 and 3 days before, once each", async () => {
    await database.owner`update project set status = 'closed', closed_at = ${clock} where id = ${project.id}`;
    await database.owner`update app_user set language = 'en' where id = ${pm.id}`;
    const subjects = async () =>
      (
        await database.owner`select b.subject from mail_outbox m join mail_body b on b.id = m.body_id where m.project_id = ${project.id} order by m.id`
      ).map(({ subject }) => subject);
    const at = (day: string) => runRetention(database.app, project.id, new Date(`${day}T02:00:00Z`));
    await at("2026-10-30");
    expect(await subjects()).toEqual([]);
    await at("2026-10-31");
    await at("2026-11-01");
    expect(await subjects()).toEqual([`[${project.number}] 14 days until the data of the project is deleted`]);
    await at("2026-11-11");
    await at("2026-11-12");
    expect(await subjects()).toHaveLength(2);
    expect((await subjects())[1]).toContain("3 days");
  });
});

describe("personal data [OPS-46]", () => {
  const after = new Date();
  const limit = personalLimit(after);
  const since = (seconds: number) => new Date(limit.getTime() + seconds * 1000);
  const long = new Date("2015-01-01T00:00:00Z");
  const person = async (id: number) => (await database.owner`select * from app_user where id = ${id}`)[0];
  const resource = async (id: number) =>
    (await database.owner`select phone, longitude, latitude, visa_type, visa_start, visa_end from resource where user_id = ${id}`)[0];
  const address = async (id: number) => (await database.owner`select to_address, to_name from mail_outbox where to_user_id = ${id}`)[0];
  /** An account made long ago. */
  const makeOld = async () => {
    const user = await makeUser(database.owner);
    await database.owner`update app_user set kept_from = ${long} where id = ${user.id}`;
    return user;
  };
  /** A place in a pool with what is told of people there. */
  const place = (user: CtxUser, at: number, given: { status?: string; updatedAt?: Date; lastActivityAt?: Date | null } = {}) =>
    database.owner`
      insert into resource (project_id, user_id, type, phone, longitude, latitude, visa_type, visa_start, visa_end, status, updated_at, last_activity_at)
      values (${at}, ${user.id}, 'OWN', '12345', 121, 31, 'WORK', '2016-01-01', '2017-01-01', ${given.status ?? "INACTIVE"}, ${given.updatedAt ?? long},
        ${given.lastActivityAt ?? null})`;
  const mail = (name: string, to: { userId: number | null; address: string; name: string }, status = "SENT") =>
    database.owner`
      with body as (
        insert into mail_body (project_id, hash, subject, html, "text", created_at) values (${project.id}, ${name.padStart(64, "0")}, 'x', 'x', 'x', now()) returning id)
      insert into mail_outbox (project_id, dedupe_key, kind, to_user_id, to_address, to_name, lang, body_id, status, last_error, next_attempt_at, expires_at, created_at)
      select ${project.id}, ${name.padStart(64, "0")}, 'task.result', ${to.userId}, ${to.address}, ${to.name}, 'en', id, ${status}, ${`no ${to.address}`}, now(), now(), now() from body`;
  /** Gives a person what is told of people besides the account, and a mail. */
  const tell = async (user: CtxUser) => {
    await database.owner`
      update app_user set employee_id = ${`E-${user.id}`}, password_hash = 'hash', dpa_expires_on = '2027-01-01', manager_id = ${pm.id} where id = ${user.id}`;
    await place(user, project.id);
    await mail(`${user.id}`, { userId: user.id, address: user.email, name: user.name });
  };
  const write = (object: string, actor: CtxUser | null, when: Date, detail: { before?: object; after?: object } = {}) =>
    writeAudit(database.app, [{ object, before: detail.before ?? null, after: detail.after ?? null }], {
      at: when,
      actorId: actor?.id ?? null,
      ip: "10.1.2.3",
      requestId: "r",
      projectId: project.id,
      address: "a",
    });
  const act = (user: CtxUser, when: Date) => write("x", user, when);
  const grant = (user: CtxUser, at: number, validTo: string | null = null) =>
    database.owner`
      insert into project_member (project_id, user_id, role, valid_from, valid_to, granted_at) values (${at}, ${user.id}, 'TL', '2015-01-01', ${validTo}, '2015-01-01')`;
  const closedAt = async (when: Date) => {
    const made = await makeProject(database.owner);
    await database.owner`update project set status = 'closed', closed_at = ${when} where id = ${made.id}`;
    return made.id;
  };
  const run = () => runRetention(database.app, project.id, after);
  /** Which of the people are to be forgotten. */
  const due = async (...people: CtxUser[]) => {
    const ids = await listForgotten(database.app, after);
    return people.map(({ id }) => ids.includes(id));
  };

  test("of who did nothing for five years is replaced; of everybody else it stays", async () => {
    const [gone, present, fresh, holder] = [await makeOld(), await makeOld(), await makeUser(database.owner), await makeOld()];
    await act(gone, since(-1));
    await act(present, since(1));
    await act(holder, long);
    await grant(holder, project.id);
    await tell(gone);
    await tell(present);
    const before = { person: await person(present.id), resource: await resource(present.id), address: await address(present.id) };
    const report = await callAs(pm, "project/closing", {}, { project: project.number, now: after });
    expect(report).toMatchObject({ status: 200, data: { people: 1 } });
    expect(await person(gone.id)).toMatchObject({ name: gone.name });
    await run();
    expect(await person(gone.id)).toMatchObject({
      account: `removed-${gone.id}`,
      name: `removed user ${gone.id}`,
      email: `removed-${gone.id}@localhost`,
      employee_id: null,
      password_hash: null,
      dpa_expires_on: null,
      manager_id: null,
      active: false,
      erased_at: after,
    });
    expect(await resource(gone.id)).toEqual({
      phone: null,
      longitude: null,
      latitude: null,
      visa_type: null,
      visa_start: null,
      visa_end: null,
    });
    expect(await address(gone.id)).toEqual({ to_address: "removed@localhost", to_name: null });
    expect({ person: await person(present.id), resource: await resource(present.id), address: await address(present.id) }).toEqual(before);
    for (const user of [present, fresh, holder]) expect(await person(user.id)).toMatchObject({ name: user.name, active: true });
    const lines = await database.owner`select detail from audit_log where object = 'personal data'`;
    expect(lines).toMatchObject([{ detail: { before: { accounts: 1 } } }]);
    await run();
    expect(await database.owner`select 1 from audit_log where object = 'personal data'`).toHaveLength(1);
  });

  test("a role keeps its holder for five years after it or its project ended, a role without end in a running project for ever", async () => {
    const [inRunning, endedLately, endedLong, closedLately, closedLong, delegate] = [
      await makeOld(),
      await makeOld(),
      await makeOld(),
      await makeOld(),
      await makeOld(),
      await makeOld(),
    ];
    await grant(inRunning, project.id);
    await grant(endedLately, project.id, since(86_400).toISOString().slice(0, 10));
    await grant(endedLong, project.id, since(-86_400).toISOString().slice(0, 10));
    await grant(closedLately, await closedAt(since(86_400)));
    await grant(closedLong, await closedAt(since(-86_400)));
    await database.owner`
      insert into role_delegation (project_id, role, delegator_id, delegate_id, valid_from, valid_to) values (${project.id}, 'PM', ${pm.id}, ${delegate.id}, ${since(0)}, ${since(86_400)})`;
    expect(await due(inRunning, endedLately, endedLong, closedLately, closedLong, delegate)).toEqual([
      false,
      false,
      true,
      false,
      true,
      false,
    ]);
    await grant(closedLong, project.id);
    expect(await due(closedLong)).toEqual([false]);
  });

  test("people of the pool who never signed in are kept while they work in a running project, and for five years after they were last written of", async () => {
    const names = ["working", "waiting", "off", "refused", "written", "active", "closedLately", "closedLong"] as const;
    const people = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await makeOld()] as const))) as Record<
      (typeof names)[number],
      CtxUser
    >;
    await place(people.working, project.id, { status: "ACTIVE" });
    await place(people.waiting, project.id, { status: "PENDING" });
    await place(people.off, project.id);
    await place(people.refused, project.id, { status: "REJECTED" });
    await place(people.written, project.id, { updatedAt: since(1) });
    await place(people.active, project.id, { lastActivityAt: since(1) });
    await place(people.closedLately, await closedAt(since(60)), { status: "ACTIVE" });
    await place(people.closedLong, await closedAt(since(-60)), { status: "ACTIVE" });
    const found = await due(...names.map((name) => people[name]));
    expect(names.filter((_, at) => found[at])).toEqual(["off", "refused", "closedLong"]);
    await database.owner`update resource set status = 'ACTIVE' where user_id = ${people.off.id}`;
    await run();
    expect(await resource(people.off.id)).toMatchObject({ phone: "12345" });
    expect(await person(people.off.id)).toMatchObject({ name: people.off.name, active: true });
    expect(await resource(people.closedLong.id)).toMatchObject({ phone: null, visa_type: null });
    expect(await person(people.closedLong.id)).toMatchObject({ name: `removed user ${people.closedLong.id}`, active: false });
  });

  test("an account that did nothing is kept for five years after it was made, and after it lost a role or its place in a pool", async () => {
    const [made, fresh, lost, left, off] = [
      await makeOld(),
      await makeUser(database.owner),
      await makeOld(),
      await makeOld(),
      await makeOld(),
    ];
    await grant(lost, project.id);
    await place(left, project.id, { status: "ACTIVE" });
    await place(off, project.id);
    await database.app`delete from project_member where user_id = ${lost.id}`;
    await database.app`delete from resource where user_id = any(${[left.id, off.id]}::bigint[])`;
    expect(await due(made, fresh, lost, left, off)).toEqual([true, false, false, false, true]);
    await database.owner`update app_user set kept_from = ${since(0)} where id = any(${[lost.id, left.id]}::bigint[])`;
    expect(await due(lost, left)).toEqual([true, true]);
  });

  test("who signs in, uses a token or a calendar, or starts a task is kept", async () => {
    const [withSession, withToken, withFeed, withTask] = [await makeOld(), await makeOld(), await makeOld(), await makeOld()];
    const people = [withSession, withToken, withFeed, withTask];
    const hash = ({ id }: CtxUser) => `u${id}`.padStart(64, "0");
    const at = since(1);
    expect(await due(...people)).toEqual(people.map(() => true));
    await database.owner`
      insert into user_session (sid, user_id, csrf_token, created_at, last_seen_at, expires_at) values (gen_random_uuid(), ${withSession.id}, 'x', ${long}, ${at}, ${at})`;
    await database.owner`
      insert into api_token (user_id, name, hash, created_at, expires_at, last_used_at) values (${withToken.id}, 'x', ${hash(withToken)}, ${long}, ${at}, ${at})`;
    await database.owner`
      insert into feed_token (project_id, user_id, hash, created_at, last_used_at) values (${project.id}, ${withFeed.id}, ${hash(withFeed)}, ${long}, ${at})`;
    await database.owner`
      insert into task (id, project_id, kind, direction, title, status, created_by, created_at)
      values (gen_random_uuid(), ${project.id}, 'dus', 'export', 'x', 'succeeded', ${withTask.id}, ${at})`;
    expect(await due(...people)).toEqual(people.map(() => false));
  });

  test("what is a person's own goes with him, and his mail addresses with it; what others have stays", async () => {
    const [gone, present] = [await makeOld(), await makeOld()];
    await act(gone, since(-1));
    await act(present, since(1));
    for (const user of [gone, present]) {
      const hash = (mark: string) => `${mark}${user.id}`.padStart(64, "0");
      await database.owner`
        insert into user_session (sid, user_id, csrf_token, created_at, last_seen_at, expires_at) values (gen_random_uuid(), ${user.id}, 'x', ${long}, ${long}, ${long})`;
      await database.owner`insert into user_setting (user_id, setting_id, value, updated_at) values (${user.id}, 'x', '1', ${long})`;
      await database.owner`insert into api_token (user_id, name, hash, created_at, expires_at) values (${user.id}, 'x', ${hash("t")}, ${long}, ${long})`;
      await database.owner`insert into feed_token (project_id, user_id, hash, created_at) values (${project.id}, ${user.id}, ${hash("f")}, ${long})`;
      await database.owner`
        insert into notice (project_id, user_id, kind, title, params, created_at) values (${project.id}, ${user.id}, 'x', 'x', '{}', ${long})`;
      await database.owner`insert into notice_ack (user_id, notice_key, acked_at) values (${user.id}, 'x', ${long})`;
      await database.owner`insert into user_recent_project (user_id, project_id, last_at) values (${user.id}, ${project.id}, ${long})`;
      await database.owner`insert into user_identity (issuer, subject, user_id, linked_at) values ('https://login.example', ${`s-${user.id}`}, ${user.id}, ${long})`;
      await database.owner`insert into mail_optout (project_id, kind, user_id, created_at) values (${project.id}, 'x', ${user.id}, ${long})`;
      await database.owner`insert into mail_optout (project_id, kind, address, created_at) values (${project.id}, 'x', ${user.email}, ${long})`;
      await database.owner`insert into mail_address (address, failures) values (${user.email}, 1)`;
      await database.owner`
        insert into cross_border_consent (sid, user_id, project_id, from_country, to_country, confirmed_at, ip)
        values (gen_random_uuid(), ${user.id}, ${project.id}, 'CN', 'DE', ${long}, '10.1.2.3')`;
      await mail(`c${user.id}`, { userId: null, address: user.email.toUpperCase(), name: user.name });
    }
    await mail(`q${gone.id}`, { userId: null, address: gone.email, name: gone.name }, "QUEUED");
    const own = [
      "user_session",
      "user_setting",
      "api_token",
      "feed_token",
      "notice",
      "notice_ack",
      "user_recent_project",
      "user_identity",
      "mail_optout",
    ];
    const rows = async (table: string, user: CtxUser) =>
      (await database.owner.unsafe(`select 1 from ${table} where user_id = ${user.id}`)).length;
    const others = async (user: CtxUser) => {
      const [row] = await database.owner`
        select (select count(*)::int from mail_address where address = ${user.email}) as known, (select count(*)::int from mail_optout where address = ${user.email}) as declined,
          (select ip from cross_border_consent where user_id = ${user.id}) as ip,
          (select jsonb_build_array(to_address, to_name, last_error) from mail_outbox where dedupe_key = ${`c${user.id}`.padStart(64, "0")}) as copy`;
      return row;
    };
    const before = await others(present);
    expect(before).toMatchObject({ known: 1, declined: 1, ip: "10.1.2.3" });
    for (const table of own) for (const user of [gone, present]) expect(await rows(table, user), table).toBe(1);
    await run();
    for (const table of own) {
      expect(await rows(table, gone), table).toBe(0);
      expect(await rows(table, present), table).toBe(1);
    }
    expect(await others(gone)).toEqual({ known: 0, declined: 0, ip: null, copy: ["removed@localhost", null, null] });
    expect(await others(present)).toEqual(before);
    const [queued] = await database.owner`select to_address from mail_outbox where dedupe_key = ${`q${gone.id}`.padStart(64, "0")}`;
    expect(queued, "a mail that waits still reaches whom it is for").toEqual({ to_address: gone.email });
  });

  test("an address that somebody else has too stays his", async () => {
    const [gone, present] = [await makeOld(), await makeUser(database.owner)];
    await database.owner`update app_user set email = ${gone.email.toUpperCase()} where id = ${present.id}`;
    await database.owner`insert into mail_address (address, failures) values (${gone.email}, 1)`;
    await write(`mail address ${gone.email}`, present, since(-1));
    await run();
    expect(await person(gone.id)).toMatchObject({ active: false });
    expect(await database.owner`select 1 from mail_address where address = ${gone.email}`).toHaveLength(1);
    expect(await database.owner`select 1 from audit_log where object = ${`mail address ${gone.email}`}`).toHaveLength(1);
  });

  test("who was sent a plan within five years is kept; later his address goes from there too", async () => {
    const { id } = await makeWholeProject(database.owner, "told");
    const [told, written] = [await makeOld(), await makeOld()];
    const send = async (to: { userId?: number; email?: string }) => {
      const [row] = await database.owner<{ id: number }[]>`
        insert into plan_distribution (project_id, version_id, recipient_user_id, email, filters, du_ids, activity_count, lang, sent_by, sent_at)
        select ${id}, id, ${to.userId ?? null}, ${to.email ?? null}, '[]', '{}', 1, 'en', ${pm.id}, ${since(1)} from plan_version where project_id = ${id} limit 1 returning id`;
      return row!.id;
    };
    const ids = [await send({ userId: told.id }), await send({ email: written.email.toUpperCase() })];
    expect(await due(told, written)).toEqual([false, false]);
    await database.owner`update plan_distribution set sent_at = ${since(0)} where id = any(${ids}::bigint[])`;
    expect(await due(told, written)).toEqual([true, true]);
    await run();
    const sent = await database.owner`select recipient_user_id, email from plan_distribution where id = any(${ids}::bigint[]) order by id`;
    expect([...sent]).toEqual([
      { recipient_user_id: told.id, email: null },
      { recipient_user_id: null, email: "removed@localhost" },
    ]);
  });

  describe("in the audit log", () => {
    const lineOf = async (id: number) => (await database.owner`select * from audit_log where id = ${id}`)[0]!;
    const newest = async () => (await database.owner<{ id: number }[]>`select max(id) as id from audit_log`)[0]!.id;
    const written = async (...given: Parameters<typeof write>) => {
      await write(...given);
      return newest();
    };

    test("a number takes the place of his account, address and subject, and of what a line tells of him; the rest of every line stays", async () => {
      const [gone, present] = [await makeOld(), await makeOld()];
      await act(present, since(1));
      const { account, email } = gone;
      await place(gone, project.id);
      const [held] = await database.owner<{ id: number }[]>`select id from resource where user_id = ${gone.id}`;
      const now = `removed-${gone.id}`;
      const base = { phone: "12345", visaType: "WORK", visaStart: "2016-01-01", visaEnd: "2017-01-01", longitude: 121, latitude: 31 };
      const cases: [string, string, { before?: object; after?: object }?, { before?: object; after?: object }?][] = [
        [`account ${account.toUpperCase()}`, `account ${now}`],
        [`role PM of ${account}`, `role PM of ${now}`, { after: { validFrom: "2015-01-01" } }],
        [`owner ${account}`, `owner ${now}`],
        [`api token of ${account}`, `api token of ${now}`],
        [`mail address ${email}`, `mail address ${now}@localhost`],
        ["calendar feed 1", "calendar feed 1", { before: { user: account } }, { before: { user: now } }],
        ["delegation 1", "delegation 1", { after: { account, role: "PM" } }, { after: { account: now, role: "PM" } }],
        [
          "introduction 1",
          "introduction 1",
          { after: { subcontractorId: 1, accounts: [present.account, account] } },
          { after: { subcontractorId: 1, accounts: [present.account, now] } },
        ],
        ["plan_distribution 1", "plan_distribution 1", { after: { mailed: email } }, { after: { mailed: `${now}@localhost` } }],
        [
          `resource ${held!.id}`,
          `resource ${held!.id}`,
          { before: { ...base, skills: ["x"] }, after: { ...base, skills: ["y"] } },
          { before: { skills: ["x"] }, after: { skills: ["y"] } },
        ],
        [`resource ${held!.id}`, `resource ${held!.id}`, { after: { account, type: "OWN" } }, { after: { account: now, type: "OWN" } }],
      ];
      const lines = [];
      for (const [object, , detail] of cases) {
        const id = await written(object, present, since(-1), detail);
        lines.push({ id, before: await lineOf(id) });
      }
      const ownId = await written(`identity s-${gone.id}`, gone, since(-1));
      const own = await lineOf(ownId);
      const untouched = [
        await written(`role PM of ${present.account}`, present, since(-1)),
        await written(`role PM of ${account}x`, present, since(-1)),
        await written(`plan ${account}`, present, since(-1), { after: { account } }),
        await written("resource 999999", present, since(-1), { after: base }),
        await written("identity other", null, since(-1)),
      ];
      const before = await Promise.all(untouched.map(lineOf));
      await run();
      for (const [at, [, object, , detail]] of cases.entries()) {
        const { id, before: line } = lines[at]!;
        expect(await lineOf(id)).toEqual({ ...line, object, detail: detail ? { before: null, after: null, ...detail } : line.detail });
      }
      expect(await lineOf(ownId)).toEqual({ ...own, object: `identity ${now}`, ip: null });
      expect(await Promise.all(untouched.map(lineOf))).toEqual(before);
    });

    test("nobody's lines change before he is due, and of a line nothing else", async () => {
      const [gone, present] = [await makeOld(), await makeOld()];
      await write(`account ${gone.account}`, gone, since(-1));
      await act(present, since(2 * 86_400));
      const forget = (people: (CtxUser | null)[], when: Date | null) =>
        database.app`select forget_in_audit_log(${people.map((user) => user?.id ?? null)}::bigint[], ${when})`;
      await expect(forget([present], limit)).rejects.toThrow(/without activity/);
      await expect(forget([gone, present], limit)).rejects.toThrow(/without activity/);
      await expect(forget([gone, null], limit)).rejects.toThrow(/without activity/);
      await expect(forget([gone], since(2 * 86_400))).rejects.toThrow(/without activity/);
      await expect(forget([gone], null)).rejects.toThrow(/without activity/);
      const tryIt = (sql: typeof database.owner, set: string, user: CtxUser) =>
        sql.begin(async (tx) => {
          await tx`select set_config('milepost.erased_people', ${String(user.id)}, true)`;
          await tx.unsafe(`update audit_log set ${set} where actor_id = ${user.id}`);
        });
      for (const set of [
        "event = 'erased'",
        "at = now()",
        "actor_id = null",
        "object = 'other'",
        "object = 'account removed-0'",
        `object = 'role removed-${gone.id}'`,
        "ip = '10.9.9.9'",
        `detail = '{"before": 1}'`,
      ])
        await expect(tryIt(database.owner, set, gone), set).rejects.toThrow(/append only/);
      await expect(tryIt(database.owner, "ip = null", present)).rejects.toThrow(/append only/);
      await expect(tryIt(database.app, "ip = null", gone)).rejects.toThrow(/permission denied/);
      await expect(database.owner`update audit_log set ip = null where actor_id = ${gone.id}`).rejects.toThrow(/append only/);
      await tryIt(database.owner, `ip = null, object = 'account removed-${gone.id}'`, gone);
    });
  });
});
