import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { forgetRights } from "#lib/core/gate.ts";
import { newToken } from "#lib/core/secrets.ts";
import { sessionCookieName } from "#lib/core/session-cookie.ts";
import { getFile, putFile } from "#lib/core/storage.ts";
import { enqueueTask, type NewTask } from "#lib/core/task.ts";
import { maxUploadBytes } from "#lib/core/workbook-limits.ts";
import { openSession } from "#lib/session/commands.ts";
import { expireFiles } from "#lib/tasks/commands.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import { sendTaskFile, uploadFile } from "#lib/tasks/routes.ts";
import { callAs } from "../../support/call.ts";
import { clock, useDatabase } from "../../support/database.ts";
import { makeMember, makeProject } from "../../support/factories.ts";

const database = useDatabase();
const folder = mkdtempSync(join(tmpdir(), "milepost-test-"));
let project: { id: number; number: string };
let creator: CtxUser;
let colleague: CtxUser;
let manager: CtxUser;
let outsider: CtxUser;

beforeAll(async () => {
  process.env.DATA_DIR = folder;
  process.env.MILEPOST_TEST_CLOCK = clock.toISOString();
  project = await makeProject(database.owner);
  creator = await makeMember(database.owner, project.id, "TL");
  colleague = await makeMember(database.owner, project.id, "TL");
  manager = await makeMember(database.owner, project.id, "PM");
  outsider = await makeMember(database.owner, (await makeProject(database.owner)).id, "PM");
});
afterAll(() => {
  delete process.env.MILEPOST_TEST_CLOCK;
  rmSync(folder, { recursive: true, force: true });
});

const ctxOf = (user: CtxUser) => ({ sql: database.app, project, user, now: clock, locale: "en", audit: () => {} }) as never;
const make = (user: CtxUser, task: Partial<NewTask> = {}) =>
  enqueueTask(ctxOf(user), { kind: "test.some", direction: "process", title: "Some work", ...task });
const setStatus = (id: string, status: string) => database.owner`update task set status = ${status} where id = ${id}`;
const call = <T = TaskRow>(user: CtxUser | null, address: string, input: object = {}) =>
  callAs<T>(user, address, input, { project: project.number });
const list = (user: CtxUser, direction: string, filters: object[] = [], page = 1) =>
  call<{ records: TaskRow[]; total: number }>(
    user,
    `task/list/${direction}/${page}/20/default/${encodeURIComponent(JSON.stringify(filters))}`,
  );

describe("task/find", () => {
  test.each([
    ["its creator", () => creator, 200],
    ["a holder of task.viewAll", () => manager, 200],
    ["another member", () => colleague, 404],
    ["nobody", () => null, 401],
  ])("for %s", async (_, user, status) => {
    const id = await make(creator);
    expect((await call(user(), `task/find/${id}`)).status).toBe(status);
  });

  test("a task of another project does not exist there", async () => {
    const id = await make(creator);
    const other = await makeProject(database.owner);
    const both = await makeMember(database.owner, other.id, "PM");
    expect((await callAs(both, `task/find/${id}`, {}, { project: other.number })).status).toBe(404);
    expect((await call(outsider, `task/find/${id}`)).code).toBe("NOT_AUTHORISED_FOR_PROJECT");
  });

  test("an id that is none is refused", async () => {
    expect((await call(creator, "task/find/7")).code).toBe("INVALID_INPUT");
  });
});

describe("task/list", () => {
  test("[OPS-08] imports and exports appear in their lists for who submitted them, newest first", async () => {
    const user = await makeMember(database.owner, project.id, "TL");
    const first = await make(user, { direction: "import", title: "a.xlsx" });
    const second = await make(user, { direction: "import", title: "b.xlsx" });
    await database.owner`update task set created_at = created_at + interval '1 minute' where id = ${second}`;
    const exported = await make(user, { direction: "export", title: "plan" });
    expect((await list(user, "import")).data?.records.map((task) => task.id)).toEqual([second, first]);
    expect((await list(user, "export")).data?.records.map((task) => task.id)).toEqual([exported]);
    expect((await list(user, "process")).data).toMatchObject({ records: [], total: 0 });
    expect((await list(user, "all")).data?.total).toBe(3);
    expect((await list(colleague, "all")).data?.records.some((task) => task.createdBy === user.id)).toBe(false);
    expect((await list(manager, "import")).data?.records.map((task) => task.id)).toEqual(expect.arrayContaining([first, second]));
    expect((await list(manager, "import", [{ field: "mine", type: "eq", values: [true] }])).data?.total).toBe(0);
  });

  test("filters by status, title and time", async () => {
    const user = await makeMember(database.owner, project.id, "TL");
    const done = await make(user, { title: "100 % sure" });
    await setStatus(done, "succeeded");
    const open = await make(user, { title: "another" });
    const ids = async (...filters: object[]) => (await list(user, "all", filters)).data?.records.map((task) => task.id);
    expect(await ids({ field: "status", type: "in", values: ["queued", "running"] })).toEqual([open]);
    expect(await ids({ field: "title", type: "like", values: ["0 %"] })).toEqual([done]);
    expect(await ids({ field: "createdAt", type: "range", values: ["2026-10-15", null] })).toEqual([]);
    expect(await ids({ field: "createdAt", type: "range", values: [null, "2026-10-15"] })).toHaveLength(2);
  });

  test("a list of another kind or field is refused; a page behind the end is empty", async () => {
    expect((await list(creator, "everything")).code).toBe("INVALID_INPUT");
    expect((await list(creator, "all", [{ field: "params", type: "eq", values: ["x"] }])).code).toBe("INVALID_INPUT");
    expect((await list(creator, "all", [], 999)).data?.records).toEqual([]);
  });
});

describe("task/cancel", () => {
  test("a queued task is cancelled at once, a running one is asked to stop", async () => {
    const queued = await make(creator);
    expect((await call(creator, `task/cancel/${queued}`)).data).toMatchObject({ status: "cancelled" });
    const running = await make(creator);
    await setStatus(running, "running");
    expect((await call(creator, `task/cancel/${running}`)).data).toMatchObject({
      status: "running",
      cancelRequested: true,
      may: { cancel: false },
    });
  });

  test.each([
    ["task.viewAll may cancel the task of another", () => manager, 200],
    ["a colleague does not see it", () => colleague, 404],
  ])("%s", async (_, user, status) => {
    expect((await call(user(), `task/cancel/${await make(creator)}`)).status).toBe(status);
  });

  test("what has ended is refused and stays as it was", async () => {
    const id = await make(creator);
    await setStatus(id, "succeeded");
    expect(await call(creator, `task/cancel/${id}`)).toMatchObject({ status: 422, code: "WRONG_STATUS" });
    expect((await call(creator, `task/find/${id}`)).data).toMatchObject({ status: "succeeded", cancelRequested: false });
  });
});

describe("task/retry", () => {
  test("a failed task goes back to the queue with fresh attempts, behind its written chunks", async () => {
    const id = await make(creator);
    await database.owner`update task set status = 'failed', attempt = 3, chunks_done = 2, done_count = 20, failed_count = 1, message_key = 'x', finished_at = now() where id = ${id}`;
    await database.owner`update pgboss.job set state = 'completed' where singleton_key = ${id}`;
    expect((await call(creator, `task/retry/${id}`)).data).toMatchObject({ status: "queued", message: null, finishedAt: null });
    expect(
      (await database.owner`select attempt, attempt_limit, chunks_done, done_count, failed_count from task where id = ${id}`)[0],
    ).toEqual({
      attempt: 3,
      attempt_limit: 6,
      chunks_done: 2,
      done_count: 20,
      failed_count: 1,
    });
    expect(await database.owner`select 1 from pgboss.job where singleton_key = ${id} and state = 'created'`).toHaveLength(1);
  });

  test("belongs to the creator alone", async () => {
    const id = await make(creator);
    await setStatus(id, "failed");
    expect(await call(manager, `task/retry/${id}`)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect((await call(colleague, `task/retry/${id}`)).status).toBe(404);
  });

  test("an export is refused while another of its kind is open", async () => {
    const user = await makeMember(database.owner, project.id, "TL");
    const first = await make(user, { direction: "export" });
    await setStatus(first, "failed");
    await make(user, { direction: "export" });
    expect(await call(user, `task/retry/${first}`)).toMatchObject({ status: 422, code: "EXPORT_UNFINISHED" });
  });

  test("the sixty-first call of a minute is refused with 429", async () => {
    const user = await makeMember(database.owner, project.id, "TL");
    const id = await make(user);
    const answers: number[] = [];
    for (let time = 0; time < 61; time++) answers.push((await call(user, `task/retry/${id}`)).status);
    expect(answers.slice(0, 60)).toEqual(Array(60).fill(422));
    expect(answers[60]).toBe(429);
  });
});

describe("task/delete", () => {
  test("removes an own task that has ended; its files go at the next expiry", async () => {
    const fileId = await putFile(ctxOf(creator), { name: "r.xlsx", mime: "x", bytes: Buffer.from("r") });
    const id = await make(creator);
    await database.owner`update task set status = 'succeeded', result_file_id = ${fileId} where id = ${id}`;
    expect((await call(creator, `task/delete/${id}`)).status).toBe(200);
    expect((await call(creator, `task/find/${id}`)).status).toBe(404);
    expect(readdirSync(join(folder, "files"))).toContain(fileId);
    await expireFiles(database.app, project.id, clock);
    expect(readdirSync(join(folder, "files"))).not.toContain(fileId);
    expect(await database.owner`select 1 from file_object where id = ${fileId}`).toHaveLength(0);
  });

  test("an open task and that of another are refused", async () => {
    const id = await make(creator);
    expect((await call(creator, `task/delete/${id}`)).code).toBe("WRONG_STATUS");
    await setStatus(id, "failed");
    expect((await call(manager, `task/delete/${id}`)).code).toBe("NO_PERMISSION");
    expect((await call(colleague, `task/delete/${id}`)).status).toBe(404);
  });
});

async function bearer(user: CtxUser): Promise<string> {
  const { token, hash } = newToken();
  await database.owner`
    insert into api_token (user_id, name, hash, created_at, expires_at) values (${user.id}, 'test', ${hash}, ${clock}, ${new Date(clock.getTime() + 86_400_000)})`;
  return `Bearer ${token}`;
}

describe("task/file", () => {
  const get = async (user: CtxUser | null, id: string, part: string, number = project.number) => {
    forgetRights();
    const headers: Record<string, string> = user ? { authorization: await bearer(user) } : {};
    const request = new Request(`http://localhost/api/task/file/${id}/${part}?projectNumber=${number}`, { headers });
    return sendTaskFile.GET(request, { params: Promise.resolve({ id, part }) });
  };
  const withResult = async (name = "结果 1.xlsx") => {
    const id = await make(creator);
    const fileId = await putFile(ctxOf(creator), { name, mime: "text/plain", bytes: Buffer.from("the result") });
    await database.owner`update task set status = 'succeeded', result_file_id = ${fileId}, expires_at = ${new Date(clock.getTime() + 1000)} where id = ${id}`;
    return { id, fileId };
  };

  test("is sent to the creator with its name, and the download is in the audit log", async () => {
    const { id } = await withResult();
    const response = await get(creator, id, "result");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="__ 1.xlsx"; filename*=UTF-8''%E7%BB%93%E6%9E%9C%201.xlsx`,
    );
    expect(response.headers.get("content-length")).toBe("10");
    expect(await text(response.body as never)).toBe("the result");
    expect(await database.owner`select actor_id from audit_log where event = 'export_downloaded' and object = ${`task ${id}`}`).toEqual([
      { actor_id: creator.id },
    ]);
  });

  test.each([
    ["task.viewAll", () => manager, 200],
    ["a colleague", () => colleague, 404],
    ["nobody", () => null, 401],
    ["a member of another project only", () => outsider, 403],
  ])("for %s", async (_, user, status) => {
    const { id } = await withResult();
    expect((await get(user(), id, "result")).status).toBe(status);
  });

  test("a part the task does not have, and one that no task has", async () => {
    const { id } = await withResult();
    expect((await get(creator, id, "error")).status).toBe(404);
    expect((await get(creator, id, "params")).status).toBe(400);
  });

  test("a result that is still being made asks to refresh later [OPS-24]", async () => {
    const id = await make(creator);
    for (const status of ["queued", "running"]) {
      await setStatus(id, status);
      const response = await get(creator, id, "result");
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([409, "CALCULATING"]);
    }
    expect((await get(colleague, id, "result")).status).toBe(404);
    await setStatus(id, "failed");
    expect((await get(creator, id, "result")).status).toBe(404);
  });

  test("is not reached through another project", async () => {
    const { id } = await withResult();
    const other = await makeProject(database.owner);
    const user = await makeMember(database.owner, other.id, "PM");
    expect((await get(user, id, "result", other.number)).status).toBe(404);
  });

  test("is gone after its time with 410, before and after the nightly run; the task stays as expired", async () => {
    const { id, fileId } = await withResult();
    await database.owner`update task set expires_at = ${clock} where id = ${id}`;
    expect(await (await get(creator, id, "result")).json()).toMatchObject({ status: 410, code: "FILE_EXPIRED" });
    await expireFiles(database.app, project.id, clock);
    expect((await get(creator, id, "result")).status).toBe(410);
    expect((await call(creator, `task/find/${id}`)).data).toMatchObject({ status: "expired", files: { result: { name: "结果 1.xlsx" } } });
    expect(readdirSync(join(folder, "files"))).not.toContain(fileId);
    await expireFiles(database.app, project.id, clock);
  });
});

describe("file/upload", () => {
  type Upload = {
    name?: string;
    size?: number;
    first?: Uint8Array;
    field?: string;
    kind?: string;
    headers?: Record<string, string>;
    user?: CtxUser | null;
    after?: string;
  };
  const zip = Uint8Array.from([0x50, 0x4b, 0x03, 0x04]);

  /** Sends a body that is made while it is read, so that a hundred megabytes need no memory. */
  async function upload({
    name = "plan.xlsx",
    size = 1_000,
    first = zip,
    field = "file",
    kind,
    headers = {},
    user = creator,
    after = "",
  }: Upload = {}) {
    forgetRights();
    const head = Buffer.from(
      `--edge\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    );
    const foot = Buffer.from(`\r\n${after}--edge--\r\n`);
    let read = 0;
    function* parts(): Generator<Uint8Array> {
      yield head;
      yield first;
      const block = Buffer.alloc(1_048_576, 1);
      for (let left = size - first.length; left > 0; left -= block.length) yield block.subarray(0, Math.min(left, block.length));
      yield foot;
    }
    const source = parts();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = source.next();
        if (next.done) controller.close();
        else {
          read += next.value.length;
          controller.enqueue(next.value);
        }
      },
    });
    const request = new Request(`http://localhost/api/files?projectNumber=${project.number}${kind ? `&kind=${kind}` : ""}`, {
      method: "POST",
      body,
      duplex: "half",
      headers: { "content-type": "multipart/form-data; boundary=edge", ...(user ? { authorization: await bearer(user) } : {}), ...headers },
    } as RequestInit);
    const response = await uploadFile.POST(request);
    return { status: response.status, answer: await response.json(), read };
  }
  const stored = () => readdirSync(join(folder, "files")).length;

  test("answers the id of a file of the project that waits a day for its use", async () => {
    const { status, answer } = await upload({ name: "计划.xlsx" });
    expect(status).toBe(200);
    const file = await getFile(ctxOf(creator), answer.data.fileId);
    expect(file).toMatchObject({
      name: "计划.xlsx",
      size: 1_000,
      createdBy: creator.id,
      expiresAt: new Date(clock.getTime() + 86_400_000),
    });
    await make(creator, { direction: "import", inputFileId: file.id });
    expect((await getFile(ctxOf(creator), file.id)).expiresAt).toBeNull();
  });

  test("[OPS-15] a file of 104,857,600 bytes passes, one byte more is refused and leaves nothing", { timeout: 60_000 }, async () => {
    const before = stored();
    expect(await upload({ size: maxUploadBytes })).toMatchObject({ status: 200 });
    expect(maxUploadBytes).toBe(104_857_600);
    expect(await upload({ size: maxUploadBytes + 1 })).toMatchObject({ status: 413, answer: { code: "FILE_TOO_LARGE" } });
    expect(stored()).toBe(before + 1);
  });

  test("a body that announces too much is refused before it is read", async () => {
    const { status, read } = await upload({ size: 50_000_000, headers: { "content-length": String(maxUploadBytes + 1_000_000) } });
    expect(status).toBe(413);
    expect(read).toBeLessThan(3_000_000);
  });

  test.each<[string, Upload, number, string]>([
    ["an ending no import takes", { name: "plan.xls" }, 422, "FILE_FORMAT"],
    ["an ending that is not the content", { first: Buffer.from("not a zip") }, 422, "FILE_FORMAT"],
    ["csv where the import takes workbooks only", { name: "a.csv", first: Buffer.from("a,b\n1,"), size: 6 }, 422, "FILE_FORMAT"],
    ["csv with zeros", { name: "a.csv", kind: "dus", first: Uint8Array.from([65, 0]), size: 2 }, 422, "FILE_FORMAT"],
    ["no field file", { field: "other" }, 400, "INVALID_INPUT"],
    ["another content type", { headers: { "content-type": "application/json" } }, 415, "UNSUPPORTED_TYPE"],
    ["nobody", { user: null }, 401, "SIGNED_OUT"],
    ["a second file", { after: '--edge\r\nContent-Disposition: form-data; name="file"; filename="b.xlsx"\r\n\r\nPK\r\n' }, 422, "TOO_MANY"],
  ])("%s is refused and leaves nothing [OPS-15]", async (_, given, status, code) => {
    const before = stored();
    expect(await upload(given)).toMatchObject({ status, answer: { code } });
    expect(stored()).toBe(before);
  });

  test("csv passes where the import takes it", async () => {
    expect(await upload({ name: "a.csv", kind: "dus", first: Buffer.from("a,b\n"), size: 4 })).toMatchObject({ status: 200 });
  });

  test("a member of another project and a closed project are refused", async () => {
    expect(await upload({ user: outsider })).toMatchObject({ status: 403, answer: { code: "NOT_AUTHORISED_FOR_PROJECT" } });
    await database.owner`update project set status = 'closed' where id = ${project.id}`;
    try {
      expect(await upload()).toMatchObject({ status: 403, answer: { code: "PROJECT_CLOSED" } });
    } finally {
      await database.owner`update project set status = 'active' where id = ${project.id}`;
    }
  });

  test("from another site with the session of the person is refused", async () => {
    const sid = await openSession(creator.id, { ip: null, now: clock, requestId: "r" });
    const name = sessionCookieName();
    const cookie = `${name}=${await encode({ token: { sid }, secret: process.env.AUTH_SECRET as string, salt: name })}`;
    expect(await upload({ user: null, headers: { cookie, "sec-fetch-site": "cross-site" } })).toMatchObject({
      status: 403,
      answer: { code: "SAME_ORIGIN" },
    });
    expect(await upload({ user: null, headers: { cookie } })).toMatchObject({ status: 403 });
    expect(await upload({ user: null, headers: { cookie, "sec-fetch-site": "same-origin" } })).toMatchObject({ status: 200 });
  });

  test("the sixty-first upload of a minute is refused with 429", async () => {
    const user = await makeMember(database.owner, project.id, "TL");
    const answers: number[] = [];
    for (let time = 0; time < 61; time++) answers.push((await upload({ user, name: "x.txt" })).status);
    expect(answers.slice(0, 60)).toEqual(Array(60).fill(422));
    expect(answers[60]).toBe(429);
  });

  test("an abandoned upload is removed after its day", async () => {
    const { answer } = await upload();
    await expireFiles(database.app, project.id, new Date(clock.getTime() + 86_400_000));
    expect(readdirSync(join(folder, "files"))).not.toContain(answer.data.fileId);
    expect(await database.owner`select 1 from file_object where id = ${answer.data.fileId}`).toHaveLength(0);
  });
});
