import { encode } from "next-auth/jwt";
import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { handleCall } from "#lib/core/door.ts";
import { sessionCookieName } from "#lib/core/session-cookie.ts";
import { createApiToken, openSession, revokeSession } from "#lib/session/commands.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember, makeProject, makeUser } from "../../support/factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let token: string;
let cookie: string;
let sid: string;

beforeAll(async () => {
  project = await makeProject(db.app, { number: "DOOR" });
  pm = await makeMember(db.app, project.id, "PM");
  token = await createApiToken(db.app, pm.account, "test", new Date());
  sid = await openSession(pm.id, { ip: null, now: new Date(), requestId: "r" });
  cookie = `${sessionCookieName()}=${await encode({ token: { sid }, secret: process.env.AUTH_SECRET!, salt: sessionCookieName() })}`;
});

type Given = { method?: string; headers?: Record<string, string>; body?: string };

async function call(address: string, { method = "POST", headers = {}, body = "{}" }: Given = {}) {
  const request = new Request(`http://localhost:3000/api/${address}`, {
    method,
    headers: { host: "localhost:3000", ...(method === "POST" ? { "content-type": "application/json" } : {}), ...headers },
    ...(method === "POST" ? { body } : {}),
  });
  const response = await handleCall(request, new URL(request.url).pathname.replace("/api/", "").split("/").map(decodeURIComponent));
  return { status: response.status, requestId: response.headers.get("requestid"), answer: await response.json() };
}

const bearer = () => ({ authorization: `Bearer ${token}` });

describe("the door", () => {
  it("answers the envelope with the same HTTP status and a request id", async () => {
    const { status, answer, requestId } = await call("userSetting/findUserSetting", { headers: bearer() });
    expect([status, answer.status]).toEqual([200, 200]);
    expect(answer.data).toEqual([]);
    expect(requestId).toBe(answer.requestId);
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("leaves it to the framework to pack an answer that goes through it", async () => {
    const request = new Request("http://localhost:3000/api/session/rebuild?projectNumber=DOOR", {
      method: "POST",
      headers: { host: "localhost:3000", "content-type": "application/json", "accept-encoding": "gzip", ...bearer() },
      body: JSON.stringify({ projectNumber: "DOOR" }),
    });
    const response = await handleCall(request, ["session", "rebuild"]);
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(await response.json()).toMatchObject({ status: 200, data: { project: { number: "DOOR" } } });
  });

  it("takes an API token and a session cookie, and neither once it is revoked or wrong", async () => {
    expect((await call("userSetting/findUserSetting", { headers: { cookie } })).status).toBe(200);
    expect((await call("userSetting/findUserSetting", { headers: { authorization: "Bearer mp_wrong" } })).status).toBe(401);
    expect((await call("userSetting/findUserSetting", { headers: { cookie: `${sessionCookieName()}=forged` } })).status).toBe(401);
    const gone = await openSession(pm.id, { ip: null, now: new Date(), requestId: "r" });
    const goneCookie = `${sessionCookieName()}=${await encode({ token: { sid: gone }, secret: process.env.AUTH_SECRET!, salt: sessionCookieName() })}`;
    expect((await call("userSetting/findUserSetting", { headers: { cookie: goneCookie } })).status).toBe(200);
    await revokeSession(gone, new Date());
    expect((await call("userSetting/findUserSetting", { headers: { cookie: goneCookie } })).status).toBe(401);
  });

  it("refuses a changing call by cookie from another site, by token it does not ask", async () => {
    const body = JSON.stringify({ settingId: "rows", value: 1 });
    const address = "userSetting/saveUserSetting";
    expect((await call(address, { headers: { cookie, "sec-fetch-site": "cross-site" }, body })).answer.code).toBe("SAME_ORIGIN");
    expect((await call(address, { headers: { cookie, "sec-fetch-site": "same-site" }, body })).answer.code).toBe("SAME_ORIGIN");
    expect((await call(address, { headers: { cookie }, body })).answer.code).toBe("SAME_ORIGIN");
    expect((await call(address, { headers: { cookie, origin: "https://evil.example" }, body })).answer.code).toBe("SAME_ORIGIN");
    expect((await call(address, { headers: { cookie, "sec-fetch-site": "same-origin" }, body })).status).toBe(200);
    expect((await call(address, { headers: { cookie, origin: "http://localhost:3000" }, body })).status).toBe(200);
    expect((await call(address, { headers: bearer(), body })).status).toBe(200);
  });

  it("wants JSON, the declared method, a known address, and a readable body [OPS-02, OPS-03, SES-11, SES-14]", async () => {
    expect((await call("userSetting/findUserSetting", { headers: { ...bearer(), "content-type": "text/plain" }, body: "x" })).status).toBe(
      415,
    );
    // Settings are stored and people searched by a POST alone.
    expect((await call("userSetting/saveUserSetting", { method: "GET", headers: bearer() })).status).toBe(405);
    expect((await call("user/searchDirectory?searchKey=pm", { method: "GET", headers: bearer() })).status).toBe(405);
    expect((await call("sso/updateSession", { headers: bearer() })).status).toBe(405);
    expect((await call("no/such/call", { headers: bearer() })).status).toBe(404);
    expect((await call("userSetting/findUserSetting", { headers: bearer(), body: "{" })).answer.code).toBe("INVALID_INPUT");
    expect((await call("userSetting/findUserSetting", { headers: bearer(), body: "" })).status).toBe(200);
  });

  it("gives the time zone of a project to a GET alone [SES-15]", async () => {
    const address = "timeZone/findByProjectId/DOOR";
    const read = await call(address, { method: "GET", headers: bearer() });
    expect([read.status, read.answer.data]).toEqual([200, { status: "success", DOOR: 0 }]);
    expect((await call(address, { headers: bearer() })).status).toBe(405);
  });

  it("says what is wrong with a body before it says who may not bring it, and logs no denial then", async () => {
    const stranger = await makeUser(db.app);
    const strange = { authorization: `Bearer ${await createApiToken(db.app, stranger.account, "strange", new Date())}` };
    const address = "rolloutPlan/save?projectNumber=DOOR";
    const denials = () => db.owner`select 1 from audit_log where actor_id = ${stranger.id} and event = 'permission_denied'`;
    expect((await call(address, { headers: strange, body: "{" })).answer.code).toBe("INVALID_INPUT");
    expect((await call(address, { headers: { ...strange, "content-type": "text/plain" } })).answer.code).toBe("UNSUPPORTED_TYPE");
    expect(await denials()).toEqual([]);
    expect((await call(address, { headers: strange })).answer.code).toBe("NOT_AUTHORISED_FOR_PROJECT");
    expect(await denials()).toHaveLength(1);
  });

  it("reads page, size and filters from the address; 3000 characters of filters pass, one more does not [OPS-05, OPS-31]", async () => {
    const list = (filters: string, size = 20) =>
      call(`memberRole/list/1/${size}/default/${encodeURIComponent(filters)}?projectNumber=DOOR`, { headers: bearer() });
    const name = (length: number) => JSON.stringify([{ field: "name", type: "like", values: ["x".repeat(length)] }]);
    const frame = name(0).length;
    expect((await list("[]")).answer.data).toMatchObject({ page: 1, size: 20, total: 1 });
    expect((await list(name(3000 - frame))).answer.data).toMatchObject({ records: [], total: 0 });
    expect((await list(name(3001 - frame))).answer).toMatchObject({ code: "FILTER_TOO_LONG", msg: expect.stringContaining("3,000") });
    expect((await list(`${" ".repeat(3001)}[]`)).answer).toMatchObject({ code: "FILTER_TOO_LONG" });
    // A search box beside them is bounded by its entries [OPS-30].
    const beside = (filters: string) =>
      JSON.stringify([...JSON.parse(filters), { field: "search", type: "like", values: ["y".repeat(51_000)] }]);
    expect((await list(beside(name(2990 - frame)))).answer.data).toMatchObject({ records: [], total: 0 });
    expect((await list(beside(name(3001 - frame)))).answer).toMatchObject({ code: "FILTER_TOO_LONG" });
    const entries = (count: number) =>
      JSON.stringify([{ field: "search", type: "like", values: [Array.from({ length: count }, (_, at) => `e${at}`).join(",")] }]);
    expect((await list(entries(500))).status).toBe(200);
    expect((await list(entries(501))).answer).toMatchObject({ code: "SEARCH_TOO_MANY", msg: expect.stringContaining("500") });
    expect((await list('[{"field":"secret","type":"eq","values":[]}]')).answer.problems[0]).toMatchObject({
      path: "filters.0.field",
      code: "VALUE_UNKNOWN",
    });
    expect((await list('[{"field":"name","type":"near","values":[]}]')).answer.problems[0]).toMatchObject({ path: "filters.0.type" });
    expect((await list('[{"field":"name","type":"like"}]')).answer.problems[0]).toMatchObject({ path: "filters.0.values" });
    expect((await list("[]", 33)).answer.problems[0]).toMatchObject({ path: "size" });
    expect((await list("{}")).answer.problems[0]).toMatchObject({ path: "filters" });
  });

  it("answers in the language of the address, else the cookie, else Chinese [SES-04]", async () => {
    const message = async (query: string, headers: Record<string, string> = {}) =>
      (await call(`no/such${query}`, { headers })).answer.msg as string;
    expect(await message("")).toMatch(/^未找到/);
    expect(await message("", { cookie: "lang=ja" })).toMatch(/見つかりません/);
    expect(await message("?lang=en", { cookie: "lang=ja" })).toMatch(/^Not found/);
    expect(await message("?lang=fr", { cookie: "lang=ja" })).toMatch(/見つかりません/);
  });

  it("moves the end of the session eight hours ahead [SES-17]", async () => {
    await db.owner`update user_session set expires_at = now() + interval '1 hour' where sid = ${sid}`;
    expect((await call("sso/updateSession", { method: "GET", headers: { cookie } })).status).toBe(200);
    const [row] = await db.owner<
      { hours: number }[]
    >`select extract(epoch from expires_at - now()) / 3600 as hours from user_session where sid = ${sid}`;
    expect(row!.hours).toBeGreaterThan(7.9);
  });
});
