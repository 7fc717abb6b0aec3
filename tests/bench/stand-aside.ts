import { writeFileSync } from "node:fs";
import { commandLine, waitFor } from "../../scripts/processes.mjs";
import type { Installation } from "./installation.ts";

const least = 19;
const usual = 0;

/**
 * In service what answers a browser stands on another machine. Here it shares the cores with it: while `work` measures the browser, the processes of the server and
 * the connections of its database get what the browser leaves of them. Each of them is a session of its own, between which Linux shares by session and not by
 * process. Where that cannot be, the report says so.
 */
export async function serverAside<T>({ pid, sql }: Pick<Installation, "pid" | "sql">, work: () => Promise<T>): Promise<T> {
  const connections = await sql<{ id: number }[]>`select pid as id from pg_stat_activity where pid <> pg_backend_pid()`;
  // A database elsewhere has numbers of its own.
  const here = connections.map(({ id }) => id).filter((id) => commandLine(id).startsWith("postgres"));
  const processes = [pid("web"), pid("worker"), ...here].filter((id) => id !== undefined);
  const set = await share(processes, least);
  if (set < processes.length) console.log(`server aside: ${set} of ${processes.length} processes`);
  try {
    return await work();
  } finally {
    await share(processes, usual);
  }
}

/** Weighs the sessions of processes against others; gives how many of them could be. */
async function share(processes: readonly number[], weight: number): Promise<number> {
  let set = 0;
  for (const id of processes) if ((await waitFor(() => weigh(id, weight), 2_000, 50)) === "set") set++;
  return set;
}

/** One attempt; null where it has to be made again: who is not root may do it ten times a second. */
function weigh(id: number, weight: number): "set" | "refused" | null {
  try {
    writeFileSync(`/proc/${id}/autogroup`, String(weight));
    return "set";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EAGAIN" ? null : "refused";
  }
}
