import { once } from "node:events";
import { createServer, request as open } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { allCalls, allRoutes } from "#lib/calls.ts";
import { answerDirectly } from "#lib/core/direct-door.ts";
import { bodyBytes } from "#lib/core/door.ts";
import { log } from "#lib/core/log.ts";
import { createApiToken } from "#lib/session/commands.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember, makeProject } from "../../support/factories.ts";

const db = useDatabase();
let answering: Promise<void>;
const server = createServer((request, response) => {
  answering = answerDirectly(request, response).then((answered) => void (answered || response.end(`left ${request.method}`)));
});
let origin: string;
let headers: Record<string, string>;

beforeAll(async () => {
  const project = await makeProject(db.app, { number: "DIRECT" });
  const pm = await makeMember(db.app, project.id, "PM");
  headers = {
    authorization: `Bearer ${await createApiToken(db.app, pm.account, "direct", new Date())}`,
    "content-type": "application/json",
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const post = (address: string, body: unknown, more: Record<string, string> = {}) =>
  fetch(`${origin}/api/${address}`, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) });

describe("calls answered on their connection", () => {
  it("have the status, the envelope and the headers of the door", async () => {
    const good = await post("session/rebuild?projectNumber=DIRECT", { projectNumber: "DIRECT" }, { "x-request-id": "given-by-me" });
    expect(good.status).toBe(200);
    expect(await good.json()).toMatchObject({ status: 200, requestId: "given-by-me", data: { project: { number: "DIRECT" } } });
    expect(good.headers.get("cache-control")).toBe("no-store");
    expect(good.headers.get("x-content-type-options")).toBe("nosniff");
    const refused = await post("session/rebuild", { projectNumber: "DIRECT" }, { authorization: "" });
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ status: 401, code: "SIGNED_OUT" });
    const language = await post("language/set", { lang: "ja" });
    expect(language.headers.get("set-cookie")).toMatch(/=ja; Path=\/; Max-Age=\d+; SameSite=Lax$/);
  });

  it("note the address of the caller, the connection's own where nobody in front has written one", async () => {
    const ipOf = async (more: Record<string, string>) => {
      await post("userSetting/saveUserSetting", { settingId: "rows", value: 1 }, more);
      return (await db.app`select ip from audit_log where address = 'userSetting/saveUserSetting' order by id desc limit 1`)[0]?.ip;
    };
    expect(await ipOf({})).toBe("127.0.0.1");
    expect(await ipOf({ "x-forwarded-for": "203.0.113.9, 198.51.100.7" })).toBe("198.51.100.7");
  });

  it("are packed for a caller that says he unpacks, when they are large", async () => {
    const sizes = async (accepted: string) => {
      const response = await post("session/rebuild?projectNumber=DIRECT", { projectNumber: "DIRECT" }, { "accept-encoding": accepted });
      const { data } = (await response.json()) as { data: { permissions: object } };
      expect(Object.keys(data.permissions).length).toBeGreaterThan(10);
      return [response.headers.get("content-encoding"), Number(response.headers.get("content-length"))] as const;
    };
    const plain = await sizes("identity");
    expect(plain[0]).toBeNull();
    for (const [accepted, packing] of [
      ["gzip, br", "gzip"],
      ["gzip, deflate, br, zstd", "zstd"],
      ["zstd;q=0, gzip;q=0.5", "gzip"],
    ] as const) {
      const packed = await sizes(accepted);
      expect(packed[0]).toBe(packing);
      expect(packed[1]).toBeLessThan(plain[1] / 2);
    }
    expect(await sizes("br, gzip;q=0")).toEqual(plain);
    expect((await post("language/set", { lang: "en" })).headers.get("content-encoding")).toBeNull();
  });

  it("may have an address of one part", async () => {
    const answer = await post("savePlanChange?projectNumber=DIRECT", {});
    expect(await answer.json()).toMatchObject({ status: 400, code: "INVALID_INPUT" });
  });

  it("leave to the framework what is no declared call, whatever its form", async () => {
    const left = async (path: string, method = "POST") => (await fetch(`${origin}${path}`, { method, headers })).text();
    for (const path of [
      "/api/health",
      "/api/no/such/call",
      "/api/session//rebuild",
      "/api/session/rebuild/",
      "/api/%zz/rebuild",
      "/DIRECT/home",
    ])
      expect(await left(path), path).toBe("left POST");
    expect(await left("/api/session/rebuild", "PUT")).toBe("left PUT");
  });

  it("refuse too long a body while it still comes, and the connection lives on", { timeout: 30_000 }, async () => {
    const answer = await new Promise<{ status: number | undefined; keeps: string | undefined }>((done, fail) => {
      const sending = open(`${origin}/api/language/set`, { method: "POST", headers: { ...headers, "transfer-encoding": "chunked" } });
      sending.on("response", (response) => {
        response.resume();
        done({ status: response.statusCode, keeps: response.headers.connection });
      });
      sending.on("error", fail);
      sending.end(Buffer.alloc(bodyBytes + 1, 32));
    });
    expect(answer).toEqual({ status: 413, keeps: "keep-alive" });
  });

  it("are no fault where the caller leaves in the middle of what he sends, before or after he is asked for it", async () => {
    const faults = vi.spyOn(log, "error");
    for (const late of [false, true]) {
      const sending = open(`${origin}/api/language/set`, { method: "POST", headers: { ...headers, "content-length": "100" } });
      sending.on("error", () => {});
      sending.write("{");
      const [request] = await once(server, "request");
      if (late) await vi.waitFor(() => expect(request.readableDidRead).toBe(true));
      sending.destroy();
      await answering;
    }
    expect(faults).not.toHaveBeenCalled();
    faults.mockRestore();
  });

  it("have addresses that no file below app/api answers", async () => {
    const own = ["auth/", "feeds/", "file/", "files", "task/file/", "metrics", "mail/unsubscribe/", "events", "openapi.json", "health"];
    const routes = (await allRoutes()).flatMap(({ route }) => route.addresses);
    for (const { declaration } of await allCalls()) {
      expect(
        own.filter((start) => declaration.address.startsWith(start)),
        declaration.address,
      ).toEqual([]);
      expect(routes).not.toContain(declaration.address);
    }
  });
});
