import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Pool, putSql } from "#db/client.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { createApiToken, openSession } from "#lib/session/commands.ts";
import { secrets } from "../../scripts/secrets.mjs";
import { grantRole, makeMember, makeProject } from "../support/factories.ts";
import { startPair, type TestPair } from "../support/pair.ts";

const rows = 10_000;
/** The promise for changed rights and switches is three minutes; the notice between the processes makes it a moment. */
const momentMs = 3_000;
const metricsToken = "a-token-of-the-metrics";
let first: TestPair;
let second: TestPair;
let sql: Pool;
let project: { id: number; number: string };
let pm: CtxUser;
let token: string;

beforeAll(async () => {
  first = await startPair({ name: "several-a", ownCluster: true, env: { METRICS_TOKEN: metricsToken, LOG_LEVEL: "info" } });
  second = await startPair({ name: "several-b", beside: first, env: { METRICS_TOKEN: metricsToken, LOG_LEVEL: "info" } });
  sql = connect(first.ownerUrl, 2);
  putSql(sql);
  project = await makeProject(sql, { number: "SEVERAL" });
  pm = await makeMember(sql, project.id, "PM");
  token = await createApiToken(sql, pm.account, "several", new Date());
}, 240_000);

afterAll(async () => {
  await sql?.end({ timeout: 2 });
  await second?.stop();
  await first?.stop();
});

type Answer<T> = { status: number; code?: string; data: T; requestId: string };
type Given = { body?: unknown; form?: FormData; cookie?: string; as?: string; id?: string; get?: boolean };

async function call<T>(pair: TestPair, address: string, { body = {}, form, cookie, as = token, id, get }: Given = {}): Promise<Answer<T>> {
  const separator = address.includes("?") ? "&" : "?";
  const response = await fetch(`${pair.baseUrl}/api/${address}${separator}projectNumber=${project.number}&lang=en`, {
    method: get ? "GET" : "POST",
    headers: {
      ...(cookie ? { cookie, "sec-fetch-site": "same-origin" } : { authorization: `Bearer ${as}` }),
      ...(!form && !get && { "content-type": "application/json" }),
      ...(id && { "x-request-id": id }),
    },
    ...(!get && { body: form ?? JSON.stringify(body) }),
  });
  return (await response.json()) as Answer<T>;
}

/** The same call, repeated while the installation is on its way back. */
async function insist<T>(pair: TestPair, address: string, given: Given = {}): Promise<Answer<T>> {
  for (let attempt = 0; ; attempt++) {
    const answer = await call<T>(pair, address, given).catch(() => null);
    if (answer && answer.status < 500) return answer;
    if (attempt > 300) throw new Error(`no answer of ${address}`);
    await pause(200);
  }
}

type Task = { status: string; failedCount: number };

async function settled(pair: TestPair, id: string): Promise<Task> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const { data } = await insist<Task>(pair, `task/find/${id}`, { get: true });
    if (!["queued", "running"].includes(data.status)) return data;
    await pause(100);
  }
  throw new Error("the task does not end");
}

/** Waits for a task to end well; one that does not is told whole. */
async function succeeded(pair: TestPair, id: string): Promise<void> {
  const task = await settled(pair, id);
  expect(task, JSON.stringify(task)).toMatchObject({ status: "succeeded", failedCount: 0 });
}

/** Waits until a call answers as it should; gives the milliseconds that took. */
async function reached(read: () => Promise<boolean>): Promise<number> {
  const begin = Date.now();
  while (!(await read())) {
    if (Date.now() - begin > 60_000) throw new Error("not within a minute");
    await pause(20);
  }
  return Date.now() - begin;
}

async function cookieOf(user: CtxUser): Promise<{ sid: string; cookie: string }> {
  const sid = await openSession(user.id, { ip: null, now: new Date(), requestId: "several" });
  const name = "authjs.session-token";
  return { sid, cookie: `${name}=${await encode({ token: { sid }, secret: secrets(first.dataDir).AUTH_SECRET, salt: name })}` };
}

/** What a stream of live events says from now on. */
async function listen(pair: TestPair): Promise<{ said: () => string; end: () => void }> {
  const control = new AbortController();
  const response = await fetch(`${pair.baseUrl}/api/events?projectNumber=${project.number}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: control.signal,
  });
  let said = "";
  (async () => {
    const text = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) said += text.decode(chunk);
  })().catch(() => {});
  await reached(async () => said.includes(": open"));
  return { said: () => said, end: () => control.abort() };
}

async function workbook(mark: string, count: number): Promise<FormData> {
  function* cells() {
    for (let row = 0; row < count; row++) yield [`${mark}-${row}`, `Unit ${row}`, `S-${mark}-${row}`, `Site ${row}`];
  }
  const bytes = await buffer(
    writeWorkbook({ name: "DU", columns: ["DU ID", "DU name", "Site ID", "Site name"].map((title) => ({ title })), rows: cells() }),
  );
  const form = new FormData();
  form.set("file", new Blob([bytes]), `${mark}.xlsx`);
  return form;
}

async function checked(upload: TestPair, ask: TestPair, mark: string, count: number): Promise<string> {
  const { data: file } = await call<{ fileId: string }>(upload, "files?kind=dus", { form: await workbook(mark, count) });
  const { data } = await call<{ taskId: string }>(ask, "import/preview", {
    body: { fileId: file.fileId, kind: "dus", mapping: ["code", "name", "siteCode", "siteName"] },
  });
  await succeeded(ask, data.taskId);
  return data.taskId;
}

describe("two webs and two workers over one database", () => {
  it("a file that came to one web is read by whichever worker and applied through the other web, whose listeners hear of it", {
    timeout: 60_000,
  }, async () => {
    const [heardA, heardB] = [await listen(first), await listen(second)];
    const preview = await checked(first, second, "EASY", 20);
    const applied = await call<{ taskId: string }>(first, "import/apply", { body: { taskId: preview, mode: "all" } });
    await succeeded(second, applied.data.taskId);
    for (const heard of [heardA, heardB])
      await reached(
        async () =>
          new RegExp(`event: task\\ndata: .*${applied.data.taskId}.*succeeded`).test(heard.said()) && /event: plan/.test(heard.said()),
      );
    heardA.end();
    heardB.end();
  });

  it("a session that is revoked is refused by both webs at once", { timeout: 60_000 }, async () => {
    const { cookie } = await cookieOf(pm);
    for (const pair of [first, second]) expect(await call(pair, "userSetting/findUserSetting", { cookie })).toMatchObject({ status: 200 });
    await sql`update user_session set revoked_at = now() where user_id = ${pm.id}`;
    for (const pair of [first, second])
      expect(await reached(async () => (await call(pair, "userSetting/findUserSetting", { cookie })).status === 401)).toBeLessThan(
        momentMs,
      );
  });

  it("rights, switches and limits changed through one web hold in the other at once [OPS-42]", { timeout: 60_000 }, async () => {
    const guest = await makeMember(sql, project.id, "COMMON_VIEW");
    const as = await createApiToken(sql, guest.account, "guest", new Date());
    const asks = async () => (await call(second, "dataControl/find", { as })).status;
    expect(await asks()).toBe(403);
    await grantRole(sql, project.id, guest.id, "PM");
    expect(await reached(async () => (await asks()) === 200)).toBeLessThan(momentMs);
    await sql`delete from project_member where user_id = ${guest.id} and role = 'PM'`;
    expect(await reached(async () => (await asks()) === 403)).toBeLessThan(momentMs);

    const longList = async () => (await call(second, "memberRole/list/1/500/default/%5B%5D", { get: true })).status;
    expect(await longList()).toBe(400);
    const saved = await call(first, "dataControl/save", { body: { switches: { "page.rows500": "Y" } } });
    expect(saved.status, JSON.stringify(saved)).toBe(200);
    expect(await reached(async () => (await longList()) === 200)).toBeLessThan(momentMs);

    const duIds = (await sql<{ id: number }[]>`select id from du where project_id = ${project.id} limit 20`).map((du) => du.id);
    const size = (count: number) => sql`
      insert into limit_setting (project_id, key, value, min, max) values (${project.id}, 'export.du', ${count}, 1, 9999)
      on conflict (project_id, key) do update set value = excluded.value`;
    await size(100);
    const exported = async () => (await call(second, "rolloutPlan/export", { body: { duIds, columns: ["code"] } })).code;
    expect(await exported()).not.toBe("EXPORT_LIMIT");
    await size(10);
    expect(await reached(async () => (await exported()) === "EXPORT_LIMIT")).toBeLessThan(momentMs);
  });

  it("the rate of starting calls is counted over both webs", { timeout: 60_000 }, async () => {
    const eager = await makeMember(sql, project.id, "PM");
    const as = await createApiToken(sql, eager.account, "eager", new Date());
    const answers = await Promise.all(Array.from({ length: 130 }, (_, at) => call(at % 2 ? first : second, "rolloutPlan/export", { as })));
    const refused = answers.filter((answer) => answer.code === "RATE_LIMIT").length;
    expect(refused).toBe(70);
  });

  it("a request's id is in the answer, in the log of the web that took it and of the worker that ran its task", {
    timeout: 60_000,
  }, async () => {
    const { data: file } = await call<{ fileId: string }>(second, "files?kind=dus", { form: await workbook("LOGGED", 3) });
    const id = `trace-of-this-import-${Date.now()}`;
    const started = await call<{ taskId: string }>(second, "import/preview", {
      id,
      body: { fileId: file.fileId, kind: "dus", mapping: ["code", "name", "siteCode", "siteName"] },
    });
    expect(started.requestId).toBe(id);
    await settled(second, started.data.taskId);
    const lines = (pair: TestPair, name: string) =>
      readFileSync(join(pair.dataDir, `logs/${name}.log`), "utf8")
        .split("\n")
        .filter((line) => line.includes(id))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    await reached(async () => lines(first, "worker").length + lines(second, "worker").length > 0);
    expect(lines(second, "web")).toMatchObject([{ requestId: id, address: "import/preview", status: 200, process: "web" }]);
    expect([...lines(first, "worker"), ...lines(second, "worker")]).toMatchObject([
      { requestId: id, task: started.data.taskId, process: "worker" },
    ]);
    for (const pair of [first, second])
      for (const name of ["web", "worker"]) expect(readFileSync(join(pair.dataDir, `logs/${name}.log`), "utf8")).not.toContain(token);
  });

  it("tells Prometheus of both webs and both workers", async () => {
    const response = await fetch(`${second.baseUrl}/api/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
    const text = await response.text();
    expect(text).toContain('milepost_processes{kind="web"} 2\n');
    expect(text).toContain('milepost_processes{kind="worker"} 2\n');
    expect(text).toMatch(/milepost_calls_total\{address="import\/preview",status="200"\} \d/);
    expect((await fetch(`${second.baseUrl}/api/metrics`)).status).toBe(401);
  });

  it("one web and one worker killed with -9 while rows are imported and saved: every accepted row once, nothing answered is lost", {
    timeout: 180_000,
  }, async () => {
    const preview = await checked(second, first, "BOTH", rows);
    const applied = await call<{ taskId: string }>(second, "import/apply", { body: { taskId: preview, mode: "all" } });
    // Saves through both webs meanwhile, each of its own DU, each naming what the one before wrote.
    const dus = await sql<
      { id: number; name: string }[]
    >`select id, name from du where project_id = ${project.id} and code like 'EASY-%' order by id limit 4`;
    let saving = true;
    const kept = new Map<number, { sure: string; last: string }>();
    const savers = dus.map(async (du, at) => {
      let name = du.name;
      for (let round = 0; saving; round++) {
        const next = `saved ${round}`;
        kept.set(du.id, { sure: name, last: next });
        const edits = [{ duId: du.id, field: "name", value: next, base: name }];
        const answer = await call<{ saved: number }>(at % 2 ? first : second, "rolloutPlan/save", { body: { edits } }).catch(() => null);
        if (answer?.status === 200 && answer.data.saved === 1) name = next;
        else {
          await pause(200);
          const [present] = await sql<{ name: string }[]>`select name from du where id = ${du.id}`;
          expect([name, next]).toContain(present?.name);
          name = present!.name;
        }
        kept.set(du.id, { sure: name, last: name });
        await pause(10);
      }
    });
    await reached(async () => (await sql`select 1 from task where id = ${applied.data.taskId} and status = 'running'`).length === 1);
    const workers = [first, second].map((pair) => pair.pid("worker"));
    const [running] = await sql<{ pid: number }[]>`
      select p.pid from process_heartbeat p where p.kind = 'worker' and p.pid in ${sql(workers)} order by random() limit 1`;
    process.kill(running!.pid, "SIGKILL");
    process.kill(first.pid("web"), "SIGKILL");
    await succeeded(second, applied.data.taskId);
    await Promise.all([first.ready(), second.ready()]);
    saving = false;
    await Promise.all(savers);
    const [found] = await sql<{ dus: number; codes: number; plans: number }[]>`
      select count(*)::int as dus, count(distinct d.code)::int as codes, count(p.du_id)::int as plans
      from du d left join du_plan p on p.du_id = d.id where d.code like 'BOTH-%' and d.deleted_at is null`;
    expect(found).toEqual({ dus: rows, codes: rows, plans: rows });
    for (const du of await sql<{ id: number; name: string }[]>`select id, name from du where id in ${sql(dus.map((one) => one.id))}`)
      expect(du.name).toBe(kept.get(du.id)?.sure);
    expect([...kept.values()].every(({ sure }) => sure !== "Unit 0")).toBe(true);
  });
});
