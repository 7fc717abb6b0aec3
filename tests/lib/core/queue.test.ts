import { PgBoss } from "pg-boss";
import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { transaction } from "#db/client.ts";
import { send } from "#lib/core/queue.ts";
import { queueSchema, queues } from "#lib/core/queue-ddl.ts";
import { useDatabase } from "../../support/database.ts";

const database = useDatabase();
const jobs = (key: string) => database.owner`select id, state from pgboss.job where singleton_key = ${key}`;

describe("the queue's tables", () => {
  test("are those of the installed library, without any difference", async () => {
    const sql = postgres(database.ownerUrl, { max: 1 });
    const boss = new PgBoss({
      schema: queueSchema,
      migrate: false,
      schedule: false,
      supervise: false,
      db: { executeSql: async (text: string, values: unknown[] = []) => ({ rows: await sql.unsafe(text, values as never[]) }) },
    });
    const drift = await boss.detectSchemaDrift();
    await sql.end();
    expect(drift.ok, JSON.stringify(drift)).toBe(true);
  });

  test("hold every queue with its options", async () => {
    const rows = await database.owner`
      select name, policy, retry_limit, heartbeat_seconds, expire_seconds, notify from pgboss.queue where name not like '\\_\\_%' order by name`;
    expect(rows).toEqual(
      Object.entries(queues)
        .map(([name, options]) => ({
          name,
          policy: options.policy,
          retry_limit: options.retryLimit,
          heartbeat_seconds: options.heartbeatSeconds,
          expire_seconds: options.expireInSeconds,
          notify: options.notify,
        }))
        .sort((left, right) => (left.name < right.name ? -1 : 1)),
    );
  });
});

describe("a job", () => {
  test("sent in a transaction exists when it commits and not when it rolls back", async () => {
    await transaction(database.app, (sql) => send(sql, "tasks", { taskId: "a" }, { key: "committed" }));
    const rolledBack = transaction(database.app, async (sql) => {
      await send(sql, "tasks", { taskId: "b" }, { key: "rolled back" });
      throw new Error("no");
    });
    await expect(rolledBack).rejects.toThrow("no");
    expect(await jobs("committed")).toHaveLength(1);
    expect(await jobs("rolled back")).toHaveLength(0);
  });

  test("with the key of an open one is not made", async () => {
    expect(await send(database.app, "tasks", {}, { key: "once" })).toBe(true);
    expect(await send(database.app, "tasks", {}, { key: "once" })).toBe(false);
    await database.owner`update pgboss.job set state = 'completed' where singleton_key = 'once'`;
    expect(await send(database.app, "tasks", {}, { key: "once" })).toBe(true);
  });
});
