import { expect, vi } from "vitest";
import { type Sql, transaction } from "#db/client.ts";
import type { TestDatabase } from "./database.ts";

/**
 * Starts a call while another transaction stands open, and ends that one once the call waits for a lock.
 * @param before what the transaction does before the call
 * @param call what must wait
 * @param after what the transaction does while the call waits
 * @returns what the call answers
 */
export async function meanwhile<T>(
  db: TestDatabase,
  before: (sql: Sql) => Promise<unknown>,
  call: () => Promise<T>,
  after?: (sql: Sql) => Promise<unknown>,
): Promise<T> {
  const { waiting } = await transaction(db.owner, async (sql) => {
    await before(sql);
    const waiting = call();
    waiting.catch(() => {});
    await vi.waitFor(async () => {
      const found = await db.owner`select 1 from pg_stat_activity where datname = ${db.name} and wait_event_type = 'Lock'`;
      expect(found.length).toBeGreaterThan(0);
    }, 10_000);
    await after?.(sql);
    return { waiting };
  });
  return waiting;
}
