import "server-only";
import type { Sql } from "./client.ts";

/** Takes `count` new ids of a table ahead of its rows: what names them can be sent before the rows are known to be there. */
export async function takeIds(sql: Sql, table: string, count: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`select nextval(${`${table}_id_seq`}::regclass) as id from generate_series(1, ${count}::int)`;
  return rows.map(({ id }) => id);
}
