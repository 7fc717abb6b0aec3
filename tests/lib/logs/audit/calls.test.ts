import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runTask } from "#jobs/run-task.ts";
import { taskKinds } from "#jobs/tasks.ts";
import { writeAudit } from "#lib/core/audit.ts";
import { type AuditEvent, auditEvents, isAuditEvent } from "#lib/core/audit-events.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { withLocalFile } from "#lib/core/storage.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, setLimit } from "../../../support/factories.ts";
import { readSheet } from "../../../support/read-sheet.ts";

const database = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let admin: CtxUser;
let tl: CtxUser;

beforeAll(async () => {
  project = await makeProject(database.owner);
  pm = await makeMember(database.owner, project.id, "PM");
  admin = await makeMember(database.owner, project.id, "PROJECT_ADMIN");
  tl = await makeMember(database.owner, project.id, "TL");
});

type Line = { id: number; object: string; event: string; actor: string | null; detail: unknown };
const list = (user: CtxUser, filters: unknown[] = [], page = 1, at = project.number) =>
  callAs<{ total: number; more: boolean; records: Line[] }>(
    user,
    `audit/list/${page}/20/default/${encodeURIComponent(JSON.stringify(filters))}`,
    {},
    { project: at },
  );
const write = (
  object: string,
  given: Partial<{ at: Date; actorId: number | null; projectId: number | null; event: AuditEvent; count: number }> = {},
) =>
  writeAudit(
    database.app,
    Array.from({ length: given.count ?? 1 }, () => ({ object, before: { a: 1 }, after: { a: 2 }, event: given.event ?? "write" })),
    {
      at: given.at ?? clock,
      actorId: given.actorId === undefined ? pm.id : given.actorId,
      ip: "10.0.0.1",
      requestId: `request ${object}`,
      projectId: given.projectId === undefined ? project.id : given.projectId,
      address: "thing/save",
    },
  );

test("every event has its word in every language, and one of a former version is shown by its name", () => {
  for (const lang of ["zh", "en", "ja"] as const) {
    const { event } = loadMessages(lang).audit as { event: Record<string, string> };
    expect(Object.keys(event), lang).toEqual([...auditEvents]);
  }
  expect([isAuditEvent("published"), isAuditEvent("publish")]).toEqual([true, false]);
});

describe("the audit log", () => {
  beforeAll(async () => {
    await write("old thing", { at: new Date("2026-09-01T00:00:00Z") });
    await write("thing 1");
    await write("thing 2%", { actorId: tl.id, event: "config_changed" });
    await write("foreign", { projectId: (await makeProject(database.owner)).id });
    await write("sign in of a member", { projectId: null, actorId: tl.id, event: "sign_in" });
    await write("own setting", { projectId: null, actorId: tl.id, event: "write" });
    await write("sign in of a stranger", { projectId: null, actorId: null, event: "sign_in_failed" });
  });
  const objects = async (user: CtxUser, filters: unknown[] = []) => (await list(user, filters)).data?.records.map(({ object }) => object);

  test("lists the lines of the project, newest first, with values before and after", async () => {
    const { data } = await list(pm);
    expect(data?.records.map(({ object }) => object)).toEqual(["thing 2%", "thing 1", "old thing"]);
    expect(data?.records[0]).toMatchObject({ actor: tl.name, event: "config_changed", detail: { before: { a: 1 }, after: { a: 2 } } });
    expect(data).toMatchObject({ total: 3, more: false });
  });

  test("shows administrators the sign-ins of the people of their project too, and nothing else without a project", async () => {
    expect(await objects(admin)).toEqual(["sign in of a member", "thing 2%", "thing 1", "old thing"]);
  });

  test("is for audit.view only", async () => {
    expect(await list(tl)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });

  test.each([
    [[{ field: "object", type: "like", values: ["THING"] }], ["thing 2%", "thing 1", "old thing"]],
    [[{ field: "object", type: "like", values: ["%"] }], ["thing 2%"]],
    [[{ field: "event", type: "eq", values: ["config_changed"] }], ["thing 2%"]],
    [[{ field: "request", type: "eq", values: ["request thing 1"] }], ["thing 1"]],
    [[{ field: "at", type: "preset", values: ["lastMonth"] }], ["old thing"]],
    [[{ field: "at", type: "range", values: ["2026-10-14", "2026-10-14"] }], ["thing 2%", "thing 1"]],
    [[{ field: "address", type: "like", values: ["other"] }], []],
  ])("narrowed by %j holds %j", async (filters, expected) => {
    expect(await objects(pm, filters)).toEqual(expected);
  });

  test("narrowed by person", async () => {
    expect(await objects(pm, [{ field: "actor", type: "in", values: [tl.id] }])).toEqual(["thing 2%"]);
  });

  test("counts exactly up to 10,000 lines and does not page behind them", async () => {
    const large = await makeProject(database.owner);
    const user = await makeMember(database.owner, large.id, "PM");
    await write("many", { projectId: large.id, count: 10_000 });
    expect((await list(user, [], 500, large.number)).data).toMatchObject({ total: 10_000, more: false });
    await write("one more", { projectId: large.id });
    expect((await list(user, [], 1, large.number)).data).toMatchObject({ total: 10_000, more: true });
    expect(await list(user, [], 501, large.number)).toMatchObject({ status: 422, code: "NARROW_FILTER" });
  });
});

describe("exporting the audit log", () => {
  let at: { id: number; number: string };
  let user: CtxUser;
  beforeEach(async () => {
    at = await makeProject(database.owner);
    user = await makeMember(database.owner, at.id, "PM");
  });
  const start = (filters: unknown[] = []) => callAs<{ taskId: string }>(user, "audit/export", { filters }, { project: at.number });

  test("[OPS-10] 2,000 lines are exported, 2,001 are refused", async () => {
    await write("line", { projectId: at.id, count: 2_000 });
    const answer = await start([{ field: "object", type: "like", values: ["line"] }]);
    expect(answer.status).toBe(200);
    // The call itself writes a line; it was made after the count.
    await runTask(database.app, taskKinds, answer.data?.taskId ?? "", new AbortController().signal);
    const [task] = await database.owner`select status, done_count, result_file_id from task where id = ${answer.data?.taskId ?? ""}`;
    expect(task).toMatchObject({ status: "succeeded", done_count: 2_000 });
    const { rows } = await withLocalFile({ sql: database.app, project: at as never, now: clock }, task!.result_file_id, readSheet);
    expect(rows).toHaveLength(2_001);
    expect(rows[1]).toContain("a: 1");
    expect(rows[1]).toContain("2026-10-14 10:00:00");
    await write("line", { projectId: at.id });
    const refused = await start([{ field: "object", type: "like", values: ["line"] }]);
    expect(refused).toMatchObject({ status: 422, code: "EXPORT_LIMIT", msg: expect.stringContaining("2,000") });
  });

  test("names the objects in the language of the person, and filters them by what is stored [SES-03]", async () => {
    for (const object of ["role PROJECT_ADMIN of ann", "role call/of/former"]) await write(object, { projectId: at.id });
    const filters = [{ field: "object", type: "like", values: ["role "] }];
    const { data } = await callAs<{ taskId: string }>(user, "audit/export", { filters }, { project: at.number, locale: "zh" });
    await runTask(database.app, taskKinds, data?.taskId ?? "", new AbortController().signal);
    const [task] = await database.owner`select result_file_id from task where id = ${data?.taskId ?? ""}`;
    const { rows } = await withLocalFile({ sql: database.app, project: at as never, now: clock }, task!.result_file_id, readSheet);
    expect(rows.slice(1).map((row) => row[3])).toEqual(["role call/of/former", "ann 的角色 PROJECT ADMIN"]);
  });

  test("[OPS-12] without a line there is nothing to export", async () => {
    expect(await start([{ field: "object", type: "like", values: ["nothing like it"] }])).toMatchObject({ status: 422, code: "NO_DATA" });
  });

  test("follows the limit the project has set", async () => {
    await setLimit(database.owner, at.id, "export.rows", 100);
    await write("line", { projectId: at.id, count: 101 });
    expect(await start([{ field: "object", type: "like", values: ["line"] }])).toMatchObject({ status: 422, code: "EXPORT_LIMIT" });
  });
});

describe("error reports", () => {
  test("are kept with their number and listed for audit.view", async () => {
    const sent = await callAs<{ ticket: number }>(
      tl,
      "error/report",
      { code: "SYSTEM_FAILURE", requestId: "abc", text: "It broke", screen: "imports" },
      { project: project.number },
    );
    // The number of the project comes with the address.
    const { data } = await callAs<{ records: object[] }>(pm, `error/report/list/1/20/default/%5B%5D`, {}, { project: project.number });
    expect(data?.records).toMatchObject([
      { id: sent.data?.ticket, code: "SYSTEM_FAILURE", requestId: "abc", text: "It broke", person: tl.name },
    ]);
  });
});

describe("nobody changes a line of a log", () => {
  const logs = ["audit_log", "plan_batch", "plan_log"];
  beforeAll(async () => {
    await write("to be changed");
    const [batch] = await database.owner<{ id: number }[]>`
      insert into plan_batch (project_id, seq, at, source, du_count, cell_count) values (${project.id}, 1, now(), 'grid', 1, 1) returning id`;
    const [du] = await database.owner<{ id: number }[]>`
      with s as (insert into customer_site (project_id, code, name) values (${project.id}, 'S1', 'S1') returning id)
      insert into du (project_id, code, name, site_id) select ${project.id}, 'D1', 'D1', id from s returning id`;
    await database.owner`insert into plan_log (du_id, batch_id, project_id, at, cells, old, new) values (${du!.id}, ${batch!.id}, ${project.id}, now(), '{1}', '{0}', '{1}')`;
  });
  const prints = async () =>
    Promise.all(
      logs.map(
        async (log) => (await database.owner.unsafe(`select md5(string_agg(t::text, '|' order by t::text)) as print from ${log} t`))[0],
      ),
    );

  test.each(
    logs.flatMap((log) => [
      [log, `update ${log} set project_id = null`],
      [log, `delete from ${log}`],
      [log, `truncate ${log} cascade`],
      [log, `alter table ${log} disable trigger all`],
      [log, `drop trigger ${log}_append_only on ${log}`],
      [log, `alter table ${log} owner to current_user`],
      [log, `grant update, delete on ${log} to current_user; update ${log} set project_id = null`],
      [log, `set session_replication_role = replica; delete from ${log}`],
      [log, `insert into ${log} select * from ${log} on conflict do update set project_id = null`],
    ]),
  )("the application's own login, %s: %s", async (_, statement) => {
    const before = await prints();
    await expect(database.app.begin((sql) => sql.unsafe(statement).simple())).rejects.toThrow();
    expect(await prints()).toEqual(before);
  });

  test.each(
    logs.flatMap((log) => [
      [log, `update ${log} set project_id = null`],
      [log, `delete from ${log}`],
      [log, `truncate ${log} cascade`],
    ]),
  )("nor the owner of the tables by mistake, %s: %s", async (_, statement) => {
    const before = await prints();
    await expect(database.owner.unsafe(statement)).rejects.toThrow(/append only/);
    expect(await prints()).toEqual(before);
  });

  test("the login of web and worker is not the owner, owns nothing and may become nobody else", async () => {
    const [who] = await database.app`
      select current_user <> (select tableowner from pg_tables where tablename = 'audit_log') as other,
        (select count(*)::int from pg_class where relowner = current_user::regrole) as owned,
        (select count(*)::int from pg_auth_members where member = current_user::regrole) as roles,
        (select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls from pg_roles where rolname = current_user) as mighty`;
    expect(who).toEqual({ other: true, owned: 0, roles: 0, mighty: false });
  });
});
