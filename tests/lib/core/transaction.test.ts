import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Pool, type Sql, transaction } from "#db/client.ts";
import { type Line, openLine } from "../../jobs/support/line.ts";
import { useDatabase } from "../../support/database.ts";

const database = useDatabase();
const connections = 3;
let line: Line;
let pool: Pool;

beforeAll(async () => {
  line = await openLine(database.url);
  pool = connect(line.url, connections);
  await database.owner`create table written (value text)`;
  await database.owner`grant all on written to public`;
});
afterAll(async () => {
  await pool.end({ timeout: 1 });
  line.close();
});

const written = async () => (await database.owner<{ value: string }[]>`select value from written`).map((row) => row.value);
const cutSoon = () => setTimeout(line.cut, 30);

describe("a transaction whose connection is lost", () => {
  // What the driver throws outside of any promise fails the whole run.
  test.each<[string, (sql: Sql) => Promise<unknown>]>([
    [
      "between two statements",
      async (sql) => {
        await sql`insert into written values ('between')`;
        cutSoon();
        await pause(150);
        await sql`insert into written values ('after')`;
      },
    ],
    [
      "during a statement",
      async (sql) => {
        await sql`insert into written values ('during')`;
        cutSoon();
        await sql`select pg_sleep(0.2)`;
      },
    ],
    [
      "before its commit",
      async (sql) => {
        await sql`insert into written values ('commit')`;
        cutSoon();
        await pause(150);
      },
    ],
    [
      "during a statement whose failure is turned into another",
      async (sql) => {
        await sql`insert into written values ('other')`;
        cutSoon();
        await sql`select pg_sleep(0.2)`.catch(() => {
          throw new Error("something else");
        });
      },
    ],
  ])("%s is refused, has written nothing, and leaves the pool whole", async (_, work) => {
    await expect(transaction(pool, work)).rejects.toThrow(/CONNECTION_CLOSED|something else/);
    await pause(250);
    const answers = await Promise.all(Array.from({ length: connections * 2 }, () => pool<{ one: number }[]>`select 1 as one`));
    expect(answers.map(([row]) => row?.one)).toEqual(Array(connections * 2).fill(1));
    expect(await written()).toEqual([]);
  });

  test("a statement that nobody waited for takes what came behind it with it", async () => {
    const work = transaction(pool, async (sql) => {
      sql`insert into written values (${"unheard"}), ((1 / ${0}::int)::text)`.execute();
      await sql`insert into written values ('behind')`;
    });
    await expect(work).rejects.toMatchObject({ code: "22012" });
    expect(await written()).toEqual([]);
  });

  test("others commit and roll back as ever", async () => {
    await transaction(pool, async (sql) => sql`insert into written values ('kept')`);
    const refused = transaction(pool, async (sql) => {
      await sql`insert into written values ('gone')`;
      throw new Error("no");
    });
    await expect(refused).rejects.toThrow("no");
    await expect(transaction(pool, (sql) => sql`select * from nowhere`)).rejects.toMatchObject({ code: "42P01" });
    expect(await written()).toEqual(["kept"]);
  });
});
