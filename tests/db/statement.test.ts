import { finished } from "node:stream/promises";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { PostgresError, TransactionSql } from "postgres";
import { expect, test } from "vitest";
import { type Sql, transaction } from "#db/client.ts";
import { useDatabase } from "../support/database.ts";

const db = useDatabase();

test("pieces stand in a statement as they are written: in others, in lists, beside names, rows and values of every type", async () => {
  const { app: sql } = db;
  const day = sql`${"2026-10-14"}::date`;
  const columns = [sql`${day} as day`, sql`, ${sql.json({ a: [1] })}::jsonb as told`, sql`, ${[1, 2]}::int[] as list`];
  const nothing = sql``;
  const rows = await sql`
    select ${columns}, ${sql("n")}.*, ${null}::text as none, ${new Date(0)}::timestamptz as at ${sql.unsafe(", 1 + 1 as sum")} ${nothing}
    from (values ${sql([
      [1, "one"],
      [2, "two"],
    ])}) as n(id, name) where ${sql`name = ${"two"} and ${sql`${true}`}`}`;
  expect([...rows]).toEqual([
    { day: "2026-10-14", told: { a: [1] }, list: [1, 2], id: "2", name: "two", none: null, at: new Date(0), sum: 2 },
  ]);
});

test("a piece may stand in several statements, and be asked for as one", async () => {
  const { app: sql } = db;
  const one = sql<{ n: number }[]>`select ${7}::int as n`;
  expect([...(await sql`select n + 1 as n from (${one}) a`)]).toEqual([{ n: 8 }]);
  expect([...(await sql`select n + 2 as n from (${one}) a`)]).toEqual([{ n: 9 }]);
  expect([...(await one)]).toEqual([{ n: 7 }]);
});

test("a statement is run when it is asked for, and once", async () => {
  await transaction(db.owner, async (sql) => {
    await sql`create temporary table run (n int generated always as identity) on commit drop`;
    const adding = sql`insert into run default values returning n`;
    const count = async () => (await sql<{ n: number }[]>`select count(*)::int as n from run`)[0]?.n;
    expect(await count()).toBe(0);
    expect([...(await adding)]).toEqual([{ n: 1 }]);
    expect([...(await adding.execute())]).toEqual([{ n: 1 }]);
    expect(await count()).toBe(1);
    sql`insert into run default values`.execute();
    expect(await count()).toBe(2);
  });
});

test("it can be asked for all that the driver's can: values, raw, batches, one after the other, several statements at once", async () => {
  const { app: sql } = db;
  const numbers = () => sql<{ n: number }[]>`select n::int as n from generate_series(1, ${5}::int) n`;
  expect([...(await numbers().values())]).toEqual([[1], [2], [3], [4], [5]]);
  expect((await numbers().raw())[0]?.[0]).toEqual(Buffer.from("1"));
  const batches: number[][] = [];
  for await (const batch of numbers().cursor(2)) batches.push(batch.map(({ n }) => n));
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
  const each: number[] = [];
  await numbers().forEach(({ n }) => {
    each.push(n);
  });
  expect(each).toEqual([1, 2, 3, 4, 5]);
  expect((await numbers().describe()).columns.map(({ name }) => name)).toEqual(["n"]);
  expect(await sql.unsafe("select 1 as a; select 2 as b").simple()).toMatchObject([[{ a: 1 }], [{ b: 2 }]]);
  expect(await sql.unsafe("select $1::int + $2::int as sum", [1, 2])).toMatchObject([{ sum: 3 }]);
  const slow = sql`select pg_sleep(20)`.execute();
  setTimeout(() => slow.cancel(), 50);
  await expect(slow).rejects.toMatchObject({ code: "57014" });
});

test("rows are copied in and out, and what is done within a savepoint, named or not, is taken back alone", async () => {
  const told = await transaction(db.owner, async (sql) => {
    await sql`create temporary table copied (line text) on commit drop`;
    const sink = await sql`copy copied from stdin`.writable();
    sink.end("one\ntwo\n");
    await finished(sink);
    const within = (sql as unknown as TransactionSql).savepoint;
    const add = (inner: Sql) => inner`insert into copied select ${"three"} ${inner`where ${true}`}`;
    const addAndFail = async (inner: Sql) => {
      await add(inner);
      await inner`select 1 / 0`;
    };
    await within((inner) => add(inner as unknown as Sql));
    await expect(within("named", (inner) => addAndFail(inner as unknown as Sql))).rejects.toMatchObject({ code: "22012" });
    await expect(within((inner) => addAndFail(inner as unknown as Sql))).rejects.toMatchObject({ code: "22012" });
    let text = "";
    for await (const part of await sql`copy copied to stdout`.readable()) text += part;
    return text;
  });
  expect(told).toBe("one\ntwo\nthree\n");
});

const fails = (sql: Sql) => sql`select ${1}::int / 0`;

test("an error names the place where its statement is written, the second time too", async () => {
  for (let time = 0; time < 2; time++) {
    const error = await fails(db.app).then(
      () => null,
      (reason: PostgresError) => reason,
    );
    expect(error).toMatchObject({ code: "22012" });
    expect(error?.stack).toMatch(/fails \(.*statement\.test\.ts/);
  }
});

test("a statement that failed fails its transaction, though somebody caught it", async () => {
  const work = transaction(db.app, async (sql) => {
    await sql`select 1 / 0`.catch(() => {});
    return "done";
  });
  await expect(work).rejects.toMatchObject({ code: "22012" });
});

const oldBytes = () =>
  getHeapSpaceStatistics().reduce(
    (sum, { space_name, space_used_size }) => (space_name.startsWith("new") ? sum : sum + space_used_size),
    0,
  );

// The driver's own queries keep all of it, its beginning and end of a transaction some 5 kB. A full collection may come at any time: the middle of many turns is asked for.
test("what a query held goes with what is young", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options?: { type: "minor" }) => void;
  const rows = 200;
  const ask = () =>
    transaction(
      db.app,
      (sql) => sql`select n, ${"x".repeat(50)}::text || n as told from generate_series(1, ${rows}::int) n ${sql`where ${true}`}`,
    );
  for (let run = 0; run < 100; run++) await ask();
  collect();
  const kept: number[] = [];
  for (let turn = 0; turn < 11; turn++) {
    const before = oldBytes();
    for (let run = 0; run < 100; run++) await ask();
    collect({ type: "minor" });
    kept.push(oldBytes() - before);
  }
  const bytesOfRows = 100 * rows * 100;
  expect(kept.sort((a, b) => a - b)[5]).toBeLessThan(bytesOfRows / 2);
});
