import "server-only";
import type { Sql } from "./client.ts";

/** Takes `count` new ids of a table ahead of its rows: what names them can be sent before the rows are known to be there. */
export async function takeIds(sql: Sql, table: string, count: number): Promise<number[]> {
  // As one text: thousands of rows of one number each take longer to come than to be made.
  const [row] = await sql<{ ids: string | null }[]>`
    select string_agg(nextval(${`${table}_id_seq`}::regclass)::text, ',') as ids from generate_series(1, ${count}::int)`;
  return row?.ids ? row.ids.split(",").map(Number) : [];
}
