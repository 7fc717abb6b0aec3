import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A line to the database server that can be cut: the server's side simply ends, as when it is killed. */
export type Line = { url: string; cut: () => void; close: () => void };

/** Puts a line in front of the server of an address. */
export async function openLine(databaseUrl: string): Promise<Line> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    near.pipe(far);
    far.pipe(near);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    for (const socket of sockets) socket.end();
  };
  return {
    url: url.href,
    cut,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
