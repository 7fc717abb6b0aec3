import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { GET } from "#app/api/health/route.ts";
import { connect, putSql } from "#db/client.ts";
import { useDatabase } from "#tests/support/database.ts";

const db = useDatabase();

beforeEach(async () => {
  await db.owner`delete from process_heartbeat`;
});

async function beat(kind: "web" | "worker", secondsAgo: number): Promise<void> {
  await db.owner`
    insert into process_heartbeat (id, kind, pid, host, started_at, beat_at)
    values (${randomUUID()}, ${kind}, 1, 'here', now(), now() - make_interval(secs => ${secondsAgo}))`;
}

async function health(): Promise<[number, unknown]> {
  const answer = await GET();
  return [answer.status, await answer.json()];
}

describe("the health call", () => {
  test("is 200 with a worker that gave a sign of life", async () => {
    await beat("worker", 20);
    expect(await health()).toEqual([200, { status: 200, missing: [] }]);
  });

  test.each([
    ["none", async () => {}],
    ["an old one", () => beat("worker", 40)],
    ["one of a web process", () => beat("web", 1)],
  ])("misses the worker: sign of life %s", async (_, arrange) => {
    await arrange();
    expect(await health()).toEqual([503, { status: 503, missing: ["worker"] }]);
  });

  test("misses migrations that were not applied", async () => {
    await beat("worker", 0);
    const [last] = await db.owner`delete from schema_migration where name = (select max(name) from schema_migration) returning name`;
    expect(await health()).toEqual([503, { status: 503, missing: ["migrations"] }]);
    await db.owner`insert into schema_migration (name) values (${last!.name})`;
  });

  test("misses the database that does not answer, and says nothing else of it", async () => {
    const nowhere = connect("postgres://app:secret@127.0.0.1:9/nowhere", 1);
    putSql(nowhere);
    try {
      expect(await health()).toEqual([503, { status: 503, missing: ["database"] }]);
    } finally {
      putSql(db.app);
      await nowhere.end({ timeout: 1 });
    }
  });
});
