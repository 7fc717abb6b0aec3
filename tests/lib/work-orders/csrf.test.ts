import { encode } from "next-auth/jwt";
import { beforeAll, describe, expect, it } from "vitest";
import { allCalls } from "#lib/calls.ts";
import { handleCall } from "#lib/core/door.ts";
import { tokenCsrf } from "#lib/core/secrets.ts";
import { sessionCookieName } from "#lib/core/session-cookie.ts";
import { createApiToken, openSession } from "#lib/session/commands.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember, makeProject } from "../../support/factories.ts";

const db = useDatabase();
const calls = (await allCalls()).map(({ declaration }) => declaration);
const changing = calls.filter(({ address, kind }) => /^(workOrder|activity\/na)\//.test(address) && kind !== "read");
let cookie: string;
let csrf: string;
let bearer: string;
let tokenId: number;

beforeAll(async () => {
  const project = await makeProject(db.app, { number: "CSRF" });
  const pm = await makeMember(db.app, project.id, "PM", "TL");
  const sid = await openSession(pm.id, { ip: null, now: new Date(), requestId: "r" });
  cookie = `${sessionCookieName()}=${await encode({ token: { sid }, secret: process.env.AUTH_SECRET!, salt: sessionCookieName() })}`;
  csrf = (await db.owner`select csrf_token from user_session where sid = ${sid}`)[0]!.csrf_token;
  bearer = `Bearer ${await createApiToken(db.app, pm.account, "test", new Date())}`;
  tokenId = (await db.owner`select id from api_token where user_id = ${pm.id}`)[0]!.id;
});

async function code(address: string, headers: Record<string, string>): Promise<string | undefined> {
  const request = new Request(`http://localhost:3000/api/${address}?projectNumber=CSRF`, {
    method: "POST",
    headers: { host: "localhost:3000", "content-type": "application/json", ...headers },
    body: "{}",
  });
  const response = await handleCall(request, address.split("/"));
  return ((await response.json()) as { code?: string }).code;
}

describe("the changing calls of work orders", () => {
  it("are all there", () => expect(changing.length).toBeGreaterThanOrEqual(12));

  it.each(
    changing.map(({ address }) => address),
  )("%s is refused without the token of the session, and passes with it [WOR-29]", async (address) => {
    const session = { cookie, "sec-fetch-site": "same-origin" };
    expect(await code(address, session)).toBe("CSRF_INVALID");
    expect(await code(address, { ...session, "x-csrf-token": `${csrf}x` })).toBe("CSRF_INVALID");
    expect(await code(address, { ...session, "x-csrf-token": csrf })).toBe("INVALID_INPUT");
    expect(await code(address, { authorization: bearer })).toBe("CSRF_INVALID");
    expect(await code(address, { authorization: bearer, "x-csrf-token": csrf })).toBe("CSRF_INVALID");
    expect(await code(address, { authorization: bearer, "x-csrf-token": tokenCsrf(process.env.AUTH_SECRET!, tokenId) })).toBe(
      "INVALID_INPUT",
    );
  });
});
