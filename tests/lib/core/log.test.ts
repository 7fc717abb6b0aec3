import { Writable } from "node:stream";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { database as drizzle } from "#db/client.ts";
import { appUser } from "#db/schema/session.ts";
import { errorFacts, makeLog, tagged } from "#lib/core/log.ts";
import { useDatabase } from "../../support/database.ts";

const database = useDatabase();
let lines: string[];
let log: ReturnType<typeof makeLog>;

beforeEach(() => {
  lines = [];
  vi.stubEnv("LOG_LEVEL", "debug");
  log = makeLog(
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
});

const last = () => JSON.parse(lines.at(-1) ?? "{}") as Record<string, unknown>;

describe("a line of the log", () => {
  test("carries the request id and the task of the work it belongs to, however deep, and of no other", async () => {
    const deep = async (text: string) => {
      await new Promise((resolve) => setImmediate(resolve));
      log.info(text);
    };
    await Promise.all([
      tagged({ requestId: "first" }, () => deep("a")),
      tagged({ requestId: "second", task: "t", attempt: 2 }, () => deep("b")),
      deep("c"),
    ]);
    const said = lines.map((line) => JSON.parse(line) as { msg: string; requestId?: string; task?: string; attempt?: number });
    expect(said.map(({ msg, requestId, task, attempt }) => [msg, requestId, task, attempt]).sort()).toEqual([
      ["a", "first", undefined, undefined],
      ["b", "second", "t", 2],
      ["c", undefined, undefined, undefined],
    ]);
  });

  test("says nothing secret that was handed to it", () => {
    log.info(
      { password: "s3cret", headers: { authorization: "Bearer mp_s3cret", cookie: "sid=s3cret" }, user: { email: "s3cret@x.example" } },
      "x",
    );
    expect(lines.join()).not.toContain("s3cret");
  });
});

describe("an error in the log", () => {
  const secret = "zhang.wei.private@example.com";
  const failing: [string, () => unknown][] = [
    ["a value the database cannot read", () => database.app`select ${secret}::text::int`],
    [
      "a row that exists",
      () =>
        database.owner`insert into app_user (account, name, email, kind, country) values (${secret}, 'a', 'b', 'employee', 'CN'), (${secret}, 'a', 'b', 'employee', 'CN')`,
    ],
    [
      "a statement of the query builder",
      () =>
        drizzle(database.app)
          .insert(appUser)
          .values({ account: secret, name: secret.repeat(200), email: secret, kind: "employee", country: "CN" } as never),
    ],
    ["a text that is no JSON", () => JSON.parse(`${secret} {`)],
    ["an address with a password", () => Promise.reject(new Error(`cannot reach postgres://owner:${secret}@db/milepost`))],
    ["a cause", () => Promise.reject(new Error("outer", { cause: new Error(`mail to ${secret} failed`) }))],
    ["a text", () => Promise.reject(`Error: insert\nparams: ${secret}`)],
  ];

  test.each(failing)("tells where it happened and none of the values: %s", async (_title, work) => {
    const error = await (async () => work())().then(
      () => null,
      (thrown) => thrown,
    );
    expect(error).not.toBeNull();
    log.error({ error, err: error }, "failed");
    expect(lines.join()).not.toContain("private@example");
    expect(last().msg).toBe("failed");
    if (error instanceof Error) expect(last().error).toMatchObject({ type: error.name, stack: expect.stringContaining("    at ") });
  });

  test("keeps code, table and constraint", async () => {
    const error = await database.owner`insert into project_member (project_id, user_id, role) values (0, 0, 'PM')`.catch(
      (thrown) => thrown,
    );
    expect(errorFacts(error)).toMatchObject({ type: "PostgresError", code: expect.any(String), table: "project_member" });
  });
});
