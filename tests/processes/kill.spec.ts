import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as XLSX from "xlsx";
import { connect, type Pool } from "#db/client.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { createApiToken } from "#lib/session/commands.ts";
import { makeMember, makeProject } from "../support/factories.ts";
import { startPair, type TestPair } from "../support/pair.ts";

const rows = 10_000;
let pair: TestPair;
let sql: Pool;
let token: string;
let pool: { url: string; sql: Pool } | undefined;

/** The owner's pool on the pair's database of this moment: after a restart the server may answer elsewhere. */
function owner(): Pool {
  if (pool?.url !== pair.ownerUrl) pool = { url: pair.ownerUrl, sql: connect(pair.ownerUrl, 2) };
  return pool.sql;
}

beforeAll(async () => {
  pair = await startPair({ name: "kill", ownCluster: true });
  sql = owner();
  const project = await makeProject(sql, { number: "KILL" });
  const pm = await makeMember(sql, project.id, "PM");
  token = await createApiToken(sql, pm.account, "kill", new Date());
}, 240_000);

afterAll(async () => {
  await pool?.sql.end({ timeout: 2 });
  await pair?.stop();
});

type Answer<T> = { status: number; code?: string; msg?: string; data: T };

/** A call that is repeated while the installation is on its way back. */
async function call<T>(address: string, init: RequestInit = {}): Promise<Answer<T>> {
  const separator = address.includes("?") ? "&" : "?";
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await fetch(`${pair.baseUrl}/api/${address}${separator}projectNumber=KILL&lang=en`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...(typeof init.body === "string" ? { "content-type": "application/json" } : {}) },
      });
      const answer = (await response.json()) as Answer<T>;
      if (answer.status < 500 || attempt > 300) return answer;
    } catch (error) {
      if (attempt > 300) throw error;
    }
    await pause(200);
  }
}

const post = <T>(address: string, body: unknown) => call<T>(address, { method: "POST", body: JSON.stringify(body) });

type Task = { status: string; progress: number; doneCount: number; failedCount: number };

async function task(id: string): Promise<Task> {
  return (await call<Task>(`task/find/${id}`)).data;
}

async function settled(id: string): Promise<Task> {
  for (let attempt = 0; attempt < 900; attempt++) {
    const found = await task(id);
    if (!["queued", "running"].includes(found.status)) return found;
    await pause(200);
  }
  throw new Error("the task does not end");
}

/** A workbook of 10,000 DUs with their sites, uploaded and checked; gives the id of the check. */
async function checked(mark: string): Promise<string> {
  function* cells() {
    for (let row = 0; row < rows; row++) yield [`${mark}-${row}`, `Unit ${row}`, `S-${mark}-${row}`, `Site ${row}`, `City ${row % 40}`];
  }
  const bytes = await buffer(
    writeWorkbook({ name: "DU", columns: ["DU ID", "DU name", "Site ID", "Site name", "City"].map((title) => ({ title })), rows: cells() }),
  );
  const form = new FormData();
  form.set("file", new Blob([bytes]), `${mark}.xlsx`);
  const uploaded = await call<{ fileId: string }>("files?kind=dus", { method: "POST", body: form });
  expect(uploaded).toMatchObject({ status: 200 });
  const preview = await post<{ taskId: string }>("import/preview", {
    fileId: uploaded.data.fileId,
    kind: "dus",
    mapping: ["code", "name", "siteCode", "siteName", "city"],
  });
  expect(preview).toMatchObject({ status: 200 });
  expect(await settled(preview.data.taskId)).toMatchObject({ status: "succeeded" });
  return preview.data.taskId;
}

async function expectOnce(mark: string): Promise<void> {
  const [found] = await owner()<{ dus: number; codes: number; sites: number; plans: number }[]>`
    select count(*)::int as dus, count(distinct d.code)::int as codes, count(distinct d.site_id)::int as sites, count(p.du_id)::int as plans
    from du d left join du_plan p on p.du_id = d.id where d.code like ${`${mark}-%`} and d.deleted_at is null`;
  expect(found).toEqual({ dus: rows, codes: rows, sites: rows, plans: rows });
}

/** One save of many DUs by one person: it names them all alike, so that half a save would be seen. */
async function saveNames(dus: readonly number[], base: string, next: string): Promise<boolean> {
  const response = await fetch(`${pair.baseUrl}/api/rolloutPlan/save?projectNumber=KILL`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ edits: dus.map((duId) => ({ duId, field: "name", value: next, base })) }),
  }).catch(() => null);
  const answer = (await response?.json().catch(() => null)) as Answer<{ saved: number }> | null;
  return answer?.status === 200 && answer.data.saved === dus.length;
}

async function namesOf(dus: readonly number[]): Promise<string[]> {
  for (let attempt = 0; ; attempt++) {
    try {
      const found = await owner()<{ name: string }[]>`select distinct name from du where id = any(${dus})`;
      return found.map((du) => du.name);
    } catch (error) {
      if (attempt > 100) throw error;
      await pause(200);
    }
  }
}

describe("kill -9 while DUs are saved and exported", () => {
  it.each([
    "worker",
    "web",
    "database",
  ] as const)("of the %s: what was answered is there, no save is half there, the export ends with one good file", {
    timeout: 200_000,
  }, async (victim) => {
    const made = await owner()<{ id: number }[]>`
      with s as (insert into customer_site (project_id, code, name) select p.id, ${`${victim}-`} || n, 'Site' from project p, generate_series(1, 6000) n where p.number = 'KILL' returning id, project_id, code),
        d as (insert into du (project_id, code, name, site_id) select project_id, code, 'before', id from s returning id, project_id)
      insert into du_plan (du_id, project_id) select id, project_id from d returning du_id as id`;
    const duIds = made.map((du) => du.id).sort((left, right) => left - right);
    let saving = true;
    const answered = [0, 0, 0];
    const savers = answered.map(async (_, at) => {
      const dus = duIds.slice(at * 20, at * 20 + 20);
      let name = "before";
      let after = 0;
      for (let round = 0; saving || after < 2; round++) {
        const next = `round ${round}`;
        if (await saveNames(dus, name, next)) {
          name = next;
          answered[at]!++;
          if (!saving) after++;
        } else await pause(100);
        const present = await namesOf(dus);
        // Unanswered, the save is there wholly or not at all; answered, it is there.
        expect(present).toHaveLength(1);
        if (present[0] !== name) expect(present).toEqual([next]);
        name = present[0]!;
      }
    });
    // All of them are at it before anything is killed, and again afterwards.
    await expect.poll(() => Math.min(...answered), { timeout: 20_000 }).toBeGreaterThan(0);
    const exported = await post<{ taskId: string }>("rolloutPlan/export", { duIds, columns: ["code", "name", "siteCode"] });
    expect(exported).toMatchObject({ status: 200 });
    for (let attempt = 0; attempt < 500 && (await task(exported.data.taskId)).status === "queued"; attempt++) await pause(10);
    process.kill(pair.pid(victim), "SIGKILL");
    await pair.ready();
    expect(await settled(exported.data.taskId)).toMatchObject({ status: "succeeded", doneCount: duIds.length, failedCount: 0 });
    saving = false;
    await Promise.all(savers);
    expect(Math.min(...answered)).toBeGreaterThan(2);

    const file = await fetch(`${pair.baseUrl}/api/task/file/${exported.data.taskId}/result?projectNumber=KILL`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const book = XLSX.read(await file.arrayBuffer(), { dense: true });
    const [, ...lines] = XLSX.utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1 });
    expect(lines.filter((line) => line.some((cell) => String(cell).startsWith(`${victim}-`)))).toHaveLength(duIds.length);
    // Only that file stays: what a killed attempt had stored goes by itself.
    const kept = await owner()<{ id: string }[]>`
      select f.id from file_object f join task t on t.result_file_id = f.id where t.id = ${exported.data.taskId} and f.expires_at is null`;
    const others = await owner()`
      select 1 from file_object f where f.expires_at is null and not exists (select 1 from task t where f.id in (t.result_file_id, t.input_file_id, t.error_file_id))`;
    expect([kept.length, others.length]).toEqual([1, 0]);
  });
});

describe("kill -9 while 10,000 rows are imported", () => {
  it.each(["worker", "web", "database"] as const)("of the %s: every accepted row arrives exactly once", {
    timeout: 400_000,
  }, async (victim) => {
    const mark = `K${victim.toUpperCase()}`;
    const taskId = await checked(mark);
    const applied = await post<{ taskId: string }>("import/apply", { taskId, mode: "all" });
    expect(applied).toMatchObject({ status: 200 });
    for (let attempt = 0; attempt < 200 && (await task(applied.data.taskId)).status === "queued"; attempt++) await pause(20);
    process.kill(pair.pid(victim), "SIGKILL");
    await pair.ready();
    expect(await settled(applied.data.taskId)).toMatchObject({ status: "succeeded", failedCount: 0 });
    await expectOnce(mark);
    // Applied again, nothing is written twice.
    await post("import/apply", { taskId, mode: "all" });
    await pause(1000);
    await expectOnce(mark);
  });
});

describe("kill -9 of the worker while the plan of 10,000 DUs is kept", () => {
  type Versions = { code: string; rows: number; dus: number }[];
  const versions = async (): Promise<Versions> => [
    ...(await owner()<Versions>`
      select v.code, v.du_count as dus, (select count(*)::int from plan_version_row r where r.version_id = v.id) as rows
      from plan_version v join project p on p.id = v.project_id and p.number = 'KILL' order by v.id`),
  ];
  let flowId: number;

  beforeAll(async () => {
    const [made] = await owner()<{ id: number }[]>`
      with p as (select id from project where number = 'KILL'), u as (select min(id) as id from app_user),
        a as (insert into activity_library (project_id, slot, code, name) select id, 1, 'A1', 'Arrival' from p returning id),
        f as (insert into activity_flow (project_id, name, status, version, owner_id, created_by, created_at, updated_by, updated_at)
          select p.id, 'Kept', 'released', 1, u.id, u.id, now(), u.id, now() from p, u returning id),
        n as (insert into flow_activity (flow_id, activity_id, name, seq, is_anchor) select f.id, a.id, 'Arrival', 1, true from f, a returning flow_id)
      select flow_id as id from n`;
    flowId = made!.id;
    await owner()`
      with p as (select id from project where number = 'KILL'),
        s as (insert into customer_site (project_id, code, name) select p.id, 'KEPT-' || n, 'Site' from p, generate_series(1, ${rows}) n returning id, project_id, code),
        d as (insert into du (project_id, code, name, site_id) select project_id, code, 'kept', id from s returning id, project_id),
        f as (insert into du_flow (project_id, du_id, flow_id, flow_version, source, bound_at) select project_id, id, ${flowId}, 1, 'manual', now() from d)
      insert into du_plan (du_id, project_id, plan_start, plan_end, state, applicable_count) select id, project_id, '{10000}', '{10000}', '{1}', 1 from d`;
  });

  /** Starts tasks, kills the worker while they run, and waits for their ends. */
  async function killed(...starts: [address: string, input: object][]): Promise<Task[]> {
    const ids: string[] = [];
    for (const [address, input] of starts) {
      const started = await post<{ taskId: string }>(address, input);
      expect(started).toMatchObject({ status: 200, data: { taskId: expect.any(String) } });
      ids.push(started.data.taskId);
    }
    const isQueued = async () => (await Promise.all(ids.map(task))).some(({ status }) => status === "queued");
    for (let attempt = 0; attempt < 500 && (await isQueued()); attempt++) await pause(10);
    process.kill(pair.pid("worker"), "SIGKILL");
    await pair.ready();
    return Promise.all(ids.map(settled));
  }

  it("every DU is released, kept as baseline and restored exactly once", { timeout: 400_000 }, async () => {
    const { data } = await post<{ queryId: string }>("wbs/filter", { flowIds: [flowId] });
    const done = { status: "succeeded", doneCount: rows };
    expect(await killed(["rollout/release", { queryId: data.queryId, versionName: "W42", saveBaseline: true }])).toMatchObject([done]);
    expect(await versions()).toEqual([
      { code: "P-0001", rows, dus: rows },
      { code: "B-0001", rows, dus: rows },
    ]);
    await owner()`update du_plan set plan_start = '{10010}', plan_end = '{10010}', row_version = row_version + 1 where state = '{1025}'`;
    const [published] = await owner()<{ id: number }[]>`
      select v.id from plan_version v join project p on p.id = v.project_id and p.number = 'KILL' where v.code = 'P-0001'`;
    // Both wait for the project: one of them after the other, in either order.
    expect(
      await killed(
        ["dataVersion/save", { kind: "baseline", name: "second" }],
        ["dataVersion/restore", { id: published!.id, reason: "as told" }],
      ),
    ).toMatchObject([done, done]);
    expect((await versions()).slice(2)).toEqual([{ code: "B-0002", rows, dus: rows }]);
    const found = await owner()<{ baseline: string; dus: number }[]>`
      select baseline_end::text as baseline, count(*)::int as dus from du_plan where state = '{1025}' and plan_end = '{10000}' group by baseline_end`;
    expect(found).toEqual([{ baseline: expect.stringMatching(/^\{100[01]0\}$/), dus: rows }]);
    expect(await owner()`select 1 from plan_batch where source = 'restore'`).toHaveLength(1);
  });
});
