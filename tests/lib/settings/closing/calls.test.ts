import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { schedules } from "#jobs/schedule.ts";
import { writeAudit } from "#lib/core/audit.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { claimSlots, newestSlot } from "#lib/core/schedule.ts";
import { listKeys, writeBytes } from "#lib/core/storage.ts";
import { runRetention } from "#lib/settings/closing/commands.ts";
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
  const at = (iso: string) => new Date(iso);
  const after = at("2026-10-14T02:00:00Z");
  const person = async (id: number) => (await database.owner`select * from app_user where id = ${id}`)[0];
  const resource = async (id: number) =>
    (await database.owner`select phone, longitude, latitude, visa_type, visa_start, visa_end from resource where user_id = ${id}`)[0];
  const address = async (id: number) => (await database.owner`select to_address, to_name from mail_outbox where to_user_id = ${id}`)[0];
  /** Gives a person what is told of people besides the account, and a mail. */
  const tell = async (user: CtxUser) => {
    await database.owner`
      update app_user set employee_id = ${`E-${user.id}`}, password_hash = 'hash', dpa_expires_on = '2027-01-01', manager_id = ${pm.id} where id = ${user.id}`;
    await database.owner`
      insert into resource (project_id, user_id, type, phone, longitude, latitude, visa_type, visa_start, visa_end)
      values (${project.id}, ${user.id}, 'OWN', '12345', 121, 31, 'WORK', '2016-01-01', '2017-01-01')`;
    await database.owner`
      with body as (
        insert into mail_body (project_id, hash, subject, html, "text", created_at) values (${project.id}, ${`${user.id}`.padStart(64, "0")}, 'x', 'x', 'x', now()) returning id)
      insert into mail_outbox (project_id, dedupe_key, kind, to_user_id, to_address, to_name, lang, body_id, status, next_attempt_at, expires_at, created_at)
      select ${project.id}, ${`${user.id}`.padStart(64, "0")}, 'task.result', ${user.id}, ${user.email}, ${user.name}, 'en', id, 'SENT', now(), now(), now() from body`;
  };
  const act = (user: CtxUser, when: string) =>
    writeAudit(database.app, [{ object: "x", before: null, after: null }], {
      at: at(when),
      actorId: user.id,
      ip: null,
      requestId: null,
      projectId: project.id,
      address: null,
    });

  test("of who did nothing for five years is replaced; of everybody else it stays", async () => {
    const [gone, present, fresh, holder] = [
      await makeUser(database.owner),
      await makeUser(database.owner),
      await makeUser(database.owner),
      await makeUser(database.owner),
    ];
    await act(gone, "2021-10-14T01:59:59Z");
    await act(present, "2021-10-14T02:00:01Z");
    await act(holder, "2019-01-01T00:00:00Z");
    await database.owner`insert into project_member (project_id, user_id, role, valid_from, granted_at) values (${project.id}, ${holder.id}, 'TL', '2018-01-01', '2018-01-01')`;
    await tell(gone);
    await tell(present);
    const before = { person: await person(present.id), resource: await resource(present.id), address: await address(present.id) };
    const report = await call(pm, "project/closing");
    expect(report).toMatchObject({ status: 200, data: { people: 1 } });
    expect(await person(gone.id)).toMatchObject({ name: gone.name });
    await runRetention(database.app, project.id, after);
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
    await runRetention(database.app, project.id, after);
    expect(await database.owner`select 1 from audit_log where object = 'personal data'`).toHaveLength(1);
  });
});
