import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { grantsFor } from "#lib/access/logic.ts";
import { allRoutes } from "#lib/calls.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { closeStreams } from "#lib/core/event-stream.ts";
import { closeEvents, planNotice } from "#lib/core/events.ts";
import { forgetRights } from "#lib/core/gate.ts";
import type { Route } from "#lib/core/route.ts";
import { newToken } from "#lib/core/secrets.ts";
import { sessionCookieName } from "#lib/core/session-cookie.ts";
import { putFile } from "#lib/core/storage.ts";
import { enqueueTask } from "#lib/core/task.ts";
import { type PermissionCode, type Role, roles } from "#lib/permissions.ts";
import { openSession } from "#lib/session/commands.ts";
import { callAs } from "../support/call.ts";
import { clock, useDatabase } from "../support/database.ts";
import { grantRole, makeMember, makeUser } from "../support/factories.ts";
import { makeHolder } from "../support/role-holders.ts";
import { filesBelow } from "../support/source-files.ts";
import { makeWholeProject, projectPrint, secret, type WholeProject } from "../support/whole-project.ts";

const db = useDatabase();
const folder = mkdtempSync(join(tmpdir(), "milepost-routes-"));
const routes = await allRoutes();
const each = routes.map(({ route }) => [route.declaration.address, route] as const);
const inProject = each.filter(([, route]) => route.declaration.needs !== "signedIn");

let own: WholeProject;
let other: WholeProject;

beforeAll(async () => {
  process.env.DATA_DIR = folder;
  process.env.MILEPOST_TEST_CLOCK = clock.toISOString();
  own = await makeWholeProject(db.app, "own");
  other = await makeWholeProject(db.app, secret);
  for (const project of [own, other]) await giveContent(project);
});
afterAll(async () => {
  closeStreams();
  await closeEvents();
  delete process.env.MILEPOST_TEST_CLOCK;
  rmSync(folder, { recursive: true, force: true });
});

const ctxOf = (project: WholeProject, user: CtxUser) =>
  ({ sql: db.app, project, user, now: clock, locale: "en", audit: () => {} }) as never;

/** The task of a project gets files with a content that says whose they are. */
async function giveContent(project: WholeProject): Promise<void> {
  const bytes = Buffer.from(`content of ${project === other ? secret : "own"}`);
  const id = await putFile(ctxOf(project, project.pm), { name: "f.xlsx", mime: "text/plain", bytes });
  await db.owner`update task set input_file_id = ${id}, result_file_id = ${id}, error_file_id = ${id} where id = ${project.keys.task!}`;
  project.keys.file = id;
}

async function bearer(user: CtxUser): Promise<{ authorization: string }> {
  const { token, hash } = newToken();
  await db.owner`
    insert into api_token (user_id, name, hash, created_at, expires_at) values (${user.id}, 'test', ${hash}, ${clock}, ${new Date(clock.getTime() + 86_400_000)})`;
  return { authorization: `Bearer ${token}` };
}

async function cookieOf(user: CtxUser): Promise<{ cookie: string }> {
  const sid = await openSession(user.id, { ip: null, now: clock, requestId: "r" });
  const name = sessionCookieName();
  return { cookie: `${name}=${await encode({ token: { sid }, secret: process.env.AUTH_SECRET as string, salt: name })}` };
}

function gives(role: Role, code: PermissionCode): boolean {
  const { all, own: ownRows } = grantsFor([role], code, new Map());
  return all || ownRows.length > 0;
}

type Given = { number?: string | null; headers?: Record<string, string>; parts?: Record<string, string>; method?: string; query?: string };

const parts = (project: WholeProject) => ({ id: project.keys.task!, part: "result" });

/** Sends a request to a route, with a small file where it takes one. */
async function ask(route: Route, { number = own.number, headers = {}, parts: given = parts(own), method, query = "" }: Given = {}) {
  forgetRights();
  const used = method ?? route.declaration.method ?? "POST";
  const address = route.declaration.address.replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? "");
  const file = '--e\r\nContent-Disposition: form-data; name="file"; filename="a.xlsx"\r\n\r\nPK\u0003\u0004 x\r\n--e--\r\n';
  const request = new Request(`http://localhost/api/${address}?${number === null ? "" : `projectNumber=${number}`}${query}`, {
    method: used,
    headers: { ...headers, ...(used === "POST" ? { "content-type": "multipart/form-data; boundary=e" } : {}) },
    ...(used === "POST" ? { body: file } : {}),
  });
  const response = await (used === "POST" ? route.POST : route.GET)(request, { params: Promise.resolve(given) });
  const live = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (live) await response.body?.cancel();
  const text = live ? "" : await response.text();
  return {
    status: response.status,
    requestId: response.headers.get("requestid"),
    text,
    answer: (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, unknown>,
  };
}

describe("the files below app/api", () => {
  const files = filesBelow("app/api", /^route\.ts$/);
  const addressOf = (path: string) => path.replace(/^app\/api\/|\/route\.ts$/g, "").replace(/\[(\w+)\]/g, "{$1}");
  /** What no declaration stands behind, and why. */
  const others: Record<string, string> = {
    "[...address]": "the door of the declared calls",
    "auth/[...nextauth]": "signing in and out",
    health: "asked by supervisors, without sign-in and without data",
    metrics: "asked by Prometheus with the token of the settings, figures alone",
    "feeds/{file}": "a secret address for a calendar program, which cannot sign in",
    "mail/unsubscribe/{token}": "the secret address in a mail, for who is not signed in",
  };

  it("are the declared routes and nothing else: declare a new one with route() in lib/<area>/routes.ts and list it in lib/calls.ts", () => {
    const declared = routes.flatMap(({ route }) => route.addresses);
    expect(files.map(addressOf).toSorted()).toEqual([...declared, ...Object.keys(others)].toSorted());
  });

  it.each(each)("%s is answered by its declaration, whatever the method", async (_address, route) => {
    for (const path of files.filter((file) => route.addresses.includes(addressOf(file)))) {
      const { dynamic, ...handlers } = (await import(join(process.cwd(), path))) as Record<string, unknown>;
      expect(dynamic).toBe("force-dynamic");
      expect(handlers).toEqual({ GET: route.GET, POST: route.POST });
    }
  });
});

describe("every route", () => {
  it.each(each)("%s refuses the unknown, another method, and answers in the form of all calls", async (_address, route) => {
    expect(await ask(route)).toMatchObject({ status: 401, answer: { status: 401, code: "SIGNED_OUT" } });
    const refused = await ask(route, { headers: await bearer(own.pm), method: route.declaration.method === "GET" ? "POST" : "GET" });
    expect(refused).toMatchObject({ status: 405, answer: { code: "METHOD_NOT_ALLOWED" } });
    expect(refused.requestId).toBe(refused.answer.requestId);
    expect((await ask(route, { headers: await bearer(own.pm) })).requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(
    inProject,
  )("%s refuses a request without project, of an unknown one, and of one the caller is no member of", async (_address, route) => {
    const headers = await bearer(own.pm);
    expect(await ask(route, { headers, number: null })).toMatchObject({ status: 400, answer: { code: "PROJECT_REQUIRED" } });
    for (const number of ["NOWHERE", other.number])
      expect(await ask(route, { headers, number })).toMatchObject({ status: 403, answer: { code: "NOT_AUTHORISED_FOR_PROJECT" } });
    const stranger = await bearer(await makeUser(db.app));
    expect(await ask(route, { headers: stranger })).toMatchObject({ status: 403, answer: { code: "NOT_AUTHORISED_FOR_PROJECT" } });
  });

  it.each(
    each.filter(([, { declaration }]) => declaration.kind !== "read"),
  )("%s refuses a session that comes from elsewhere", async (_address, route) => {
    const cookie = await cookieOf(own.pm);
    const elsewhere: Record<string, string>[] = [
      {},
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
    ];
    for (const from of elsewhere)
      expect(await ask(route, { headers: { ...cookie, ...from } })).toMatchObject({ status: 403, answer: { code: "SAME_ORIGIN" } });
    expect((await ask(route, { headers: { ...cookie, "sec-fetch-site": "same-origin" } })).status).toBe(200);
  });

  it.each(inProject)("%s lets in the roles its right gives and no others", async (_address, route) => {
    const wrong: string[] = [];
    for (const role of roles) {
      const user = await makeHolder(db.app, own.id, role, { du: own.numbers.du!, region: own.numbers.region! });
      const { needs } = route.declaration;
      const allowed =
        typeof needs !== "function" && [needs].flat().some((code) => code === "member" || gives(role, code as PermissionCode));
      const refused = (await ask(route, { headers: await bearer(user) })).answer.code === "NO_PERMISSION";
      if (allowed === refused) wrong.push(role);
    }
    expect(wrong).toEqual([]);
  });
});

describe("a member of one project", () => {
  it("reaches no file, task or event of another by any route, id or project number, and leaves nothing there", async () => {
    const before = await projectPrint(db.owner, other.id);
    const headers = await bearer(await makeMember(db.app, own.id, "PM"));
    const ids = [...Object.values(other.keys), ...Object.values(other.numbers).map(String)];
    const leaks: string[] = [];
    // What starts work is counted by the minute.
    for (const [address, route] of inProject)
      for (const id of route.declaration.starts ? ids.slice(0, 5) : ids)
        for (const part of ["input", "result", "error"])
          for (const number of [own.number, other.number]) {
            const { status, text } = await ask(route, {
              headers,
              number,
              parts: { id, part },
              query: `&id=${id}&taskId=${id}&fileId=${id}`,
            });
            const named = address.includes("{id}") || number === other.number;
            if (text.includes(secret) || status >= 500 || (named && status === 200))
              leaks.push(`${address} ${id} in ${number}: ${status} ${text.slice(0, 100)}`);
          }
    expect(leaks).toEqual([]);
    expect(await projectPrint(db.owner, other.id)).toEqual(before);
  });

  it("who is in both reaches the files of each only through its own number", async () => {
    const both = await makeMember(db.app, own.id, "PM");
    await grantRole(db.app, other.id, both.id, "PM");
    const headers = await bearer(both);
    const [, route] = each.find(([address]) => address.startsWith("task/file"))!;
    expect(await ask(route, { headers, number: other.number, parts: parts(other) })).toMatchObject({
      status: 200,
      text: `content of ${secret}`,
    });
    expect(await ask(route, { headers, number: own.number, parts: parts(other) })).toMatchObject({ status: 404 });
    expect(await callAs(both, "import/open", { fileId: other.keys.file, kind: "dus" }, { project: own.number })).toMatchObject({
      status: 404,
    });
    expect(await callAs(both, "import/preview", { fileId: other.keys.file, kind: "dus" }, { project: own.number })).toMatchObject({
      status: 404,
    });
  });

  it("hears nothing of another project", async () => {
    const { GET } = each.find(([address]) => address === "events")![1];
    forgetRights();
    const response = await GET(new Request(`http://localhost/api/events?projectNumber=${own.number}`, { headers: await bearer(own.pm) }));
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let said = "";
    const hear = async (part: string) => {
      while (!said.includes(part)) said += (await reader.read()).value ?? "";
    };
    await hear(": open");
    await db.app`select ${planNotice(db.app, { projectId: other.id, seq: 701, duIds: [other.numbers.du!], actorId: other.pm.id })}`;
    const foreign = await enqueueTask(ctxOf(other, other.pm), { kind: "test.some", direction: "process", title: secret });
    await db.app`select ${planNotice(db.app, { projectId: own.id, seq: 702, duIds: [own.numbers.du!], actorId: own.pm.id })}`;
    await hear('"seq":702');
    expect(said).not.toContain("701");
    expect(said).not.toContain(foreign);
    await reader.cancel();
  });

  it("shares no task by a key both projects use, and ends none of another", async () => {
    const task = { kind: "test.some", direction: "process", title: "x", dedupeKey: "the same" } as const;
    const [mine, theirs] = [await enqueueTask(ctxOf(own, own.pm), task), await enqueueTask(ctxOf(other, other.pm), task)];
    expect(mine).not.toBe(theirs);
    expect(await enqueueTask(ctxOf(own, own.pm), task)).toBe(mine);
    const pm = await makeMember(db.app, own.id, "PM");
    for (const verb of ["cancel", "retry", "delete"])
      expect(await callAs(pm, `task/${verb}/${theirs}`, {}, { project: own.number })).toMatchObject({ status: 404 });
    expect((await db.owner`select status, cancel_requested from task where id = ${theirs}`)[0]).toEqual({
      status: "queued",
      cancel_requested: false,
    });
  });
});

describe("within a project", () => {
  it("a colleague reaches no file another person brought or made, unless all tasks may be seen", async () => {
    const [creator, colleague, manager] = [await makeMember(db.app, own.id, "PCM"), await makeMember(db.app, own.id, "PCM"), own.pm];
    await db.owner`insert into role_permission (project_id, role, code, scope) values (${own.id}, 'PCM', 'task.viewAll', '')`;
    const fileId = await putFile(ctxOf(own, creator), { name: "f.csv", mime: "text/csv", bytes: Buffer.from("DU ID,Name\nA,b\n") });
    const open = (user: CtxUser) => callAs(user, "import/open", { fileId, kind: "dus" }, { project: own.number });
    expect((await open(creator)).status).toBe(200);
    expect(await open(colleague)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect((await open(manager)).status).toBe(200);
    const preview = (user: CtxUser) => callAs(user, "import/preview", { fileId, kind: "dus" }, { project: own.number });
    expect(await preview(colleague)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    const { data } = await preview(creator);
    const route = each.find(([address]) => address.startsWith("task/file"))![1];
    const given = { id: data.taskId, part: "input" };
    expect((await ask(route, { headers: await bearer(colleague), parts: given })).status).toBe(404);
    expect((await ask(route, { headers: await bearer(creator), parts: given })).status).toBe(200);
  });

  it("a file for a closed project is refused with nothing left in the store", async () => {
    const headers = await bearer(await makeMember(db.app, own.id, "PM"));
    const stored = readdirSync(join(folder, "files")).length;
    const upload = each.find(([address]) => address === "file/upload")![1];
    await db.owner`update project set status = 'closed' where id = ${own.id}`;
    try {
      expect(await ask(upload, { headers })).toMatchObject({ status: 403, answer: { code: "PROJECT_CLOSED" } });
    } finally {
      await db.owner`update project set status = 'active' where id = ${own.id}`;
    }
    expect(readdirSync(join(folder, "files"))).toHaveLength(stored);
  });
});
