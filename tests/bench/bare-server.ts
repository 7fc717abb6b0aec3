import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The least a server can do: run a statement for every request and send its rows as JSON. */
export const startBareServer = (read: () => Promise<unknown>) => startServer(async () => JSON.stringify(await read()));

type Version = { id: number; version: number };

/** A server that keeps finished rows in memory: a statement names the revisions, and only rows that changed are read and written as JSON. */
export function startKeptServer(versions: () => Promise<Version[]>, read: (ids: number[]) => Promise<{ id: number }[]>) {
  const kept = new Map<number, { version: number; text: string }>();
  return startServer(async () => {
    const asked = await versions();
    const missing = asked.filter(({ id, version }) => kept.get(id)?.version !== version);
    if (missing.length > 0) {
      const known = new Map(missing.map(({ id, version }) => [id, version]));
      for (const row of await read(missing.map(({ id }) => id)))
        kept.set(row.id, { version: known.get(row.id)!, text: JSON.stringify(row) });
    }
    return `[${asked.map(({ id }) => kept.get(id)?.text).join(",")}]`;
  });
}

async function startServer(answer: () => Promise<string>): Promise<{ address: string; close: () => void }> {
  const server: Server = createServer(async (_request, response) => {
    const body = await answer();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}
