import { expect, test } from "vitest";
import { change, putSql, type Sql } from "#db/client.ts";
import { openLine } from "../jobs/support/line.ts";
import { useDatabase } from "../support/database.ts";

const db = useDatabase();

const connection = async (sql: Sql) => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;

test("changes one after the other use one connection, also behind one that failed", async () => {
  const first = await change(connection);
  for (let time = 0; time < 5; time++) expect(await change(connection)).toBe(first);
  await expect(change((sql) => sql`select 1 / 0`)).rejects.toMatchObject({ code: "22012" });
  expect(await change(connection)).toBe(first);
});

test("a change does not wait for another", async () => {
  const [one, other] = await change(async (sql) => [await connection(sql), await change(connection)]);
  expect(other).toBeTypeOf("number");
  expect(other).not.toBe(one);
});

test("a connection that is lost, or cannot be made, is not waited for", async () => {
  const line = await openLine(db.url);
  process.env.DATABASE_URL = line.url;
  putSql(db.app);
  const before = await change(connection);
  line.cut();
  await expect.poll(() => change(connection).catch(() => before)).not.toBe(before);
  line.close();
  await expect.poll(() => change(connection).catch(({ code }) => code)).toBe("ECONNREFUSED");
  process.env.DATABASE_URL = db.url;
  await expect.poll(() => change(connection).catch(() => null)).toBeTypeOf("number");
});
