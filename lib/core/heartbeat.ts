import "server-only";
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { getSql } from "#db/client.ts";
import { log } from "./log.ts";

const beatMs = 5_000;
/** Rows of processes that ended without removing theirs are kept for this long. */
const deadAfter = "1 hour";

/**
 * Writes the process's sign of life every five seconds until it is stopped, by the database's clock, so that machines with wrong clocks agree.
 * @param id under which others know the process
 * @returns ends it and removes the row
 */
export async function startHeartbeat(kind: "web" | "worker", id: string = randomUUID()): Promise<() => Promise<void>> {
  const sql = getSql();
  const beat = async () => {
    await sql`
      insert into process_heartbeat (id, kind, pid, host, started_at, beat_at, memory_bytes)
      values (${id}, ${kind}, ${process.pid}, ${hostname().slice(0, 255)}, now(), now(), ${process.memoryUsage.rss()})
      on conflict (id) do update set beat_at = now(), memory_bytes = excluded.memory_bytes`;
  };
  await beat();
  await sql`delete from process_heartbeat where beat_at < now() - ${deadAfter}::interval`;
  let writing: Promise<void> | null = null;
  const timer = setInterval(() => {
    writing ??= beat()
      .catch((error) => log.warn({ error }, "heartbeat not written"))
      .finally(() => {
        writing = null;
      });
  }, beatMs);
  return async () => {
    clearInterval(timer);
    await writing;
    await sql`delete from process_heartbeat where id = ${id}`.catch(() => {});
  };
}
