import { readFileSync, writeFileSync } from "node:fs";
import type { Installation } from "./installation.ts";

const last = 19;

/**
 * In service what answers a browser stands on another machine. Here it shares two cores with it: while `work` measures the browser, the processes of the server and
 * the connections of its database get what the browser leaves of them. Each of them is a session of its own, between which Linux shares by session and not by
 * process; where it does not, nothing is changed.
 */
export async function serverAside<T>({ pid, sql }: Pick<Installation, "pid" | "sql">, work: () => Promise<T>): Promise<T> {
  const connections = await sql<{ pid: number }[]>`select pid from pg_stat_activity where pid <> pg_backend_pid()`;
  // A database elsewhere has numbers of its own.
  const here = connections.map((connection) => connection.pid).filter((id) => read(`/proc/${id}/cmdline`).startsWith("postgres"));
  const processes = [...here, pid("web"), pid("worker")].filter((id) => id !== undefined);
  const share = (nice: number) => {
    for (const id of processes) write(`/proc/${id}/autogroup`, String(nice));
  };
  share(last);
  try {
    return await work();
  } finally {
    share(0);
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch {
    // No Linux, no such sessions, or a process that has ended.
  }
}
