import "server-only";
import type { Sql } from "#db/client.ts";
import { AppError } from "./error.ts";

const minuteMs = 60_000;
/** The longest time a bucket may look back. */
const longestMs = 3_600_000;

/**
 * Counts one call of a bucket and looks at the time before it. The moments live in the database, so all web processes share them;
 * the connection must be the pool, so that a failed call counts as well. A refused call is not counted: who waits is let in again.
 * @param windowMs how far it looks back, a minute unless told, at most an hour
 * @throws RATE_LIMIT while the limit was reached within that time
 */
export async function countHit(sql: Sql, bucket: string, limit: number, now: Date, windowMs = minuteMs): Promise<void> {
  const since = new Date(now.getTime() - windowMs);
  const [row] = await sql<{ refused: boolean; oldest: Date }[]>`
    insert into rate_limit as r (bucket, hits, refused, at) values (${bucket}, array[${now}::timestamptz], ${limit < 1}, ${now})
    on conflict (bucket) do update set (hits, refused, at) = (
      select case when count(*) < ${limit} then coalesce(array_agg(h order by h), '{}') || excluded.at else array_agg(h order by h) end, count(*) >= ${limit}, excluded.at
      from unnest(r.hits) h where h > ${since})
    returning refused, hits[1] as oldest`;
  if (!row?.refused) return;
  const seconds = Math.max(1, Math.ceil((row.oldest.getTime() + windowMs - now.getTime()) / 1000));
  throw new AppError("RATE_LIMIT", { max: limit, seconds });
}

/** Removes the counters that no bucket looks back to any more. */
export async function clearHits(sql: Sql, now: Date): Promise<void> {
  await sql`delete from rate_limit where at < ${new Date(now.getTime() - longestMs)}`;
}
